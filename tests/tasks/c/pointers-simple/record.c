extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

struct account {
    int balance;
    unsigned int n_changes;
};

void change(struct account *account, int by) {
    account->balance += by;
    account->n_changes++;
}

int main(void) {
    struct account mine = {10, 0};
    struct account yours = {20, 0};
    int i;
    for (i = 0; i < 10; i++) {
        int amount = __VERIFIER_nondet_int();
        if (amount < 0 || amount > mine.balance) {
            break;
        }
        change(&mine, -amount);
        change(&yours, amount);
    }
    if (mine.balance + yours.balance != 30 || mine.n_changes != yours.n_changes) {
        reach_error();
    }
    return 0;
}
