extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    if (!(x + 1 > x)) {
        reach_error();
    }
    return 0;
}
