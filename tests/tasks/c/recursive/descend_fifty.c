extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int down(int n) {
    if (n > 50) {
        return n - 5;
    }
    return down(down(n + 6));
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -100 || n > 1000) {
        return 0;
    }
    int r = down(n);
    if (n <= 51 && r != 46) {
        reach_error();
        abort();
    }
    if (n > 51 && r != n - 5) {
        reach_error();
        abort();
    }
    return 0;
}
