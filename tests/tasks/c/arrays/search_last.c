extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int values[4] = {3, 1, 4, 1};
    int wanted = __VERIFIER_nondet_int();
    int at = -1;
    int i;
    for (i = 0; i < 4; i++) {
        if (values[i] == wanted) {
            at = i;
        }
    }
    /* Meant was the first one. */
    for (i = 0; i < at; i++) {
        if (values[i] == wanted) {
            reach_error();
        }
    }
    return 0;
}
