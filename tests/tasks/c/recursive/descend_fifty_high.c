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
    if (n >= 0 && n <= 100 && down(n) > 94) {
        reach_error();
    }
    return 0;
}
