extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[3];
    int i;
    for (i = 0; i < 3; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    int largest = 0; /* wrong where all are negative */
    for (i = 0; i < 3; i++) {
        if (a[i] > largest) {
            largest = a[i];
        }
    }
    if (largest != a[0] && largest != a[1] && largest != a[2]) {
        reach_error();
    }
    return 0;
}
