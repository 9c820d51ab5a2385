extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int from[50], to[50];
    int i, k;
    for (i = 0; i < 50; i++) {
        from[i] = __VERIFIER_nondet_int();
    }
    for (i = 0; i < 50; i++) {
        to[i] = from[i];
    }
    k = __VERIFIER_nondet_int();
    if (k < 0 || k >= 50) {
        return 0;
    }
    if (from[k] != to[k]) {
        reach_error();
    }
    return 0;
}
