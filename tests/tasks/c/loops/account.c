extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int balance = 0;
    while (__VERIFIER_nondet_int()) {
        int amount = __VERIFIER_nondet_uchar();
        if (__VERIFIER_nondet_int()) {
            if (balance <= 1000000) {
                balance += amount;
            }
        } else {
            if (amount <= balance) {
                balance -= amount;
            }
        }
        if (balance < 0) {
            reach_error();
        }
    }
    return 0;
}
