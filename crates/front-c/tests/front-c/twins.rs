//! Runs of the interpreter and paths of the graph with the same inputs end the same way.

use crate::differential::{Generator, prelude};
use crate::execute::{Followed, follow};
use std::fs;
use std::path::{Path, PathBuf};
use tertium_expr::Value;
use tertium_front_c::interpret::{
    Ending, InputSource, InputType, Inputs, Interpreter, NoInputs, NoObserver, RandomInputs, Request,
    RunLimits,
};
use tertium_front_c::ir::{DataModel, Exit, Failure, Undefined, Unit};
use tertium_front_c::lower::{Granularity, LowerOptions, Lowered, lower};
use tertium_front_c::{ReadOptions, needs_preprocessor, read};
use tertium_program::{
    Edge, EdgeId, Icfg, Inlined, Interpreter as ProgramInterpreter, State, initial_states, inlined,
};
use tertium_support::{Context, Id, Source, render};
use tertium_testkit::long_random_cases;

/// Random answers, with those to calls written down.
struct Noted {
    random: RandomInputs,
    values: Vec<i128>,
    /// Whether something that was not written was read.
    is_open: bool,
}

impl Inputs for Noted {
    fn next(&mut self, request: &Request) -> Option<i128> {
        let value = self.random.next(request)?;
        let value = match request.ty {
            InputType::Integer(ty) => ty.wrap(value),
            _ => value,
        };
        match request.source {
            InputSource::Call { .. } => self.values.push(value),
            InputSource::Uninitialised(_) => self.is_open = true,
        }
        Some(value)
    }
}

pub(crate) fn unit(name: &str, text: &str) -> Unit {
    let source = Source::new(name, text);
    match read(&Context::default(), &source, &ReadOptions::default()) {
        Ok((unit, _)) => unit,
        Err(error) => panic!("{}", render(&source, &error.into_complaints(), false)),
    }
}

pub(crate) fn lowered(unit: &Unit, options: LowerOptions) -> Lowered {
    lower(&Context::default(), unit, &options).expect("there are no limits")
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    same: usize,
    inexact: usize,
    left_out: usize,
}

/// Compares so many runs of a program.
fn compare(name: &str, unit: &Unit, n: u64, counts: &mut Counts) {
    let interpreter = Interpreter::new(unit).expect("the program is fit");
    let blocks = lowered(unit, LowerOptions::default());
    let single =
        lowered(unit, LowerOptions { granularity: Granularity::Instructions, ..LowerOptions::default() });
    for seed in 0..n {
        let mut inputs = Noted { random: RandomInputs::seeded(seed), values: Vec::new(), is_open: false };
        let limits = RunLimits { steps: 3_000, ..RunLimits::default() };
        let run = interpreter.run(&Context::default(), &mut inputs, &mut NoObserver, limits);
        if inputs.is_open {
            counts.left_out += 1;
            continue;
        }
        for lowered in [&blocks, &single] {
            let followed = follow(lowered, &inputs.values, 20_000);
            match (&run.ending, &followed) {
                (_, Followed::Inexact) => counts.inexact += 1,
                (Ending::Stopped(_), _) | (_, Followed::Unfinished) => counts.left_out += 1,
                (ending, followed) => {
                    assert!(
                        is_same(ending, followed),
                        "{name}, {:?}: {ending:?}, {followed:?}",
                        inputs.values
                    );
                    counts.same += 1;
                }
            }
        }
    }
}

fn is_same(ending: &Ending, followed: &Followed) -> bool {
    let at = |label: &str| matches!(followed, Followed::At(labels) if labels.iter().any(|own| own == label));
    match ending {
        Ending::Finished(value) => match followed {
            Followed::Finished(Some(Value::Bits { width, value: own })) => {
                *own == *value as u128 & (u128::MAX >> (128 - width))
            }
            Followed::Finished(own) => *own == Some(Value::int(*value)),
            _ => false,
        },
        Ending::Exited(Exit::Exit, _) => at("exit"),
        Ending::Exited(Exit::Abort, _) => at("abort"),
        Ending::Failed(Failure::ErrorCall, ..) => at("reach_error"),
        Ending::Failed(Failure::Assertion, ..) => at("assert"),
        // The graph does not follow whether objects still live.
        Ending::Undefined(
            Undefined::DeadAccess | Undefined::InvalidFree | Undefined::PointerArithmetic,
            _,
        ) => true,
        Ending::Undefined(..) | Ending::AssumptionFailed(_) => *followed == Followed::Stuck,
        Ending::Unsupported(..) => at("unsupported"),
        Ending::MissingBody(..) | Ending::OutOfInputs(_) | Ending::Stopped(_) => true,
    }
}

/// All programs below a folder, in order.
fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("readable").map(|entry| entry.expect("readable").path()));
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn paths_of_tasks_end_like_their_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tasks/c");
    let mut counts = Counts::default();
    for path in programs(&folder) {
        let text = fs::read_to_string(&path).expect("UTF-8");
        if needs_preprocessor(&text) {
            continue;
        }
        let name = path.display().to_string();
        compare(&name, &unit(&name, &text), 12, &mut counts);
    }
    assert!(counts.same > 1_000, "{counts:?}");
}

#[test]
fn paths_of_random_programs_end_like_their_runs() {
    let mut counts = Counts::default();
    let run = long_random_cases(400, |rng| {
        let model = if rng.chance(0.5) { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut generator = Generator::new(rng, "", model);
        (generator.has_floats, generator.has_unions) = (false, false);
        let text = prelude(model) + &generator.program();
        let options = ReadOptions { data_model: model, ..ReadOptions::default() };
        let (unit, _) =
            read(&Context::default(), &Source::new("random.c", &text), &options).expect("it is C");
        let interpreter = Interpreter::new(&unit).expect("the program is fit");
        let run = interpreter.run(&Context::default(), &mut NoInputs, &mut NoObserver, RunLimits::default());
        let followed = follow(&lowered(&unit, LowerOptions::default()), &[], 100_000);
        match followed {
            Followed::Inexact => counts.inexact += 1,
            Followed::Unfinished => counts.left_out += 1,
            followed => {
                assert!(is_same(&run.ending, &followed), "{:?}, {followed:?}:\n{text}", run.ending);
                counts.same += 1;
            }
        }
    });
    run.enough(counts.same > run.share(150), counts);
}

/// How the one run of a plain program ends; nothing if there are several, or if it is long.
fn walked(made: &Inlined, icfg: &Icfg, most: usize) -> Option<Followed> {
    let start = initial_states(&Context::default(), &made.program, 2).expect("there are no limits");
    let interpreter = ProgramInterpreter::new(&made.program);
    let [mut state] = <[State; 1]>::try_from(start.states).ok()?;
    for _ in 0..most {
        let (point, calls) = made.position(icfg, &state.0).expect("a state has a position");
        if calls.is_empty() && point == icfg.procedure(icfg.main).exit {
            let own = made
                .program
                .variables()
                .iter()
                .position(|own| made.program.terms.name(own.variable) == "main::result");
            return Some(Followed::Finished(own.map(|at| state.0[at].clone())));
        }
        match &interpreter.successors(&state).ok()?[..] {
            [] => {
                let labels = icfg.labels.iter().filter(|(_, points)| points.contains(&point));
                let labels: Vec<String> = labels.map(|(name, _)| name.clone()).collect();
                return Some(if labels.is_empty() { Followed::Stuck } else { Followed::At(labels) });
            }
            [only] => state = only.state.clone(),
            _ => return None,
        }
    }
    None
}

#[test]
fn random_programs_as_one_plain_program_end_like_their_graphs() {
    let mut n_same = 0;
    let run = long_random_cases(600, |rng| {
        let mut generator = Generator::new(rng, "", DataModel::Ilp32);
        (generator.has_floats, generator.has_unions) = (false, false);
        let text = prelude(DataModel::Ilp32) + &generator.program();
        let lowered = lowered(&unit("random.c", &text), LowerOptions::default());
        let followed = follow(&lowered, &[], 3_000);
        let Some(made) = inlined(&lowered.icfg).filter(|_| followed != Followed::Unfinished) else { return };
        if let Some(walked) = walked(&made, &lowered.icfg, 3_000) {
            assert_eq!(walked, followed, "{text}");
            n_same += 1;
        }
    });
    run.enough(n_same >= run.share(20), n_same);
}

/// What memory looks like in small programs, and whether it is followed exactly.
#[test]
fn memory_is_followed_where_one_name_is_one_object() {
    let followed = [
        "int main() { int *p = alloca(sizeof(int)); *p = nondet() & 7; return *p + 1; }",
        "int main() { int n = nondet() & 3; int a[n + 1]; a[n] = 5; return a[n]; }",
        "int main() { int n = nondet(); int *p = malloc(10 * sizeof(int)); p[3] = n; return p[n] == n; }",
        "int main() { int *p = calloc(4, sizeof(int)); int i = nondet(); return p[i]; }",
        "struct s { int x; int y[3]; } g[4]; int main() { int i = nondet(); g[i].y[i] = 3; return g[1].y[1]; }",
        "int a[3][4]; int main() { int *p = &a[1][0]; p[nondet() & 3] = 7; return a[1][2] + a[2][0]; }",
        "void set(int *p, int v) { *p = v; } int main() { int x = 0, y = 0; set(nondet() ? &x : &y, 3); return x - y; }",
        "int inc(int x) { return x + 1; } int dec(int x) { return x - 1; }\
         int main() { int (*f)(int) = nondet() ? inc : dec; return f(nondet() & 7); }",
        "int main() { char *s = \"hello\"; int n = 0; while (s[n]) n++; return n; }",
        "int main() { char s[] = \"abc\"; return s[nondet()]; }",
        "struct p { int a, b; }; struct p swap(struct p x) { struct p y = { x.b, x.a }; return y; }\
         int main() { struct p x = { nondet() & 1, 5 }; x = swap(x); return x.a * 10 + x.b; }",
        "int f(int n, int *sum) { if (n <= 0) return 0; *sum = *sum + n; return f(n - 1, sum) + 1; }\
         int main() { int sum = 0; int n = f(nondet() & 7, &sum); return sum * 10 + n; }",
        "int x, *p; int main() { if (nondet()) p = &x; *p = 3; return x; }",
        "int main() { int a[5]; int *p = a, *end = a + 5; while (p != end) *p++ = 2; return (int)(p - a) + a[4]; }",
        "struct n { int v; struct n *next; }; struct n b = { 2, 0 }, a = { 1, &b };\
         int main() { int s = 0; for (struct n *p = &a; p; p = p->next) s = s + p->v; return s; }",
        "int main() { unsigned char c = nondet(); short s = (short)(c * 300); unsigned u = s; return u % 1000; }",
        "int main() { int x = nondet(), y = nondet(); return x / y + x % y; }",
        "int main() { long long x = nondet(); return (int)(x * x % 7); }",
        "int a[4]; int main() { int i = nondet(); if (a[i]) { return 1; } for (i = 3; i >= 0; i--) a[i] = i; return a[2]; }",
        "int main() { unsigned long p = (unsigned long)(void *)0; int x; int *q = &x; return q != 0 && p == 0; }",
    ];
    let unknown = [
        "struct n { struct n *next; int v; }; int main() { struct n *l = 0; for (int i = 0; i < 3; i++) {\
         struct n *m = malloc(sizeof(struct n)); m->next = l; m->v = i; l = m; } return l->v; }",
        "union u { int x; char c[4]; }; int main() { union u u; u.x = nondet(); return u.c[0]; }",
        "int f(int n) { int x = n; int *p = &x; if (n > 0) { kept = p; f(n - 1); } return *p; } int main() { return f(3); }",
        "int main() { double d = 1.5; return (int)d; }",
        "int f(int); int main() { return f(3); }",
    ];
    let prelude = "extern int nondet_of(void); extern int __VERIFIER_nondet_int(void);\n\
                   extern void *malloc(unsigned); extern void *calloc(unsigned, unsigned);\
                   extern void *alloca(unsigned);\nint *kept;\n";
    for (text, is_exact) in
        followed.iter().map(|text| (text, true)).chain(unknown.iter().map(|text| (text, false)))
    {
        let text = format!("{prelude}{}", text.replace("nondet()", "__VERIFIER_nondet_int()"));
        let unit = unit("memory.c", &text);
        let mut counts = Counts::default();
        compare(&text, &unit, 40, &mut counts);
        assert_eq!(
            counts.inexact == 0,
            is_exact,
            "{counts:?}: {text}\n{:?}",
            lowered(&unit, LowerOptions::default()).doubts
        );
        assert!(!is_exact || counts.same > 20, "{counts:?}: {text}");
        let lowered = lowered(&unit, LowerOptions::default());
        let doubted = |(n, _): (usize, &Edge)| lowered.doubts.contains_key(&EdgeId::new(n));
        let mut inexact = lowered.icfg.edges().iter().enumerate().filter(|(_, edge)| !edge.is_exact);
        assert!(inexact.all(doubted), "an edge that is not exact says why: {text}");
    }
}

/// Where the graph does not follow a program, it does what the program does among other things.
#[test]
fn what_is_not_followed_is_covered() {
    let programs = [
        // More targets than are told apart.
        "int a, b, c, d, e, f, g, h, i; int main() { int n = nondet(); int *p = n == 0 ? &a : n == 1 ? &b : n == 2 ? &c : n == 3 ? &d\
         : n == 4 ? &e : n == 5 ? &f : n == 6 ? &g : n == 7 ? &h : &i; *p = 5; if (d == 5) reach_error(); return 0; }",
        // Numbers that are pointers again.
        "int x; int main() { unsigned long n = (unsigned long)&x; n = n + 0; *(int *)n = 5; if (x == 5) reach_error(); return 0; }",
        // Several objects of one instruction.
        "int main() { int *p = 0; for (int i = 0; i < 2; i++) { int *q = malloc(4); *q = i; if (p && *p != *q && p != q) reach_error();\
         p = q; } return 0; }",
        // Parts of other types.
        "int x; int main() { char *p = (char *)&x; p[1] = 1; if (x != 0) reach_error(); return 0; }",
        "union u { int x; short s[2]; } u; int main() { u.x = 65537; if (u.s[1] == 1) reach_error(); return 0; }",
        // A local of a recursive function that others see.
        "void set(int *p) { *p = 5; } int f(int n) { int x = 0; set(&x); if (n) f(n - 1); if (x == 5 && n) reach_error(); return x; }\
         int main() { f(2); return 0; }",
        "int *kept2; int f(int n) { int x = n; if (n == 2) kept2 = &x; if (n) f(n - 1); else *kept2 = 5; if (x == 5) reach_error();\
         return x; } int main() { f(3); return 0; }",
        // A function without body writes to what it may know.
        "extern void other(int **p); int x; int *y = &x; int main() { other(&y); if (x == 5) reach_error(); return 0; }",
        "extern int other(void); int main() { if (other() == 5) reach_error(); return 0; }",
        // Floating numbers.
        "int main() { double d = nondet(); if (d * 0.5 > 1.0 && (int)d == 5) reach_error(); return 0; }",
        // Bytes.
        "struct s { int a; char b; } x, y; int main() { x.b = 5; memcpy(&y, &x, 7); if (y.b == 5) reach_error(); return 0; }",
        "int a[4]; int main() { memset(a, 1, 5); if (a[0] != 0) reach_error(); return 0; }",
    ];
    let prelude = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void *malloc(unsigned);\n\
                   extern void *memcpy(void *, const void *, unsigned); extern void *memset(void *, int, unsigned);\n";
    for text in programs {
        let text = format!("{prelude}{}", text.replace("nondet()", "__VERIFIER_nondet_int()"));
        let lowered = lowered(&unit("covered.c", &text), LowerOptions::default());
        let met = crate::execute::run(&lowered.icfg, &[0, 5], 200_000);
        assert!(met.labels.contains("reach_error"), "{met:?}: {text}");
        assert!(lowered.icfg.edges().iter().any(|edge| !edge.is_exact), "{text}");
    }
}

/// Intervals leave nothing out where a result or an argument is missing.
#[test]
fn what_is_missing_is_any_value() {
    let programs = [
        "f(x) { kept = 0; } int main() { int x = f(3); if (nondet() == 5) reach_error(); return 0; }",
        "int f(); int main() { f(); return 0; } int f(x) { if (x < 3) kept = 0; if (kept == 0) reach_error(); return 0; }",
    ];
    for text in programs {
        let text = format!(
            "int kept; extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n{text}"
        );
        let text = text.replace("nondet()", "__VERIFIER_nondet_int()");
        let lowered = lowered(&unit("missing.c", &text), LowerOptions::default());
        let met = crate::execute::run(&lowered.icfg, &[0, 5], 10_000);
        assert!(met.labels.contains("reach_error"), "{met:?}: {text}");
    }
}
