//! Why a claim of branching time holds at a state: a tree of paths.
//!
//! Claims are in the form of [`as_claim`]: a failed universal property is an existential claim, which one path shows, with
//! further claims at its states. `EX` takes one step, `E U` a shortest path from the given states, `EG` a lasso that
//! satisfies justice; of a disjunction one part that holds is shown, of a conjunction all. Universal claims and fixpoints
//! are not shown by a path and say so. With justice, a path that ends is followed by the claim that a fair path begins at
//! its end, unless another claim there has a path of its own.
//!
//! The builder sees sets of states only ([`StateSets`]); they are listed, or decision diagrams.
//!
//! Invariant: every claim surely holds at all states of the set that it is made for, which is not empty.

use tertium_evidence::{Claim, Support, Trace};
use tertium_logic::{
    ActionFormula, Formula, FormulaKind, PathOperator, PathQuantifier, Regular, as_claim, is_boolean,
};

/// Sets of states of a model, and paths in them.
pub(crate) trait StateSets {
    /// A state.
    type State: Clone;
    /// What leads from one to another.
    type Step: Clone;
    /// Some states.
    type Set;
    /// Why nothing is found.
    type Error;

    /// Hears that a claim is looked at.
    fn tick(&mut self) -> Result<(), Self::Error>;
    /// The states where a formula surely holds.
    fn holds(&mut self, formula: &Formula) -> Result<Self::Set, Self::Error>;
    /// The states where a formula surely holds and a fair path surely goes on.
    fn holds_fairly(&mut self, formula: &Formula) -> Result<Self::Set, Self::Error>;
    /// What is in both sets.
    fn both(&self, one: &Self::Set, other: &Self::Set) -> Result<Self::Set, Self::Error>;
    /// This state alone.
    fn only(&self, state: &Self::State) -> Result<Self::Set, Self::Error>;
    /// A state of a set; nothing if it is empty.
    fn pick(&self, set: &Self::Set) -> Option<Self::State>;
    /// Whether a state is in a set.
    fn contains(&self, set: &Self::Set, state: &Self::State) -> bool;
    /// One step from a state into a set, which there is.
    fn step(
        &mut self,
        from: &Self::State,
        goal: &Self::Set,
    ) -> Result<Trace<Self::State, Self::Step>, Self::Error>;
    /// A shortest path into a set, which there is; all states before its end are in `through`.
    fn shortest(
        &mut self,
        from: &Self::Set,
        through: &Self::Set,
        goal: &Self::Set,
    ) -> Result<Trace<Self::State, Self::Step>, Self::Error>;
    /// A lasso that satisfies justice and never leaves a set, which there is.
    fn lasso(
        &mut self,
        from: &Self::Set,
        inside: &Self::Set,
    ) -> Result<Trace<Self::State, Self::Step>, Self::Error>;
    /// Whether there are paths that are not fair.
    fn has_justice(&self) -> bool;
}

/// Makes evidence.
pub(crate) struct Explanation<S> {
    sets: S,
    /// How many claims may still be shown.
    left: usize,
}

type Made<S> = Result<Claim<<S as StateSets>::State, <S as StateSets>::Step>, <S as StateSets>::Error>;

/// How a path is to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoesOn {
    Somehow,
    Fairly,
}

impl<S: StateSets> Explanation<S> {
    /// On these sets; so many claims are shown at most.
    pub(crate) fn new(sets: S, left: usize) -> Self {
        Self { sets, left }
    }

    /// Why the claim holds at some state of `from`, a set of states where it does, not empty.
    pub(crate) fn explain(&mut self, claim: &Formula, from: &S::Set) -> Made<S> {
        self.sets.tick()?;
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
            FormulaKind::Iff(f, g) => self.sides(claim, (f, g), true, from),
            FormulaKind::Not(inner) => match &inner.kind {
                FormulaKind::Iff(f, g) => self.sides(claim, (f, g), false, from),
                _ => Ok(self.here(claim, from, Support::AllPaths)),
            },
            FormulaKind::Path(PathQuantifier::Some, operator) => self.path(claim, operator, from),
            FormulaKind::Modal(PathQuantifier::Some, Regular::Step(ActionFormula::True), f) => {
                let goal = self.sets.holds(f)?;
                self.next(claim, f, from, &goal, GoesOn::Somehow)
            }
            _ => Ok(self.here(claim, from, Support::AllPaths)),
        }
    }

    fn first(&self, set: &S::Set) -> S::State {
        self.sets.pick(set).expect("a claim is made somewhere")
    }

    fn here(
        &self,
        claim: &Formula,
        from: &S::Set,
        support: Support<S::State, S::Step>,
    ) -> Claim<S::State, S::Step> {
        Claim { formula: claim.clone(), state: self.first(from), support }
    }

    /// All parts, at one state. The first that needs a path may choose the state.
    fn all(&mut self, claim: &Formula, parts: &[Formula], from: &S::Set) -> Made<S> {
        let chooser = parts.iter().position(|part| !is_boolean(part)).unwrap_or(0);
        let chosen = self.explain(&parts[chooser], from)?;
        let state = chosen.state.clone();
        let here = self.sets.only(&state)?;
        let mut shown = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            shown.push(if at == chooser { chosen.clone() } else { self.explain(part, &here)? });
        }
        Ok(Claim { formula: claim.clone(), state, support: Support::Parts(shown) })
    }

    /// One part, a Boolean one if possible.
    fn one(&mut self, claim: &Formula, parts: &[Formula], from: &S::Set) -> Made<S> {
        let (plain, other): (Vec<_>, Vec<_>) = parts.iter().partition(|part| is_boolean(part));
        for part in plain.into_iter().chain(other) {
            let there = self.sets.holds(part)?;
            let there = self.sets.both(&there, from)?;
            if self.sets.pick(&there).is_some() {
                let shown = self.explain(part, &there)?;
                let state = shown.state.clone();
                return Ok(Claim { formula: claim.clone(), state, support: Support::Parts(vec![shown]) });
            }
        }
        unreachable!("a disjunction holds where one of its parts does")
    }

    /// Both sides of an equivalence, or of its negation.
    fn sides(
        &mut self,
        whole: &Formula,
        (f, g): (&Formula, &Formula),
        equal: bool,
        from: &S::Set,
    ) -> Made<S> {
        let state = self.first(from);
        let here = self.sets.only(&state)?;
        let there = self.sets.holds(f)?;
        let holds = self.sets.contains(&there, &state);
        let left = self.explain(&as_claim(f, holds), &here)?;
        let right = self.explain(&as_claim(g, holds == equal), &here)?;
        Ok(Claim { formula: whole.clone(), state, support: Support::Parts(vec![left, right]) })
    }

    fn path(&mut self, claim: &Formula, operator: &PathOperator, from: &S::Set) -> Made<S> {
        let yes = Formula::from(FormulaKind::True);
        match operator {
            PathOperator::Next(f) => {
                let goal = self.sets.holds_fairly(f)?;
                self.next(claim, f, from, &goal, GoesOn::Fairly)
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

    fn next(
        &mut self,
        claim: &Formula,
        f: &Formula,
        from: &S::Set,
        goal: &S::Set,
        goes_on: GoesOn,
    ) -> Made<S> {
        let trace = self.sets.step(&self.first(from), goal)?;
        self.along(claim, trace, None, Some((f, goes_on)))
    }

    fn weak_until(&mut self, claim: &Formula, f: &Formula, g: &Formula, from: &S::Set) -> Made<S> {
        let strong = PathOperator::Until(Box::new(f.clone()), Box::new(g.clone()));
        let there = self.sets.holds(&FormulaKind::Path(PathQuantifier::Some, strong).into())?;
        let there = self.sets.both(&there, from)?;
        match self.sets.pick(&there) {
            None => self.globally(claim, f, from),
            Some(_) => self.until(claim, f, g, &there),
        }
    }

    fn until(&mut self, claim: &Formula, f: &Formula, g: &Formula, from: &S::Set) -> Made<S> {
        let goal = self.sets.holds_fairly(g)?;
        let through = self.sets.holds(f)?;
        let trace = self.sets.shortest(from, &through, &goal)?;
        self.along(claim, trace, Some(f), Some((g, GoesOn::Fairly)))
    }

    fn globally(&mut self, claim: &Formula, f: &Formula, from: &S::Set) -> Made<S> {
        let inside = self.sets.holds(&always(f.clone()))?;
        let trace = self.sets.lasso(from, &inside)?;
        debug_assert!(trace.loop_start.is_some(), "what holds always needs a loop");
        self.along(claim, trace, Some(f), None)
    }

    /// A path with its claims: `each` at all states, or all but the last if there is a claim for the `end`. If the path must
    /// go on fairly from there, that is claimed too.
    fn along(
        &mut self,
        claim: &Formula,
        trace: Trace<S::State, S::Step>,
        each: Option<&Formula>,
        end: Option<(&Formula, GoesOn)>,
    ) -> Made<S> {
        debug_assert!(trace.is_well_formed());
        let last = trace.states.len() - 1;
        let mut at = Vec::new();
        if let Some(each) = each.filter(|each| !is_boolean(each)) {
            let n = if end.is_some() { last } else { trace.states.len() };
            for (index, state) in trace.states.iter().enumerate().take(n) {
                let here = self.sets.only(state)?;
                at.push((index, self.explain(each, &here)?));
            }
        }
        if let Some((end, goes_on)) = end {
            let here = self.sets.only(&trace.states[last])?;
            let shown = self.explain(end, &here)?;
            let is_shown = shown.has_path();
            at.push((last, shown));
            if goes_on == GoesOn::Fairly && !is_shown && self.sets.has_justice() {
                at.push((last, self.explain(&always(FormulaKind::True.into()), &here)?));
            }
        }
        debug_assert!(at.is_sorted_by_key(|(place, _)| *place), "claims stand in the order of the path");
        let state = trace.states[0].clone();
        Ok(Claim { formula: claim.clone(), state, support: Support::Path { trace, at } })
    }
}

/// `EG f`.
fn always(f: Formula) -> Formula {
    FormulaKind::Path(PathQuantifier::Some, PathOperator::Globally(Box::new(f))).into()
}
