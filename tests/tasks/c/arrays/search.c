extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int find(int values[], int length, int wanted) {
    int i = 0;
    while (i < length) {
        if (values[i] == wanted) {
            return i;
        }
        i++;
    }
    return -1;
}

int main(void) {
    int values[8];
    int i;
    for (i = 0; i < 8; i++) {
        values[i] = __VERIFIER_nondet_int();
    }
    int wanted = __VERIFIER_nondet_int();
    int at = find(values, 8, wanted);
    if (at < -1 || at >= 8) {
        reach_error();
        abort();
    }
    if (at >= 0 && values[at] != wanted) {
        reach_error();
        abort();
    }
    return 0;
}
