extern void abort(void);
void reach_error() {}
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar();
    int count = 0;
    unsigned char rest = x;
    while (rest != 0) {
        rest = rest & (rest - 1);
        count++;
    }
    if (count > 8) {
        reach_error();
    }
    if (count == 1 && (x & (x - 1)) != 0) {
        reach_error();
    }
    return 0;
}
