extern void abort(void);
void reach_error() {}
extern _Bool __VERIFIER_nondet_bool(void);

int waiting, forwarding, voice_mail;

int main(void) {
    waiting = __VERIFIER_nondet_bool();
    forwarding = __VERIFIER_nondet_bool();
    voice_mail = __VERIFIER_nondet_bool();
    int is_busy = __VERIFIER_nondet_bool();
    int handled = 0;

    if (!is_busy) {
        handled = handled + 1;
    }
    if (is_busy && waiting) {
        handled = handled + 1;
    }
    if (is_busy && forwarding && !voice_mail) {
        handled = handled + 1;
    }
    if (is_busy && voice_mail && !waiting) {
        handled = handled + 1;
    }
    if (handled > 1) {
        reach_error();
        abort();
    }
    return 0;
}
