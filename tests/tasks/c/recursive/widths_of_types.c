extern void abort(void);
void reach_error() {}

/* How many times one can be doubled before it is lost: the width of the type. */
int doublings_long(unsigned long x) {
    if (x == 0) {
        return 0;
    }
    return 1 + doublings_long(x * 2);
}

int doublings_int(unsigned int x) {
    if (x == 0) {
        return 0;
    }
    return 1 + doublings_int(x * 2);
}

int main(void) {
    if (doublings_long(1) != 8 * (int)sizeof(char *)) {
        reach_error();
        abort();
    }
    if (doublings_int(1) != 32) {
        reach_error();
        abort();
    }
    if (doublings_long(1) == doublings_int(1)) {
        reach_error();
        abort();
    }
    return 0;
}
