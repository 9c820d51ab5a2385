extern void abort(void);
void reach_error() {}
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char add(unsigned char a, unsigned char b) {
    unsigned char sum = a + b;
    if (sum < a) {
        sum = 255;
    }
    return sum;
}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar();
    unsigned char b = __VERIFIER_nondet_uchar();
    unsigned char sum = add(a, b);
    int exact = a + b;
    if (exact <= 255 && sum != exact) {
        reach_error();
    }
    if (exact > 255 && sum != 255) {
        reach_error();
    }
    return 0;
}
