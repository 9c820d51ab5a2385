extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int count[3] = {0, 0, 0};
    int rounds;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) {
        return 0;
    }
    for (rounds = 0; rounds < n; rounds++) {
        int value = __VERIFIER_nondet_int();
        if (value < 0) {
            count[0]++;
        } else if (value == 0) {
            count[1]++;
        } else {
            count[2]++;
        }
    }
    if (count[0] + count[1] + count[2] != n) {
        reach_error();
    }
    return 0;
}
