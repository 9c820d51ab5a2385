extern void abort(void);
void reach_error() { ((void)0); }
void assume_abort_if_not(int cond) {
  if (!cond) { abort(); }
}
void __VERIFIER_assert(int cond) {
  if (!(cond)) {
    ERROR: { reach_error(); abort(); }
  }
  return;
}
extern unsigned char __VERIFIER_nondet_uchar(void);

int main() {
  unsigned char n = __VERIFIER_nondet_uchar();
  assume_abort_if_not(n > 0);
  unsigned char i = 0;
  unsigned int rounds = 0;
  do {
    i = i + 16;
    rounds++;
  } while (i != 0 && rounds < 100);
  __VERIFIER_assert(rounds != 16 || n != 42);
  return 0;
}
