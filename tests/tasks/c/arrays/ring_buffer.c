extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

enum { SIZE = 4 };

int buffer[SIZE];
unsigned int first = 0;
unsigned int used = 0;

int put(int value) {
    if (used == SIZE) {
        return 0;
    }
    buffer[(first + used) % SIZE] = value;
    used++;
    return 1;
}

int get(void) {
    int value = buffer[first];
    first = (first + 1) % SIZE;
    used--;
    return value;
}

int main(void) {
    int next_in = 0;
    int next_out = 0;
    while (next_in < 1000) {
        if (__VERIFIER_nondet_int()) {
            if (put(next_in)) {
                next_in++;
            }
        } else if (used > 0) {
            if (get() != next_out) {
                reach_error();
                abort();
            }
            next_out++;
        }
        if (first >= SIZE || used > SIZE) {
            reach_error();
            abort();
        }
    }
    return 0;
}
