extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int feature_overload;
int feature_executive;

int load = 0;
int executive_calls = 0;

int blocked(void) {
    /* The executive floor comes before everything. */
    if (feature_executive && executive_calls) {
        return 0;
    }
    return feature_overload && load > 300;
}

int main(void) {
    feature_overload = __VERIFIER_nondet_int() != 0;
    feature_executive = __VERIFIER_nondet_int() != 0;
    for (;;) {
        int event = __VERIFIER_nondet_int();
        if (event == 0) {
            if (load <= 1000) {
                load += __VERIFIER_nondet_uchar();
            }
        } else if (event == 1) {
            executive_calls = 1;
        } else if (event == 2) {
            if (!blocked()) {
                if (feature_overload && load > 300) {
                    reach_error();
                    abort();
                }
                executive_calls = 0;
            }
        } else {
            break;
        }
    }
    return 0;
}
