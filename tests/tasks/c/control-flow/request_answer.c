extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void exit(int);

int pending = 0;
int served = 0;

void serve(int amount) {
SERVE:
    served = amount;
    pending = 0;
}

int main(void) {
    int rounds = __VERIFIER_nondet_int();
    for (;;) {
        if (__VERIFIER_nondet_int()) {
        REQUEST:
            pending = 1;
            serve(rounds);
        ANSWER:
            ;
        }
        if (__VERIFIER_nondet_int() == 7) {
        LEAVE:
            exit(pending);
        }
        if (rounds < 0) {
            __VERIFIER_assume(served > 100);
        BLOCKED:
            ;
        }
    }
}
