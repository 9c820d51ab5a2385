extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

void check(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0) {
        return 0;
    }
    int left = n;
    int done = 0;
    while (left > 0) {
        left--;
        if (left == 12) {
            continue;
        }
        done++;
    }
    check(done == n);
    return 0;
}
