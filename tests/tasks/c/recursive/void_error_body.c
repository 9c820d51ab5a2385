extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
void reach_error() { __assert_fail("0", "void_error_body.c", 3, "reach_error"); }
void assume_abort_if_not(int cond) {
  if (!cond) { abort(); }
}
void __VERIFIER_assert(int cond) {
  if (!(cond)) {
    ERROR: { reach_error(); abort(); }
  }
  return;
}
extern long long __VERIFIER_nondet_longlong(void);

long long half(long long n) {
  if (n < 2) { return 0; }
  return 1 + half(n - 2);
}

int main() {
  long long n = __VERIFIER_nondet_longlong();
  assume_abort_if_not(n >= 0 && n <= 1000);
  long long h = half(n);
  __VERIFIER_assert(2 * h == n || 2 * h + 1 == n);
  return 0;
}
