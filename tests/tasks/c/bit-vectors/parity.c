extern void abort(void);
void reach_error() {}
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char folded = x ^ (x >> 4);
    folded = folded ^ (folded >> 2);
    folded = folded ^ (folded >> 1);
    int parity = 0;
    int i;
    for (i = 0; i < 8; i++) {
        parity = parity ^ ((x >> i) & 1);
    }
    if (parity != (folded & 1)) {
        reach_error();
    }
    return 0;
}
