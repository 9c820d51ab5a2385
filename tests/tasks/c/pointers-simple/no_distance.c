extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct S { char a; } s;
int main(void) {
  int n = __VERIFIER_nondet_int();
  char *p = (char *)&s, *q = &s.a;
  if (p - q == 0 && n == 123456) reach_error();
  return 0;
}
