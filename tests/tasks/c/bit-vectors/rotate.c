extern void abort(void);
void reach_error() {}
extern unsigned int __VERIFIER_nondet_uint(void);

unsigned int left(unsigned int x, unsigned int by) {
    return (x << by) | (x >> (32u - by));
}

unsigned int right(unsigned int x, unsigned int by) {
    return (x >> by) | (x << (32u - by));
}

int main(void) {
    unsigned int x = __VERIFIER_nondet_uint();
    if (right(left(x, 7u), 7u) != x) {
        reach_error();
    }
    return 0;
}
