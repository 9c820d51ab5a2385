//! Programs in C: the search finds errors that need particular inputs, and what Spacer suggests proves that others are not there.

use crate::suggesting::suggesting;
use tertium_front_c::lower::{LowerOptions, lower};
use tertium_front_c::{ReadOptions, read};
use tertium_program::{Icfg, PointId};
use tertium_recursion::{Entries, Judgement, Progress, Search, Suggestion, candidate_invariants, validate};
use tertium_solve::HornWay;
use tertium_support::{Context, Source};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned int __VERIFIER_nondet_uint(void);\n\
                    extern void abort(void);\nvoid reach_error(void) { abort(); }\n";

fn graph(text: &str) -> (Icfg, Vec<PointId>) {
    let source = Source::new("test.c", format!("{HEAD}{text}"));
    let context = Context::default();
    let (unit, _) = read(&context, &source, &ReadOptions::default()).expect("it is a program");
    let lowered = lower(&context, &unit, &LowerOptions::default()).expect("there is time");
    let targets = lowered.icfg.labels.get("reach_error").cloned().unwrap_or_default();
    (lowered.icfg, targets)
}

/// The length of a run to the error.
fn run_length(text: &str) -> usize {
    let (icfg, targets) = graph(text);
    let mut search = Search::new(&icfg, &targets);
    match search.step(&Context::default(), 20_000_000_000) {
        Progress::Found(refutation) => {
            assert!(refutation.is_exact, "{text}");
            assert_eq!(refutation.run.replay(&icfg).as_ref(), Ok(&refutation.end));
            refutation.run.steps.len()
        }
        other => panic!("{other:?} {:?} {text}", search.statistics()),
    }
}

#[test]
fn errors_that_need_particular_inputs_are_found() {
    let all = [
        "int down(unsigned n) { if (n == 0) return 0; return down(n - 1) + 2; }
         int main(void) { int r = down(__VERIFIER_nondet_int()); if (r == 84) reach_error(); }",
        "int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }
         int main(void) {
           int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
           if (m < 0 || m > 3 || n < 0 || n > 9) return 0;
           if (ack(m, n) == 29) reach_error();
         }",
        "int main(void) {
           unsigned int x = __VERIFIER_nondet_uint(), k = 0;
           while (x < 3000000000u) { x += 7; k++; if (k > 40 && x == 2147483650u) reach_error(); if (k > 50) break; }
         }",
        "int a[8];
         int main(void) {
           for (int i = 0; i < 8; i++) { a[i] = __VERIFIER_nondet_int(); if (a[i] < -100 || a[i] > 100) return 0; }
           int s = 0;
           for (int i = 0; i < 8; i++) s += a[i];
           if (s == 333 && a[3] == a[5] && a[0] != a[1]) reach_error();
         }",
        "int turns;
         void left(int n); void right(int n);
         void left(int n) { if (n > 0) { turns++; right(n - 3); } }
         void right(int n) { if (n > 0) { turns += 2; left(n + 1); } }
         int main(void) { left(__VERIFIER_nondet_int()); if (turns == 31) reach_error(); }",
    ];
    for text in all {
        assert!(run_length(text) > 5);
    }
}

#[test]
fn what_spacer_suggests_for_c_is_a_proof() {
    let all = [
        "int f(int n) { if (n > 100) return n - 10; return f(f(n + 11)); }
         int main(void) { int n = __VERIFIER_nondet_int(); int r = f(n); if (r != 91 && r != n - 10) reach_error(); }",
        "int main(void) {
           unsigned int i = 0, s = 0, n = __VERIFIER_nondet_uint();
           if (n > 1000) return 0;
           while (i < n) { i++; s += 2; }
           if (s > 2 * n) reach_error();
         }",
        // What a callee keeps matters to its caller no more where it comes back, but its condition speaks of it.
        "int g, h, limit;
         void step(int n) { h = h + n; if (h > 100) h = 0; }
         void work(int k) { if (limit > 3 && k > 0) { step(k); work(k - 1); } }
         int main(void) {
           limit = __VERIFIER_nondet_int(); g = limit; work(__VERIFIER_nondet_int());
           if (g != limit) reach_error();
         }",
        "int even(int n); int odd(int n);
         int even(int n) { return n == 0 ? 1 : odd(n - 1); }
         int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         int g;
         void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
         int main(void) {
           int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
           int a = x, b = y;
           swap(&a, &b);
           g = even(4);
           if (a != y || b != x) reach_error();
         }",
    ];
    for text in all {
        let (icfg, targets) = graph(text);
        let entries = Entries::new(&icfg);
        let context = suggesting();
        let suggestion = candidate_invariants(
            &context,
            &icfg,
            &entries,
            &targets,
            &[(HornWay::Farkas, 30_000_000), (HornWay::Cores, 30_000_000)],
        );
        let Suggestion::Proof(hints) = suggestion else { panic!("{suggestion:?} {text}") };
        let judged = validate(&context, &icfg, &entries, &hints.invariants, &targets);
        assert_eq!((judged, hints.n_lost), (Judgement::Stands, 0), "{text}");
    }
}
