//! The depth up to which an unknown invariant is said not to be violated, against all states of small models.

use std::path::Path;
use tertium_check::evaluate;
use tertium_evidence::{Answer, Detail, PropertyName};
use tertium_logic::{Formula, FormulaKind, PathOperator};
use tertium_support::{Context, Diagnostic, Id, Source};
use tertium_system::{PartialSystem, StateSet};
use tertium_testkit::{SmvShape, random_cases, random_gcl, random_smv};
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

/// What several engines with small bounds say about `AG property` of a model: no claim about a depth is wrong. How many there are.
fn claims_about(file: &str, text: &str, property: &str) -> usize {
    let tables = Tables::default();
    let context = Context::default();
    let input = Input { name: file.to_owned(), bytes: text.as_bytes().to_vec() };
    let written = format!("AG ({property})");
    let given = [Given { written: written.clone(), source: Ok(Source::new("<property>", written)) }];
    let small = |states: Option<usize>, engine: &str, nodes: Option<usize>, iterations: usize| Options {
        engine: (engine != "auto").then(|| engine.to_owned()),
        states,
        iterations,
        symbolic: SymbolicOptions { nodes, ..SymbolicOptions::default() },
        vacuity: VacuityCheck::Off,
        ..Options::default()
    };
    let asked = [
        (small(Some(1), "explicit", None, 50), None),
        (small(Some(3), "explicit", None, 50), None),
        (small(Some(9), "explicit", None, 50), None),
        (small(Some(4), "explicit", None, 50), Some(60)),
        (small(None, "symbolic", Some(60), 50), None),
        (small(None, "symbolic", None, 50), Some(300)),
        (small(None, "symbolic", None, 50), Some(2_000)),
        (small(None, "predicate", None, 1), None),
        (small(Some(5), "auto", None, 1), Some(3_000)),
    ];
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
    let Ok(found) = found_system(&context, model.as_ref(), &[property], None) else { return 0 };
    let Logic::Branching(Formula { kind: FormulaKind::Path(_, PathOperator::Globally(claim)), .. }) =
        &model.properties()[property.index()].logic
    else {
        panic!("it is of the form AG f")
    };
    let nearest = nearest_violation(&found.system, claim);
    let mut n_claims = 0;
    for (options, work_each) in &asked {
        let mut heard = Heard::default();
        let asked = Request { options, work_each: *work_each, ..base };
        if check(&asked, &mut heard).is_err() {
            continue;
        }
        for answer in heard.0.iter().filter(|answer| matches!(answer.outcome.verdict, Verdict::Unknown(_))) {
            for detail in &answer.details {
                if let Detail::NoViolationWithin(depth) = detail {
                    n_claims += 1;
                    assert!(
                        nearest.is_none_or(|nearest| *depth < nearest),
                        "{depth} {nearest:?} {options:?}\n{text}"
                    );
                }
            }
        }
    }
    n_claims
}

fn read_model(request: &Request<'_>) -> (Box<dyn Model>, Vec<Diagnostic>) {
    read(request).unwrap_or_else(|halt| panic!("{halt:?}"))
}

#[test]
fn no_violation_is_nearer_than_an_unknown_invariant_of_a_program_says() {
    let mut n_claims = 0;
    let run = random_cases(60, |rng| n_claims += claims_about("m.gcl", &random_gcl(rng), "p || q"));
    run.enough(n_claims >= run.share(8), n_claims);
}

#[test]
fn no_violation_is_nearer_than_an_unknown_invariant_of_a_symbolic_model_says() {
    let mut n_claims = 0;
    let run = random_cases(60, |rng| {
        let model = random_smv(rng, &SmvShape { fairness: false, ..SmvShape::default() });
        let atom = rng.pick(&model.atoms).clone();
        n_claims += claims_about("m.smv", &model.text, &atom);
    });
    run.enough(n_claims >= run.share(8), n_claims);
}
