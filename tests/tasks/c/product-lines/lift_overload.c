extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int feature_overload;
int feature_weight;

int load = 0;
int floor_now = 0;

int blocked(void) {
    if (feature_overload && load > 300) {
        return 1;
    }
    return 0;
}

void enter(void) {
    int weight = __VERIFIER_nondet_uchar();
    if (load <= 1000) {
        load = load + weight;
    }
}

void leave(void) {
    int weight = __VERIFIER_nondet_uchar();
    if (weight <= load) {
        load = load - weight;
    }
}

void move(void) {
    if (blocked()) {
        return;
    }
    int before = load;
    floor_now = (floor_now + 1) % 5;
    if (feature_overload && before > 300) {
        reach_error();
        abort();
    }
}

int main(void) {
    feature_overload = __VERIFIER_nondet_int() != 0;
    feature_weight = __VERIFIER_nondet_int() != 0;
    if (feature_weight && !feature_overload) {
        return 0;
    }
    for (;;) {
        int event = __VERIFIER_nondet_int();
        if (event == 0) {
            enter();
        } else if (event == 1) {
            leave();
        } else if (event == 2) {
            move();
        } else {
            break;
        }
    }
    return 0;
}
