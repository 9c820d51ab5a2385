extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int limit = __VERIFIER_nondet_int();
    int turn = __VERIFIER_nondet_int();
    if (turn < 0 || limit < turn) {
        return 0;
    }
    int x = 0;
    int y = turn;
    while (x < limit) {
        if (x >= turn) {
            y = y + 1;
        }
        x = x + 1;
    }
    if (y != limit) {
        reach_error();
    }
    return 0;
}
