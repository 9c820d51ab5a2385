extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a, b, c, d, e;
    int held_a, held_b, held_c, held_d, held_e;
    while (1) {
        int go_on = __VERIFIER_nondet_int();
        if (go_on == 0) {
            goto out;
        }
        a = __VERIFIER_nondet_int();
        b = __VERIFIER_nondet_int();
        c = __VERIFIER_nondet_int();
        d = __VERIFIER_nondet_int();
        e = __VERIFIER_nondet_int();
        held_a = held_b = held_c = held_d = held_e = 0;
        if (a != 0) { held_a = 1; }
        if (b != 0) { held_b = 1; }
        if (c != 0) { held_c = 1; }
        if (d != 0) { held_d = 1; }
        if (e != 0) { held_e = 1; }

        if (e != 0) { if (held_e != 1) goto wrong; held_e = 0; }
        if (d != 0) { if (held_d != 1) goto wrong; held_d = 0; }
        if (c != 0) { if (held_c != 1) goto wrong; held_c = 0; }
        if (b != 0) { if (held_b != 1) goto wrong; held_b = 0; }
        if (a != 0) { if (held_a != 1) goto wrong; held_a = 0; }
    }
out:
    return 0;
wrong:
    reach_error();
    return 1;
}
