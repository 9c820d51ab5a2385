extern void __VERIFIER_error() __attribute__ ((__noreturn__));
extern void __VERIFIER_assume(int);
extern short __VERIFIER_nondet_short();
extern unsigned short __VERIFIER_nondet_ushort();
int main() {
  short a = __VERIFIER_nondet_short();
  unsigned short b = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(a > 100);
  __VERIFIER_assume(b < 60);
  int distance = a - b;
  if (distance <= 42) { goto ERROR; }
  return 0;
ERROR: __VERIFIER_error();
  return 0;
}
