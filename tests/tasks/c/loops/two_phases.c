extern void abort(void);
void reach_error() {}

int main(void) {
    int x = 0;
    int y = 20;
    while (x < 60) {
        if (x >= 20) {
            y = y + 1;
        }
        x = x + 1;
    }
    if (y != 60) {
        reach_error();
    }
    return 0;
}
