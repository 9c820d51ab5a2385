//! The symbolic engine against the explicit one on random models and properties, and every piece of its evidence against the
//! interpreter: at least ten thousand pairs of a model and a property, with and without fairness. And cones of influence
//! against the whole model, on models with variables that others do not depend on. Every inductive set that a true answer rests on
//! passes its judge, and one that lacks a reachable state does not.

use super::Smv;
use super::encodings::decoded;
use super::listed::Listed;
use crate::engines::certificate::defined;
use crate::engines::symbolic::assumptions;
use crate::{ListedStates, PropertyId};
use tertium_check::fair::{FairChecker, FairMemory, Length};
use tertium_check::symbolic::{Options, Quantity, SymbolicChecker, SymbolicEvidence, SymbolicOutcome};
use tertium_dd::Bdd;
use tertium_evidence::Assumption;
use tertium_front_smv::{
    Completion, EncodeOptions, Encoded, Evidence, FlatModel, Interpreter, Outline, Specification,
    SpecificationKind, encode, lower, read, read_property, share_cones, validate_evidence,
};
use tertium_induction::{Finding, judge_claim, judge_inductive};
use tertium_support::{Context, Id, Rng, Source, render};
use tertium_testkit::{SmvModel, SmvShape, random_cases, random_ctl_text, random_ltl_text, random_smv};
use tertium_truth::Verdict;

/// Models times properties.
const MODELS: usize = 850;
const CTL: usize = 7;
const LTL: usize = 4;

/// Models with cones that are smaller than the model, or not.
const MODELS_WITH_MORE: usize = 250;

#[derive(Debug, Default)]
struct Tally {
    pairs: usize,
    fair: usize,
    failed: usize,
    evidence: usize,
    /// Evidence that grew too long.
    too_long: usize,
    /// Inductive sets that passed their judge.
    certified: usize,
}

impl Tally {
    fn is_replay() -> bool {
        std::env::var_os("TERTIUM_SEED").is_some() || std::env::var_os("TERTIUM_CASES").is_some()
    }
}

#[test]
fn both_engines_agree_and_evidence_replays() {
    let mut tally = Tally::default();
    random_cases(MODELS, |rng| {
        let shape = SmvShape { n_states: 60, ..SmvShape::default() };
        let random = random_smv(rng, &shape);
        let (model, specifications) = random_questions(rng, &random, &random.text);
        let expected = explicit_answers(&model, &specifications);
        let all: Vec<usize> = (0..specifications.len()).collect();
        compare(&model, &EncodeOptions::default(), &specifications, &expected, &all, &mut tally);
    });
    let Tally { pairs, fair, failed, evidence, too_long, certified } = tally;
    assert_eq!(too_long, 0, "evidence about whole models is whole");
    assert!(
        Tally::is_replay()
            || pairs > 10_000 && fair > 2_000 && failed > 2_000 && evidence > 2_000 && certified > 100,
        "{tally:?}"
    );
}

#[test]
fn a_cone_of_influence_answers_for_the_whole_model() {
    let mut tally = Tally::default();
    random_cases(MODELS_WITH_MORE, |rng| {
        let shape = SmvShape { n_states: 12, constraints: rng.chance(0.5), ..SmvShape::default() };
        let random = random_smv(rng, &shape);
        let text = with_more_variables(rng, &random);
        let (model, specifications) = random_questions(rng, &random, &text);
        let expected = explicit_answers(&model, &specifications);
        let all: Vec<usize> = (0..specifications.len()).collect();
        let whole = EncodeOptions::default();
        let notes = compare(&model, &whole, &specifications, &expected, &all, &mut Tally::default());
        for part in share_cones(&model, &Outline::new(&model), &specifications.iter().collect::<Vec<_>>()) {
            if part.keep.is_some() {
                let options = EncodeOptions { keep: part.keep, ..EncodeOptions::default() };
                let asked = &part.specifications;
                let found = compare(&model, &options, &specifications, &expected, asked, &mut tally);
                let expected: Vec<Vec<Assumption>> = asked.iter().map(|&at| notes[at].clone()).collect();
                assert_eq!(found, expected, "{:?}\n{text}", options.keep);
            }
        }
    });
    let Tally { pairs, fair, failed, evidence, too_long, certified } = tally;
    assert!(
        Tally::is_replay()
            || certified > 10
                && pairs > 1_000
                && fair > 300
                && failed > 300
                && evidence > 300
                && too_long * 10 < evidence,
        "{tally:?}"
    );
}

/// At the ends of its range the counter would leave it. It never gets there, and a certificate has to show that, too.
#[test]
fn certificates_show_that_no_step_without_meaning_is_met() {
    // Two further counters make the reachable states a larger diagram than what the claim needs.
    let text = "MODULE main\nVAR n : -4..4; up : boolean; c : 0..31; d : 0..31;\nASSIGN\n  init(n) := 0; init(up) := TRUE;\n  \
                next(up) := !up;\n  next(n) := case up : n + 1; TRUE : n - 1; esac;\n  init(c) := 0; init(d) := 0;\n  \
                next(c) := (c + 1) mod 32;\n  next(d) := (d + 1) mod 32;\n";
    let (model, _) = read(Source::new("swing.smv", text)).expect("it can be read");
    let property = Source::new("property", "INVARSPEC n <= 3");
    let specification = read_property(&model, &property).expect("it can be read");
    let (context, options) = (Context::default(), EncodeOptions::default());
    let mut encoded = encode(&context, &model, &options).expect("no step without meaning is met");
    encoded.register(&specification).expect("it has a meaning");
    assert!(!encoded.model.faulty.is_false());
    let SpecificationKind::Invariant(formula) = &specification.kind else { panic!("it is an invariant") };
    for small in [0, usize::MAX] {
        let mut checker =
            SymbolicChecker::new(&context, &encoded.model, Options { small, ..Options::default() });
        assert_eq!(checker.check_invariant(formula).expect("no limits").verdict, Verdict::True);
        let set = checker.invariant_certificate(formula).expect("no limits").expect("it holds");
        let reachable = checker.known_reachable().states.clone();
        assert_eq!(*set.states() == reachable, small > 0, "the largest set has more states");
        certify(&encoded, &options, &specification, set.states(), &reachable);
    }
}

/// The model with variables of all kinds on which the others do not depend, though they depend on them.
fn with_more_variables(rng: &mut Rng, model: &SmvModel) -> String {
    let mut atom = || rng.pick(&model.atoms).clone();
    let (a, b, c) = (atom(), atom(), atom());
    let more = format!(
        "MODULE main\nIVAR more_input : boolean;\nFROZENVAR more_frozen : boolean;\n\
         VAR more_bit : boolean; more_count : 0..2; more_seen : boolean; more_free : {{up, down}};\n\
         ASSIGN\n  init(more_count) := {{0, 2}};\n  more_seen := more_bit & {a};\n\
         next(more_bit) := case more_input : {b}; more_frozen : {{TRUE, FALSE}}; TRUE : !more_bit; esac;\n\
         next(more_count) := case {c} : (more_count + 1) mod 3; next(more_bit) : 0; TRUE : more_count; esac;\n"
    );
    model.text.replacen("MODULE main\n", &more, 1)
}

/// A model with properties over its atoms.
fn random_questions(rng: &mut Rng, random: &SmvModel, text: &str) -> (FlatModel, Vec<Specification>) {
    let SmvModel { atoms, input_atoms, .. } = random;
    let source = Source::new("random.smv", text);
    let (model, _) =
        read(source.clone()).unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false)));
    let linear: Vec<String> = atoms.iter().chain(input_atoms).cloned().collect();
    let mut properties: Vec<String> =
        (0..CTL).map(|_| format!("CTLSPEC {}", random_ctl_text(rng, atoms, 3))).collect();
    properties.extend((0..LTL).map(|_| format!("LTLSPEC {}", random_ltl_text(rng, &linear, 2))));
    properties.push(format!("INVARSPEC {}", rng.pick(atoms)));
    let least = if rng.chance(0.5) { "MIN" } else { "MAX" };
    properties.push(format!("COMPUTE {least} [{}, {}]", rng.pick(atoms), rng.pick(atoms)));
    let specification = |property: &String| {
        let source = Source::new("property", property.as_str());
        read_property(&model, &source)
            .unwrap_or_else(|errors| panic!("{}\n{text}", render(&source, &errors, false)))
    };
    let specifications = properties.iter().map(specification).collect();
    (model, specifications)
}

/// What is true or false, or how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Truth(bool),
    Length(Length),
}

/// An answer, and the length of a path that refutes an invariant.
type Expected = (Answer, Option<usize>);

/// What the explicit engine says, its evidence replayed.
fn explicit_answers(model: &FlatModel, specifications: &[Specification]) -> Vec<Expected> {
    let context = Context::default();
    let mut own = Smv::new(model.clone());
    own.specifications = specifications.to_vec();
    let listed = Listed::new(&context, &own, usize::MAX).expect("small models have states");
    let fairness = listed.fairness(&context).expect("fairness has a meaning");
    let mut memory = FairMemory::default();
    let mut checker = FairChecker::new(listed.graph(), &fairness, &mut memory);
    let interpreter = Interpreter::new(model);
    let mut answer = |(at, specification): (usize, &Specification)| {
        let text = model.source.text();
        let propositions = listed.propositions(&context, PropertyId::new(at)).expect("atoms have a meaning");
        let found = match &specification.kind {
            SpecificationKind::Ctl(formula) => checker.check_ctl(&context, &propositions, formula, 1000),
            SpecificationKind::Invariant(formula) => {
                checker.check_invariant(&context, &propositions, formula)
            }
            SpecificationKind::Ltl(formula) => checker.check_ltl(&context, &propositions, formula),
            SpecificationKind::ComputeMinimum(f, g) => {
                let length = checker.shortest(&context, &propositions, f, g).expect("there are no limits");
                return (Answer::Length(length.expect("all states are listed")), None);
            }
            SpecificationKind::ComputeMaximum(f, g) => {
                let length = checker.longest(&context, &propositions, f, g).expect("there are no limits");
                return (Answer::Length(length.expect("all states are listed")), None);
            }
        };
        let found = found.unwrap_or_else(|error| panic!("{error:?} for {}\n{text}", specification.text));
        let holds = found.holds.expect("all states are listed");
        let evidence = found.evidence.map(|evidence| listed.decoded(evidence).expect("paths and trees"));
        match &evidence {
            Some(evidence) => {
                if let Err(refusal) = validate_evidence(evidence, &interpreter, specification, holds) {
                    panic!("explicitly, {}: {}\n{text}", specification.text, refusal.text(model));
                }
            }
            None => assert!(holds, "{} fails without evidence\n{text}", specification.text),
        }
        let length = match (&evidence, &specification.kind) {
            (Some(Evidence::Trace(trace)), SpecificationKind::Invariant(_)) => Some(trace.states.len()),
            _ => None,
        };
        (Answer::Truth(holds), length)
    };
    specifications.iter().enumerate().map(&mut answer).collect()
}

/// Checks some of the specifications symbolically, and replays all evidence.
fn compare(
    model: &FlatModel,
    options: &EncodeOptions,
    specifications: &[Specification],
    expected: &[Expected],
    asked: &[usize],
    tally: &mut Tally,
) -> Vec<Vec<Assumption>> {
    let text = model.source.text();
    let context = Context::default();
    let interpreter = Interpreter::new(model);
    let mut encoded = encode(&context, model, options).expect("random models have a meaning");
    for &at in asked {
        encoded.register(&specifications[at]).expect("random properties have a meaning");
    }
    // Certificates of both kinds, with and without a look for smaller ones.
    let small = if text.len().is_multiple_of(2) { 0 } else { Options::default().small };
    let mut checker = SymbolicChecker::new(&context, &encoded.model, Options { small, ..Options::default() });
    let mut notes = Vec::new();
    for &at in asked {
        let specification = &specifications[at];
        let outcome = match &specification.kind {
            SpecificationKind::Ctl(formula) => checker.check_ctl(formula),
            SpecificationKind::Ltl(formula) => checker.check_ltl(formula),
            SpecificationKind::Invariant(formula) => checker.check_invariant(formula),
            SpecificationKind::ComputeMinimum(f, g) | SpecificationKind::ComputeMaximum(f, g) => {
                let least = matches!(specification.kind, SpecificationKind::ComputeMinimum(..));
                let quantity =
                    if least { checker.compute_minimum(f, g) } else { checker.compute_maximum(f, g) };
                let quantity = quantity.expect("there are no limits");
                let length = match quantity.quantity {
                    Quantity::Finite(length) => Length::Finite(length),
                    Quantity::Infinite => Length::Infinite,
                    Quantity::Undefined => Length::Undefined,
                };
                let found = (Answer::Length(length), None);
                assert_eq!(found, expected[at], "{} with {:?}\n{text}", specification.text, options.keep);
                notes.push(assumptions(quantity.assumptions));
                continue;
            }
        }
        .expect("there are no limits");
        let holds = outcome.verdict == Verdict::True;
        let length = match (&outcome.evidence, &specification.kind) {
            (Some(SymbolicEvidence::Trace(trace)), SpecificationKind::Invariant(_)) => {
                Some(trace.states.len())
            }
            _ => None,
        };
        let found = (Answer::Truth(holds), length);
        assert_eq!(found, expected[at], "{} with {:?}\n{text}", specification.text, options.keep);
        if holds {
            let set = match &specification.kind {
                SpecificationKind::Invariant(formula) => checker.invariant_certificate(formula),
                SpecificationKind::Ctl(formula) => checker.branching_certificate(formula),
                SpecificationKind::Ltl(formula) => checker.linear_certificate(formula),
                _ => Ok(None),
            };
            if let Some(set) = set.expect("there are no limits") {
                let reachable = &checker.known_reachable().states;
                certify(&encoded, options, specification, set.states(), reachable);
                tally.certified += 1;
            }
        }
        let replayed = replay(&interpreter, &encoded, specification, &outcome);
        notes.push(assumptions(outcome.assumptions));
        tally.pairs += 1;
        tally.fair += usize::from(!model.justice.is_empty() || !model.compassion.is_empty());
        tally.failed += usize::from(!holds);
        tally.evidence += usize::from(replayed);
        tally.too_long += usize::from(!replayed && outcome.evidence.is_some());
    }
    notes
}

/// Judges the set that a true answer rests on, and the set without a reachable state.
fn certify(
    encoded: &Encoded<'_>,
    options: &EncodeOptions,
    specification: &Specification,
    set: &Bdd,
    reachable: &Bdd,
) {
    let context = Context::default();
    let lowered = lower(encoded.flat(), options.keep.as_ref());
    let claim = lowered.claim(specification).expect("it is about single states");
    let (terms, system) = (lowered.terms(), lowered.system());
    let judge = |set: &Bdd| {
        let set = defined(terms, &lowered.bits(encoded), set).expect("it is a set of states");
        let (implies, _) = judge_claim(&context, terms, system, &set, &claim, u64::MAX);
        assert_eq!(implies, Finding::Stands, "{}\n{}", specification.text, encoded.flat().source.text());
        judge_inductive(&context, terms, system, &set, u64::MAX).0
    };
    assert_eq!(judge(set), Finding::Stands, "{}\n{}", specification.text, encoded.flat().source.text());
    if let Some(state) = encoded.model.pick_state(reachable) {
        let less = set.diff(&encoded.model.state(&state).expect("no limits")).expect("no limits");
        assert!(matches!(judge(&less), Finding::Fails { .. }), "a reachable state is missing");
    }
}

/// The evidence of an outcome on part of a model, completed to the whole of it; `None` if that gets too long.
fn complete(interpreter: &Interpreter<'_>, encoded: &Encoded<'_>, evidence: &Evidence) -> Option<Evidence> {
    let mut completion = Completion::new(interpreter, encoded.variables(), 500);
    match evidence {
        Evidence::Trace(trace) => {
            completion.trace(trace).expect("the model has a meaning").map(Evidence::Trace)
        }
        Evidence::Tree(tree) => completion.tree(tree).expect("the model has a meaning").map(Evidence::Tree),
        other => panic!("{} is no evidence about decision diagrams", other.kind()),
    }
}

fn replay(
    interpreter: &Interpreter<'_>,
    encoded: &Encoded<'_>,
    specification: &Specification,
    outcome: &SymbolicOutcome,
) -> bool {
    let text = interpreter.model().source.text();
    let Some(evidence) = &outcome.evidence else {
        let may_lack = matches!(specification.kind, SpecificationKind::Ctl(_));
        assert!(may_lack || outcome.verdict == Verdict::True, "{}: no trace\n{text}", specification.text);
        return false;
    };
    let found = decoded(encoded, evidence.clone()).expect("paths and trees are decoded");
    let Some(evidence) = complete(interpreter, encoded, &found) else { return false };
    if let Err(refusal) =
        validate_evidence(&evidence, interpreter, specification, outcome.verdict == Verdict::True)
    {
        panic!("{}: {}\n{text}", specification.text, refusal.text(interpreter.model()));
    }
    true
}
