extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int low = x & 15u;
    unsigned int high = x >> 4;
    if (low > 15 || high * 16 + low != x) {
        reach_error();
    }
    return 0;
}
