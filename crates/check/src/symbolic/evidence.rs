//! Why a claim holds at a state: a tree of paths.
//!
//! Claims are in the form of `normal`: a failed universal property is an existential claim, which one path shows, with further
//! claims at its states. `EX` takes one step, `E U` a shortest path forwards from the given states, `EG` a fair lasso; of a
//! disjunction one part that holds is shown, of a conjunction all. Universal claims and fixpoints are not shown by a path and
//! say so. With justice, a path that ends is followed by the claim that a fair path begins at its end, unless another claim
//! there has a path of its own.

use super::ctl::Sets;
use super::fair::{Fairness, Hull, lasso};
use super::normal::is_single_step;
use super::outcome::{Codes, SymbolicClaim, SymbolicTrace};
use super::path::{Walk, holds_at};
use super::term::Terms;
use super::universe::Universe;
use tertium_dd::Bdd;
use tertium_evidence::Support;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim, is_boolean};
use tertium_support::StopReason;

/// Makes evidence.
pub(crate) struct Explanation<'a, 'm> {
    pub(crate) universe: &'a Universe<'m>,
    pub(crate) terms: &'a mut Terms,
    pub(crate) sets: &'a mut Sets,
    /// How many claims may still be shown.
    pub(crate) left: usize,
}

impl Explanation<'_, '_> {
    /// Why the claim holds at some state of `from`, a set of states where it does, not empty.
    pub(crate) fn explain(&mut self, claim: &Formula, from: &Bdd) -> Result<SymbolicClaim, StopReason> {
        self.universe.context.poll()?;
        if self.left == 0 {
            return Ok(self.here(claim, from, Support::Omitted));
        }
        self.left -= 1;
        if is_boolean(claim) {
            return Ok(self.here(claim, from, Support::Here));
        }
        match &claim.kind {
            FormulaKind::And(parts) => self.all(claim, parts, from),
            FormulaKind::Or(parts) => self.one(claim, parts, from),
            FormulaKind::Iff(f, g) => self.sides(claim, f, g, true, from),
            FormulaKind::Not(inner) => match &inner.kind {
                FormulaKind::Iff(f, g) => self.sides(claim, f, g, false, from),
                _ => Ok(self.here(claim, from, Support::AllPaths)),
            },
            FormulaKind::Path(PathQuantifier::Some, operator) => self.path(claim, operator, from),
            FormulaKind::Modal(PathQuantifier::Some, regular, f) if is_single_step(regular) => {
                let goal = self.set(f)?;
                self.one_step(claim, f, from, &goal)
            }
            _ => Ok(self.here(claim, from, Support::AllPaths)),
        }
    }

    fn here(&self, claim: &Formula, from: &Bdd, support: Support<Codes, Codes>) -> SymbolicClaim {
        let state = self.universe.model.pick_state(from).expect("a claim is made somewhere");
        SymbolicClaim { formula: claim.clone(), state, support }
    }

    /// The states where a closed formula holds.
    fn set(&mut self, formula: &Formula) -> Result<Bdd, StopReason> {
        let id = self.terms.add(formula).expect("parts of a good formula are good");
        self.sets.evaluate(self.universe, self.terms, id)
    }

    fn cube(&self, state: &[u64]) -> Result<Bdd, StopReason> {
        self.universe.model.state(state)
    }

    /// All parts, at one state. The first that needs a path may choose the state.
    fn all(&mut self, claim: &Formula, parts: &[Formula], from: &Bdd) -> Result<SymbolicClaim, StopReason> {
        let first = parts.iter().position(|part| !is_boolean(part)).expect("some part is not Boolean");
        let chosen = self.explain(&parts[first], from)?;
        let state = chosen.state.clone();
        let here = self.cube(&state)?;
        let mut shown = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            shown.push(if at == first { chosen.clone() } else { self.explain(part, &here)? });
        }
        Ok(SymbolicClaim { formula: claim.clone(), state, support: Support::Parts(shown) })
    }

    /// One part, a Boolean one if possible.
    fn one(&mut self, claim: &Formula, parts: &[Formula], from: &Bdd) -> Result<SymbolicClaim, StopReason> {
        let (plain, other): (Vec<_>, Vec<_>) = parts.iter().partition(|part| is_boolean(part));
        for part in plain.into_iter().chain(other) {
            let there = self.set(part)?.and(from)?;
            if !there.is_false() {
                let shown = self.explain(part, &there)?;
                let state = shown.state.clone();
                return Ok(SymbolicClaim {
                    formula: claim.clone(),
                    state,
                    support: Support::Parts(vec![shown]),
                });
            }
        }
        unreachable!("a disjunction holds where one of its parts does")
    }

    /// Both sides of an equivalence, or of its negation.
    fn sides(
        &mut self,
        whole: &Formula,
        f: &Formula,
        g: &Formula,
        equal: bool,
        from: &Bdd,
    ) -> Result<SymbolicClaim, StopReason> {
        let state = self.universe.model.pick_state(from).expect("a claim is made somewhere");
        let here = self.cube(&state)?;
        let holds = holds_at(self.universe.model, &self.set(f)?, &state, &[]);
        let left = self.explain(&as_claim(f, holds), &here)?;
        let right = self.explain(&as_claim(g, holds == equal), &here)?;
        Ok(SymbolicClaim { formula: whole.clone(), state, support: Support::Parts(vec![left, right]) })
    }

    fn path(
        &mut self,
        claim: &Formula,
        operator: &PathOperator,
        from: &Bdd,
    ) -> Result<SymbolicClaim, StopReason> {
        let yes = Formula::from(FormulaKind::True);
        match operator {
            PathOperator::Next(f) => {
                let goal = self.set(f)?.and(&self.fair()?)?;
                self.one_step(claim, f, from, &goal)
            }
            PathOperator::Finally(f) => self.until(claim, &yes, f, from),
            PathOperator::Until(f, g) => self.until(claim, f, g, from),
            PathOperator::Globally(f) => self.globally(claim, f, from),
            PathOperator::WeakUntil(f, g) => self.weak_until(claim, f, g, from),
            PathOperator::Release(f, g) => {
                let both = Formula::all(vec![(**f).clone(), (**g).clone()]);
                self.weak_until(claim, g, &both, from)
            }
        }
    }

    fn fair(&mut self) -> Result<Bdd, StopReason> {
        let id = self.terms.fair();
        self.sets.evaluate(self.universe, self.terms, id)
    }

    fn one_step(
        &mut self,
        claim: &Formula,
        f: &Formula,
        from: &Bdd,
        goal: &Bdd,
    ) -> Result<SymbolicClaim, StopReason> {
        let model = self.universe.model;
        let mut walk = Walk::at(model.pick_state(from).expect("a claim is made somewhere"));
        walk.step(model, &model.manager.constant(true), goal)?;
        let trace = walk.into_trace(model);
        let fair = matches!(claim.kind, FormulaKind::Path(..));
        self.along(claim, trace, None, Some(f), fair)
    }

    fn weak_until(
        &mut self,
        claim: &Formula,
        f: &Formula,
        g: &Formula,
        from: &Bdd,
    ) -> Result<SymbolicClaim, StopReason> {
        let strong = PathOperator::Until(Box::new(f.clone()), Box::new(g.clone()));
        let strong = FormulaKind::Path(PathQuantifier::Some, strong).into();
        let there = self.set(&strong)?.and(from)?;
        if there.is_false() { self.globally(claim, f, from) } else { self.until(claim, f, g, &there) }
    }

    fn until(
        &mut self,
        claim: &Formula,
        f: &Formula,
        g: &Formula,
        from: &Bdd,
    ) -> Result<SymbolicClaim, StopReason> {
        let model = self.universe.model;
        let goal = self.set(g)?.and(&self.fair()?)?;
        let through = self.set(f)?;
        let anywhere = model.manager.constant(true);
        let walk = Walk::shortest(self.universe, from, &anywhere, &through, &goal)?;
        let trace = walk.expect("the claim holds").into_trace(model);
        self.along(claim, trace, Some(f), Some(g), true)
    }

    fn globally(&mut self, claim: &Formula, f: &Formula, from: &Bdd) -> Result<SymbolicClaim, StopReason> {
        let model = self.universe.model;
        let always = FormulaKind::Path(PathQuantifier::Some, PathOperator::Globally(Box::new(f.clone())));
        let hull = Hull { states: self.set(&always.into())?, steps: model.manager.constant(true) };
        let fairness = Fairness::justice_of(model);
        let trace = lasso(self.universe, &hull, from, &hull.states, fairness)?.expect("the claim holds");
        self.along(claim, trace, Some(f), None, false)
    }

    /// A path with its claims: `each` at all states, or all but the last if there is a claim for the `end`. If it must go on by a
    /// fair path, that is claimed too.
    fn along(
        &mut self,
        claim: &Formula,
        trace: SymbolicTrace,
        each: Option<&Formula>,
        end: Option<&Formula>,
        fair: bool,
    ) -> Result<SymbolicClaim, StopReason> {
        let last = trace.states.len() - 1;
        let mut at = Vec::new();
        if let Some(each) = each.filter(|each| !is_boolean(each)) {
            let n = if end.is_some() { last } else { trace.states.len() };
            for (index, state) in trace.states.iter().enumerate().take(n) {
                let here = self.cube(state)?;
                at.push((index, self.explain(each, &here)?));
            }
        }
        let here = self.cube(&trace.states[last])?;
        let mut goes_on = false;
        if let Some(end) = end {
            let shown = self.explain(end, &here)?;
            goes_on = shown.has_path();
            at.push((last, shown));
        }
        if fair && !goes_on && !self.universe.model.justice.is_empty() {
            let always = PathOperator::Globally(Box::new(FormulaKind::True.into()));
            let always = FormulaKind::Path(PathQuantifier::Some, always).into();
            at.push((last, self.explain(&always, &here)?));
        }
        let state = trace.states[0].clone();
        Ok(SymbolicClaim { formula: claim.clone(), state, support: Support::Path { trace, at } })
    }
}
