# 1 "assert_plain.c"
# 1 "<built-in>"
# 1 "assert_plain.c"
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail (const char *__assertion, const char *__file,
      unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
# 5 "assert_plain.c"
int main(void) {
    int low = 0, high = 16;
    int secret = __VERIFIER_nondet_int();
    if (secret < 0 || secret >= 16) return 0;
    int rounds = 0;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (secret < middle) high = middle; else low = middle;
        rounds++;
    }
    ((void) sizeof ((low == secret && rounds < 4) ? 1 : 0), __extension__ ({ if (low == secret && rounds < 4) ; else __assert_fail ("low == secret && rounds < 4", "assert_plain.c", 14, __extension__ __PRETTY_FUNCTION__); }));
    return 0;
}
