extern void abort(void);
void reach_error() {}
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char add(unsigned char a, unsigned char b) {
    unsigned char sum = a + b;
    if (a > 127 && b > 127) {
        sum = 255;
    }
    return sum;
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned char b = __VERIFIER_nondet_uchar();
    unsigned char sum = add(a, b);
    if (sum < a) {
        reach_error();
    }
    return 0;
}
