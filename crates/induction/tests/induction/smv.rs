//! Proofs by induction on SMV models, held against states that are enumerated one by one.

use std::collections::{BTreeMap, BTreeSet};
use tertium_check::symbolic::{Options, SymbolicChecker};
use tertium_dd::{Bdd, Var};
use tertium_expr::{Sort, Term, Terms, Variable};
use tertium_front_smv::{
    EncodeOptions, Encoded, FlatModel, Interpreter, Lowered, Specification, State, Type, Value, VarId,
    encode, lower, read, read_property,
};
use tertium_induction::{
    Finding, Obligation, Patience, Proof, check_inductive, judge_claim, judge_inductive, prove_as_written,
    validate,
};
use tertium_program::{DefinedSet, Predicate};
use tertium_support::{Cancel, Context, Id, Limits, Rng, Source, StopReason, render};
use tertium_testkit::{SmvModel, SmvShape, random_cases, random_smv};

fn model_of(text: &str) -> FlatModel {
    let source = Source::new("test.smv", text);
    match read(source.clone()) {
        Ok((model, _)) => model,
        Err(diagnostics) => panic!("{}\n{text}", render(&source, &diagnostics, false)),
    }
}

fn property(model: &FlatModel, text: &str) -> Specification {
    read_property(model, &Source::new("property", text)).unwrap()
}

/// All states, reachable or not, whatever the laws.
fn all_states(model: &FlatModel, interpreter: &Interpreter<'_>) -> Vec<State> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for id in interpreter.state_variables() {
        let values: Vec<Value> = match model.variables[id.index()].ty {
            Type::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
            Type::Range(low, high) => (low..=high).map(Value::Integer).collect(),
            Type::Enumeration(ref values) => values.clone(),
            Type::Word { width, signed } => {
                (0..1 << width).map(|bits| Value::Word { bits, width, signed }).collect()
            }
        };
        all = all
            .iter()
            .flat_map(|before| values.iter().map(|&value| [&before[..], &[value]].concat()))
            .collect();
    }
    all.into_iter().map(|values| State(values.into())).collect()
}

/// The states of a model one by one, and where a claim holds.
struct Enumerated {
    states: Vec<State>,
    initial: BTreeSet<State>,
    successors: Vec<BTreeSet<State>>,
    good: BTreeSet<State>,
    /// Those that the model does not exclude.
    possible: BTreeSet<State>,
}

fn truth(lowered: &Lowered<'_>, term: tertium_expr::Term, state: &State) -> bool {
    let values = lowered.values(state, None, None);
    tertium_expr::evaluate(lowered.terms(), term, &values).unwrap() == tertium_expr::Value::Bool(true)
}

impl Enumerated {
    fn new(
        model: &FlatModel,
        specification: &Specification,
        lowered: &Lowered<'_>,
        claim: &Predicate,
    ) -> Self {
        let interpreter = Interpreter::new(model);
        let context = Context::default();
        let states = all_states(model, &interpreter);
        let initial = interpreter.initial_states(&context).unwrap().into_iter().collect();
        let follow = |state: &State| {
            interpreter.successors(&context, state).unwrap().into_iter().map(|(_, next)| next).collect()
        };
        let successors = states.iter().map(follow).collect();
        assert!(!specification.atoms.is_empty());
        let holds = |state: &&State| truth(lowered, claim.holds, state);
        let good = states.iter().filter(holds).cloned().collect();
        let possible = states
            .iter()
            .filter(|state| truth(lowered, lowered.system().invariant, state))
            .cloned()
            .collect();
        Self { states, initial, successors, good, possible }
    }

    fn reachable(&self) -> BTreeSet<State> {
        let mut reached = self.initial.clone();
        loop {
            let steps = self.states.iter().zip(&self.successors);
            let new: BTreeSet<State> = steps
                .filter(|(state, _)| reached.contains(state))
                .flat_map(|(_, next)| next.iter().cloned())
                .filter(|next| !reached.contains(next))
                .collect();
            if new.is_empty() {
                return reached;
            }
            reached.extend(new);
        }
    }

    /// Whether these states, as far as the model does not exclude them, are inductive.
    fn is_inductive(&self, set: &BTreeSet<State>) -> bool {
        let stays = |(state, next): (&State, &BTreeSet<State>)| {
            !set.contains(state) || !self.possible.contains(state) || next.is_subset(set)
        };
        self.initial.is_subset(set) && self.states.iter().zip(&self.successors).all(stays)
    }
}

const SHAPE: SmvShape =
    SmvShape { n_states: 60, inputs: true, processes: true, fairness: true, constraints: true, words: true };

#[test]
fn proofs_are_found_exactly_where_the_enumeration_finds_the_claim_inductive() {
    let (mut n_proved, mut n_violated, mut n_open) = (0, 0, 0);
    let run = random_cases(120, |rng| {
        let SmvModel { text, atoms, .. } = random_smv(rng, &SHAPE);
        let model = model_of(&text);
        let lowered = lower(&model, None);
        let (one, other) = (rng.pick(&atoms).clone(), rng.pick(&atoms).clone());
        let specification = property(&model, &format!("INVARSPEC ({one}) | ({other})"));
        let claim = lowered.claim(&specification).unwrap();
        let enumerated = Enumerated::new(&model, &specification, &lowered, &claim);
        let holds = enumerated.reachable().is_subset(&enumerated.good);
        let (context, terms, system) = (Context::default(), lowered.terms(), lowered.system());
        let proof = prove_as_written(&context, terms, system, &claim, Patience::Whole);
        assert_eq!(prove_as_written(&context, terms, system, &claim, Patience::Growing), proof);
        let inductive = enumerated.is_inductive(&enumerated.good);
        match &proof {
            Proof::Proved { set, .. } => {
                assert!(inductive && holds, "{text}\n{}", specification.text);
                assert_eq!(
                    validate(&context, terms, system, set, &claim, Patience::Growing),
                    Finding::Stands
                );
                n_proved += 1;
            }
            Proof::Violated { run } => {
                let state =
                    lowered.state(&|variable| run.as_ref().unwrap()[0].get(variable).cloned()).unwrap();
                assert!(!enumerated.good.contains(&state) && enumerated.initial.contains(&state), "{text}");
                n_violated += 1;
            }
            Proof::NotInductive { obligation, .. } => {
                assert_eq!(*obligation, Obligation::Stays);
                assert!(!inductive, "{text}\n{}", specification.text);
                n_open += 1;
            }
            other => panic!("{other:?}"),
        }
    });
    run.enough(
        n_proved > 5 && n_violated > 5 && n_open > 2,
        format_args!("{n_proved} {n_violated} {n_open}"),
    );
}

/// The reachable states and other sets of the encoding, as terms and one by one.
#[test]
fn sets_of_diagrams_are_inductive_as_terms_exactly_if_they_are_state_by_state() {
    let (mut n_stand, mut n_fail) = (0, 0);
    let run = random_cases(60, |rng| {
        let SmvModel { text, atoms, .. } = random_smv(rng, &SHAPE);
        let model = model_of(&text);
        let lowered = lower(&model, None);
        let specification = property(&model, &format!("INVARSPEC {}", rng.pick(&atoms)));
        let claim = lowered.claim(&specification).unwrap();
        let enumerated = Enumerated::new(&model, &specification, &lowered, &claim);
        let context = Context::default();
        let mut encoded = encode(&context, &model, &EncodeOptions::default()).unwrap();
        encoded.register(&specification).unwrap();
        let mut checker = SymbolicChecker::new(&context, &encoded.model, Options::default());
        let reachable = checker.reachable().unwrap().states.clone();
        let mut sets = vec![reachable.clone(), encoded.model.invar.clone()];
        for _ in 0..3 {
            let atom = property(&model, &format!("INVARSPEC {}", rng.pick(&atoms)));
            let extra = encoded.atom(&atom.atoms[0].expr).unwrap();
            sets.push(reachable.or(&extra).unwrap());
            sets.push(reachable.and(&extra).unwrap());
        }
        for _ in 0..3 {
            // One state more, or one less.
            let flipped = encoded.model.state(&encoded_state(rng, &encoded)).unwrap();
            sets.push(reachable.xor(&flipped).unwrap());
        }
        for set in &sets {
            let defined = defined(&lowered, &encoded, set);
            let inside = |state: &&State| eval(&encoded, set, state);
            let members: BTreeSet<State> = enumerated.states.iter().filter(inside).cloned().collect();
            let expected = enumerated.is_inductive(&members)
                && members.iter().all(|s| enumerated.good.contains(s) || !enumerated.possible.contains(s));
            let found = check_inductive(
                &context,
                lowered.terms(),
                lowered.system(),
                &defined,
                &claim,
                Patience::Growing,
            );
            assert_eq!(found == Finding::Stands, expected, "{found:?}\n{text}");
            assert!(expected || matches!(found, Finding::Fails { .. }));
            let (terms, system) = (lowered.terms(), lowered.system());
            let (inductive, _) = judge_inductive(&context, terms, system, &defined, u64::MAX);
            assert_eq!(
                inductive == Finding::Stands,
                enumerated.is_inductive(&members),
                "{inductive:?}\n{text}"
            );
            let (implies, _) = judge_claim(&context, terms, system, &defined, &claim, u64::MAX);
            let is_good = |s: &State| enumerated.good.contains(s) || !enumerated.possible.contains(s);
            assert_eq!(implies == Finding::Stands, members.iter().all(is_good), "{implies:?}\n{text}");
            for finding in [inductive, implies] {
                assert!(matches!(finding, Finding::Stands | Finding::Fails { model: Some(_), .. }));
            }
            assert_eq!(
                std::mem::discriminant(&validate(
                    &context,
                    lowered.terms(),
                    lowered.system(),
                    &defined,
                    &claim,
                    Patience::Whole
                )),
                std::mem::discriminant(&found)
            );
            (n_stand, n_fail) = (n_stand + usize::from(expected), n_fail + usize::from(!expected));
            let unfolded = defined.unfolded(lowered.terms());
            for state in enumerated.states.iter().take(40) {
                assert_eq!(truth(&lowered, unfolded, state), members.contains(state), "{text}");
            }
        }
    });
    run.enough(n_stand > 20 && n_fail > 20, format_args!("{n_stand} stand, {n_fail} fail"));
}

/// Codes of some state.
fn encoded_state(rng: &mut Rng, encoded: &Encoded<'_>) -> Vec<u64> {
    let states = encoded.model.variables.iter().filter(|variable| !variable.is_input);
    states.map(|variable| rng.below(variable.last_code as usize + 1) as u64).collect()
}

/// A set of the encoding as terms: a definition for each node, from its bit and the nodes below it.
fn defined(lowered: &Lowered<'_>, encoded: &Encoded<'_>, set: &Bdd) -> DefinedSet {
    let terms = lowered.terms();
    let bits: BTreeMap<_, _> = lowered.bits(encoded).into_iter().collect();
    let mut definitions = Vec::new();
    let holds = define(terms, &bits, set, &mut Vec::new(), &mut definitions);
    DefinedSet { definitions, holds }
}

fn define(
    terms: &Terms,
    bits: &BTreeMap<Var, Term>,
    set: &Bdd,
    done: &mut Vec<(Bdd, Term)>,
    definitions: &mut Vec<(Variable, Term)>,
) -> Term {
    let Some(top) = set.top() else { return terms.boolean(set.is_true()) };
    if let Some((_, known)) = done.iter().find(|(other, _)| other == set) {
        return *known;
    }
    let (low, high) = set.halves();
    let no = define(terms, bits, &low, done, definitions);
    let yes = define(terms, bits, &high, done, definitions);
    let variable = terms.declare(&format!("node {}", done.len()), &Sort::Bool);
    definitions.push((variable, terms.ite(bits[&top], yes, no)));
    done.push((set.clone(), terms.variable(variable)));
    terms.variable(variable)
}

fn eval(encoded: &tertium_front_smv::Encoded<'_>, set: &Bdd, state: &State) -> bool {
    let mut bits = std::collections::BTreeMap::new();
    let state_variables =
        encoded.variables().iter().zip(&encoded.model.variables).filter(|(_, v)| !v.is_input);
    for ((&id, variable), &value) in state_variables.zip(state.0.iter()) {
        let code = encoded.code(id, value).unwrap();
        bits.extend(variable.current.iter().enumerate().map(|(k, bit)| (*bit, code >> k & 1 == 1)));
    }
    set.eval(|bit| bits[&bit])
}

fn proof(text: &str, specification: &str) -> Proof {
    let model = model_of(text);
    let lowered = lower(&model, None);
    let claim = lowered.claim(&property(&model, specification)).expect("a claim about states");
    let context = Context::default();
    let proof = prove_as_written(&context, lowered.terms(), lowered.system(), &claim, Patience::Whole);
    if let Proof::Proved { set, .. } = &proof {
        let judged = validate(&context, lowered.terms(), lowered.system(), set, &claim, Patience::Whole);
        assert_eq!(judged, Finding::Stands);
    }
    proof
}

const COUNTERS: &str = "MODULE main
VAR a : unsigned word[32]; b : unsigned word[32]; go : boolean;
ASSIGN init(a) := 0ud32_0; init(b) := 0ud32_0;
  next(a) := case go : a + 0ud32_1; TRUE : a; esac;
  next(b) := case go : b + 0ud32_1; TRUE : b; esac;
";

#[test]
fn two_wide_counters_stay_equal() {
    assert!(matches!(proof(COUNTERS, "INVARSPEC a = b"), Proof::Proved { .. }));
    assert!(matches!(proof(COUNTERS, "SPEC AG (a = b)"), Proof::Proved { .. }));
    assert!(matches!(proof(COUNTERS, "LTLSPEC G (a = b)"), Proof::Proved { .. }));
}

/// A question that takes more steps than the first tries have is asked again until it is answered, and is no other question.
#[test]
fn growing_patience_proves_what_a_long_question_proves() {
    let text = "MODULE main
VAR a : unsigned word[60]; b : unsigned word[60]; go : boolean;
ASSIGN init(a) := 0ud60_0; init(b) := 0ud60_0;
  next(a) := case go : a + 0ud60_1; TRUE : a; esac;
  next(b) := case go : b + 0ud60_3; TRUE : b; esac;
";
    let model = model_of(text);
    let lowered = lower(&model, None);
    let claim = lowered.claim(&property(&model, "INVARSPEC b = a + a + a")).unwrap();
    let (terms, system) = (lowered.terms(), lowered.system());
    let spent = |patience| {
        let context = Context::default();
        let proof = prove_as_written(&context, terms, system, &claim, patience);
        let Proof::Proved { set, .. } = proof else { panic!("{proof:?}") };
        let work = context.spent();
        assert_eq!(validate(&context, terms, system, &set, &claim, patience), Finding::Stands);
        work
    };
    let (whole, growing) = (spent(Patience::Whole), spent(Patience::Growing));
    assert!(whole < growing && growing < 2 * whole, "more than one try: {whole} {growing}");
}

#[test]
fn a_tautology_over_a_word_is_proved() {
    assert!(matches!(proof(COUNTERS, "INVARSPEC (a & 0ud32_1) + (a & !0ud32_1) = a"), Proof::Proved { .. }));
}

#[test]
fn what_is_false_at_the_beginning_is_violated() {
    assert!(matches!(proof(COUNTERS, "INVARSPEC a != b"), Proof::Violated { .. }));
}

#[test]
fn a_true_claim_that_is_not_inductive_stays_open() {
    let text = "MODULE main VAR x : 0..10;
ASSIGN init(x) := 0; next(x) := case x < 4 : x + 2; x = 5 : 9; TRUE : x; esac;";
    assert!(matches!(
        proof(text, "INVARSPEC x != 9"),
        Proof::NotInductive { obligation: Obligation::Stays, .. }
    ));
}

#[test]
fn a_claim_that_is_inductive_relative_to_invar_is_proved() {
    let text = "MODULE main VAR x : 0..10; y : 0..10;
INVAR x = y
ASSIGN init(x) := 0; next(x) := case y < 5 : y + 1; TRUE : 0; esac;";
    assert!(matches!(proof(text, "INVARSPEC x <= 5 & y <= 5"), Proof::Proved { .. }));
    let without = text.replace("INVAR x = y\n", "");
    assert!(!matches!(proof(&without, "INVARSPEC x <= 5 & y <= 5"), Proof::Proved { .. }));
}

#[test]
fn a_claim_about_inputs_is_one_about_all_of_them() {
    let text = "MODULE main VAR x : boolean; IVAR i : 0..3;
ASSIGN init(x) := TRUE; next(x) := i < 4;";
    assert!(matches!(proof(text, "LTLSPEC G (x & i <= 3)"), Proof::Proved { .. }));
    assert!(!matches!(proof(text, "LTLSPEC G (i <= 2)"), Proof::Proved { .. }));
    // The input of the next step is another one than that of this step.
    let text = "MODULE main VAR x : boolean; IVAR i : boolean; ASSIGN init(x) := FALSE; next(x) := TRUE;";
    assert!(!matches!(proof(text, "LTLSPEC G (x -> i)"), Proof::Proved { .. }));
}

#[test]
fn a_model_without_meaning_somewhere_inside_is_not_proved() {
    let text = "MODULE main VAR x : 0..3; y : 0..3;
ASSIGN init(x) := 1; next(x) := case y > 0 : 3 / y; TRUE : 1; esac; next(y) := 4 - x;";
    let open = proof(text, "INVARSPEC x >= 0");
    assert!(matches!(open, Proof::NotInductive { obligation: Obligation::StepMeaning, .. }), "{open:?}");
}

#[test]
fn a_system_without_initial_states_proves_everything_and_one_without_steps_proves_no_falsehood() {
    let text = "MODULE main VAR x : boolean; INIT x & !x ASSIGN next(x) := x;";
    assert!(matches!(proof(text, "INVARSPEC FALSE | x & !x"), Proof::Proved { .. }));
    let text = "MODULE main VAR x : boolean; TRANS FALSE";
    assert!(matches!(proof(text, "INVARSPEC x"), Proof::Violated { .. }));
}

#[test]
fn a_time_limit_in_the_judge_is_a_time_limit() {
    let model = model_of(COUNTERS);
    let lowered = lower(&model, None);
    let claim = lowered.claim(&property(&model, "INVARSPEC a = b")).unwrap();
    let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let context = Context::new(limits, Cancel::default());
    let set = tertium_program::DefinedSet::plain(claim.holds);
    let found = validate(&context, lowered.terms(), lowered.system(), &set, &claim, Patience::Growing);
    assert_eq!(found, Finding::Stopped(StopReason::TimeLimit));
    let (found, _) = judge_inductive(&context, lowered.terms(), lowered.system(), &set, u64::MAX);
    assert_eq!(found, Finding::Stopped(StopReason::TimeLimit));
    // Out of work is something else.
    let free = Context::default();
    let (found, work) = judge_inductive(&free, lowered.terms(), lowered.system(), &set, 1 << 8);
    assert!(matches!(found, Finding::GaveUp(_)) && work < 1 << 16, "{found:?} {work}");
    let (found, _) = judge_inductive(&free, lowered.terms(), lowered.system(), &set, u64::MAX);
    assert_eq!(found, Finding::Stands);
}

#[test]
fn a_set_with_circular_or_foreign_definitions_is_refused() {
    let model = model_of(COUNTERS);
    let lowered = lower(&model, None);
    let claim = lowered.claim(&property(&model, "INVARSPEC a = b")).unwrap();
    let terms = lowered.terms();
    let own = lowered.current(VarId::new(2));
    let free = terms.declare("free", &tertium_expr::Sort::Bool);
    let holds = claim.holds;
    let wrong = [
        (vec![(free, terms.not(terms.variable(free)))], holds),
        (vec![(own, terms.boolean(true))], holds),
        (vec![(free, holds), (free, terms.not(holds))], holds),
        (vec![], terms.variable(free)),
        (vec![(lowered.system().variables[2].next, holds)], holds),
    ];
    for (definitions, holds) in wrong {
        let set = tertium_program::DefinedSet { definitions, holds };
        let found =
            check_inductive(&Context::default(), terms, lowered.system(), &set, &claim, Patience::Whole);
        assert_eq!(found, Finding::Malformed);
        let (found, _) = judge_inductive(&Context::default(), terms, lowered.system(), &set, u64::MAX);
        assert_eq!(found, Finding::Malformed);
        let (found, _) = judge_claim(&Context::default(), terms, lowered.system(), &set, &claim, u64::MAX);
        assert_eq!(found, Finding::Malformed);
    }
}
