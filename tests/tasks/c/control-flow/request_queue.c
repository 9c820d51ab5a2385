extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

/* A driver with one request at a time: it is started, perhaps put off, and completed once. */
enum { IDLE, STARTED, PENDING, COMPLETE };

int state = IDLE;
int completions = 0;
int lock_held = 0;

void fail(void) {
    reach_error();
    abort();
}

void acquire(void) {
    if (lock_held) {
        fail();
    }
    lock_held = 1;
}

void release(void) {
    if (!lock_held) {
        fail();
    }
    lock_held = 0;
}

void start(void) {
    acquire();
    if (state == IDLE) {
        state = STARTED;
        completions = 0;
    }
    release();
}

void put_off(void) {
    acquire();
    if (state == STARTED) {
        state = PENDING;
    }
    release();
}

void complete(void) {
    acquire();
    if (state == STARTED || state == PENDING) {
        state = COMPLETE;
        completions = completions + 1;
        if (completions != 1) {
            fail();
        }
    }
    release();
}

void reset(void) {
    acquire();
    if (state == COMPLETE) {
        state = IDLE;
    }
    release();
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
        case 3:
            reset();
            break;
        default:
            return 0;
        }
    }
}
