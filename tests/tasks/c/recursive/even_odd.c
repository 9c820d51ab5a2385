extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

int is_odd(unsigned int n);

int is_even(unsigned int n) {
    if (n == 0) {
        return 1;
    }
    return is_odd(n - 1);
}

int is_odd(unsigned int n) {
    if (n == 0) {
        return 0;
    }
    return is_even(n - 1);
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    if (n > 500) {
        return 0;
    }
    int r = is_even(n);
    if (r && n % 2 == 1) {
        reach_error();
        abort();
    }
    if (!r && n % 2 == 0) {
        reach_error();
        abort();
    }
    return 0;
}
