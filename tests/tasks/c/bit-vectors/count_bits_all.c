extern void abort(void);
void reach_error() {}
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short x = __VERIFIER_nondet_ushort();
    int count = 0;
    int i;
    for (i = 0; i < 16; i++) {
        if ((x >> i) & 1) {
            count++;
        }
    }
    if (count == 15 && (x & 1024) == 0) {
        reach_error();
    }
    return 0;
}
