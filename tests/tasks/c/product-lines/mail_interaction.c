extern void abort(void);
void reach_error() {}
extern _Bool __VERIFIER_nondet_bool(void);

int with_encryption, with_forwarding, with_signature;

int is_encrypted, was_encrypted, is_signed;

void outgoing(void) {
    if (with_signature) {
        is_signed = 1;
    }
    if (with_encryption) {
        is_encrypted = 1;
        was_encrypted = 1;
    }
}

void incoming(void) {
    if (with_encryption && is_encrypted) {
        is_encrypted = 0;
    }
    if (with_forwarding) {
        if (was_encrypted && !is_encrypted) {
            reach_error();
            abort();
        }
    }
}

int main(void) {
    with_encryption = __VERIFIER_nondet_bool();
    with_forwarding = __VERIFIER_nondet_bool();
    with_signature = __VERIFIER_nondet_bool();
    is_encrypted = 0;
    was_encrypted = 0;
    is_signed = 0;
    outgoing();
    incoming();
    return 0;
}
