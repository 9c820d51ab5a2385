extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int is_odd(int n);

int is_even(int n) {
    if (n == 0) {
        return 1;
    }
    if (n == 1) {
        return 0;
    }
    return is_odd(n - 1);
}

int is_odd(int n) {
    if (n == 0) {
        return 0;
    }
    if (n == 1) {
        return 1;
    }
    /* Two steps, but the question is turned round once. */
    return is_even(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) {
        abort();
    }
    if (is_even(n) != (n % 2 == 0)) {
        reach_error();
    }
    return 0;
}
