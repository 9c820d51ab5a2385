extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int *larger(int *a, int *b) {
    if (*a > *b) {
        return a;
    }
    return b;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int *p = larger(&x, &y);
    if (*p < x || *p < y) {
        reach_error();
        abort();
    }
    *p = 0;
    if (x != 0 && y != 0) {
        reach_error();
        abort();
    }
    return 0;
}
