//! The programs with procedures of [Wei09], in C, as a user would ask about them: the published answers, found from no predicates, with
//! runs that were checked again. Integers are mathematical there.

use crate::support::{Place, Run};
use std::fmt::Write;

/// A loop that grows, one that ends, and an error that is never reached.
const EX0: &str = "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x > 0) { while (x > 0) { x = x + 1; if (x <= 0) { ERROR: ; } } } else { while (y > 0) y = y - 1; }
  END: return 0;
}
";
/// The second call is in a loop that goes on for as long as it gives back what it was given.
const EX1: &str = "extern int __VERIFIER_nondet_int(void);
int f2(int z) { while (z < 0) z = z + 1; z = z - 1; return z; }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  FIVE: x = f2(x);
  while (x == 2 && y <= 0) { EIGHT: y = f2(y); }
  return 0;
}
";
const ACK: &str = "int ack(int x, int y) {
  int r1, n;
  if (x > 0) { if (y > 0) { y = y - 1; n = ack(x, y); } else { n = 1; } r1 = ack(x, n); }
  else { r1 = y + 1; return r1; }
}
int main(void) { int mx, my; ack(mx, my); END: return 0; }
";
const SHIFT: &str = "extern int __VERIFIER_nondet_int(void);
void foo(int y) { y = -1 * y; if (y < 0) { foo(y); } }
int main(void) {
  int x = __VERIFIER_nondet_int();
  foo(x);
  while (x != 0) { if (x < 0) { x = -1 * x; } else { x = -1 * x; x = x + 3; } }
  END: return 0;
}
";
const QUICKSORT: &str = "extern int __VERIFIER_nondet_int(void);
void quicksort(int left, int right) {
  int lo, hi;
  if (left >= right) return;
  lo = left; hi = right;
  while (lo <= hi) {
    if (__VERIFIER_nondet_int()) { lo = lo + 1; } else { if (lo != left || hi != right) hi = hi - 1; }
    quicksort(left, hi); quicksort(lo, right);
  }
}
int main(void) { int mleft, mright; quicksort(mleft, mright); END: return 0; }
";
/// What lies behind nested calls, which the printed equations lose.
const NESTED: &str = "extern int __VERIFIER_nondet_int(void);
int g(int x) { return x; }
int f(int x) { x = g(x); ; return x; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 2) return 0;
  x = f(x);
  while (x == 0) ;
  END: return 0;
}
";

/// Procedures that call the next one twice; in the last one `last` stands instead.
fn levels(n: usize, last: &str) -> String {
    let mut text = "extern int __VERIFIER_nondet_int(void);\nint g;\n".to_owned();
    for i in 1..=n {
        writeln!(text, "void level_{i}(void);").expect("strings can be written to");
    }
    text +=
        "int main(void) { g = __VERIFIER_nondet_int(); level_1(); if (g < 0) { ERROR: ; } END: return 0; }\n";
    for i in 1..=n {
        let next = format!("level_{}(); g = -1 * g; level_{}();", i + 1, i + 1);
        let inner = if i < n { &next } else { last };
        writeln!(
            text,
            "void level_{i}(void) {{ int t = 0; g = -1 * g; if (g <= 0) {{ t = t + 1; }} else {{ {inner} }} g = -1 * g; }}"
        )
        .expect("strings can be written to");
    }
    text
}

/// What is said with enough work for each of these.
fn ask(program: &str, integers: &str, formula: &str) -> Run {
    let place = Place::new();
    place.file("p.c", program);
    let work = ["--work-each", "400M", "--no-vacuity"];
    place.run(&[&["check", "p.c", "--integers", integers, "-p", formula][..], &work].concat())
}

/// The answer is this one, and it was checked again.
fn expect(program: &str, integers: &str, formula: &str, holds: bool, says: &str) {
    let run = ask(program, integers, formula);
    assert_eq!(run.last_line(), format!("RESULT: {holds}"), "{formula} {run:?}\n{program}");
    assert!(run.stdout.contains(says), "{says} {formula} {run:?}\n{program}");
    assert!(!run.stdout.contains("not re-checked"), "{formula} {run:?}\n{program}");
}

#[test]
fn loops_and_calls_that_do_not_end_are_found_and_repeat() {
    for integers in ["math", "machine"] {
        expect(SHIFT, integers, "EG !end", true, "then a loop of");
        expect(ACK, integers, "EG !end", true, "then a recursion of");
        expect(QUICKSORT, integers, "EG !end", true, "then a recursion of");
        expect(NESTED, integers, "EG !end", true, "then a loop of");
        expect(NESTED, integers, "EF at(END)", true, "witness");
    }
}

#[test]
fn one_program_has_an_error_that_is_not_reached_and_a_loop_that_grows() {
    expect(EX0, "math", "EF at(ERROR)", false, "proof");
    let run = ask(EX0, "math", "EG !end");
    assert_eq!(run.last_line(), "RESULT: true", "{run:?}");
    // The machine's integers end the loop that grows: no run goes on for ever, and nobody may say so.
    let run = ask(EX0, "machine", "EG !end");
    assert_ne!(run.last_line(), "RESULT: true", "{run:?}");
}

#[test]
fn places_before_and_inside_calls_are_reached() {
    expect(EX1, "math", "EF at(FIVE)", true, "witness");
    expect(EX1, "math", "EF at(EIGHT)", true, "witness");
    expect(EX1, "math", "EG !end", true, "then a loop of");
    expect(EX1, "math", "AG (at(EIGHT) -> main.x == 2)", true, "proof");
}

#[test]
fn levels_are_told_apart_by_parity() {
    let (even, odd) = (levels(20, "g = -1 * g;"), levels(21, "g = -1 * g;"));
    expect(&even, "math", "EF at(ERROR)", true, "witness");
    expect(&odd, "math", "EF at(ERROR)", false, "proof");
    let for_ever = levels(20, "level_20(); g = -1 * g; level_20();");
    expect(&for_ever, "math", "EG !end", true, "then a recursion of");
    expect(&for_ever, "math", "EF at(ERROR)", false, "proof");
}
