extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int rate(int kind) {
    int r = 0;
    switch (kind) {
    case 1:
        r = 10;
        break;
    case 2:
        r = 20;
    case 3:
        r += 5;
        break;
    default:
        r = -1;
    }
    return r;
}

int main(void) {
    int kind = __VERIFIER_nondet_int();
    int r = rate(kind);
    if (r != -1 && r != 5 && r != 10 && r != 20) {
        reach_error();
    }
    return 0;
}
