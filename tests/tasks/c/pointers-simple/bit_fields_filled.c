extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *memset(void *, int, unsigned);
struct B { unsigned char a : 4; unsigned char b : 4; };
int main(void) {
  int n = __VERIFIER_nondet_int();
  struct B s;
  memset(&s, 0x12, 1);
  if (s.b == 1 && n == 123456) reach_error();
  return 0;
}
