extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int a(int n);
int b(int n);
int c(int n);

int a(int n) { return n <= 0 ? 0 : 1 + b(n - 1); }
int b(int n) { return n <= 0 ? 0 : 1 + c(n - 2); }
int c(int n) { return n <= 0 ? 0 : 1 + a(n - 3); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 600) {
        return 0;
    }
    int r = a(n);
    if (r > n) {
        reach_error();
        abort();
    }
    if (r == 7 && n == 13) {
        reach_error();
        abort();
    }
    return 0;
}
