extern void abort(void);
void reach_error() {}
extern _Bool __VERIFIER_nondet_bool(void);

/* A desk with one ticket: it is taken, perhaps returned together with a new number, and the loop goes on until nobody drew one. */
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
            has_ticket = 0;
            number = number + 1;
        }
    } while (seen != number);
    if (!has_ticket) {
        reach_error();
    }
    return 0;
}
