extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned long wide = x;
    wide = wide + 1;
    if (wide == 0) {
        reach_error();
        abort();
    }
    return 0;
}
