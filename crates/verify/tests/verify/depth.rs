//! The depth up to which an unknown invariant is said not to be violated, against all states of small models.

use std::collections::BTreeMap;
use std::path::Path;
use tertium_check::evaluate;
use tertium_evidence::{Answer, Detail, PropertyName};
use tertium_logic::{Formula, FormulaKind, PathOperator};
use tertium_support::{Context, Diagnostic, Id, Rng, Source};
use tertium_system::{PartialSystem, StateSet};
use tertium_testkit::{CasesRun, SmvShape, random_cases, random_gcl, random_smv};
use tertium_truth::Verdict;
use tertium_verify::*;

#[derive(Default)]
struct Heard(Vec<Answer>);

impl Listener for Heard {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}
    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }
    fn answer(&mut self, admitted: Admitted) {
        self.0.push(admitted.answer);
    }
    fn trouble(&mut self, _: &PropertyName, _: Halt) {}
}

/// The number of steps of a shortest run to a state that violates the claim, by all states.
fn nearest_violation(system: &PartialSystem, claim: &Formula) -> Option<usize> {
    let holds = evaluate(system, claim);
    let mut layer = system.initial().to_vec();
    let mut reached = StateSet::of(system.n_states(), layer.iter().copied());
    for depth in 0.. {
        if layer.is_empty() {
            return None;
        }
        if layer.iter().any(|&state| !holds.must.contains(state)) {
            return Some(depth);
        }
        let next = layer.iter().flat_map(|&state| system.may(state).map(|(_, target)| target));
        layer = next.filter(|&target| reached.insert(target)).collect();
    }
    unreachable!("layers end")
}

/// How many claims about a depth each engine made.
type Claims = BTreeMap<String, usize>;

/// What is asked of an engine: bounds and limits so small that much stays open.
struct Small {
    engine: &'static str,
    states: Option<usize>,
    nodes: Option<usize>,
    iterations: usize,
    work_each: Option<u64>,
}

impl Small {
    fn ask(engine: &'static str) -> Self {
        Self { engine, states: None, nodes: None, iterations: 50, work_each: None }
    }

    fn options(&self) -> Options {
        Options {
            engine: (self.engine != "auto").then(|| self.engine.to_owned()),
            states: self.states,
            iterations: self.iterations,
            symbolic: SymbolicOptions { nodes: self.nodes, ..SymbolicOptions::default() },
            vacuity: VacuityCheck::Off,
            ..Options::default()
        }
    }
}

/// Engines with random bounds; those whose rounds are dear also without a limit on work, if that is wanted.
fn asked(rng: &mut Rng, rounds: bool) -> Vec<Small> {
    let work = |rng: &mut Rng| Some(50 << rng.below(10));
    let mut all = Vec::new();
    for engine in ["explicit", "explicit", "naive", "search", "search", "induction"] {
        all.push(Small { states: Some(rng.between(1, 16)), iterations: 1, ..Small::ask(engine) });
    }
    for engine in ["explicit", "search", "predicate", "cartesian", "symbolic", "symbolic", "auto", "auto"] {
        let states = Some(rng.between(1, 16));
        all.push(Small { states, iterations: 1, work_each: work(rng), ..Small::ask(engine) });
    }
    for most in [30, 60, 120, 240, 480] {
        all.push(Small { nodes: Some(rng.between(most / 2, most)), ..Small::ask("symbolic") });
    }
    if rounds {
        all.extend(["predicate", "cartesian"].map(|engine| Small { iterations: 1, ..Small::ask(engine) }));
    }
    all
}

/// What engines say about `AG property` of a model: no claim about a depth is wrong.
fn claims_about(file: &str, text: &str, property: &str, engines: Vec<Small>, claims: &mut Claims) {
    let tables = Tables::default();
    let context = Context::default();
    let input = Input { name: file.to_owned(), bytes: text.as_bytes().to_vec(), original: None };
    let written = format!("AG ({property})");
    let given = [Given { written: written.clone(), source: Ok(Source::new("<property>", written)) }];
    let read_options = ReadOptions::default();
    let options = Options::default();
    let chosen = Chosen::default();
    let base = Request {
        tables: &tables,
        context: &context,
        path: Path::new(file),
        input: &input,
        read: &read_options,
        given: &given,
        chosen: &chosen,
        options: &options,
        time_each: None,
        work_each: None,
    };
    let (mut model, _) = read_model(&base);
    let all = questions(model.as_mut(), &given, &chosen).expect("the property is read");
    let property = all[0].property.clone().expect("it has a meaning");
    let Ok(found) = found_system(&context, model.as_ref(), &[property], None) else { return };
    assert!(found.is_complete(), "there are too many states to compare\n{text}");
    let Logic::Branching(Formula { kind: FormulaKind::Path(_, PathOperator::Globally(claim)), .. }) =
        &model.properties()[property.index()].logic
    else {
        panic!("it is of the form AG f")
    };
    let nearest = nearest_violation(&found.system, claim);
    for small in engines {
        let mut heard = Heard::default();
        let options = small.options();
        let asked = Request { options: &options, work_each: small.work_each, ..base };
        if check(&asked, &mut heard).is_err() {
            continue;
        }
        for answer in heard.0.iter().filter(|answer| matches!(answer.outcome.verdict, Verdict::Unknown(_))) {
            let depths = answer.details.iter().filter_map(|detail| match detail {
                Detail::NoViolationWithin(depth) => Some(*depth),
                _ => None,
            });
            for depth in depths {
                *claims.entry(small.engine.to_owned()).or_default() += 1;
                let is_right = nearest.is_none_or(|nearest| depth < nearest);
                assert!(is_right, "{depth} {nearest:?} {} {options:?}\n{text}", answer.engine);
            }
        }
    }
}

fn read_model(request: &Request<'_>) -> (Box<dyn Model>, Vec<Diagnostic>) {
    read(request).unwrap_or_else(|halt| panic!("{halt:?}"))
}

/// Each of these engines made so many claims at least.
fn enough(run: CasesRun, claims: &Claims, expected: &[(&str, usize)]) {
    for &(engine, n) in expected {
        let made = claims.get(engine).copied().unwrap_or(0);
        run.enough(made >= run.share(n), claims);
    }
}

/// A bounded program of counters that are moved a little by each command, and a claim that is violated far away, if at all.
fn random_counters(rng: &mut Rng) -> (String, String) {
    let tops: Vec<usize> = (0..rng.between(1, 3)).map(|_| rng.between(2, 6)).collect();
    let mut text = String::new();
    for (n, top) in tops.iter().enumerate() {
        text.push_str(&format!("var v{n}: 0..{top} = 0;\n"));
    }
    for (n, &top) in tops.iter().enumerate() {
        let other = rng.below(tops.len());
        let guard = match rng.below(3) {
            0 => format!("v{n} < {top}"),
            1 => format!("v{n} < {top} && v{other} <= v{n}"),
            _ => format!("v{n} < {top} && (v{n} > 0 || v{other} >= {})", rng.below(2)),
        };
        text.push_str(&format!("[up{n}] {guard} -> v{n} := v{n} + 1;\n"));
        if rng.chance(0.3) {
            text.push_str(&format!("[back{n}] v{n} = {top} -> v{n} := 0;\n"));
        }
    }
    let sum: Vec<String> = (0..tops.len()).map(|n| format!("v{n}")).collect();
    let most = rng.between(1, tops.iter().sum::<usize>() + 1);
    (text, format!("{} <= {most}", sum.join(" + ")))
}

/// The same as a symbolic model, all counters moved at once.
fn random_symbolic_counters(rng: &mut Rng) -> (String, String) {
    let tops: Vec<usize> = (0..rng.between(1, 3)).map(|_| rng.between(2, 6)).collect();
    let mut text = "MODULE main\nVAR\n".to_owned();
    for (n, top) in tops.iter().enumerate() {
        text.push_str(&format!("  v{n} : 0..{top};\n"));
    }
    text.push_str("ASSIGN\n");
    for (n, &top) in tops.iter().enumerate() {
        let other = rng.below(tops.len());
        let next = match rng.below(3) {
            0 => format!("v{n} < {top} : v{n} + 1"),
            1 => format!("v{n} < {top} & v{other} <= v{n} : {{v{n}, v{n} + 1}}"),
            _ => format!("v{n} < {top} & (v{n} > 0 | v{other} >= {}) : v{n} + 1", rng.below(2)),
        };
        text.push_str(&format!("  init(v{n}) := 0;\n  next(v{n}) := case {next}; TRUE : v{n}; esac;\n"));
    }
    let sum: Vec<String> = (0..tops.len()).map(|n| format!("v{n}")).collect();
    let most = rng.between(1, tops.iter().sum::<usize>() + 1);
    (text, format!("{} <= {most}", sum.join(" + ")))
}

#[test]
fn no_violation_is_nearer_than_an_unknown_invariant_of_a_program_says() {
    let mut claims = Claims::new();
    let run = random_cases(40, |rng| {
        let text = random_gcl(rng);
        claims_about("m.gcl", &text, "p || q", asked(rng, false), &mut claims);
    });
    let expected = [
        ("auto", 4),
        ("cartesian", 4),
        ("explicit", 8),
        ("naive", 3),
        ("predicate", 4),
        ("search", 10),
        ("symbolic", 4),
    ];
    enough(run, &claims, &expected);
}

#[test]
fn no_violation_is_nearer_than_an_unknown_invariant_of_counters_says() {
    let mut claims = Claims::new();
    let run = random_cases(60, |rng| {
        let (text, claim) = random_counters(rng);
        claims_about("m.gcl", &text, &claim, asked(rng, true), &mut claims);
    });
    let expected = [
        ("auto", 30),
        ("cartesian", 60),
        ("explicit", 70),
        ("induction", 30),
        ("naive", 25),
        ("predicate", 60),
        ("search", 100),
    ];
    enough(run, &claims, &expected);
}

#[test]
fn no_violation_is_nearer_than_an_unknown_invariant_of_a_symbolic_model_says() {
    let mut claims = Claims::new();
    let run = random_cases(200, |rng| {
        let model = random_smv(rng, &SmvShape { fairness: false, ..SmvShape::default() });
        let atom = rng.pick(&model.atoms).clone();
        claims_about("m.smv", &model.text, &atom, asked(rng, false), &mut claims);
    });
    let expected = [("explicit", 15), ("induction", 7), ("symbolic", 40)];
    enough(run, &claims, &expected);
}

#[test]
fn no_violation_is_nearer_than_an_unknown_invariant_of_symbolic_counters_says() {
    let mut claims = Claims::new();
    let run = random_cases(200, |rng| {
        let (text, claim) = random_symbolic_counters(rng);
        claims_about("m.smv", &text, &claim, asked(rng, false), &mut claims);
    });
    let expected = [("explicit", 150), ("induction", 40), ("symbolic", 30)];
    enough(run, &claims, &expected);
}
