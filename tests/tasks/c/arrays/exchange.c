extern void abort(void);
void reach_error() {}
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char a[10];
    unsigned char i, j, k;
    for (i = 0; i < 10; i++) {
        a[i] = i;
    }
    i = __VERIFIER_nondet_uchar();
    j = __VERIFIER_nondet_uchar();
    k = __VERIFIER_nondet_uchar();
    if (i >= 10 || j >= 10 || k >= 10) {
        return 0;
    }
    unsigned char kept = a[i];
    a[i] = a[j];
    a[j] = kept;
    if (a[i] != j || a[j] != i) {
        reach_error();
    }
    if (k != i && k != j && a[k] != k) {
        reach_error();
    }
    return 0;
}
