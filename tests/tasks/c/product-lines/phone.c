extern void abort(void);
void reach_error() {}
extern _Bool __VERIFIER_nondet_bool(void);

/* Call waiting and call forwarding; the model of features makes forwarding stronger. */
int waiting, forwarding, voice_mail;

int main(void) {
    waiting = __VERIFIER_nondet_bool();
    forwarding = __VERIFIER_nondet_bool();
    voice_mail = __VERIFIER_nondet_bool();
    int is_busy = __VERIFIER_nondet_bool();
    int rings = 0, is_waiting = 0, is_forwarded = 0, is_recorded = 0;

    if (!is_busy) {
        rings = 1;
    } else if (forwarding) {
        is_forwarded = 1;
    } else if (waiting) {
        is_waiting = 1;
    } else if (voice_mail) {
        is_recorded = 1;
    }

    int handled = rings + is_waiting + is_forwarded + is_recorded;
    if (handled > 1) {
        reach_error();
        abort();
    }
    if (handled == 0 && (waiting || forwarding || voice_mail)) {
        reach_error();
        abort();
    }
    return 0;
}
