extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    if (n > 1000000) {
        n = 1000000;
    }
    while (i < n) {
        if (i == 8) {
            i = i + 3;
        } else {
            i = i + 2;
        }
    }
    if (i % 2 != 0) {
        reach_error();
    }
    return 0;
}
