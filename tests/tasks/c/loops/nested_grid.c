extern void abort(void);
void reach_error() {}
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rows = __VERIFIER_nondet_int();
    int columns = __VERIFIER_nondet_int();
    int cells = 0;
    int i, j;
    if (rows < 0 || rows > 50 || columns < 1 || columns > 50) {
        return 0;
    }
    for (i = 0; i < rows; i++) {
        for (j = 0; j < columns; j++) {
            cells++;
        }
    }
    if (cells < rows) {
        reach_error();
    }
    return 0;
}
