extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned int a = __VERIFIER_nondet_uint();
    unsigned int b = __VERIFIER_nondet_uint();
    if (a > b) {
        return 0;
    }
    unsigned int middle = (a + b) / 2;
    if (middle < a || middle > b) {
        reach_error();
    }
    return 0;
}
