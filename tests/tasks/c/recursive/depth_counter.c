extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int depth = 0;
int most = 0;

void walk(int n) {
    depth = depth + 1;
    if (depth > most) {
        most = depth;
    }
    if (n > 0) {
        walk(n - 1);
        if (__VERIFIER_nondet_int()) {
            walk(n - 1);
        }
    }
    depth = depth - 1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 8) {
        return 0;
    }
    walk(n);
    if (depth != 0 || most < 1) {
        reach_error();
    }
    return 0;
}
