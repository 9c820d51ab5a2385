void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int x = 0;
    while (x < n) {
        x++;
    }
    if (x != n) {
        reach_error();
    }
    return 0;
}
