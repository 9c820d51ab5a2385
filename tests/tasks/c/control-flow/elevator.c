extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

enum door { CLOSED, OPEN };

int floor_of_car = 0;
int door = CLOSED;
int is_moving = 0;

void check(int ok) {
    if (!ok) {
        reach_error();
        abort();
    }
}

int main(void) {
    const int top = 7;
    for (;;) {
        int command = __VERIFIER_nondet_int();
        switch (command) {
        case 1:
            if (!is_moving) {
                door = OPEN;
            }
            break;
        case 2:
            door = CLOSED;
            break;
        case 3:
            if (door == CLOSED) {
                is_moving = 1;
            }
            break;
        case 4:
            is_moving = 0;
            break;
        case 5:
            if (is_moving && floor_of_car < top) {
                floor_of_car++;
            }
            break;
        case 6:
            if (is_moving && floor_of_car > 0) {
                floor_of_car--;
            }
            break;
        default:
            return 0;
        }
        check(!(is_moving && door == OPEN));
        check(floor_of_car >= 0 && floor_of_car <= top);
    }
}
