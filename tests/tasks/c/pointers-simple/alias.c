extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0, y = 0;
    int *p = &x;
    int *q = &y;
    if (__VERIFIER_nondet_int()) {
        q = p;
    }
    *p = 1;
    *q = 2;
    if (*p != 1) {
        reach_error();
    }
    return 0;
}
