extern int __VERIFIER_nondet_int(void);

int main(void) {
    int key = __VERIFIER_nondet_int();
    int tries = 0;
    while (tries < 3) {
        int guess = __VERIFIER_nondet_int();
        if (guess == key) {
            goto ERROR;
        }
        tries = tries + 1;
    }
    return 0;
ERROR:
    return 1;
}
