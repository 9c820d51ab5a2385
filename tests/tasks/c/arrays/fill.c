extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[100];
    int i;
    for (i = 0; i < 100; i++) {
        a[i] = 7;
    }
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < 100 && a[k] != 7) {
        reach_error();
    }
    return 0;
}
