extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int held = 0; /* how many, taken in rising order */

void take(int number) {
    if (number <= held) {
        reach_error();
        abort();
    }
    held = number;
}

int main(void) {
    int i;
    for (i = 0; i < 5; i++) {
        int number = __VERIFIER_nondet_int();
        if (number < 1 || number > 5) {
            return 0;
        }
        if (number > held || held == 4) {
            take(number);
        }
    }
    return 0;
}
