extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int moves;

void tower(int n, int from, int to, int by) {
    if (n == 0) {
        return;
    }
    tower(n - 1, from, by, to);
    moves = moves + 1;
    tower(n - 1, by, to, from);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 12) {
        return 0;
    }
    moves = 0;
    tower(n, 1, 3, 2);
    if (moves < n) {
        reach_error();
    }
    return 0;
}
