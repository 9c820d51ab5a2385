extern void abort(void);
void reach_error() {}
extern long __VERIFIER_nondet_long(void);

/* Milliseconds in a number of days, as somebody wrote it who thought that long has 64 bits. */
unsigned long milliseconds(unsigned long days) {
    unsigned long sum = 0;
    unsigned long i = 0;
    while (i < days) {
        sum = sum + 86400000UL;
        i = i + 1;
    }
    return sum;
}

int main(void) {
    long days = __VERIFIER_nondet_long();
    if (days < 1 || days > 60) {
        return 0;
    }
    unsigned long ms = milliseconds(days);
    if (ms < 86400000UL) {
        reach_error();
        abort();
    }
    return 0;
}
