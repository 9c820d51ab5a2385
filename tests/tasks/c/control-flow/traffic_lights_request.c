extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int north = 0;
    int east = 0;
    while (1) {
        int event = __VERIFIER_nondet_int();
        if (event == 0) {
            north = north == 2 ? 1 : 0;
        } else if (event == 1) {
            east = east == 2 ? 1 : 0;
        } else if (event == 2) {
            if (east == 0) {
                north = 2;
            }
        } else if (event == 3) {
            /* Yellow is taken for red here. */
            if (north != 2) {
                east = 2;
            }
        } else if (event == 4) {
            if (north == 1) {
                north = 2; /* back to green */
            }
        } else {
            break;
        }
        if (north == 2 && east == 2) {
            reach_error();
        }
    }
    return 0;
}
