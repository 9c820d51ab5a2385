extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { int a; int b; } s;
int lt(int *p, int *q) { return p < q; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (lt(&s.a, &s.b) && n == 123456) reach_error();
  return 0;
}
