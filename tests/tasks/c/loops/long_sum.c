extern void abort(void);
void reach_error() {}

int main(void) {
    unsigned int sum = 0;
    unsigned int i;
    for (i = 1; i <= 5000; i++) {
        sum = sum + i;
    }
    if (sum == 12502500u) {
        reach_error();
    }
    return 0;
}
