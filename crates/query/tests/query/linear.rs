//! Vacuity of formulas of linear time: the definition by substitution in the text, and the methods against each other.

use tertium_check::symbolic::{Options, SymbolicChecker};
use tertium_front_smv::{
    EncodeOptions, FlatModel, Specification, SpecificationKind, encode, ltl_text, read, read_property,
};
use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary, PartId, Polarity, Written};
use tertium_query::{Extent, Findings, LinearVacuity};
use tertium_support::{Context, Id, Rng, Source, Span, render};
use tertium_testkit::{SmvShape, long_random_cases, random_ltl_text, random_smv};
use tertium_truth::Verdict;

const LIGHT: &str = "MODULE main\nVAR light : {red, yellow, green}; lamp : boolean;\n\
    ASSIGN init(light) := red; next(light) := case light = red : {red, green}; TRUE : red; esac;\n\
    init(lamp) := FALSE;\n\
    DEFINE r := light = red; y := light = yellow; g := light = green;\n";

fn model(text: &str) -> FlatModel {
    let source = Source::new("test.smv", text);
    let read = read(source.clone());
    read.unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false))).0
}

fn property(model: &FlatModel, text: &str) -> Specification {
    let source = Source::new("property", format!("LTLSPEC {text}"));
    read_property(model, &source)
        .unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false)))
}

fn formula(specification: &Specification) -> &Ltl {
    match &specification.kind {
        SpecificationKind::Ltl(formula) => formula,
        other => panic!("{other:?}"),
    }
}

/// Gives the checker of a model on which these properties have a meaning.
fn with_checker<T>(
    model: &FlatModel,
    properties: &[&Specification],
    work: impl FnOnce(&dyn Fn(&Ltl) -> bool, &mut SymbolicChecker<'_>) -> T,
) -> T {
    let context = Context::default();
    let mut encoded = encode(&context, model, &EncodeOptions::default()).expect("the model has a meaning");
    for property in properties {
        encoded.register(property).expect("the property has a meaning");
    }
    let options = Options { evidence: 0, find_deadlocks: false, ..Options::default() };
    // Each answer comes from a checker that knows nothing of other questions.
    let alone = |formula: &Ltl| {
        let mut fresh = SymbolicChecker::new(&context, &encoded.model, options);
        fresh.check_ltl(formula).expect("no limit").verdict == Verdict::True
    };
    let mut checker = SymbolicChecker::new(&context, &encoded.model, options);
    work(&alone, &mut checker)
}

struct Asked {
    text: String,
    specification: Specification,
    written: Written<Ltl>,
}

impl Asked {
    fn new(model: &FlatModel, text: &str) -> Self {
        let specification = property(model, text);
        let written = Written::new(formula(&specification));
        Self { text: format!("LTLSPEC {text}"), specification, written }
    }

    fn span(&self, part: PartId) -> Span {
        self.written.part(part).span
    }

    fn parts(&self, ids: &[PartId]) -> Vec<&str> {
        ids.iter().map(|&id| &self.text[self.span(id).range()]).collect()
    }

    fn verdict(&self, findings: &Findings) -> String {
        findings.verdict(&self.written, |id| self.text[self.span(id).range()].to_owned())
    }

    /// The text of the formula with another one at the place of a part.
    fn substituted(&self, part: PartId, other: &str) -> String {
        let range = self.span(part).range();
        let text = format!("{}({other}){}", &self.text[..range.start], &self.text[range.end..]);
        text.trim_start_matches("LTLSPEC ").to_owned()
    }
}

#[test]
fn verdicts_say_all_some_or_none_for_true_and_false() {
    let model = model(LIGHT);
    for (text, verdict, largest, left) in [
        ("G (r | g)", "Non-Vacuously True", &[][..], None),
        ("G (r | y | g)", "Vacuously True in {y}", &["y"], Some("G (r | g)")),
        ("G (y -> F lamp)", "Vacuously True in {F lamp}", &["F lamp"], Some("G !y")),
        ("G (g -> X (r | lamp & y))", "Vacuously True in {lamp & y}", &["lamp & y"], Some("G (g -> X r)")),
        ("G y", "Non-Vacuously False", &[], None),
        ("G (y & lamp)", "Vacuously False", &["y", "lamp"], Some("G lamp")),
        ("F (y & G lamp)", "Vacuously False", &["y", "G lamp"], Some("F (G lamp)")),
        // The past: green comes after red only.
        ("G (g -> Y (r | lamp))", "Vacuously True in {lamp}", &["lamp"], Some("G (g -> Y r)")),
        ("G (g -> O (lamp S r))", "Vacuously True in {g, lamp}", &["g", "lamp"], Some("G (O r)")),
        ("G (y -> (r <-> g))", "Vacuously True in {r <-> g}", &["(r <-> g)"], Some("G !y")),
        ("G (y -> (r xor g))", "Vacuously True", &["y", "(r xor g)"], Some("G (r xor g)")),
        ("G (r xor g)", "Non-Vacuously True", &[], None),
        ("G F [0,2] (r | y)", "Vacuously True in {y}", &["y"], None),
        ("TRUE", "Non-Vacuously True", &[], None),
    ] {
        let asked = Asked::new(&model, text);
        with_checker(&model, &[&asked.specification], |_, checker| {
            let mut vacuity = LinearVacuity::new(checker);
            let found = vacuity.refine(&asked.written).unwrap();
            assert_eq!(
                asked.verdict(&found).replace(['(', ')'], ""),
                verdict.replace(['(', ')'], ""),
                "{text}"
            );
            assert_eq!(asked.parts(&found.vacuous), largest, "{text}");
            if let Some(left) = left {
                let (formula, _) = vacuity.strengthen(&asked.written, &found).unwrap();
                let shown = ltl_text(&formula).replace("light = red", "r").replace("light = green", "g");
                assert_eq!(shown, left, "{text}");
            }
        });
    }
}

#[test]
fn sets_that_can_go_together_are_the_largest() {
    let model = model(LIGHT);
    let asked = Asked::new(&model, "G ((r | !r) & (r | g | y | lamp))");
    with_checker(&model, &[&asked.specification], |alone, checker| {
        let mut vacuity = LinearVacuity::new(checker);
        let atoms = asked.written.atoms();
        let found = vacuity.one_sided(&asked.written, &atoms).unwrap();
        assert_eq!(asked.parts(&found.vacuous), ["y", "lamp"]);
        let mutual = vacuity.mutual(&asked.written, &atoms, 100).unwrap();
        assert!(mutual.complete && mutual.holds);
        assert_eq!(mutual.largest, std::slice::from_ref(&found.vacuous));
        assert!(alone(asked.written.formula()));
    });
    let asked = Asked::new(&model, "F (y & lamp)");
    with_checker(&model, &[&asked.specification], |_, checker| {
        let mutual = LinearVacuity::new(checker).mutual(&asked.written, &asked.written.atoms(), 100).unwrap();
        assert_eq!(mutual.largest.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    });
}

/// A random formula with everything that can be written: rows, exclusive disjunctions, bounds, past.
fn random_text(rng: &mut Rng, atoms: &[String]) -> String {
    let mut leaf = |depth| random_ltl_text(rng, atoms, depth);
    let (f, g, h) = (leaf(2), leaf(1), leaf(1));
    match rng.below(12) {
        0 => format!("{f} xor {g}"),
        1 => format!("G ({g} | {f} | {h})"),
        2 => format!("F ({g} & {f} & {h})"),
        3 => format!("G F [0, 2] {g}"),
        4 => format!("G ({g} -> O [1, 2] {h})"),
        5 => format!("{g} -> ({f} <-> {h})"),
        6 => format!("G ({g} -> F {h}) & G ({g} | {f})"),
        7 => format!("H [0, 1] {f} | X {g}"),
        _ => f,
    }
}

/// The formula with what stands at a place replaced for the best or the worst; written down from the definition.
fn replaced(formula: &Ltl, place: Span, best: bool, positive: bool) -> Ltl {
    if formula.span == place && !matches!(formula.kind, LtlKind::True | LtlKind::False) {
        return if best == positive { LtlKind::True } else { LtlKind::False }.into();
    }
    let go = |f: &Ltl, positive: bool| replaced(f, place, best, positive);
    match &formula.kind {
        LtlKind::Unary(LtlUnary::Not, f) => go(f, !positive).negated(),
        LtlKind::Unary(operator, f) => Ltl::unary(*operator, go(f, positive)),
        LtlKind::Binary(LtlBinary::Implies, f, g) => {
            Ltl::binary(LtlBinary::Implies, go(f, !positive), go(g, positive))
        }
        LtlKind::Binary(operator @ (LtlBinary::Iff | LtlBinary::Xor), f, g) => {
            // `f <-> g` is `f & g | !f & !g`, and the other one `f & !g | !f & g`.
            let sign = *operator == LtlBinary::Iff;
            let side = |own: bool| {
                let (other, f) = (own == sign, go(f, positive == own));
                let g = go(g, positive == other);
                let signed = |f: Ltl, sign: bool| if sign { f } else { f.negated() };
                Ltl::binary(LtlBinary::And, signed(f, own), signed(g, other))
            };
            Ltl::binary(LtlBinary::Or, side(true), side(false))
        }
        LtlKind::Binary(operator, f, g) => Ltl::binary(*operator, go(f, positive), go(g, positive)),
        _ => formula.clone(),
    }
}

/// Counts of what random cases were about.
#[derive(Debug, Default)]
struct Seen {
    pairs: usize,
    failing: usize,
    vacuous: usize,
    mixed: usize,
    past: usize,
}

#[test]
fn all_methods_find_what_substitution_in_the_text_says() {
    let mut seen = Seen::default();
    let run = long_random_cases(120, |rng| {
        let random = random_smv(rng, &SmvShape { n_states: 24, ..SmvShape::default() });
        let model = model(&random.text);
        for _ in 0..3 {
            let asked = Asked::new(&model, &random_text(rng, &random.atoms));
            compare(rng, &model, &asked, &random.atoms, &mut seen);
        }
    });
    let (many, some) = (run.share(100), run.share(50));
    let enough = seen.failing > many && seen.vacuous > many && seen.mixed > some && seen.past > many;
    run.enough(enough, format_args!("{seen:?}"));
}

fn compare(rng: &mut Rng, model: &FlatModel, asked: &Asked, atoms: &[String], seen: &mut Seen) {
    let written = &asked.written;
    let parts: Vec<PartId> = written.questions().filter(|part| part.index() != 0).collect();
    // By substitution of texts where one constant stands for each direction, from the definition elsewhere.
    let mut changed: Vec<[Ltl; 2]> = Vec::new();
    let mut others: Vec<Specification> = vec![asked.specification.clone()];
    let mut arbitrary: Vec<(PartId, Ltl)> = Vec::new();
    for &part in &parts {
        changed.push([false, true].map(|best| match written.part(part).polarity {
            Polarity::Mixed => replaced(written.formula(), asked.span(part), best, true),
            polarity => {
                let value = best == (polarity == Polarity::Positive);
                let text = asked.substituted(part, if value { "TRUE" } else { "FALSE" });
                formula(&property(model, &text)).clone()
            }
        }));
        let other = property(model, &asked.substituted(part, &random_ltl_text(rng, atoms, 1)));
        arbitrary.push((part, formula(&other).clone()));
        others.push(other);
    }
    with_checker(model, &others.iter().collect::<Vec<_>>(), |alone, checker| {
        let about = || format!("{}\n{}", asked.text, model.source.text());
        let holds = alone(written.formula());
        let expected: Vec<PartId> = (0..parts.len())
            .filter(|&at| changed[at].iter().all(|formula| alone(formula) == holds))
            .map(|at| parts[at])
            .collect();
        let mut vacuity = LinearVacuity::new(checker);
        let naive = vacuity.naive(written, &parts).unwrap();
        assert_eq!((naive.holds, &naive.vacuous), (holds, &expected), "{}", about());
        let found = vacuity.one_sided(written, &parts).unwrap();
        assert_eq!(found.vacuous, expected, "{}", about());
        let mut largest = expected.clone();
        largest
            .retain(|&part| !expected.iter().any(|&other| other != part && written.is_inside(part, other)));
        if !parts.is_empty() {
            let refined = vacuity.refine(written).unwrap();
            assert_eq!((refined.holds, &refined.vacuous), (holds, &largest), "{}", about());
            let (left, _) = vacuity.strengthen(written, &refined).unwrap();
            assert_eq!(alone(&left), holds, "{}", about());
        }
        for (part, formula) in arbitrary.iter().filter(|(part, _)| expected.contains(part)) {
            assert_eq!(alone(formula), holds, "{:?} can be replaced by anything\n{}", part, about());
        }
        seen.pairs += 1;
        seen.failing += usize::from(!holds);
        seen.vacuous += usize::from(found.extent(written) != Extent::None);
        seen.mixed += usize::from(parts.iter().any(|&part| written.part(part).polarity == Polarity::Mixed));
        seen.past += usize::from(written.formula().past_depth() > 0);
    });
}
