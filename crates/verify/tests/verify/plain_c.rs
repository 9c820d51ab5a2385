//! Programs in C and the same programs as guarded commands: formulas of branching and of linear time have the same answers.
//!
//! The commands are written from what each statement means, with the points that lie between, and never from the graph of the
//! program. Formulas do not speak of the next step, so points that only one side has do not matter where nothing is decided there.

use std::fmt::Write as _;
use std::path::Path;
use tertium_evidence::PropertyName;
use tertium_support::{Context, Diagnostic, Rng, Source};
use tertium_testkit::long_random_cases;
use tertium_truth::{Cause, Verdict};
use tertium_verify::{
    Admitted, Chosen, Given, Halt, Input, Listener, Options, Question, ReadOptions, Request, Tables, check,
};

#[derive(Default)]
struct Verdicts(Vec<Verdict>);

impl Listener for Verdicts {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}

    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }

    fn answer(&mut self, admitted: Admitted) {
        assert_eq!(admitted.bug, None, "evidence stands up");
        // Whatever was found can be shown.
        let _ = tertium_report::answer_text(&admitted.answer, tertium_report::Detail::Screen);
        self.0.push(admitted.answer.outcome.verdict);
    }

    /// A label that no run can come to is not known.
    fn trouble(&mut self, name: &PropertyName, halt: Halt) {
        assert!(matches!(halt, Halt::Faulty(..)), "{}: {halt:?}", name.text);
        self.0.push(Verdict::Unknown(Cause::Imprecise));
    }
}

/// What an engine, or all, say of properties of a text.
fn ask(file: &str, text: &str, formulas: &[String], engine: Option<&str>) -> Verdicts {
    let given =
        |text: &String| Given { written: text.clone(), source: Ok(Source::new("<property>", text.as_str())) };
    let mut heard = Verdicts::default();
    let request = Request {
        tables: &Tables::default(),
        context: &Context::default(),
        path: Path::new(file),
        input: &Input { name: file.to_owned(), bytes: text.as_bytes().to_vec(), original: None },
        read: &ReadOptions { warnings: false, ..ReadOptions::default() },
        given: &formulas.iter().map(given).collect::<Vec<_>>(),
        chosen: &Chosen::default(),
        options: &Options { engine: engine.map(str::to_owned), ..Options::default() },
        time_each: None,
        work_each: Some(1 << 26),
    };
    check(&request, &mut heard).unwrap_or_else(|halt| panic!("{halt:?}\n{text}"));
    heard
}

/// A program in both languages. Statement `n` stands at the label `Ln`.
struct Both {
    c: String,
    commands: String,
    /// Where the commands are at the label of the function.
    inside: String,
    n: usize,
    is_blocked: bool,
}

/// A condition on globals as C and as guarded commands have it.
fn condition(rng: &mut Rng) -> (String, String) {
    let (variable, value) = (*rng.pick(&["x", "y"]), rng.below(4));
    match rng.below(3) {
        0 => (format!("{variable} == {value}"), format!("{variable} = {value}")),
        1 => (format!("{variable} < {value}"), format!("{variable} < {value}")),
        _ => (format!("{variable} != {value}"), format!("{variable} != {value}")),
    }
}

fn both(rng: &mut Rng) -> Both {
    let n = rng.between(3, 6);
    let (mut c, mut commands) = (String::new(), String::new());
    c.push_str(
        "extern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\nextern void exit(int);\n\
         unsigned char x, y;\nvoid set(unsigned char v) { S: x = v; }\nint main(void) {\n",
    );
    // Points between have numbers of their own; 800 is where main begins, 900 where the program
    // has ended.
    commands.push_str("var pc: 0..900 = 800;\n[] pc = 800 -> pc := 0;\nvar x: 0..3 = 0;\nvar y: 0..3 = 0;\nvar v: 0..3 = 0;\n");
    let mut calls = Vec::new();
    let mut is_blocked = false;
    for at in 0..n {
        let (between, other) = (100 + at, 200 + at);
        let next = rng.below(n + 1);
        let mut goes = |from: usize| {
            let to = if next == n { 900 } else { next };
            let _ = writeln!(commands, "[] pc = {from} -> pc := {to};");
        };
        let target = |to: usize| if to == n { "return 0;".to_owned() } else { format!("goto L{to};") };
        let variable = *rng.pick(&["x", "y"]);
        let _ = write!(c, "L{at}: ");
        match rng.below(7) {
            0 | 1 => {
                goes(between);
                let _ = writeln!(c, "{variable} = ({variable} + 1) & 3; {}", target(next));
                let _ = writeln!(
                    commands,
                    "[] pc = {at} && {variable} < 3 -> pc := {between}, {variable} := {variable} + 1;\n\
                     [] pc = {at} && {variable} = 3 -> pc := {between}, {variable} := 0;"
                );
            }
            2 => {
                let (one, two) = (rng.below(n), rng.below(n));
                let _ = writeln!(c, "if (__VERIFIER_nondet_bool()) goto L{one}; else goto L{two};");
                let _ = writeln!(
                    commands,
                    "[] pc = {at} -> pc := {between};\n[] pc = {at} -> pc := {other};\n\
                     [] pc = {between} -> pc := {one};\n[] pc = {other} -> pc := {two};"
                );
            }
            3 => {
                let (one, two) = (rng.below(n), rng.below(n));
                let (in_c, in_commands) = condition(rng);
                let _ = writeln!(c, "if ({in_c}) goto L{one}; else goto L{two};");
                let _ = writeln!(
                    commands,
                    "[] pc = {at} -> pc := {between};\n[] pc = {between} && {in_commands} -> pc := {one};\n\
                     [] pc = {between} && !({in_commands}) -> pc := {two};"
                );
            }
            4 => {
                goes(300 + at);
                let value = rng.below(4);
                let _ = writeln!(c, "set({value}); {}", target(next));
                let _ = writeln!(
                    commands,
                    "[] pc = {at} -> pc := {between}, v := {value};\n[] pc = {between} -> pc := {other};\n\
                     [] pc = {other} -> pc := {}, x := v;\n[] pc = {} -> pc := {}, v := 0;",
                    400 + at,
                    400 + at,
                    300 + at
                );
                calls.push(other);
            }
            5 => {
                goes(between);
                is_blocked = true;
                let (in_c, in_commands) = condition(rng);
                let _ = writeln!(c, "__VERIFIER_assume({in_c}); {}", target(next));
                let _ = writeln!(commands, "[] pc = {at} && {in_commands} -> pc := {between};");
            }
            _ => {
                let _ = writeln!(c, "{}", if rng.chance(0.5) { "return 0;" } else { "exit(1);" });
                let _ = writeln!(commands, "[] pc = {at} -> pc := 900;");
            }
        }
    }
    c.push_str("}\n");
    commands.push_str("[] pc = 900 -> pc := 900;\n");
    let inside: Vec<String> = calls.iter().map(|point| format!("pc = {point}")).collect();
    let inside = if inside.is_empty() { "false".to_owned() } else { inside.join(" || ") };
    Both { c, commands, inside, n, is_blocked }
}

/// An atom in both languages.
fn atom(rng: &mut Rng, n: usize, calls: &str) -> (String, String) {
    match rng.below(6) {
        0 | 1 => {
            let at = rng.below(n);
            (format!("at(L{at})"), format!("(pc = {at})"))
        }
        2 => ("end".to_owned(), "(pc = 900)".to_owned()),
        3 => ("at(set.S)".to_owned(), format!("({calls})")),
        _ => {
            let (in_c, in_commands) = condition(rng);
            (format!("({in_c})"), format!("({in_commands})"))
        }
    }
}

fn formula(rng: &mut Rng, depth: usize, n: usize, calls: &str) -> (String, String) {
    if depth == 0 {
        return atom(rng, n, calls);
    }
    let a = formula(rng, depth - 1, n, calls);
    let less = rng.below(depth);
    let b = formula(rng, less, n, calls);
    match rng.below(9) {
        0 => (format!("(AG {})", a.0), format!("(AG {})", a.1)),
        1 => (format!("(AF {})", a.0), format!("(AF {})", a.1)),
        2 => (format!("(EG {})", a.0), format!("(EG {})", a.1)),
        3 => (format!("(EF {})", a.0), format!("(EF {})", a.1)),
        4 => (format!("A[{} U {}]", a.0, b.0), format!("A[{} U {}]", a.1, b.1)),
        5 => (format!("E[{} U {}]", a.0, b.0), format!("E[{} U {}]", a.1, b.1)),
        6 => (format!("({} -> {})", a.0, b.0), format!("({} -> {})", a.1, b.1)),
        7 => (format!("!{}", a.0), format!("!{}", a.1)),
        _ => (format!("({} & {})", a.0, b.0), format!("({} & {})", a.1, b.1)),
    }
}

/// A formula of linear time for which there is one of branching time.
fn linear(rng: &mut Rng, n: usize, calls: &str) -> (String, String) {
    let (a, b) = (atom(rng, n, calls), atom(rng, n, calls));
    let shape = *rng.pick(&[
        "G (A -> F B)",
        "G F A",
        "F (A | F B)",
        "G A -> F B",
        "A U B",
        "A V B",
        "!(A U B)",
        "G (A -> (A U B))",
        "!F (A & G B)",
        "F A & G B",
        "!(G A & G B)",
        "!(A V B)",
    ]);
    let filled = |a: &str, b: &str| {
        let text: String = shape
            .chars()
            .map(|letter| match letter {
                'A' => a.to_owned(),
                'B' => b.to_owned(),
                other => other.to_string(),
            })
            .collect();
        format!("LTLSPEC {text}")
    };
    (filled(&a.0, &b.0), filled(&a.1, &b.1))
}

#[test]
fn formulas_about_c_say_the_same_as_about_commands() {
    let (mut n_true, mut n_false, mut n_linear) = (0, 0, 0);
    let run = long_random_cases(300, |rng| {
        let made = both(rng);
        let (commands, calls) = (&made.commands, &made.inside);
        let mut formulas: Vec<(String, String)> = (0..3).map(|_| formula(rng, 2, made.n, calls)).collect();
        if !made.is_blocked {
            formulas.push(linear(rng, made.n, calls));
        }
        let (in_c, in_commands): (Vec<String>, Vec<String>) = formulas.into_iter().unzip();
        let right = ask("m.gcl", commands, &in_commands, Some("explicit"));
        let text = |engine: &str, at: usize| {
            format!("{engine}: {}\n{}\n{}\n{commands}", in_c[at], in_commands[at], made.c)
        };
        for engine in [None, Some("predicate"), Some("explicit")] {
            // Where all formulas ask for goals only, there is no such engine.
            let mut asked = in_c.clone();
            asked.push("AG AF true".to_owned());
            let found = ask("m.c", &made.c, &asked, engine);
            for (at, right) in right.0.iter().enumerate() {
                let found = found.0[at];
                assert!(matches!(right, Verdict::True | Verdict::False), "{}", text("commands", at));
                if matches!(found, Verdict::True | Verdict::False) {
                    assert_eq!(found, *right, "{}", text(engine.unwrap_or("all"), at));
                    n_true += usize::from(found == Verdict::True);
                    n_false += usize::from(found == Verdict::False);
                    n_linear += usize::from(at == 3);
                }
            }
        }
    });
    let counts = (n_true, n_false, n_linear);
    run.enough(n_true >= run.share(300) && n_false >= run.share(300) && n_linear >= run.share(40), counts);
}
