extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

/* Two lights: 0 red, 1 yellow, 2 green. */
int main(void) {
    int north = 0;
    int east = 0;
    int turn = 0;
    while (1) {
        if (turn == 0) {
            if (north == 0) {
                if (east == 0) {
                    north = 2;
                }
            } else if (north == 2) {
                if (__VERIFIER_nondet_int()) {
                    north = 1;
                }
            } else {
                north = 0;
                turn = 1;
            }
        } else {
            if (east == 0) {
                if (north == 0) {
                    east = 2;
                }
            } else if (east == 2) {
                if (__VERIFIER_nondet_int()) {
                    east = 1;
                }
            } else {
                east = 0;
                turn = 0;
            }
        }
        if (north == 2 && east == 2) {
            reach_error();
        }
        if (__VERIFIER_nondet_int() == 17) {
            break;
        }
    }
    return 0;
}
