extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned);
int *f(void) { return malloc(sizeof(int)); }
int *(*p)(void) = f;
int main(void) {
  int n = __VERIFIER_nondet_int();
  int *a = p();
  *a = 1;
  int *b = p();
  *b = 2;
  if (*a == 1 && n == 123456) reach_error();
  return 0;
}
