extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[3];
    int i;
    for (i = 0; i < 3; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    for (i = 0; i + 1 < 3; i++) {
        if (a[i] > a[i + 1]) {
            int x = a[i];
            a[i] = a[i + 1];
            a[i + 1] = x;
        }
    }
    for (i = 0; i + 1 < 3; i++) {
        if (a[i] > a[i + 1]) {
            reach_error();
        }
    }
    return 0;
}
