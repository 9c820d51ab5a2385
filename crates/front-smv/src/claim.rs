//! Evidence for branching-time properties: a tree of claims, and the check of such a tree.
//!
//! A claim says that a state satisfies a CTL formula, or that it does not. What supports it depends on the formula:
//!
//! | claim | support |
//! |---|---|
//! | a formula without path quantifier holds, or not | nothing: it is evaluated, and need not be claimed |
//! | `!f`, `f & g`, `f \| g`, `f -> g`, `f <-> g` holds, or not | claims about the parts, at the same state |
//! | `E…` holds, `A…` does not | a path from the state, with claims at its states |
//! | `A…` holds, `E…` does not | nothing: it is assumed, and counted |
//!
//! A path may go on beyond the place where it has shown its point. With justice constraints it should end in a fair
//! loop, since quantifiers range over fair paths; where it does not, that it can be continued fairly is assumed, and counted.

use crate::interpret::{Interpreter, Judgement, State};
use crate::validate::{Fairness, Refusal, Trace, holds_at, validate_fairness, validate_steps};
use crate::{Atom, Specification, SpecificationKind};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, is_boolean};

/// The claim that a state satisfies a formula, or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtlClaim {
    /// The formula.
    pub formula: Formula,
    /// Whether it is said to hold.
    pub holds: bool,
    /// What supports the claim.
    pub support: CtlSupport,
}

/// What supports a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CtlSupport {
    /// The formula has no path quantifier: its value can be looked up.
    Evaluated,
    /// Claims about parts of the formula at the same state.
    Parts(Vec<CtlClaim>),
    /// A path that starts at the state.
    Path(CtlPath),
    /// Nothing.
    Assumed,
}

/// A path with claims about its states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CtlPath {
    /// The path; it need not start in an initial state.
    pub trace: Trace,
    /// For each state of the path, claims about it.
    pub claims: Vec<Vec<CtlClaim>>,
}

/// What a tree of claims leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Assumptions {
    /// Claims that something is so on all paths.
    pub on_all_paths: usize,
    /// Claims about some path that come without the path, and combinations of claims that come without their parts.
    pub on_some_path: usize,
    /// Paths that are said to have a fair continuation, without showing it.
    pub fair_ends: usize,
}

/// Checks a tree of claims about an initial state against a specification: that it is about this specification, that every
/// path exists, and that every claim that is not assumed follows. Gives what is assumed.
pub fn validate_claim(
    interpreter: &Interpreter<'_>,
    specification: &Specification,
    state: &State,
    claim: &CtlClaim,
) -> Result<Assumptions, Refusal> {
    let SpecificationKind::Ctl(formula) = &specification.kind else { return Err(Refusal::WrongKind) };
    if let Judgement::No(obstacle) = interpreter.is_initial(state)? {
        return Err(Refusal::NotInitial(obstacle));
    }
    if claim.formula != *formula {
        return Err(Refusal::NotShown(specification.span));
    }
    let mut judge = Judge { interpreter, atoms: &specification.atoms, assumptions: Assumptions::default() };
    judge.claim(state, claim)?;
    Ok(judge.assumptions)
}

/// Claims about a state, as pairs of a formula and whether it holds.
type Demands<'f> = Vec<(&'f Formula, bool)>;

/// What a path must show.
enum Obligation<'f> {
    /// These, after one step.
    Next(Demands<'f>),
    /// The first at every place before one that has the second.
    Until(Demands<'f>, Demands<'f>),
    /// These always.
    Always(Demands<'f>),
    /// The first two as an until, or the third always.
    Either(Demands<'f>, Demands<'f>, Demands<'f>),
}

struct Judge<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    atoms: &'a [Atom],
    assumptions: Assumptions,
}

impl Judge<'_, '_> {
    fn claim(&mut self, state: &State, claim: &CtlClaim) -> Result<(), Refusal> {
        let formula = &claim.formula;
        let shown = match (&claim.support, &formula.kind) {
            (CtlSupport::Evaluated, _) => {
                holds_at(self.interpreter, self.atoms, formula, state)? == claim.holds
            }
            (CtlSupport::Assumed, _) => self.assume(formula, claim.holds),
            (CtlSupport::Parts(parts), _) => {
                for part in parts {
                    self.claim(state, part)?;
                }
                self.follows(state, formula, claim.holds, parts)?
            }
            (CtlSupport::Path(path), FormulaKind::Path(quantifier, operator)) => {
                let some = *quantifier == PathQuantifier::Some;
                some == claim.holds && self.path(state, path, &obligation(operator, claim.holds))?
            }
            _ => false,
        };
        if shown { Ok(()) } else { Err(Refusal::NotShown(formula.span)) }
    }

    /// Counts an assumption; what can be evaluated is not assumed. To assume a negation is to assume the opposite of what it
    /// negates.
    fn assume(&mut self, formula: &Formula, holds: bool) -> bool {
        match &formula.kind {
            FormulaKind::Not(f) => return self.assume(f, !holds),
            FormulaKind::Path(quantifier, _) if (*quantifier == PathQuantifier::All) == holds => {
                self.assumptions.on_all_paths += 1;
            }
            _ if is_boolean(formula) => return false,
            _ => self.assumptions.on_some_path += 1,
        }
        true
    }

    /// Whether the path exists, its claims are right, and it shows what it must.
    fn path(&mut self, state: &State, path: &CtlPath, obligation: &Obligation<'_>) -> Result<bool, Refusal> {
        let CtlPath { trace, claims } = path;
        if trace.states.first() != Some(state) || claims.len() != trace.states.len() {
            return Err(Refusal::Malformed);
        }
        validate_steps(self.interpreter, trace)?;
        if trace.loop_start.is_some() {
            validate_fairness(self.interpreter, trace, Fairness::Justice)?;
        }
        for (state, claims) in trace.states.iter().zip(claims) {
            for claim in claims {
                self.claim(state, claim)?;
            }
        }
        let at = |place: usize, demands: &Demands<'_>| {
            let mut all = demands.iter().map(|(formula, holds)| {
                self.is_settled(&trace.states[place], formula, *holds, &claims[place])
            });
            all.try_fold(true, |so_far, settled| Ok::<bool, Refusal>(so_far && settled?))
        };
        let everywhere = |places: std::ops::Range<usize>, demands: &Demands<'_>| {
            places
                .into_iter()
                .try_fold(true, |so_far, place| Ok::<bool, Refusal>(so_far && at(place, demands)?))
        };
        let always = |demands| {
            Ok::<bool, Refusal>(trace.loop_start.is_some() && everywhere(0..claims.len(), demands)?)
        };
        let until = |stay, end| {
            for place in 0..claims.len() {
                if at(place, end)? {
                    return everywhere(0..place, stay);
                }
            }
            Ok(false)
        };
        let shown = match obligation {
            // A loop of one state leads back to it.
            Obligation::Next(demands) if claims.len() == 1 => always(demands)?,
            Obligation::Next(demands) => at(1, demands)?,
            Obligation::Until(stay, end) => until(stay, end)?,
            Obligation::Always(demands) => always(demands)?,
            Obligation::Either(stay, end, demands) => until(stay, end)? || always(demands)?,
        };
        if trace.loop_start.is_none() && !self.interpreter.model().justice.is_empty() {
            self.assumptions.fair_ends += 1;
        }
        Ok(shown)
    }

    /// Whether a claim says so, or a formula without path quantifier is so.
    fn is_settled(
        &self,
        state: &State,
        formula: &Formula,
        holds: bool,
        claims: &[CtlClaim],
    ) -> Result<bool, Refusal> {
        if claims.iter().any(|claim| claim.holds == holds && claim.formula == *formula) {
            return Ok(true);
        }
        Ok(is_boolean(formula) && holds_at(self.interpreter, self.atoms, formula, state)? == holds)
    }

    /// Whether claims about the parts of a Boolean combination decide it.
    fn follows(
        &self,
        state: &State,
        formula: &Formula,
        holds: bool,
        parts: &[CtlClaim],
    ) -> Result<bool, Refusal> {
        let has = |formula: &Formula, holds: bool| self.is_settled(state, formula, holds, parts);
        let all = |operands: &[Formula], holds: bool| {
            operands.iter().try_fold(true, |so_far, f| Ok::<bool, Refusal>(so_far && has(f, holds)?))
        };
        let any = |operands: &[Formula], holds: bool| {
            operands.iter().try_fold(false, |so_far, f| Ok::<bool, Refusal>(so_far || has(f, holds)?))
        };
        Ok(match &formula.kind {
            FormulaKind::Not(f) => has(f, !holds)?,
            FormulaKind::And(operands) if holds => all(operands, true)?,
            FormulaKind::And(operands) => any(operands, false)?,
            FormulaKind::Or(operands) if holds => any(operands, true)?,
            FormulaKind::Or(operands) => all(operands, false)?,
            FormulaKind::Implies(f, g) if holds => has(f, false)? || has(g, true)?,
            FormulaKind::Implies(f, g) => has(f, true)? && has(g, false)?,
            FormulaKind::Iff(f, g) => has(f, true)? && has(g, holds)? || has(f, false)? && has(g, !holds)?,
            _ => false,
        })
    }
}

/// What a path must show for `E operator` to hold, or for `A operator` not to hold.
fn obligation(operator: &PathOperator, holds: bool) -> Obligation<'_> {
    match (operator, holds) {
        (PathOperator::Next(f), _) => Obligation::Next(vec![(f, holds)]),
        (PathOperator::Finally(f), true) | (PathOperator::Globally(f), false) => {
            Obligation::Until(Vec::new(), vec![(f, holds)])
        }
        (PathOperator::Globally(f), true) | (PathOperator::Finally(f), false) => {
            Obligation::Always(vec![(f, holds)])
        }
        (PathOperator::Until(f, g), true) | (PathOperator::Release(f, g), false) => {
            Obligation::Until(vec![(f, holds)], vec![(g, holds)])
        }
        (PathOperator::Release(f, g), true) | (PathOperator::Until(f, g), false) => {
            Obligation::Either(vec![(g, holds)], vec![(f, holds), (g, holds)], vec![(g, holds)])
        }
        (PathOperator::WeakUntil(f, g), true) => {
            Obligation::Either(vec![(f, true)], vec![(g, true)], vec![(f, true)])
        }
        (PathOperator::WeakUntil(f, g), false) => {
            Obligation::Until(vec![(g, false)], vec![(f, false), (g, false)])
        }
    }
}
