extern void abort(void);
void reach_error() {}
extern _Bool __VERIFIER_nondet_bool(void);

/* Messages with an alternating bit over a channel for one message that may lose it. */
int main(void) {
    int send_bit = 0, receive_bit = 0;
    int channel = -1, answer = -1;
    unsigned int sent = 0, received = 0;
    while (sent < 1000) {
        if (__VERIFIER_nondet_bool()) {
            channel = send_bit;
        }
        if (channel != -1 && __VERIFIER_nondet_bool()) {
            channel = -1; /* lost */
        }
        if (channel == receive_bit) {
            received++;
            receive_bit = 1 - receive_bit;
            answer = channel;
            channel = -1;
        } else if (channel != -1) {
            answer = channel;
            channel = -1;
        }
        if (answer != -1 && __VERIFIER_nondet_bool()) {
            answer = -1; /* lost */
        }
        if (answer == send_bit) {
            sent++;
            send_bit = 1 - send_bit;
            answer = -1;
        } else {
            answer = -1;
        }
        if (received < sent || received > sent + 1) {
            reach_error();
            abort();
        }
    }
    return 0;
}
