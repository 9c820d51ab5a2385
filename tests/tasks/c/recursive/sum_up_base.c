extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

/* The base case gives one too much. */
int sum(int n) {
    if (n <= 0) {
        return 1;
    }
    return n + sum(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 100) {
        abort();
    }
    if (sum(n) == 11) {
        reach_error();
    }
    return 0;
}
