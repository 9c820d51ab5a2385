extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 0;
    int open = 0;
begin:
    if (open) {
        goto close;
    }
    open = 1;
    x = x + 1;
    if (__VERIFIER_nondet_int() > 0) {
        goto begin;
    }
    goto check;
close:
    open = 0;
    x = x - 1;
    if (__VERIFIER_nondet_int() > 0) {
        goto begin;
    }
check:
    if (x != open) {
        goto wrong;
    }
    return 0;
wrong:
    reach_error();
    return 1;
}
