extern void abort(void);
void reach_error() {}
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int has_ticket = 0;
    unsigned int number = 0;
    unsigned int seen;
    do {
        if (has_ticket) {
            reach_error();
            abort();
        }
        has_ticket = 1;
        seen = number;
        if (__VERIFIER_nondet_bool()) {
            number = number + 1;
            if (__VERIFIER_nondet_bool()) {
                has_ticket = 0;
            }
        }
    } while (seen != number);
    return 0;
}
