extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int select_low_sensor;
int select_gas_alarm;

int water = 1; /* 0 low, 1 normal, 2 high */
int gas = 0;
int pump = 0;

void environment(void) {
    int change = __VERIFIER_nondet_int();
    if (change == 1 && water < 2) {
        water = water + 1;
    }
    if (pump && water > 0) {
        water = water - 1;
    }
    if (change == 2) {
        gas = !gas;
    }
}

void controller(void) {
    if (select_gas_alarm && gas) {
        pump = 0;
        return;
    }
    if (water == 2) {
        pump = 1;
    } else if (select_low_sensor && water == 0) {
        pump = 0;
    }
}

int main(void) {
    select_low_sensor = __VERIFIER_nondet_int() ? 1 : 0;
    select_gas_alarm = 1; /* prescribed */
    while (__VERIFIER_nondet_int()) {
        environment();
        controller();
        if (gas && pump) {
            reach_error();
            abort();
        }
    }
    return 0;
}
