/* Each check fails with its own number. Everything here is defined by the standard, or by gcc on x86. */
typedef unsigned char byte;
typedef struct node { int value; struct node *next; } node;
struct pair { short a; long long b; };
struct bits { int x : 3; unsigned y : 5; unsigned z : 32; _Bool t : 1; signed char w : 7; };
union both { int i; unsigned char c[4]; };
struct outer { int before; union { int i; char c[4]; }; struct { int p, q; }; int after; };
enum colour { red, green = 5, blue, dark = -3 };

static int counter;
static const int limit = 7;
static int table[] = { 1, 2, [5] = 6, 7, [3] = 4 };
static char text[] = "ab\x41\102\n" "c";
static const char *const words[] = { "zero", "one", "two" };
static struct pair pairs[3] = { { 1, 2 }, 3, 4, { .b = 6 } };
static struct outer whole = { 1, { 2 }, 3, 4, 5 };
static struct outer other = { .q = 9, .after = 8, .c = { 'x' } };
static int grid[2][3] = { { 1 }, 4, 5, 6 };
static int *middle = &table[2];
static node list[2] = { { 1, &list[1] }, { 2, 0 } };
static int (*chosen)(int);
static double half = 1 / 2.0;
static unsigned wrapped = -1;

struct inner { int a, b; };
struct around { struct inner s; char t[4]; int d[3], z; };
static struct around again = { .s.a = 5, .t = "abc", .d = { 1, 2, 3 }, .s = (struct inner){ .b = 1 }, .t = "x", .d = { 7 } };
static struct { union { int i; char c; }; int e[2][2]; } once = { .i = -1, .c = 1, .e = { 1, 2, 3 }, .e[0] = { 4 } };
static int last(int n, int a[n]) { return a[n - 1]; }

#pragma pack(push, 1)
struct narrow { char c; int x; struct pair p; int y : 20, z : 13; };
#pragma pack(pop)
#pragma pack(2)
struct halves { char c; int x __attribute__((aligned(8))); char d; };
#pragma pack()
typedef int far __attribute__((aligned(8)));
typedef far farther;
struct __attribute__((packed)) tight { double a; int b __attribute__((aligned(4))); char c; };
struct loose { char a; struct __attribute__((packed)) { char b; struct { char c __attribute__((aligned(8))); } d; } e; char f; };
struct apart { char a __attribute__((aligned(8))), b; farther c; char d; };

static int next(void) { return ++counter; }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static long long wide(int x, unsigned y) { return (long long)x * y; }
static struct pair make(int a) { struct pair p = { a, a + 1 }; return p; }
static int sum(struct pair p) { p.a += 1; return p.a + p.b; }
static void set(int *where, int value) { *where = value; }
static int is_even(unsigned n);
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
old(a, b, c) char b; int *c; { return a + b + *c; }
static int remembered(void) { static int calls = 10; return calls++; }
static int (*pick(int which))(int) { return which ? thrice : twice; }

static int walk(int n) {
  int steps = 0;
  for (;;) {
    switch (n % 4) {
    case 0: n /= 2; break;
    case 1: n = 3 * n + 1;
    case 2: steps += 10; n--; continue;
    default: n++; goto more;
    }
    if (n == 0) break;
    more:
    steps++;
    if (steps > 100) return steps;
  }
  return steps;
}

static int ranges(int c) {
  switch (c) {
  case '0' ... '9': return 1;
  case 'a' ... 'z': case 'A' ... 'Z': return 2;
  case 1000 ... 9000: return 3;
  case -5: return 4;
  }
  return 0;
}

static int duff(int n) {
  int done = 0;
  switch (n % 4) {
  case 0: do { done++;
  case 3: done++;
  case 2: done++;
  case 1: done++;
        } while ((n -= 4) > 0);
  }
  return done;
}

int main(void) {
  int i, j, k;
  unsigned u;
  /* integers */
  if (!(-1 < 0u ? 0 : 1)) return 1;
  if ((char)200 != -56 || (byte)300 != 44 || (short)70000 != 4464) return 2;
  if ((_Bool)256 != 1 || (_Bool)0.5 != 1) return 3;
  u = 3; u -= 5;
  if (u != 4294967294u) return 4;
  if (-7 / 2 != -3 || -7 % 2 != -1 || 7 % -2 != 1) return 5;
  if ((1u << 31) >> 31 != 1 || (-8 >> 1) != -4) return 6;
  if (0xffffffff != 4294967295 || 010 != 8 || 0b101 != 5) return 7;
  if (sizeof(0x7fffffff) != 4 || sizeof(2147483648) != sizeof(2147483648LL) && sizeof(long) == 4) return 8;
  if ('\377' != -1 || '\x7f' != 127 || 'ab' != 'a' * 256 + 'b') return 9;
  if (wide(-2, 3000000000u) != -6000000000LL) return 10;
  if (((unsigned char)255 + (unsigned char)1) != 256) return 11;
  if (~0 != -1 || !5 != 0 || !0 != 1 || -(-5) != 5 || +'a' != 97) return 12;
  if ((5 & 3) != 1 || (5 | 3) != 7 || (5 ^ 3) != 6) return 13;
  if (wrapped != 4294967295u || (long long)wrapped != 4294967295LL) return 14;
  /* order and effects */
  i = 5; k = i++; if (k != 5 || i != 6) return 20;
  k = --i; if (k != 5) return 21;
  counter = 0;
  i = (next(), next(), next()); if (i != 3) return 22;
  if (0 && next()) return 23;
  if (!(1 || next()) || counter != 3) return 24;
  i = counter == 3 ? next() : next() + next(); if (i != 4 || counter != 4) return 25;
  i = next() ?: 99; if (i != 5 || counter != 5) return 26;
  i = next() * 10; if (i != 60 || counter != 6) return 27;
  i = j = k = 8; if (i + j + k != 24) return 28;
  i += j -= k *= 2; if (k != 16 || j != -8 || i != 0) return 29;
  i = 0; table[i++] += 10; if (i != 1 || table[0] != 11) return 30;
  table[0] = 1;
  char narrow = 100; narrow += 100; if (narrow != -56) return 31;
  narrow = 127; narrow++; if (narrow != -128) return 32;
  u = 1; u <<= 3; u |= 3; u ^= 1; u &= ~2u; if (u != 8) return 33;
  if ((i = 3, i * i) != 9) return 34;
  i = ({ int z = 4; z *= 2; z + 1; }); if (i != 9) return 35;
  /* arrays, pointers */
  if (sizeof table / sizeof table[0] != 7 || table[5] != 6 || table[6] != 7 || table[3] != 4 || table[2] != 0) return 40;
  if (*middle != 0 || middle[3] != 6 || *(middle - 1) != 2 || &table[5] - middle != 3) return 41;
  if (sizeof text != 7 || text[2] != 'A' || text[3] != 'B' || text[4] != 10 || text[5] != 'c' || text[6]) return 42;
  if (words[1][2] != 'e' || *words[2] != 't' || sizeof words != 3 * sizeof(char *)) return 43;
  if (grid[0][0] != 1 || grid[0][1] != 0 || grid[1][0] != 4 || grid[1][2] != 6) return 44;
  int (*row)[3] = grid; row++; if ((*row)[1] != 5 || row[-1][0] != 1) return 45;
  int *p = &i; *p = 12; set(p, *p + 1); if (i != 13) return 46;
  int **pp = &p; **pp = 3; if (i != 3 || 2[table] != 0) return 47;
  p = table; i = *p++; i += *p++; if (i != 3 || p != table + 2 || !(p > table) || p == 0) return 48;
  char copy[4] = "abcd"; if (copy[3] != 'd') return 49;
  int local[3] = { 7 }; if (local[0] != 7 || local[2] != 0) return 50;
  int n = 4, vla[n]; for (i = 0; i < n; i++) vla[i] = i * i;
  if (vla[3] != 9 || sizeof vla != 4 * sizeof(int)) return 51;
  byte bytes[3] = { 1, 2, 255 }; if (bytes[2] + 1 != 256) return 52;
  /* structures */
  if (pairs[0].b != 2 || pairs[1].a != 3 || pairs[1].b != 4 || pairs[2].a != 0 || pairs[2].b != 6) return 60;
  if (whole.i != 2 || whole.q != 4 || whole.after != 5 || other.q != 9 || other.c[0] != 'x' || other.before) return 61;
  struct pair one = make(4), two; two = one; two.a++; if (one.a != 4 || two.a != 5 || two.b != 5) return 62;
  if (sum(one) != 10 || one.a != 4 || make(6).b != 7) return 63;
  node *at = list; for (k = 0; at; at = at->next) k += at->value; if (k != 3) return 64;
  struct bits b = { 3, 31, 4000000000u, 5, -3 }; b.y += 2; b.x++;
  if (b.y != 1 || b.x != -4 || b.z != 4000000000u || b.t != 1 || b.w != -3) return 65;
  if ((b.y = 35) != 3 || (b.y - 10 < 0) != 1) return 66;
  union both w; w.i = 0x01020304; if (w.c[0] != 4 || w.c[3] != 1) return 67;
  two = i ? one : make(1); if (two.a != 4) return 68;
  p = (int[]){ 5, 6 }; if (p[1] != 6 || ((struct pair){ .b = 8 }).b != 8) return 69;
  struct { int a[2]; struct pair p; } deep = { .p.b = 3, .a = { [1] = 2 } };
  if (deep.a[1] != 2 || deep.p.b != 3 || deep.p.a) return 70;
  /* designators that come by again */
  if (again.s.a || again.s.b != 1 || again.t[0] != 'x' || again.t[2] || again.d[0] != 7 || again.d[1]) return 71;
  if (once.i != 1 || once.e[0][0] != 4 || once.e[0][1] || once.e[1][0] != 3) return 72;
  struct around mixed = { .s.a = 3, .s = { .b = 4 }, .t = "abc", .t[0] = 'y', .t[3] = 1 };
  if (mixed.s.a || mixed.s.b != 4 || mixed.z || mixed.d[2] || mixed.t[0] != 'y' || mixed.t[2] != 'c') return 73;
  /* control */
  if (walk(6) != 111) return 80;
  if (ranges('7') != 1 || ranges('Q') != 2 || ranges(5000) != 3 || ranges(-5) != 4 || ranges(0)) return 81;
  if (duff(10) != 10 || duff(4) != 4 || duff(1) != 1) return 82;
  k = 0; do { if (k == 3) continue; k++; } while (k < 3); if (k != 3) return 83;
  for (i = 0, j = 10; i < j; i++, j--) ; if (i != 5 || j != 5) return 84;
  k = 0; for (int i = 0; i < 3; i++) for (int j = 0; ; j++) { if (j > i) break; k += 1; } if (k != 6) return 85;
  i = 0; again: if (i < 5) { i++; goto again; } if (i != 5) return 86;
  k = 0; while (1) { if (++k > 4) break; } if (k != 5) return 87;
  /* functions */
  chosen = twice; if (chosen(4) != 8 || (*chosen)(5) != 10 || (**chosen)(1) != 2) return 90;
  chosen = &thrice; if (chosen(4) != 12 || pick(0)(5) != 10 || pick(1)(5) != 15) return 91;
  if (!is_even(10) || is_odd(10) || !is_odd(7)) return 92;
  i = 100; if (old(1, 2, &i) != 103 || old(1, 258, &i) != 103) return 93;
  remembered(); if (remembered() != 11) return 94;
  int (*functions[2])(int) = { twice, thrice }; if (functions[1](functions[0](2)) != 12) return 95;
  /* constants, enumerations, sizes */
  if (green + 1 != blue || dark != -3 || limit != 7) return 100;
  enum colour c = blue; if (c != 6 || c - dark != 9) return 101;
  if (sizeof(struct pair) != (sizeof(long) == 8 ? 16 : 12) || sizeof(struct bits) != 12) return 102;
  if (half != 0.5 || (int)3.9 != 3 || (int)-3.9 != -3 || 7 / 2 * 2.0 != 6.0) return 103;
  float f = 0.1f; if (f == 0.1 || (double)f < 0.09) return 104;
  if (sizeof(char) + sizeof 'a' + sizeof "abc" != 9 || sizeof(int[3]) != 12) return 105;
  if (_Alignof(short) != 2 || __builtin_offsetof(struct outer, q) != 12) return 106;
  extern int later; if (later != 77) return 107;
  { int i = 1; { int i = 2; i++; } if (i != 1) return 108; }
  typedef int twice_type; twice_type t1 = 3; { char twice_type = 1; t1 += twice_type; } if (t1 != 4) return 109;
  if (__builtin_expect(i == 100, 1) == 0) return 110;
  if (__builtin_bswap32(0x01020304u) != 0x04030201u || __builtin_bswap16(i + 258) != 0x6601) return 111;
  if (__builtin_bswap64(1) != 1ULL << 56) return 112;
  static *const pointer; if (pointer) return 113;
  int (*unknown)() = old; if (unknown(1, 2, &i) != 103) return 114;
  if (__alignof__(i) != 4 || _Alignof pairs[0].a != 2 || __alignof__(long long) != 8 || __alignof__ f != 4) return 115;
  if ((long)(_Alignof(struct pair)) != sizeof(void *) || sizeof(int[_Alignof(int)]) != 16 || sizeof((_Alignof(i))) != sizeof(long)) return 115;
  { int three[3] = { 1, 2, 9 }; if (last(3, three) != 9) return 116; }
  if (sizeof(struct tight) != 16 || _Alignof(struct tight) != 4 || sizeof(struct loose) != 11) return 117;
  if (__builtin_offsetof(struct apart, b) != 1 || __builtin_offsetof(struct apart, c) != 8) return 118;
  if (sizeof(struct apart) != 16 || __builtin_offsetof(struct loose, f) != 10) return 119;
  if (sizeof(struct narrow) != sizeof(struct pair) + 10 || sizeof(struct halves) != 8) return 119;
  /* functions of the compiler */
  unsigned x = 0xf0f0; unsigned long long y = 0xff00000000; i = -4;
  if (__builtin_popcount(x) != 8 || __builtin_popcountll(y) != 8 || __builtin_popcount(-1) != 32) return 120;
  if (__builtin_clz(x) != 16 || __builtin_clzll(y) != 24 || __builtin_ctz(x) != 4 || __builtin_ctzll(y) != 32) return 121;
  if (__builtin_ffs(x) != 5 || __builtin_ffs(0) || __builtin_ffsll(y) != 33 || __builtin_parity(7)) { } else return 122;
  if (__builtin_parity(7) != 1 || __builtin_parity(x) || abs(i) != 4 || __builtin_llabs(-5) != 5 || labs(3) != 3) return 123;
  if (__builtin_choose_expr(sizeof(int) == 4, 7, "no") != 7) return 124;
  i = 5; if (__sync_fetch_and_add(&i, 3) != 5 || __sync_sub_and_fetch(&i, 1) != 7) return 125;
  i = ~3; if (__sync_val_compare_and_swap(&i, ~3, 9) != ~3 || __sync_bool_compare_and_swap(&i, 8, 1) || i != 9) return 126;
  if (__sync_lock_test_and_set(&i, 7) != 9 || (__sync_lock_release(&i), i)) return 127;
  i = 2147483647; if (__atomic_add_fetch(&i, 1, 5) != -2147483647 - 1 || __atomic_load_n(&i, 5) >= 0) return 128;
  i = 3; j = 4; if (__atomic_compare_exchange_n(&i, &j, 5, 0, 5, 5) || j != 3) return 129;
  if (!__atomic_compare_exchange_n(&i, &j, 5, 0, 5, 5) || i != 5 || __atomic_exchange_n(&i, 6, 5) != 5) return 130;
  { byte b = 250; if (__atomic_fetch_add(&b, 10, 5) != 250 || b != 4) return 131; }
  { int *p = &i, *q = &j; if (!__sync_bool_compare_and_swap(&p, &i, q) || p != &j) return 132; }
  { int r; unsigned u; if (!__builtin_add_overflow(2147483647, 1, &r) || r != -2147483647 - 1) return 133;
    if (__builtin_mul_overflow(65536u, 65535u, &u) || u != 0xffff0000 || !__builtin_sub_overflow(1, 2, &u)) return 134;
    if (__builtin_sadd_overflow(1, 2, &r) || r != 3) return 135; }
  return 0;
}
int later = 77;
