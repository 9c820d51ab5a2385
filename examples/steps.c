extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int steps(int n) {
  if (n <= 0) return 0;
  return 1 + steps(n - 3);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 30) return 0;
  if (steps(n) == 7) reach_error();
  return 0;
}
