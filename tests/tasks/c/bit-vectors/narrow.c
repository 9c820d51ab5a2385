extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    signed char c = (signed char)x;
    unsigned char u = (unsigned char)x;
    if (x >= 0 && x <= 255 && u != x) {
        reach_error();
    }
    if (x >= 0 && x <= 200 && c != x) {
        reach_error();
    }
    return 0;
}
