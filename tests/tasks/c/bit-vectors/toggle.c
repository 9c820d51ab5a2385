extern void abort(void);
void reach_error() {}
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char flags = __VERIFIER_nondet_uchar();
    unsigned char before = flags;
    unsigned char bit = __VERIFIER_nondet_uchar();
    if (bit > 7) {
        return 0;
    }
    flags ^= (unsigned char)(1 << bit);
    if (flags == before) {
        reach_error();
    }
    flags ^= (unsigned char)(1 << bit);
    if (flags != before) {
        reach_error();
    }
    return 0;
}
