extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

void exchange(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int old_x = x, old_y = y;
    exchange(&x, &y);
    if (x != old_y || y != old_x) {
        reach_error();
    }
    return 0;
}
