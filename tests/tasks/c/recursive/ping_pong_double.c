extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int pong(int x, int y);

int ping(int x, int y) {
    return x <= 0 ? y : pong(x - 1, y + 1);
}

int pong(int x, int y) {
    return x <= 0 ? y : ping(x - 1, y + 2);
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000 || y < 0 || y > 1000) {
        return 0;
    }
    if (ping(x, y) != x + y) {
        reach_error();
        abort();
    }
    return 0;
}
