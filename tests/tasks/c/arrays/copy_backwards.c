extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[5];
    int i;
    for (i = 0; i < 5; i++) {
        a[i] = i * i;
    }
    /* Moves everything one up, but in the wrong order. */
    for (i = 1; i < 5; i++) {
        a[i] = a[i - 1];
    }
    if (a[4] != 9) {
        reach_error();
    }
    return 0;
}
