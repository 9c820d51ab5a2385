extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

void divide(int a, int b, int *quotient, int *rest) {
    *quotient = 0;
    *rest = a;
    while (*rest >= b) {
        *rest = *rest - b;
        *quotient = *quotient + 1;
    }
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int q, r;
    if (a < 0 || a > 100000) {
        return 0;
    }
    divide(a, 7, &q, &r);
    if (7 * q + r != a || r < 0 || r >= 7) {
        reach_error();
    }
    return 0;
}
