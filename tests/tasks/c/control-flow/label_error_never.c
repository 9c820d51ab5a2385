extern int __VERIFIER_nondet_int(void);

int main(void) {
    int low = __VERIFIER_nondet_int();
    int high = __VERIFIER_nondet_int();
    int middle;
    if (low > high || low < -1000 || high > 1000) {
        goto end;
    }
    middle = low + (high - low) / 2;
    if (middle < low || middle > high) {
        goto ERROR;
    }
end:
    return 0;
ERROR:
    return 1;
}
