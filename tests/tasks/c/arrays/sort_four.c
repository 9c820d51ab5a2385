extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4];
    int i, j;
    for (i = 0; i < 4; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    for (i = 1; i < 4; i++) {
        int x = a[i];
        j = i - 1;
        while (j >= 0 && a[j] > x) {
            a[j + 1] = a[j];
            j = j - 1;
        }
        a[j + 1] = x;
    }
    for (i = 0; i < 3; i++) {
        if (a[i] > a[i + 1]) {
            reach_error();
        }
    }
    return 0;
}
