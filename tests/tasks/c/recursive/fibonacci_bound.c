extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int fib(int n) {
    if (n < 1) {
        return 0;
    }
    if (n == 1) {
        return 1;
    }
    return fib(n - 1) + fib(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 24) {
        return 0;
    }
    if (fib(n) < n - 1) {
        reach_error();
        abort();
    }
    return 0;
}
