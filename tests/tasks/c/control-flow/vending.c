extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int credit = 0;
    int paid = 0;
    int sold = 0;
    const int price = 5;
    while (sold < 100) {
        int event = __VERIFIER_nondet_int();
        if (event == 1 || event == 2) {
            if (credit + event <= price + 1) {
                credit += event;
                paid += event;
            }
        } else if (event == 3) {
            if (credit >= price) {
                credit -= price;
                sold++;
            }
        } else if (event == 4) {
            paid -= credit;
            credit = 0;
        } else {
            break;
        }
        if (paid != price * sold + credit) {
            reach_error();
        }
    }
    return 0;
}
