extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int door_open = 0;
    int is_moving = 0;
    int hold = 0;
    for (;;) {
        int command = __VERIFIER_nondet_int();
        switch (command) {
        case 1:
            if (!is_moving) {
                door_open = 1;
            }
            break;
        case 2:
            if (!hold) {
                door_open = 0;
            }
            break;
        case 3:
            /* Whoever presses the button is believed to have closed the door. */
            if (!door_open || hold) {
                is_moving = 1;
            }
            break;
        case 4:
            is_moving = 0;
            break;
        case 5:
            hold = !hold;
            break;
        default:
            return 0;
        }
        if (is_moving && door_open) {
            reach_error();
            abort();
        }
    }
}
