extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4];
    int *p;
    int sum = 0;
    for (p = a; p < a + 4; p++) {
        int x = __VERIFIER_nondet_int();
        if (x < 0 || x > 10) {
            return 0;
        }
        *p = x;
    }
    for (p = a; p != a + 4; ++p) {
        sum += *p;
    }
    if (sum == 40) {
        reach_error();
    }
    return 0;
}
