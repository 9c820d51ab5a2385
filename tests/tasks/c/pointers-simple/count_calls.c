extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

void down(int n, int *count) {
    if (n > 0) {
        *count = *count + 1;
        down(n - 1, count);
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int count = 0;
    if (n < 0 || n > 1000) {
        return 0;
    }
    down(n, &count);
    if (count != n) {
        reach_error();
    }
    return 0;
}
