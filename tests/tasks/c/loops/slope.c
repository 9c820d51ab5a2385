extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0;
    int y = 0;
    int rounds = 0;
    while (rounds < 100000 && __VERIFIER_nondet_int()) {
        x += 2;
        y += 3;
        rounds++;
    }
    if (3 * x != 2 * y) {
        reach_error();
    }
    return 0;
}
