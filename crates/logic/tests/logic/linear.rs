//! Linear time: text, meaning on lassos, and laws.

use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary, holds_on_lasso, parse_ltl};
use tertium_support::{Rng, Source};
use tertium_testkit::{fuzz_cases, random_cases, random_ltl};

const NAMES: [&str; 3] = ["a", "b", "x = 1"];

fn read(text: &str) -> Ltl {
    parse_ltl(&Source::new("test", text)).unwrap_or_else(|mistakes| panic!("{text}: {mistakes:?}"))
}

/// A path with a loop; bit k of a place says whether the k-th name holds there.
#[derive(Debug)]
struct Lasso {
    places: Vec<usize>,
    loop_start: usize,
}

impl Lasso {
    fn random(rng: &mut Rng) -> Self {
        let length = rng.between(1, 6);
        Self { places: (0..length).map(|_| rng.below(8)).collect(), loop_start: rng.below(length) }
    }

    fn holds(&self, at: usize, name: &str) -> bool {
        let period = self.places.len() - self.loop_start;
        let at = if at < self.places.len() { at } else { self.loop_start + (at - self.loop_start) % period };
        let bit = NAMES.iter().position(|known| *known == name).unwrap();
        self.places[at] >> bit & 1 == 1
    }

    fn satisfies(&self, formula: &Ltl) -> bool {
        holds_on_lasso(formula, self.places.len(), self.loop_start, |at, name| self.holds(at, name))
    }

    /// The definition word by word, on the path without end: places are quantified one by one. To look further ahead than
    /// this many places is to see nothing new, as everything repeats by then.
    fn by_definition(&self, formula: &Ltl, at: usize) -> bool {
        let settled = self.places.len() * (1 + formula.size());
        let later = |from: usize| from..from.max(settled) + self.places.len();
        match &formula.kind {
            LtlKind::True => true,
            LtlKind::False => false,
            LtlKind::Proposition(name) => self.holds(at, name),
            LtlKind::Unary(operator, f) => {
                let f = |at: usize| self.by_definition(f, at);
                match operator {
                    LtlUnary::Not => !f(at),
                    LtlUnary::Next => f(at + 1),
                    LtlUnary::Finally => later(at).any(f),
                    LtlUnary::Globally => later(at).all(f),
                    LtlUnary::Previous => at > 0 && f(at - 1),
                    LtlUnary::WeakPrevious => at == 0 || f(at - 1),
                    LtlUnary::Once => (0..=at).any(f),
                    LtlUnary::Historically => (0..=at).all(f),
                }
            }
            LtlKind::Binary(operator, f, g) => {
                let f = |at: usize| self.by_definition(f, at);
                let g = |at: usize| self.by_definition(g, at);
                match operator {
                    LtlBinary::And => f(at) && g(at),
                    LtlBinary::Or => f(at) || g(at),
                    LtlBinary::Xor => f(at) != g(at),
                    LtlBinary::Implies => !f(at) || g(at),
                    LtlBinary::Iff => f(at) == g(at),
                    LtlBinary::Until => later(at).any(|then| g(then) && (at..then).all(f)),
                    LtlBinary::Releases => later(at).all(|then| g(then) || (at..then).any(f)),
                    LtlBinary::Since => (0..=at).any(|then| g(then) && (then + 1..=at).all(f)),
                    LtlBinary::Triggered => (0..=at).all(|then| g(then) || (then + 1..=at).any(f)),
                }
            }
        }
    }
}

#[test]
fn the_meaning_on_lassos_is_that_of_the_path_written_out() {
    random_cases(3000, |rng| {
        let size = rng.between(1, 6);
        let formula = random_ltl(rng, &NAMES, size);
        let lasso = Lasso::random(rng);
        assert_eq!(lasso.satisfies(&formula), lasso.by_definition(&formula, 0), "{formula} on {lasso:?}");
    });
}

#[test]
fn a_formula_without_its_constants_means_the_same() {
    random_cases(3000, |rng| {
        let size = rng.between(1, 12);
        let formula = random_ltl(rng, &["a", "b", "TRUE", "FALSE"], size);
        // Propositions with the names of constants are made to be these.
        let formula = read(&formula.to_string().replace('"', ""));
        let folded = formula.without_constants();
        let lasso = Lasso::random(rng);
        assert_eq!(
            lasso.satisfies(&folded),
            lasso.satisfies(&formula),
            "{formula} and {folded} on {lasso:?}"
        );
        assert_eq!(folded.without_constants(), folded, "{folded} has nothing left to fold");
    });
}

#[test]
fn printed_formulas_are_read_back_equal() {
    random_cases(3000, |rng| {
        let size = rng.between(1, 20);
        let formula = random_ltl(rng, &["a", "U", "x = \"y\\", "p.q", "TRUE"], size);
        assert_eq!(read(&formula.to_string()), formula, "{formula}");
    });
}

#[test]
fn formulas_without_needless_brackets_print_as_they_are_written() {
    for text in [
        "G (a -> F b)",
        "a -> b -> c <-> d | e xor f & g U h S i",
        "(a -> b) -> c",
        "a <-> (b <-> c)",
        "a & (b & c) | d",
        "!a U X b",
        "!(a U b) & X F G !a",
        "a U (b V c)",
        "a T b S c",
        "G (\"x = 1\" -> O \"p.y\")",
        "H (Z FALSE | Y TRUE)",
        "\"X\" & \"U\" & \"xor\" & Xa",
    ] {
        assert_eq!(read(text).to_string(), text);
    }
}

#[test]
fn other_spellings_are_read_too() {
    for (text, same) in [
        ("a R b", "a V b"),
        ("a && b || c", "a & b | c"),
        ("a => b <=> c", "a -> b <-> c"),
        ("a xnor b", "a <-> b"),
        ("true & false", "TRUE & FALSE"),
        ("a U b U c", "(a U b) U c"),
        ("! G a", "!(G a)"),
    ] {
        assert_eq!(read(text), read(same), "{text}");
    }
    assert_ne!(read("a xnor b | c"), read("a <-> b | c"));
}

/// The places and messages of all complaints about a text.
fn complaints(text: &str) -> Vec<(usize, String)> {
    let mistakes = parse_ltl(&Source::new("test", text)).expect_err(text);
    mistakes.into_iter().map(|mistake| (mistake.span.start, mistake.message)).collect()
}

#[test]
fn mistakes_are_located_and_several_are_reported() {
    assert_eq!(complaints("a & "), [(4, "expected a formula, found the end of the text".into())]);
    assert_eq!(complaints("a b"), [(2, "expected an operator or the end, found `b`".into())]);
    assert_eq!(complaints("(a | b"), [(6, "expected an operator or `)`, found the end of the text".into())]);
    assert_eq!(complaints("G (& a) | (b U )").len(), 2);
    assert_eq!(complaints("[] a")[0].0, 0);
    assert_eq!(complaints("U")[0].0, 0);
}

#[test]
fn deep_formulas_are_refused_and_not_walked() {
    for text in ["!".repeat(100_000), "(".repeat(100_000), "a & ".repeat(100_000), "a -> ".repeat(100_000)] {
        assert!(complaints(&text)[0].1.contains("nested too deeply"));
    }
}

#[test]
fn no_text_makes_the_parser_fail() {
    let words = [
        "a", "\"b c\"", "(", ")", "!", "X", "G", "U", "S", "&", "|", "->", "<->", "xor", "[", "\"", "7", "§",
    ];
    fuzz_cases(|rng| {
        let length = rng.below(30);
        let text: Vec<&str> = (0..length).map(|_| *rng.pick(&words)).collect();
        let text = text.join(" ");
        if let Ok(formula) = parse_ltl(&Source::new("fuzz", text)) {
            assert_eq!(read(&formula.to_string()), formula);
        }
    });
}

#[test]
fn positive_form_and_negation_mean_what_they_say() {
    random_cases(3000, |rng| {
        let size = rng.between(1, 10);
        let formula = random_ltl(rng, &NAMES, size);
        let lasso = Lasso::random(rng);
        let positive = formula.positive();
        assert_eq!(lasso.satisfies(&positive), lasso.satisfies(&formula), "{formula} as {positive}");
        assert_ne!(lasso.satisfies(&formula.clone().negated()), lasso.satisfies(&formula), "{formula}");
        let stands_well = |part: &Ltl| match &part.kind {
            LtlKind::Unary(LtlUnary::Not, operand) => matches!(operand.kind, LtlKind::Proposition(_)),
            kind => !matches!(kind, LtlKind::Binary(LtlBinary::Implies, ..)),
        };
        assert!(positive.preorder().all(stands_well), "{positive}");
    });
}

/// Puts formulas in place of the propositions `a` and `b`.
fn instance(law: &Ltl, a: &Ltl, b: &Ltl) -> Ltl {
    match &law.kind {
        LtlKind::Proposition(name) if name == "a" => a.clone(),
        LtlKind::Proposition(name) if name == "b" => b.clone(),
        LtlKind::Unary(operator, f) => Ltl::unary(*operator, instance(f, a, b)),
        LtlKind::Binary(operator, f, g) => Ltl::binary(*operator, instance(f, a, b), instance(g, a, b)),
        kind => kind.clone().into(),
    }
}

#[test]
fn the_laws_of_linear_time_hold_at_every_place() {
    let laws = [
        "F a <-> !G !a",
        "O a <-> !H !a",
        "X a <-> !X !a",
        "Y a <-> !Z !a",
        "a V b <-> !(!a U !b)",
        "a T b <-> !(!a S !b)",
        "F a <-> TRUE U a",
        "O a <-> TRUE S a",
        "a U b <-> b | a & X (a U b)",
        "a V b <-> b & (a | X (a V b))",
        "a S b <-> b | a & Y (a S b)",
        "a T b <-> b & (a | Z (a T b))",
        "F G a -> G F a",
        "a -> X Y a",
        "a -> Z X a",
        "(a U b) -> F b",
        "Y X a <-> Y TRUE & a",
        "F (b & O a) <-> O a & F b | F (a & F b)",
    ];
    for text in laws {
        let law = read(&format!("G ({text})"));
        random_cases(150, |rng| {
            let (a, b) = (random_ltl(rng, &NAMES, 3), random_ltl(rng, &NAMES, 3));
            let lasso = Lasso::random(rng);
            let law = instance(&law, &a, &b);
            assert!(lasso.satisfies(&law), "{law} on {lasso:?}");
        });
    }
}
