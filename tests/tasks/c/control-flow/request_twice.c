extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

enum { IDLE, STARTED, PENDING, COMPLETE };

int state = IDLE;
int completions = 0;

void start(void) {
    if (state == IDLE) {
        state = STARTED;
        completions = 0;
    }
}

void put_off(void) {
    /* Also a request that is complete is put off. */
    if (state != IDLE) {
        state = PENDING;
    }
}

void complete(void) {
    if (state == STARTED || state == PENDING) {
        state = COMPLETE;
        completions = completions + 1;
        if (completions != 1) {
            reach_error();
            abort();
        }
    }
}

int main(void) {
    while (1) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            start();
            break;
        case 1:
            put_off();
            break;
        case 2:
            complete();
            break;
        default:
            return 0;
        }
    }
}
