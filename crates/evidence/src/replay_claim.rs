//! Whether a tree of claims stands: asked of a concrete model, one state and one step at a time.
//!
//! | claim | what shows it |
//! |---|---|
//! | a formula about one state | its value there |
//! | a conjunction, a disjunction, an equivalence | claims about its parts at the same state |
//! | `E…`, `<>…` | a path of steps of the model, with claims at its states |
//! | `A…`, `[]…`, a fixpoint | nothing: it was computed, and the tree says so |
//!
//! A path that ends shows what holds up to its end; what holds always needs a loop.

use crate::{Claim, Support, Trace};
use tertium_logic::{
    ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, as_claim, is_boolean,
};

/// A concrete model, as its interpreter gives it.
pub trait Concrete<S, L> {
    /// Whether it can begin here.
    fn is_initial(&self, state: &S) -> bool;
    /// Whether this step leads from one state to the other.
    fn is_step(&self, from: &S, step: &L, to: &S) -> bool;
    /// Whether a proposition holds; nothing if there is none of this name.
    fn holds(&self, proposition: &str, state: &S) -> Option<bool>;
}

/// Accepts a tree about an initial state if it claims that the formula holds, or does not, and everything in it follows that is not said
/// to be computed.
pub fn check_claim<S: PartialEq, L>(
    model: &impl Concrete<S, L>,
    formula: &Formula,
    holds: bool,
    tree: &Claim<S, L>,
) -> Result<(), String> {
    if tree.formula != as_claim(formula, holds) {
        return Err(format!("the evidence is about `{}`", tree.formula));
    }
    if !model.is_initial(&tree.state) {
        return Err("the evidence begins at a state that is not initial".to_owned());
    }
    check(model, tree)
}

/// Accepts a path from an initial state, every step of which exists.
pub fn check_path<S, L>(
    trace: &Trace<S, L>,
    is_initial: impl Fn(&S) -> bool,
    is_step: impl Fn(&S, &L, &S) -> bool,
) -> Result<(), String> {
    if !trace.is_well_formed() || !is_initial(&trace.states[0]) {
        return Err("the path does not begin at an initial state".to_owned());
    }
    check_steps(trace, is_step)
}

/// Accepts a path from an initial state to one where a formula without temporal operators fails.
pub fn check_violation<S, L>(
    model: &impl Concrete<S, L>,
    invariant: &Formula,
    trace: &Trace<S, L>,
) -> Result<(), String> {
    check_path(trace, |state| model.is_initial(state), |from, step, to| model.is_step(from, step, to))?;
    match value(model, invariant, trace.last()) {
        Some(false) => Ok(()),
        _ => Err("the path does not end where the invariant fails".to_owned()),
    }
}

fn check<S: PartialEq, L>(model: &impl Concrete<S, L>, claim: &Claim<S, L>) -> Result<(), String> {
    let Claim { formula, state, support } = claim;
    let shown = match support {
        _ if is_boolean(formula) => value(model, formula, state) == Some(true),
        Support::Here => false,
        Support::Omitted => true,
        Support::AllPaths => is_computed(formula),
        Support::Parts(parts) => {
            for part in parts {
                if part.state != *state {
                    return Err(format!("a part of `{formula}` is about another state"));
                }
                check(model, part)?;
            }
            let has = |part: &Formula| is_settled(model, part, state, parts.iter());
            match &formula.kind {
                FormulaKind::And(operands) => operands.iter().all(has),
                FormulaKind::Or(operands) => operands.iter().any(has),
                FormulaKind::Iff(f, g) => are_alike(f, g, true, has),
                FormulaKind::Not(inner) => match &inner.kind {
                    FormulaKind::Iff(f, g) => are_alike(f, g, false, has),
                    _ => false,
                },
                _ => false,
            }
        }
        Support::Path { trace, at } => {
            if !trace.is_well_formed() || trace.states[0] != *state {
                return Err(format!("the path for `{formula}` begins elsewhere"));
            }
            check_steps(trace, |from, step, to| model.is_step(from, step, to))?;
            for (place, claim) in at {
                if trace.states.get(*place) != Some(&claim.state) {
                    return Err(format!("a claim on the path for `{formula}` is about another state"));
                }
                check(model, claim)?;
            }
            let has = |place: usize, part: &Formula| {
                let claims = at.iter().filter(|(there, _)| *there == place).map(|(_, claim)| claim);
                is_settled(model, part, &trace.states[place], claims)
            };
            is_shown(formula, trace, has)
        }
    };
    if shown { Ok(()) } else { Err(format!("`{formula}` is not shown")) }
}

/// Whether both sides are claimed to have the same truth value, or different ones.
fn are_alike(f: &Formula, g: &Formula, alike: bool, has: impl Fn(&Formula) -> bool) -> bool {
    [true, false].iter().any(|&holds| has(&as_claim(f, holds)) && has(&as_claim(g, holds == alike)))
}

/// Whether no single path shows a claim.
fn is_computed(formula: &Formula) -> bool {
    match &formula.kind {
        FormulaKind::Path(quantifier, _) => *quantifier == PathQuantifier::All,
        // One step by any action is as good as `EX`.
        FormulaKind::Modal(PathQuantifier::Some, Regular::Step(ActionFormula::True), _) => false,
        FormulaKind::Modal(..) | FormulaKind::Fixpoint(..) => true,
        FormulaKind::Not(inner) => matches!(inner.kind, FormulaKind::Fixpoint(..)),
        _ => false,
    }
}

/// Whether some claim says so, or it is so at the state itself, or all its parts are settled.
fn is_settled<'c, S: 'c, L: 'c>(
    model: &impl Concrete<S, L>,
    formula: &Formula,
    state: &S,
    claims: impl Iterator<Item = &'c Claim<S, L>> + Clone,
) -> bool {
    if is_boolean(formula) {
        return value(model, formula, state) == Some(true);
    }
    let is_claimed = claims.clone().any(|claim| claim.formula == *formula);
    is_claimed
        || match &formula.kind {
            FormulaKind::And(parts) => {
                parts.iter().all(|part| is_settled(model, part, state, claims.clone()))
            }
            _ => false,
        }
}

/// Whether a path shows an existential claim; `has` says what is settled at its places.
fn is_shown<S, L>(formula: &Formula, trace: &Trace<S, L>, has: impl Fn(usize, &Formula) -> bool) -> bool {
    let n = trace.states.len();
    let next = |f: &Formula| !trace.steps.is_empty() && has(trace.target(0), f);
    let until = |f: Option<&Formula>, goal: &dyn Fn(usize) -> bool| match (0..n).find(|&place| goal(place)) {
        Some(end) => f.is_none_or(|f| (0..end).all(|place| has(place, f))),
        None => false,
    };
    let always = |f: &Formula| trace.loop_start.is_some() && (0..n).all(|place| has(place, f));
    match &formula.kind {
        FormulaKind::Modal(PathQuantifier::Some, Regular::Step(ActionFormula::True), f) => next(f),
        FormulaKind::Path(PathQuantifier::Some, operator) => match operator {
            PathOperator::Next(f) => next(f),
            PathOperator::Finally(f) => until(None, &|place| has(place, f)),
            PathOperator::Globally(f) => always(f),
            PathOperator::Until(f, g) => until(Some(f), &|place| has(place, g)),
            PathOperator::WeakUntil(f, g) => until(Some(f), &|place| has(place, g)) || always(f),
            PathOperator::Release(f, g) => {
                let both = Formula::all(vec![(**f).clone(), (**g).clone()]);
                until(Some(g), &|place| has(place, &both)) || always(g)
            }
        },
        _ => false,
    }
}

fn check_steps<S, L>(trace: &Trace<S, L>, is_step: impl Fn(&S, &L, &S) -> bool) -> Result<(), String> {
    match trace.moves().position(|(from, step, to)| !is_step(from, step, to)) {
        Some(at) => Err(format!("step {} of the path is none of the model", at + 1)),
        None => Ok(()),
    }
}

/// The value of a formula about one state; nothing if it has a name that the model does not know.
fn value<S, L>(model: &impl Concrete<S, L>, formula: &Formula, state: &S) -> Option<bool> {
    value_of(formula, &|name| model.holds(name, state))
}

/// The value of a formula without temporal operators; nothing if it has some, or a name without value.
pub fn value_of(formula: &Formula, holds: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let of = |part: &Formula| value_of(part, holds);
    let all = |parts: &[Formula]| parts.iter().map(of).collect::<Option<Vec<bool>>>();
    Some(match &formula.kind {
        FormulaKind::True => true,
        FormulaKind::False => false,
        FormulaKind::Proposition(name) => holds(name)?,
        FormulaKind::Not(inner) => !of(inner)?,
        FormulaKind::And(parts) => all(parts)?.into_iter().all(|holds| holds),
        FormulaKind::Or(parts) => all(parts)?.into_iter().any(|holds| holds),
        FormulaKind::Implies(f, g) => !of(f)? || of(g)?,
        FormulaKind::Iff(f, g) => of(f)? == of(g)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_logic::parse;
    use tertium_support::Source;

    /// Counts from 0 to 3 and stays there; `p` holds at 2.
    struct Counter;

    impl Concrete<u32, ()> for Counter {
        fn is_initial(&self, state: &u32) -> bool {
            *state == 0
        }
        fn is_step(&self, from: &u32, (): &(), to: &u32) -> bool {
            *to == (from + 1).min(3)
        }
        fn holds(&self, proposition: &str, state: &u32) -> Option<bool> {
            (proposition == "p").then_some(*state == 2)
        }
    }

    fn formula(text: &str) -> Formula {
        parse(&Source::new("f", text)).expect("the formula is right")
    }

    fn path(text: &str, states: Vec<u32>, loop_start: Option<usize>) -> Claim<u32, ()> {
        let n_steps = if loop_start.is_some() { states.len() } else { states.len() - 1 };
        let state = states[0];
        let trace = Trace { states, steps: vec![(); n_steps], loop_start };
        Claim { formula: formula(text), state, support: Support::Path { trace, at: Vec::new() } }
    }

    #[test]
    fn a_path_shows_what_it_leads_to() {
        let claim = path("EF p", vec![0, 1, 2], None);
        assert_eq!(check_claim(&Counter, &formula("EF p"), true, &claim), Ok(()));
        assert_eq!(check_claim(&Counter, &formula("AG !p"), false, &claim), Ok(()));
        assert!(check_claim(&Counter, &formula("AG !p"), true, &claim).is_err(), "it is about another claim");
        assert!(check(&Counter, &path("EF p", vec![0, 1], None)).is_err(), "it ends too early");
        assert!(check(&Counter, &path("EF p", vec![0, 2], None)).is_err(), "there is no such step");
        let later = path("EF p", vec![1, 2], None);
        assert!(check_claim(&Counter, &formula("EF p"), true, &later).is_err(), "it does not begin at 0");
    }

    #[test]
    fn what_holds_always_needs_a_loop() {
        assert_eq!(check(&Counter, &path("EG !p", vec![3], Some(0))), Ok(()));
        assert!(check(&Counter, &path("EG !p", vec![0, 1], None)).is_err());
        assert!(check(&Counter, &path("EG !p", vec![0, 1, 2, 3], Some(3))).is_err(), "p holds on the way");
        assert_eq!(check(&Counter, &path("EX !p", vec![3], Some(0))), Ok(()));
    }

    #[test]
    fn claims_on_the_way_are_checked_themselves() {
        let mut claim = path("EF EX p", vec![0, 1], None);
        assert!(check(&Counter, &claim).is_err(), "nothing shows EX p");
        let Support::Path { at, .. } = &mut claim.support else { unreachable!("it is a path") };
        at.push((1, path("EX p", vec![1, 2], None)));
        assert_eq!(check(&Counter, &claim), Ok(()));
        let Support::Path { at, .. } = &mut claim.support else { unreachable!("it is a path") };
        at[0].0 = 0;
        assert!(check(&Counter, &claim).is_err(), "the claim is about another state");
    }

    #[test]
    fn what_can_be_shown_is_not_taken_on_trust() {
        let claim = |text, support| Claim { formula: formula(text), state: 0, support };
        assert_eq!(check(&Counter, &claim("AF p", Support::AllPaths)), Ok(()));
        assert!(check(&Counter, &claim("EF p", Support::AllPaths)).is_err());
        assert!(check(&Counter, &claim("p", Support::AllPaths)).is_err());
        assert!(check(&Counter, &claim("p || AF p", Support::Parts(Vec::new()))).is_err());
        let part = claim("AF p", Support::AllPaths);
        assert_eq!(check(&Counter, &claim("p || AF p", Support::Parts(vec![part]))), Ok(()));
        assert!(check(&Counter, &claim("p <=> AF p", Support::Parts(Vec::new()))).is_err());
    }
}
