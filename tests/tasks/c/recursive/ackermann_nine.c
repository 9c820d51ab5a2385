extern void abort(void);
void reach_error() {}

static unsigned int calls = 0;

int ack(int m, int n) {
    calls = calls + 1;
    if (m == 0) {
        return n + 1;
    } else if (n == 0) {
        return ack(m - 1, 1);
    } else {
        return ack(m - 1, ack(m, n - 1));
    }
}

int main(void) {
    int r = ack(2, 3);
    if (r == 9 && calls > 9) {
        reach_error();
    }
    return 0;
}
