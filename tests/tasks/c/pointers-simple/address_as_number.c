extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x;
unsigned long addr = (unsigned long)&x;
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n != 123456789) return 0;
  *(int *)addr = n;
  if (x != 0) reach_error();
  return 0;
}
