extern void abort(void);
void reach_error() {}
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned int fib(unsigned int n) {
    if (n < 2) {
        return n;
    }
    return fib(n - 1) + fib(n - 2);
}

int main(void) {
    unsigned int n = __VERIFIER_nondet_uchar();
    if (n >= 16) {
        abort();
    }
    if (fib(n) == 34) {
        reach_error();
    }
    return 0;
}
