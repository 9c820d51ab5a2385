extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int gcd(int a, int b) {
    if (b == 0) {
        return a;
    }
    if (a >= b) {
        return gcd(a - b, b);
    }
    return gcd(b, a);
}

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0 || a > 60 || b > 60) {
        return 0;
    }
    int g = gcd(a, b);
    /* Not so where one of them is zero. */
    if (g > b) {
        reach_error();
    }
    return 0;
}
