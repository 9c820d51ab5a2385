//! The symbolic engine against the explicit one on random models and properties, and every piece of its evidence against the
//! interpreter: at least ten thousand pairs of a model and a property, with and without fairness.

use super::names::Names;
use tertium_check::symbolic::{Options, SymbolicChecker, SymbolicEvidence, SymbolicOutcome, check_ltl};
use tertium_front_smv::{
    EncodeOptions, Encoded, ExplicitAnswer, ExploreLimits, FlatModel, Interpreter, Specification,
    SpecificationKind, check_explicitly, encode, explore, read, read_property, validate_claim,
    validate_refutation,
};
use tertium_support::{Context, Rng, Source, render};
use tertium_testkit::{SmvModel, SmvShape, random_cases, random_ctl_text, random_ltl_text, random_smv};
use tertium_truth::Verdict;

/// Models times properties.
const MODELS: usize = 850;
const CTL: usize = 7;
const LTL: usize = 4;

#[derive(Default)]
struct Tally {
    pairs: usize,
    fair: usize,
    failed: usize,
    evidence: usize,
}

#[test]
fn both_engines_agree_and_evidence_replays() {
    let mut tally = Tally::default();
    random_cases(MODELS, |rng| compare(rng, &mut tally));
    let Tally { pairs, fair, failed, evidence } = tally;
    let replayed = std::env::var_os("TERTIUM_SEED").is_some() || std::env::var_os("TERTIUM_CASES").is_some();
    assert!(
        replayed || pairs >= 10_000 && fair > 2_000 && failed > 2_000 && evidence > 2_000,
        "{pairs} pairs, {fair} with fairness, {failed} that fail, {evidence} with evidence"
    );
}

fn compare(rng: &mut Rng, tally: &mut Tally) {
    let shape = SmvShape { n_states: 60, ..SmvShape::default() };
    let SmvModel { text, atoms, input_atoms } = random_smv(rng, &shape);
    let source = Source::new("random.smv", text.as_str());
    let (model, _) =
        read(source.clone()).unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false)));
    let linear: Vec<String> = atoms.iter().chain(&input_atoms).cloned().collect();
    let mut properties: Vec<String> =
        (0..CTL).map(|_| format!("CTLSPEC {}", random_ctl_text(rng, &atoms, 3))).collect();
    properties.extend((0..LTL).map(|_| format!("LTLSPEC {}", random_ltl_text(rng, &linear, 2))));
    properties.push(format!("INVARSPEC {}", rng.pick(&atoms)));
    let specifications: Vec<Specification> = properties
        .iter()
        .map(|property| {
            let source = Source::new("property", property.as_str());
            read_property(&model, &source)
                .unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false)))
        })
        .collect();
    let context = Context::default();
    let interpreter = Interpreter::new(&model);
    let explored =
        explore(&context, &interpreter, ExploreLimits::default()).expect("small models have states");
    let mut encoded =
        encode(&context, &model, &EncodeOptions::default()).expect("random models have a meaning");
    for specification in &specifications {
        encoded.register(specification).expect("random properties have a meaning");
    }
    let mut checker = SymbolicChecker::new(&context, &encoded.model, Options::default());
    for specification in &specifications {
        let expected = match check_explicitly(&context, &interpreter, &explored, specification) {
            Ok(ExplicitAnswer::Truth(holds)) => holds,
            other => panic!("{other:?} for {}\n{text}", specification.text),
        };
        let outcome = match &specification.kind {
            SpecificationKind::Ctl(formula) => checker.check_ctl(formula),
            SpecificationKind::Ltl(formula) => check_ltl(&context, &encoded.model, formula),
            SpecificationKind::Invariant(formula) => checker.check_invariant(formula),
            other => unreachable!("{other:?} was not written"),
        }
        .expect("there are no limits");
        let found = outcome.verdict == Verdict::True;
        assert_eq!(found, expected, "{}\n{text}", specification.text);
        replay(&model, &interpreter, &encoded, specification, &outcome);
        tally.pairs += 1;
        tally.fair += usize::from(!model.justice.is_empty() || !model.compassion.is_empty());
        tally.failed += usize::from(!expected);
        tally.evidence += usize::from(outcome.evidence.is_some());
    }
}

fn replay(
    model: &FlatModel,
    interpreter: &Interpreter<'_>,
    encoded: &Encoded<'_>,
    specification: &Specification,
    outcome: &SymbolicOutcome,
) {
    let names = Names { encoded };
    let replayed = match (&outcome.evidence, &specification.kind) {
        (Some(SymbolicEvidence::Tree(tree)), SpecificationKind::Ctl(formula)) => {
            let claim = names.claim(formula, outcome.verdict == Verdict::True, tree);
            validate_claim(interpreter, specification, &names.state(&tree.state), &claim).map(|_| ())
        }
        (Some(SymbolicEvidence::Trace(trace)), _) => {
            validate_refutation(interpreter, specification, &names.trace(trace))
        }
        (None, SpecificationKind::Ctl(_)) => Ok(()),
        (None, _) => {
            assert_eq!(outcome.verdict, Verdict::True, "a failed linear property has a trace");
            Ok(())
        }
        other => panic!("evidence of another kind: {other:?}"),
    };
    if let Err(refusal) = replayed {
        panic!("{}: {}\n{}", specification.text, refusal.text(model), model.source.text());
    }
}
