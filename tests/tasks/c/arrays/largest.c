extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
    int a[6];
    unsigned int i;
    for (i = 0; i < 6; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    int largest = a[0];
    for (i = 1; i < 6; i++) {
        if (a[i] > largest) {
            largest = a[i];
        }
    }
    unsigned int k = __VERIFIER_nondet_uint();
    if (k < 6 && a[k] > largest) {
        reach_error();
    }
    return 0;
}
