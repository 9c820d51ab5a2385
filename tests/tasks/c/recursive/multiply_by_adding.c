extern void abort(void);
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

int product(int a, int b) {
    if (b == 0) {
        return 0;
    }
    return a + product(a, b - 1);
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 1 || a > 500 || b < 1 || b > 500) {
        return 0;
    }
    if (product(a, b) < a) {
        __VERIFIER_error();
    }
    return 0;
}
