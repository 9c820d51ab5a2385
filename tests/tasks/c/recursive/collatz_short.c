extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int steps(unsigned int n, unsigned int limit) {
    if (n <= 1 || limit == 0) {
        return 0;
    }
    if (n % 2 == 0) {
        return 1 + steps(n / 2, limit - 1);
    }
    return 1 + steps(3 * n + 1, limit - 1);
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    if (steps(n, 30) > 30) {
        reach_error();
        abort();
    }
    return 0;
}
