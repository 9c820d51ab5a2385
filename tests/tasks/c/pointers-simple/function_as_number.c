extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int f1(int x) { return x + 1; }
unsigned long a = (unsigned long)&f1;
int main(void) {
  int n = __VERIFIER_nondet_int();
  int (*g)(int) = (int (*)(int))a;
  if (n == 123456 && g(3) == 4) reach_error();
  return 0;
}
