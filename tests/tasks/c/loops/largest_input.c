extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int largest = __VERIFIER_nondet_int();
    int last = largest;
    int i;
    for (i = 0; i < 5; i++) {
        last = __VERIFIER_nondet_int();
        if (last > largest) {
            largest = last;
        }
    }
    if (largest < last) {
        reach_error();
    }
    return 0;
}
