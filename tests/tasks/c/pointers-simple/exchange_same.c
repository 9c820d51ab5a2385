extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

void exchange(unsigned int *a, unsigned int *b) {
    *a = *a ^ *b;
    *b = *a ^ *b;
    *a = *a ^ *b;
}

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int old = x;
    exchange(&x, &x);
    if (x != old) {
        reach_error();
    }
    return 0;
}
