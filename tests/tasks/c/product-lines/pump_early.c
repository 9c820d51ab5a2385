extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int select_low_sensor;
int select_gas_alarm;

int water = 1;
int gas = 0;
int pump = 0;

void environment(void) {
    int change = __VERIFIER_nondet_int();
    if (change == 1 && water < 2) {
        water = water + 1;
    }
    if (change == 2) {
        gas = !gas;
    }
}

void high_sensor(void) {
    if (water == 2) {
        pump = 1;
    }
}

void low_sensor(void) {
    if (water == 0) {
        pump = 0;
    }
}

void alarm(void) {
    if (gas) {
        pump = 0;
    }
}

int main(void) {
    select_low_sensor = __VERIFIER_nondet_int() ? 1 : 0;
    select_gas_alarm = __VERIFIER_nondet_int() ? 1 : 0;
    while (__VERIFIER_nondet_int()) {
        environment();
        /* The alarm comes first, and the sensor undoes what it did. */
        if (select_gas_alarm) {
            alarm();
        }
        high_sensor();
        if (select_low_sensor) {
            low_sensor();
        }
        if (select_gas_alarm && gas && pump) {
            reach_error();
            abort();
        }
    }
    return 0;
}
