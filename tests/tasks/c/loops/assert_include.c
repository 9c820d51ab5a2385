#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = n, steps = 0;
    if (n < 0 || n > 10000) {
        return 0;
    }
    while (x > 0) {
        x -= 3;
        steps++;
    }
    assert(x + 3 * steps == n);
    assert(x > -3);
    return 0;
}
