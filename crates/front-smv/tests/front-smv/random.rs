//! The interpreter and the explicit checker on random models, each against something simpler.

use crate::listed::Listed;
use std::convert::Infallible;
use tertium_check::fair::GraphEvidence;
use tertium_front_smv::{
    Evidence, FlatModel, Input, Interpreter, Judgement, SpecificationKind, State, Trace, Type, Value, VarId,
    holds_on, read, read_property, validate_evidence,
};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, holds_on_lasso};
use tertium_support::{Context, Id, Rng, Source, render};
use tertium_system::{StateGraph, StateId, StateSet, StepId};
use tertium_testkit::{SmvModel, SmvShape, random_cases, random_ctl_text, random_ltl_text, random_smv};

fn model_of(text: &str) -> FlatModel {
    let source = Source::new("random.smv", text);
    match read(source.clone()) {
        Ok((model, _)) => model,
        Err(diagnostics) => panic!("{}\n{text}", render(&source, &diagnostics, false)),
    }
}

fn values(ty: &Type) -> Vec<Value> {
    match *ty {
        Type::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
        Type::Range(low, high) => (low..=high).map(Value::Integer).collect(),
        Type::Enumeration(ref values) => values.clone(),
        Type::Word { width, signed } => {
            (0..1 << width).map(|bits| Value::Word { bits, width, signed }).collect()
        }
    }
}

/// Every combination of values of these variables.
fn all(model: &FlatModel, variables: &[VarId]) -> Vec<Box<[Value]>> {
    let mut found = vec![Vec::new()];
    for variable in variables {
        let values = values(&model.variables[variable.index()].ty);
        found = found
            .iter()
            .flat_map(|prefix| values.iter().map(|&value| [&prefix[..], &[value]].concat()))
            .collect();
    }
    found.into_iter().map(Vec::into_boxed_slice).collect()
}

#[test]
fn the_enumeration_finds_exactly_what_the_judge_accepts() {
    let shape = SmvShape { n_states: 60, ..SmvShape::default() };
    let (mut n_initial, mut n_steps, mut n_deadlocks) = (0, 0, 0);
    let run = random_cases(150, |rng| {
        let SmvModel { text, .. } = random_smv(rng, &shape);
        let model = model_of(&text);
        let interpreter = Interpreter::new(&model);
        let context = Context::default();
        let states: Vec<State> = all(&model, interpreter.state_variables()).into_iter().map(State).collect();
        let inputs: Vec<Input> = all(&model, interpreter.input_variables()).into_iter().map(Input).collect();
        let mut found = interpreter.initial_states(&context).unwrap();
        let is_initial = |state: &&State| interpreter.is_initial(state) == Ok(Judgement::Yes);
        let mut expected: Vec<State> = states.iter().filter(is_initial).cloned().collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{text}");
        n_initial += found.len();
        for _ in 0..3 {
            let from = rng.pick(&states).clone();
            let mut found = interpreter.successors(&context, &from).unwrap();
            let mut expected = Vec::new();
            for input in &inputs {
                for next in &states {
                    if interpreter.is_step(&from, input, next).unwrap().is_yes() {
                        expected.push((input.clone(), next.clone()));
                    }
                }
            }
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "from {from:?}\n{text}");
            n_steps += found.len();
            n_deadlocks += usize::from(found.is_empty());
        }
    });
    run.enough(
        n_initial > 0 && n_steps > 0 && n_deadlocks > 0,
        format_args!("{n_initial} {n_steps} {n_deadlocks}"),
    );
}

/// The truth values of the branching-time specifications of a text, and of the linear ones.
fn answers(text: &str) -> (Vec<bool>, Vec<bool>) {
    let model = model_of(text);
    let listed = Listed::new(&model);
    let truth = |specification| listed.holds(specification);
    let (branching, linear): (Vec<_>, Vec<_>) = model
        .specifications
        .iter()
        .partition(|specification| matches!(specification.kind, SpecificationKind::Ctl(_)));
    (branching.into_iter().map(truth).collect(), linear.into_iter().map(truth).collect())
}

/// Formulas that say the same in both logics when every path is infinite.
const COMMON: [(&str, &str); 9] = [
    ("AG (p)", "G (p)"),
    ("AF (p)", "F (p)"),
    ("AX (p)", "X (p)"),
    ("A[(p) U (q)]", "(p) U (q)"),
    ("AG AF (p)", "G F (p)"),
    ("AG ((p) -> AF (q))", "G ((p) -> F (q))"),
    ("AG ((p) -> AX (q))", "G ((p) -> X (q))"),
    ("!E[(p) U (q)]", "!((p) U (q))"),
    ("!EG (p)", "!G (p)"),
];

#[test]
fn branching_and_linear_time_agree_on_what_both_can_say() {
    let mut counts = [[0; 2]; COMMON.len()];
    let run = random_cases(300, |rng| {
        let SmvModel { mut text, atoms, .. } = random_smv(rng, &SmvShape::default());
        // Compassion has no part in CTL, and without justice a path may end in CTL.
        let model = model_of(&text);
        if !model.compassion.is_empty()
            || model.justice.is_empty() && !Listed::new(&model).listing.deadlocks().is_empty()
        {
            return;
        }
        let (p, q) = (rng.pick(&atoms).clone(), rng.pick(&atoms).clone());
        // The names of the propositions stand between parentheses.
        let put = |formula: &str| formula.replace("(p)", &format!("({p})")).replace("(q)", &format!("({q})"));
        // Specifications belong to `main`, which comes first.
        let at = text[1..].find("MODULE").map_or(text.len(), |at| at + 1);
        let specifications: String =
            COMMON.iter().map(|(ctl, ltl)| format!("SPEC {}\nLTLSPEC {}\n", put(ctl), put(ltl))).collect();
        text.insert_str(at, &specifications);
        let (branching, linear) = answers(&text);
        assert_eq!(linear.len(), COMMON.len());
        for (at, (&ctl, &ltl)) in branching.iter().zip(&linear).enumerate() {
            assert_eq!(ctl, ltl, "{}\n{text}", COMMON[at].0);
            counts[at][usize::from(ctl)] += 1;
        }
    });
    run.enough(counts.iter().flatten().all(|&count| count > 0), format_args!("{counts:?}"));
}

/// States from which a path inside `f` reaches a strongly connected part of `f` with a step for each justice constraint.
fn always_by_components(listed: &Listed<'_>, f: &StateSet) -> StateSet {
    let Listed { listing, fairness, .. } = listed;
    let n = listing.n_states();
    let targets = |from: StateId| listing.steps(from).filter_map(|step| Some((step, listing.step(step).1?)));
    // Which states of f reach which others inside f, by at least one step.
    let mut reaches = vec![StateSet::empty(n); n];
    for state in f.iter() {
        let mut waiting = vec![state];
        while let Some(from) = waiting.pop() {
            for (_, target) in targets(from) {
                if f.contains(target) && reaches[state.index()].insert(target) {
                    waiting.push(target);
                }
            }
        }
    }
    let together = |s: StateId, t: StateId| reaches[s.index()].contains(t) && reaches[t.index()].contains(s);
    let is_fair = |s: StateId| {
        together(s, s)
            && fairness.justice.iter().all(|constraint| {
                f.iter().filter(|&t| together(s, t)).any(|t| {
                    let just = |&(step, target): &(usize, StateId)| {
                        constraint.contains(t, step) && f.contains(target)
                    };
                    targets(t).filter(just).any(|(_, target)| together(s, target))
                })
            })
    };
    let fair: StateSet = StateSet::of(n, f.iter().filter(|&s| is_fair(s)));
    StateSet::of(n, f.iter().filter(|&s| fair.contains(s) || !reaches[s.index()].is_disjoint(&fair)))
}

#[test]
fn fair_paths_are_found_as_by_components() {
    let mut sizes = [0; 3];
    let run = random_cases(150, |rng| {
        let SmvModel { text, atoms, .. } = random_smv(rng, &SmvShape { n_states: 60, ..SmvShape::default() });
        let at = text[1..].find("MODULE").map_or(text.len(), |at| at + 1);
        let text = format!("{}INVARSPEC {}\n{}", &text[..at], rng.pick(&atoms), &text[at..]);
        let model = model_of(&text);
        let SpecificationKind::Invariant(p) = &model.specifications[0].kind else { panic!("an invariant") };
        let listed = Listed::new(&model);
        let states = |formula: &Formula| listed.states(&model.specifications[0], formula);
        let always = PathOperator::Globally(Box::new(p.clone()));
        let found = states(&FormulaKind::Path(PathQuantifier::Some, always).into());
        let expected = always_by_components(&listed, &states(p));
        assert_eq!(found, expected, "{text}");
        let kind = if found.is_empty() {
            0
        } else if found.count() < listed.listing.n_states() {
            1
        } else {
            2
        };
        sizes[kind] += 1;
    });
    run.enough(sizes.iter().all(|&size| size > 0), format_args!("{sizes:?}"));
}

/// A model with one path, a lasso, on which p and q hold where the bits say so; and the path.
fn lasso(rng: &mut Rng) -> (String, Trace) {
    let n = rng.between(1, 6);
    let start = rng.below(n);
    let places = |rng: &mut Rng| {
        let places: Vec<String> = (0..n).filter(|_| rng.chance(0.5)).map(|at| at.to_string()).collect();
        if places.is_empty() { "FALSE".to_owned() } else { format!("at in {{{}}}", places.join(", ")) }
    };
    let (p, q) = (places(rng), places(rng));
    let last = n - 1;
    let text = format!(
        "MODULE main\nVAR at : 0..{n};\nDEFINE p := {p}; q := {q};\nASSIGN init(at) := 0;\n  \
         next(at) := case at = {last} : {start}; at < {last} : at + 1; TRUE : at; esac;\n"
    );
    let state = |at: usize| State(Box::new([Value::Integer(at as i64)]));
    let states = (0..n).map(state).collect();
    (text, Trace { states, steps: vec![Input(Box::new([])); n], loop_start: Some(start) })
}

#[test]
fn linear_formulas_with_past_mean_the_same_on_a_path_and_in_the_product() {
    let mut counts = [0; 2];
    let run = random_cases(600, |rng| {
        let (text, trace) = lasso(rng);
        let names = ["p".to_owned(), "q".to_owned()];
        let text = format!("{text}LTLSPEC {}\n", random_ltl_text(rng, &names, 4));
        let model = model_of(&text);
        let (interpreter, listed) = (Interpreter::new(&model), Listed::new(&model));
        let SpecificationKind::Ltl(formula) = &model.specifications[0].kind else {
            panic!("a linear property")
        };
        let atoms = &model.specifications[0].atoms;
        let on_path = holds_on(&interpreter, atoms, formula, &trace).unwrap();
        let at = |place: usize, name: &str| {
            let atom = atoms.iter().find(|atom| atom.name == name).unwrap();
            interpreter.holds(&atom.expr, &trace.states[place], None).unwrap()
        };
        let start = trace.loop_start.unwrap();
        assert_eq!(holds_on_lasso(formula, trace.states.len(), start, at), on_path, "{text}");
        let in_product = listed.linear(&model.specifications[0], formula);
        // Formulas with very many operators are refused, not answered.
        let Ok(in_product) = in_product else { return };
        assert_eq!(in_product.holds, Some(on_path), "{text}");
        counts[usize::from(on_path)] += 1;
    });
    run.enough(counts.iter().all(|&count| count > 50), format_args!("{counts:?}"));
}

/// Evidence in the values of the model.
fn decoded(listed: &Listed<'_>, evidence: GraphEvidence) -> Evidence {
    let Listed { space, listing, .. } = listed;
    let mut state = |state: StateId| Ok::<_, Infallible>(space.state(listing.words(state)));
    let mut input = |step: StepId| Ok(space.input(listing.step(step.index()).0));
    let Ok(decoded) = evidence.try_map(&mut state, &mut input);
    decoded.expect("paths and trees")
}

#[test]
fn what_a_cut_listing_says_holds_for_the_whole_and_its_evidence_replays() {
    // By what was said of a property that holds, and of one that fails: true, false, nothing.
    let mut counts = [[0; 3]; 2];
    let run = random_cases(400, |rng| {
        let shape = SmvShape { n_states: 60, ..SmvShape::default() };
        let SmvModel { text, atoms, input_atoms, .. } = random_smv(rng, &shape);
        let model = model_of(&text);
        let whole = Listed::new(&model);
        let most = rng.between(1, whole.listing.n_states().max(2));
        let cut = Listed::within(&model, most).unwrap();
        let linear: Vec<String> = atoms.iter().chain(&input_atoms).cloned().collect();
        let mut properties: Vec<String> =
            (0..6).map(|_| format!("CTLSPEC {}", random_ctl_text(rng, &atoms, 3))).collect();
        properties.extend((0..3).map(|_| format!("LTLSPEC {}", random_ltl_text(rng, &linear, 2))));
        properties.push(format!("INVARSPEC {}", rng.pick(&atoms)));
        for property in properties {
            let source = Source::new("property", property.as_str());
            let specification = read_property(&model, &source).expect("random properties are right");
            let holds = whole.holds(&specification);
            let answer = cut.answer(&specification);
            let said = match answer.holds {
                Some(true) => 0,
                Some(false) => 1,
                None => 2,
            };
            counts[usize::from(!holds)][said] += 1;
            assert!(answer.holds.is_none_or(|said| said == holds), "{property} within {most}\n{text}");
            assert!(answer.holds != Some(false) || answer.evidence.is_some(), "{property}\n{text}");
            if let Some(evidence) = answer.evidence {
                let evidence = decoded(&cut, evidence);
                let interpreter = Interpreter::new(&model);
                if let Err(refusal) = validate_evidence(&evidence, &interpreter, &specification, holds) {
                    panic!("{property} within {most}: {}\n{text}", refusal.text(&model));
                }
            }
        }
    });
    let [[right_true, _, open_true], [_, right_false, open_false]] = counts;
    let enough = [right_true, open_true, right_false, open_false].iter().all(|&count| count > 100);
    run.enough(enough, format_args!("{counts:?}"));
}
