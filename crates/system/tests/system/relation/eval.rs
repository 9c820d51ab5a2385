//! The standard three-valued (and four-valued) semantics by definition, for small systems: the pair of the states
//! where a formula is necessarily true and where it is possibly true.

use std::collections::BTreeMap;
use tertium_logic::{ActionFormula, Formula, FormulaKind, PathQuantifier, Regular, Sign};
use tertium_support::{Id, Rng, Span};
use tertium_system::{PartialSystem, StateId};
use tertium_truth::Belnap;

/// The value at every state. An unknown proposition is unknown everywhere; an unknown action has no steps.
pub(crate) fn evaluate(system: &PartialSystem, formula: &Formula) -> Vec<Belnap> {
    eval(system, formula, &BTreeMap::new())
}

/// Whether the formula is necessarily true at a state.
pub(crate) fn necessarily(system: &PartialSystem, formula: &Formula, state: StateId) -> bool {
    evaluate(system, formula)[state.index()].must()
}

type Environment = BTreeMap<String, Vec<Belnap>>;

fn eval(system: &PartialSystem, formula: &Formula, environment: &Environment) -> Vec<Belnap> {
    let go = |f: &Formula| eval(system, f, environment);
    let each = |value: &dyn Fn(StateId) -> Belnap| system.states().map(value).collect::<Vec<_>>();
    match &formula.kind {
        FormulaKind::True => each(&|_| Belnap::True),
        FormulaKind::False => each(&|_| Belnap::False),
        FormulaKind::Proposition(name) => match system.labels().names().get(name) {
            Some(prop) => each(&|s| system.labels().get(prop, s)),
            None => each(&|_| Belnap::Unknown),
        },
        FormulaKind::Variable(name) => environment[name].clone(),
        FormulaKind::Not(f) => go(f).into_iter().map(Belnap::not).collect(),
        FormulaKind::And(parts) => combine(parts.iter().map(go), Belnap::and),
        FormulaKind::Or(parts) => combine(parts.iter().map(go), Belnap::or),
        FormulaKind::Modal(PathQuantifier::Some, Regular::Step(actions), f) => {
            diamond(system, actions, &go(f))
        }
        FormulaKind::Modal(PathQuantifier::All, Regular::Step(actions), f) => {
            let dual: Vec<_> = go(f).into_iter().map(Belnap::not).collect();
            diamond(system, actions, &dual).into_iter().map(Belnap::not).collect()
        }
        FormulaKind::Fixpoint(sign, name, f) => {
            let start = if *sign == Sign::Least { Belnap::False } else { Belnap::True };
            let mut current = vec![start; system.n_states()];
            loop {
                let mut inner = environment.clone();
                inner.insert(name.clone(), current.clone());
                let next = eval(system, f, &inner);
                if next == current {
                    return current;
                }
                current = next;
            }
        }
        other => panic!("not in the core: {other:?}"),
    }
}

fn combine(parts: impl Iterator<Item = Vec<Belnap>>, with: fn(Belnap, Belnap) -> Belnap) -> Vec<Belnap> {
    parts.reduce(|a, b| a.into_iter().zip(b).map(|(x, y)| with(x, y)).collect()).expect("two parts or more")
}

fn diamond(system: &PartialSystem, actions: &ActionFormula, body: &[Belnap]) -> Vec<Belnap> {
    let chosen = |action| holds(actions, system.actions().name(action));
    let must = |s| {
        let mut sets = system.must_sets(s).filter(|&(x, _)| chosen(x));
        sets.any(|(_, targets)| targets.iter().all(|t| body[t.index()].must()))
    };
    let may = |s| system.may(s).any(|(x, t)| chosen(x) && body[t.index()].may());
    system.states().map(|s| Belnap::from_bits(must(s), may(s))).collect()
}

fn holds(actions: &ActionFormula, name: &str) -> bool {
    match actions {
        ActionFormula::True => true,
        ActionFormula::False => false,
        ActionFormula::Action(action, _) => action == name,
        ActionFormula::Not(inner) => !holds(inner, name),
        ActionFormula::And(parts) => parts.iter().all(|part| holds(part, name)),
        ActionFormula::Or(parts) => parts.iter().any(|part| holds(part, name)),
    }
}

/// The nesting of modalities.
pub(crate) fn modal_depth(formula: &Formula) -> usize {
    match &formula.kind {
        FormulaKind::Not(f) => modal_depth(f),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => parts.iter().map(modal_depth).max().unwrap_or(0),
        FormulaKind::Modal(_, _, f) => 1 + modal_depth(f),
        _ => 0,
    }
}

/// A random core formula over actions `a`, `b` and the given propositions; variables occur positively.
pub(crate) fn random_formula(rng: &mut Rng, propositions: &[&str], depth: usize) -> Formula {
    build(rng, propositions, depth, &mut Vec::new(), true)
}

fn build(
    rng: &mut Rng,
    propositions: &[&str],
    depth: usize,
    variables: &mut Vec<(String, bool)>,
    positive: bool,
) -> Formula {
    if depth == 0 {
        let usable: Vec<&String> = variables.iter().filter(|(_, p)| *p == positive).map(|(n, _)| n).collect();
        if !usable.is_empty() && rng.chance(0.6) {
            return Formula::variable(rng.pick(&usable).as_str());
        }
        return match rng.below(4) {
            0 => FormulaKind::True.into(),
            1 => FormulaKind::False.into(),
            _ if propositions.is_empty() => FormulaKind::True.into(),
            _ => Formula::proposition(*rng.pick(propositions)),
        };
    }
    match rng.below(7) {
        0 => build(rng, propositions, depth - 1, variables, !positive).negated(),
        1 => Formula::all((0..2).map(|_| build(rng, propositions, depth - 1, variables, positive)).collect()),
        2 => Formula::any((0..2).map(|_| build(rng, propositions, depth - 1, variables, positive)).collect()),
        3 => Formula::diamond(random_actions(rng), build(rng, propositions, depth - 1, variables, positive)),
        4 => Formula::box_(random_actions(rng), build(rng, propositions, depth - 1, variables, positive)),
        _ => {
            let name = format!("X{}", variables.len());
            variables.push((name.clone(), positive));
            let body = build(rng, propositions, depth - 1, variables, positive);
            variables.pop();
            Formula::fixpoint(if rng.chance(0.5) { Sign::Least } else { Sign::Greatest }, name, body)
        }
    }
}

fn random_actions(rng: &mut Rng) -> ActionFormula {
    let a = || ActionFormula::Action("a".into(), Span::default());
    let b = || ActionFormula::Action("b".into(), Span::default());
    match rng.below(5) {
        0 => ActionFormula::True,
        1 => a(),
        2 => b(),
        3 => ActionFormula::Not(Box::new(a())),
        _ => ActionFormula::Or(vec![a(), b()]),
    }
}
