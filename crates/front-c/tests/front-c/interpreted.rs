//! Runs of small programs in C: memory, pointers, inputs, endings, observers, mathematical integers.

use tertium_front_c::interpret::{
    Assignment, Ending, Halt, Holder, InputSource, InputType, IntegerModel, Interpreter, ListedInputs,
    NoInputs, NoObserver, Observer, RandomInputs, Request, Run, RunLimits, Shown, Then,
};
use tertium_front_c::ir::{Asking, DataModel, Exit, Failure, FunctionId, Undefined, Unit};
use tertium_front_c::{ReadOptions, read};
use tertium_support::{Context, Source, Span};

/// What the environment offers, in all programs here.
const HEAD: &str = "
extern void *malloc(unsigned long); extern void *calloc(unsigned long, unsigned long);
extern void *realloc(void *, unsigned long); extern void free(void *); extern void *alloca(unsigned long);
extern void *memcpy(void *, const void *, unsigned long); extern void *memset(void *, int, unsigned long);
extern int memcmp(const void *, const void *, unsigned long); extern int strcmp(const char *, const char *);
extern unsigned long strlen(const char *); extern char *strcpy(char *, const char *);
extern void exit(int); extern void abort(void); extern int printf(const char *, ...);
extern void reach_error(void); extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
";

fn unit_of(text: &str) -> Unit {
    let options = ReadOptions { data_model: DataModel::Lp64, ..ReadOptions::default() };
    let source = Source::new("program.c", format!("{HEAD}{text}"));
    match read(&Context::default(), &source, &options) {
        Ok((unit, _)) => unit,
        Err(error) => panic!("{error:?}"),
    }
}

fn run_with(text: &str, inputs: Vec<i128>, model: IntegerModel) -> Run {
    let interpreter = Interpreter::with_integers(&unit_of(text), model).expect("it can be run");
    let mut inputs = ListedInputs::new(inputs, Then::End);
    let limits = RunLimits { steps: 100_000_000, ..RunLimits::default() };
    interpreter.run(&Context::default(), &mut inputs, &mut NoObserver, limits)
}

fn ending(text: &str, inputs: &[i128]) -> Ending {
    run_with(text, inputs.to_vec(), IntegerModel::Machine).ending
}

/// The program comes to its end with this status, and asks for nothing.
#[track_caller]
fn gives(text: &str, status: i128) {
    assert_eq!(ending(text, &[]), Ending::Finished(status), "{text}");
}

#[track_caller]
fn is_undefined(text: &str, what: Undefined) {
    let found = ending(text, &[]);
    assert!(matches!(found, Ending::Undefined(found, _) if found == what), "{found:?}, not {what:?}: {text}");
}

#[test]
fn pointers_keep_their_objects_through_memory_and_integers() {
    gives("int main(void) { int a = 3, *p = &a, **q = &p; **q = 5; return a; }", 5);
    gives("int main(void) { int a[3] = {1, 2, 3}; long n = (long)a; return *(int *)(n + 8); }", 3);
    gives("int main(void) { int a = 7; int *p = &a, *q; memcpy(&q, &p, sizeof p); return *q; }", 7);
    gives(
        "int main(void) { int a = 7, *p = &a, *q; char *f = (char *)&p, *t = (char *)&q;
         for (int i = 0; i < 8; i++) t[i] = f[i]; return *q; }",
        7,
    );
    gives(
        "struct s { int a; struct s *n; }; int main(void) { struct s x = {4, 0}, y = {0, &x}, z = y; return z.n->a; }",
        4,
    );
    gives(
        "int f(int a) { return a + 1; } int main(void) { long n = (long)&f; return ((int (*)(int))n)(4); }",
        5,
    );
    gives("int main(void) { int a[2]; return (long)&a[1] - (long)&a[0] == 4 && &a[2] - a == 2; }", 1);
    gives("struct s { char a; int b; }; int main(void) { return (int)(long)&((struct s *)0)->b; }", 4);
}

#[test]
fn a_pointer_that_is_partly_overwritten_is_none() {
    let text = "int main(void) { int a = 1, *p = &a; *(char *)&p = 0; *((char *)&p + 7) = 1; return *p; }";
    is_undefined(text, Undefined::OutOfBounds);
}

#[test]
fn pointers_of_dead_objects_are_dead_even_if_their_place_is_used_again() {
    let text = "int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); *q = 1; return *p; }";
    is_undefined(text, Undefined::DeadAccess);
    let text = "int *g; void f(void) { int x = 1; g = &x; } int main(void) { f(); f(); return *g; }";
    is_undefined(text, Undefined::DeadAccess);
    let text = "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x; if (i) return *p; x = 3; p = &x; } return 0; }";
    is_undefined(text, Undefined::DeadAccess);
    is_undefined(
        "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }",
        Undefined::InvalidFree,
    );
    is_undefined("int main(void) { int a, b; return &a < &b; }", Undefined::PointerArithmetic);
    is_undefined("int main(void) { int a[2], *p = a - 1; return p == a; }", Undefined::PointerArithmetic);
}

#[test]
fn library_functions_do_what_they_say() {
    gives("int main(void) { int *p = calloc(3, 4); return p[2]; }", 0);
    gives("int main(void) { int *p = malloc(4); *p = 9; p = realloc(p, 400); return p[0]; }", 9);
    gives(
        "int main(void) { char a[6]; strcpy(a, \"hello\"); return strlen(a) + (strcmp(a, \"hello\") == 0); }",
        6,
    );
    gives("int main(void) { return memcmp(\"abc\", \"abd\", 3) < 0; }", 1);
    gives("int main(void) { int n = 5; int a[n]; a[n - 1] = 2; return a[4] + (int)sizeof a; }", 22);
    gives("int main(void) { printf(\"%d\\n\", 3); free(0); return 0; }", 0);
    is_undefined("int main(void) { char a[4]; strcpy(a, \"hello\"); return 0; }", Undefined::OutOfBounds);
    is_undefined("int main(void) { char *a = \"hello\"; a[0] = 'j'; return 0; }", Undefined::OutOfBounds);
}

#[test]
fn structures_and_unions_are_bytes() {
    gives(
        "union u { int i; unsigned char b[4]; }; int main(void) { union u x; x.i = 0x01020304; return x.b[3]; }",
        1,
    );
    gives(
        "struct s { unsigned a : 3, b : 5; int c : 4; }; int main(void) { struct s x = {9, 33, 15}; return x.a * 100 + x.b * 10 + x.c; }",
        109,
    );
    gives(
        "struct s { int a[3]; }; struct s f(int n) { struct s x = {{n, n + 1}}; return x; } int main(void) { return f(4).a[1]; }",
        5,
    );
    gives(
        "struct s { int a; }; int f(struct s x) { x.a++; return x.a; } int main(void) { struct s x = {1}; return f(x) * 10 + x.a; }",
        21,
    );
    gives(
        "float f(float x) { return x / 3; } int main(void) { return (int)(f(1.0f) * 1000000000.0f); }",
        333_333_344,
    );
}

#[test]
fn runs_end_as_their_programs_say() {
    assert!(matches!(ending("int main(void) { exit(3); }", &[]), Ending::Exited(Exit::Exit, _)));
    assert!(matches!(ending("int main(void) { abort(); }", &[]), Ending::Exited(Exit::Abort, _)));
    let error = ending("void f(void) { reach_error(); } int main(void) { f(); }", &[]);
    assert!(matches!(error, Ending::Failed(Failure::ErrorCall, _, _)), "{error:?}");
    let assumption = ending("int main(void) { __VERIFIER_assume(0); reach_error(); }", &[]);
    assert!(matches!(assumption, Ending::AssumptionFailed(_)));
    let missing = ending("int f(int); int main(void) { return f(3); }", &[]);
    assert!(matches!(missing, Ending::MissingBody(..)), "{missing:?}");
    is_undefined("int f(void) { } int main(void) { return f(); }", Undefined::MissingReturn);
    is_undefined(
        "int f(double x) { return 1; } int main(void) { return ((int (*)(int))f)(3); }",
        Undefined::InvalidCall,
    );
    is_undefined("int f(void); int (*p)(void); int main(void) { return p(); }", Undefined::InvalidCall);
    is_undefined("int main(void) { int x = 2147483647; return x + 1; }", Undefined::Overflow);
}

#[test]
fn inputs_are_asked_for_in_order_and_once() {
    let text = "int main(void) { int a = __VERIFIER_nondet_int(); unsigned char b = __VERIFIER_nondet_uchar(); return a * 1000 + b; }";
    assert_eq!(ending(text, &[2, 259]), Ending::Finished(2003));
    assert!(matches!(ending(text, &[2]), Ending::OutOfInputs(Request {
        source: InputSource::Call { .. }, ty: InputType::Integer(ty), ..
    }) if ty.bits == 8));
    let bits = 2.5f64.to_bits().into();
    assert_eq!(
        ending("int main(void) { return (int)(__VERIFIER_nondet_double() * 2.0); }", &[bits]),
        Ending::Finished(5)
    );
    let text = "int main(void) { int x, *p = malloc(8); return x * 100 + x + p[1] * 10 + p[1]; }";
    assert_eq!(ending(text, &[1, 2]), Ending::Finished(123));
    let Ending::OutOfInputs(request) = ending(text, &[1]) else { panic!("the heap is not written") };
    assert_eq!(request.source, InputSource::Uninitialised(Holder::Heap));
    // Bits that are known stay as they are.
    let text = "union u { int i; unsigned char b[4]; }; int main(void) { union u x; x.b[1] = 7; return x.i & 0xffff; }";
    assert_eq!(ending(text, &[0x0a0b]), Ending::Finished(0x070b));
    let text = "extern int g; int main(int argc, char **argv) { return g * 10 + argc; }";
    assert_eq!(ending(text, &[4, 2]), Ending::Finished(42));
    // A local is new each time its block begins.
    let text = "int main(void) { int s = 0; for (int i = 0; i < 2; i++) { int x; s = s * 10 + x; x = 9; } return s; }";
    assert_eq!(ending(text, &[3, 4]), Ending::Finished(34));
}

#[test]
fn a_copy_of_what_nobody_wrote_has_the_same_value() {
    let pair = "struct pair { int x, y; }; struct pair same(struct pair a) { return a; }";
    let one_input = |body: &str| ending(&format!("{pair} int main(void) {{ {body} }}"), &[7]);
    assert_eq!(one_input("struct pair p, q; p = q; return p.y * 10 + q.y;"), Ending::Finished(77));
    assert_eq!(one_input("struct pair p, q; p = q; return q.y * 10 + p.y;"), Ending::Finished(77));
    assert_eq!(one_input("struct pair p, q = same(p); q = same(q); return q.x == p.x;"), Ending::Finished(1));
    assert_eq!(
        one_input("int a[2], b[2]; memcpy(b, a, 8); b[0] = 1; return a[1] - b[1];"),
        Ending::Finished(0)
    );
    assert_eq!(
        one_input("int *a = malloc(4), b; memcpy(&b, a, 4); a = realloc(a, 8); return b - a[0];"),
        Ending::Finished(0)
    );
    // What is written later is no part of it, and the copy keeps the old value.
    let text = "struct pair p, q; p = q; q.y = 5; return p.y * 10 + q.y;";
    assert_eq!(one_input(text), Ending::Finished(75));
    // Each life has a value of its own.
    let text = "struct pair p; int s = 0; for (int i = 0; i < 2; i++) { struct pair q; p = q; s = s * 10 + p.x; } return s;";
    assert_eq!(ending(&format!("{pair} int main(void) {{ {text} }}"), &[3, 4]), Ending::Finished(34));
    // Bits beside those that were written.
    let text = "struct bits { unsigned a : 4, b : 4; };
        int main(void) { struct bits p, q; q.a = 5; p = q; p.a = 6; return p.b * 100 + q.b * 10 + q.a; }";
    assert_eq!(ending(text, &[3]), Ending::Finished(335));
}

#[test]
fn what_is_defined_elsewhere_without_a_length_has_an_unknown_size() {
    let is_open = |text: &str| {
        assert_eq!(ending(text, &[]), Ending::Stopped(Halt::UnknownSize), "{text}");
    };
    is_open("extern int a[]; int main(void) { a[5] = 1; return 0; }");
    is_open("extern int a[][3]; int main(void) { int (*p)[3] = a; p++; return (*p)[1]; }");
    is_open("struct s; extern struct s s; int main(void) { return *(int *)&s; }");
    is_open("struct s; extern const struct s *a[]; int main(void) { a[0] = 0; return 0; }");
    gives("extern int a[]; int main(void) { int *p = a + 7; return p - a; }", 7);
    // Here the type has a length in the end.
    is_undefined("int a[]; int main(void) { int i = 1; return a[i]; }", Undefined::OutOfBounds);
    gives("extern int a[]; int main(void) { return a[1]; } int a[2] = {1, 2};", 2);
}

#[test]
fn a_run_that_asks_for_nothing_is_the_whole_program() {
    let is_whole = |text: &str, inputs: &[i128]| {
        run_with(text, inputs.to_vec(), IntegerModel::Machine).is_whole_program()
    };
    assert!(is_whole("int main(void) { return 0; }", &[]));
    assert!(is_whole("int main(void) { reach_error(); }", &[]));
    assert!(!is_whole("int main(void) { int x; return x; }", &[0]));
    assert!(!is_whole("int main(void) { return __VERIFIER_nondet_int(); }", &[0]));
    assert!(!is_whole("int main(void) { int x; return (long)&x == 65536; }", &[]));
    let undefined = "int main(void) { int x = 0; return 1 / x; }";
    assert!(!is_whole(undefined, &[]));
    assert!(run_with(undefined, Vec::new(), IntegerModel::Machine).is_only_run());
}

#[test]
fn random_inputs_can_be_given_again() {
    let text = "int main(void) { int s = 0; for (int i = 0; i < 20; i++) s = (s ^ __VERIFIER_nondet_int()) & 0xffffff; return s; }";
    let interpreter = Interpreter::new(&unit_of(text)).expect("it can be run");
    let mut random = RandomInputs::seeded(5);
    let run = interpreter.run(&Context::default(), &mut random, &mut NoObserver, RunLimits::default());
    assert_eq!((run.inputs, random.given().len()), (20, 20));
    assert_eq!(ending(text, random.given()), run.ending);
}

#[test]
fn mathematical_integers_do_not_wrap_around() {
    let found = |text: &str| run_with(text, Vec::new(), IntegerModel::Mathematical).ending;
    let text = "int main(void) { int x = 2147483647; x = x + 1; return x > 0; }";
    assert_eq!(found(text), Ending::Finished(1));
    assert_eq!(found("int main(void) { unsigned x = 0; x--; return x < 1u; }"), Ending::Finished(1));
    let text = "int a[3]; int main(void) { int *p = &a[1]; *p = 2147483647; *p *= 4; a[0] = a[1] / 4; return a[0] == 2147483647; }";
    assert_eq!(found(text), Ending::Finished(1));
    let text = "int main(void) { int s[2] = {2147483647}, t[2]; s[0] *= 2; memcpy(t, s, 8); return t[0] / 2 == 2147483647; }";
    assert_eq!(found(text), Ending::Finished(1));
    let text = "int main(void) { int x = 2; for (;;) x = x * x; }";
    assert_eq!(found(text), Ending::Stopped(Halt::IntegerTooLarge));
    let text = "int main(void) { int x = 2147483647; int *p = &x; *p *= 2; return *(char *)p; }";
    assert_eq!(found(text), Ending::Stopped(Halt::IntegerTooLarge));
}

#[test]
fn limits_stop_runs() {
    let text = "int f(int n) { return n ? f(n - 1) + 1 : 0; } int main(void) { return f(1000000); }";
    gives(text, 1_000_000);
    let text = "int main(void) { for (;;) malloc(1000000); }";
    assert_eq!(ending(text, &[]), Ending::Stopped(Halt::Memory));
    let text = "int f(int n) { return f(n + 1); } int main(void) { return f(0); }";
    assert_eq!(ending(text, &[]), Ending::Stopped(Halt::Memory));
    assert_eq!(ending("int main(void) { for (;;); }", &[]), Ending::Stopped(Halt::Steps));
}

/// Writes down what it is told.
#[derive(Default)]
struct Notes(Vec<String>);

impl Observer for Notes {
    fn enter(&mut self, function: FunctionId, _: Span) {
        self.0.push(format!("enter {}", function.raw()));
    }

    fn leave(&mut self, function: FunctionId) {
        self.0.push(format!("leave {}", function.raw()));
    }

    fn assign(&mut self, assignment: &Assignment) {
        self.0.push(format!("{} = {}", assignment.place, assignment.value));
    }

    fn branch(&mut self, asks: Asking, holds: bool, _: Span) {
        let asks = match asks {
            Asking::If(_) => "if",
            Asking::Loop(_) => "loop",
            Asking::Operator => "operator",
            Asking::Assertion => "assertion",
        };
        self.0.push(format!("{asks} {holds}"));
    }

    fn input(&mut self, _: &Request, value: i128) {
        self.0.push(format!("input {value}"));
    }
}

fn told(text: &str, inputs: &[i128]) -> Vec<String> {
    let interpreter = Interpreter::new(&unit_of(text)).expect("it can be run");
    let mut notes = Notes::default();
    let mut inputs = ListedInputs::new(inputs.to_vec(), Then::End);
    interpreter.run(&Context::default(), &mut inputs, &mut notes, RunLimits::default());
    notes.0.retain(|note| !note.starts_with("enter") && !note.starts_with("leave"));
    notes.0
}

#[test]
fn observers_are_told_of_assignments_with_the_names_of_places() {
    let text = "
        struct s { int v, a[3]; struct s *next; } g; int h[4];
        int main(void) {
            int i = 1; struct s x, *p = &x;
            h[i + 1] = 5; p->v = 6; p->a[i] = 7; x.next = &g; p->next->v = 8; *&i = 2; h[i] += 1; p = 0;
            int *q = h; q[i + 1] = 9; *q = 4;
            return 0;
        }";
    let expected = [
        "i = 1",
        "p = a pointer",
        "h[2] = 5",
        "p->v = 6",
        "p->a[1] = 7",
        "x.next = a pointer",
        "p->next->v = 8",
        "i = 2",
        "h[2] = 6",
        "p = NULL",
        "q = a pointer",
        "q[3] = 9",
        "*q = 4",
    ];
    assert_eq!(told(text, &[]), expected);
}

#[test]
fn observers_are_told_of_branches_and_inputs() {
    let text = "
        int f(int x) { if (!(x < 3)) return 1; return 2; }
        int main(void) { int a = __VERIFIER_nondet_int(); int b = f(a); while (a != 0) a--; return b; }";
    let expected = ["input 1", "a = 1", "if false", "b = 2", "loop true", "a = 0", "loop false"];
    assert_eq!(told(text, &[1]), expected);
}

#[test]
fn values_are_shown_as_people_write_them() {
    assert_eq!(Shown::Float(1.5).to_string(), "1.5");
    assert_eq!(Shown::Integer(-3).to_string(), "-3");
    let unit = unit_of("int main(void) { return 0; }");
    let interpreter = Interpreter::new(&unit).expect("it can be run");
    let run = interpreter.run(&Context::default(), &mut NoInputs, &mut NoObserver, RunLimits::default());
    assert!(run.steps <= 2);
}
