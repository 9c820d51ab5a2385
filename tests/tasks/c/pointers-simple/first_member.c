extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct L { int k; };
struct E { struct L l; int v; } e;
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct L *h = &e.l;
  struct E *q = &e;
  if ((struct E *)h == q && n == 123456) reach_error();
  return 0;
}
