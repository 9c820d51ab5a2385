//! Why a claim of branching time holds at an explored state: a tree of paths, in the form that the symbolic checker gives.
//!
//! `EX` takes one step, `E U` a shortest path, `EG` a lasso that satisfies justice; of a disjunction one part that holds is
//! shown, of a conjunction all. Claims about all paths are not shown by a path and say so. With justice, a path that ends is
//! followed by the claim that a fair path begins at its end, unless another claim there has a path of its own.
//!
//! Invariant: every claim is in the form of [`as_claim`] and holds at all states it is made of.

use super::ctl::Ctl;
use super::position::{NodeId, Positions};
use super::streett::fair_lasso;
use super::walk::shortest;
use crate::explore::{ExploreError, Explored};
use crate::interpret::Interpreter;
use crate::interpret::{Input, State};
use crate::tree::CtlTree;
use crate::validate::Trace;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tertium_evidence::Support;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim, is_boolean};
use tertium_support::{Context, Id};
use tertium_system::{StateId, StateSet};

type Outcome = Result<CtlTree, ExploreError>;

/// Makes evidence.
pub(super) struct Explanation<'e, 'a, 'm> {
    context: &'a Context,
    interpreter: &'a Interpreter<'m>,
    explored: &'a Explored,
    ctl: &'e mut Ctl<'a, 'm>,
    /// What is known already.
    sets: Vec<(Formula, StateSet)>,
    /// Made when the first lasso is looked for.
    positions: Option<Positions<'a, 'm>>,
    /// How many claims may still be shown.
    left: usize,
}

impl<'e, 'a, 'm> Explanation<'e, 'a, 'm> {
    pub(super) fn new(
        context: &'a Context,
        interpreter: &'a Interpreter<'m>,
        explored: &'a Explored,
        ctl: &'e mut Ctl<'a, 'm>,
        left: usize,
    ) -> Self {
        Self { context, interpreter, explored, ctl, sets: Vec::new(), positions: None, left }
    }

    /// Why the claim holds at some state of `from`, a set of states where it does, not empty.
    pub(super) fn explain(&mut self, claim: &Formula, from: &StateSet) -> Outcome {
        self.ctl.tick(1)?;
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
            _ => Ok(self.here(claim, from, Support::AllPaths)),
        }
    }

    fn here(&self, claim: &Formula, from: &StateSet, support: Support<State, Input>) -> CtlTree {
        CtlTree { formula: claim.clone(), state: self.explored.state(first(from)), support }
    }

    fn set(&mut self, formula: &Formula) -> Result<StateSet, ExploreError> {
        if let Some((_, set)) = self.sets.iter().find(|(known, _)| known == formula) {
            return Ok(set.clone());
        }
        let set = self.ctl.states(formula)?;
        self.sets.push((formula.clone(), set.clone()));
        Ok(set)
    }

    /// The set of the one state of a tree or a path.
    fn only(&self, state: &crate::interpret::State) -> StateSet {
        StateSet::of(self.explored.n_states(), self.explored.find(state))
    }

    /// All parts, at one state. The first that needs a path may choose the state.
    fn all(&mut self, claim: &Formula, parts: &[Formula], from: &StateSet) -> Outcome {
        let chooser = parts.iter().position(|part| !is_boolean(part)).unwrap_or(0);
        let chosen = self.explain(&parts[chooser], from)?;
        let state = chosen.state.clone();
        let here = self.only(&state);
        let mut shown = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            shown.push(if at == chooser { chosen.clone() } else { self.explain(part, &here)? });
        }
        Ok(CtlTree { formula: claim.clone(), state, support: Support::Parts(shown) })
    }

    /// One part, a Boolean one if possible.
    fn one(&mut self, claim: &Formula, parts: &[Formula], from: &StateSet) -> Outcome {
        let (plain, other): (Vec<_>, Vec<_>) = parts.iter().partition(|part| is_boolean(part));
        for part in plain.into_iter().chain(other) {
            let there = self.set(part)?.intersection(from);
            if !there.is_empty() {
                let shown = self.explain(part, &there)?;
                let state = shown.state.clone();
                return Ok(CtlTree { formula: claim.clone(), state, support: Support::Parts(vec![shown]) });
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
        from: &StateSet,
    ) -> Outcome {
        let state = first(from);
        let here = StateSet::of(self.explored.n_states(), [state]);
        let holds = self.set(f)?.contains(state);
        let left = self.explain(&as_claim(f, holds), &here)?;
        let right = self.explain(&as_claim(g, holds == equal), &here)?;
        Ok(self.here(whole, &here, Support::Parts(vec![left, right])))
    }

    fn path(&mut self, claim: &Formula, operator: &PathOperator, from: &StateSet) -> Outcome {
        let yes = Formula::from(FormulaKind::True);
        match operator {
            PathOperator::Next(f) => self.next(claim, f, from),
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

    fn next(&mut self, claim: &Formula, f: &Formula, from: &StateSet) -> Outcome {
        let goal = self.set(f)?.intersection(self.ctl.fair());
        let state = first(from);
        let edge = self.explored.edges(state).iter().find(|edge| goal.contains(edge.target));
        let edge = edge.expect("the claim holds");
        let trace = Trace {
            states: vec![self.explored.state(state), self.explored.state(edge.target)],
            steps: vec![self.explored.input(edge.input).clone()],
            loop_start: None,
        };
        self.along(claim, trace, None, Some(f))
    }

    fn weak_until(&mut self, claim: &Formula, f: &Formula, g: &Formula, from: &StateSet) -> Outcome {
        let strong = PathOperator::Until(Box::new(f.clone()), Box::new(g.clone()));
        let strong = FormulaKind::Path(PathQuantifier::Some, strong).into();
        let there = self.set(&strong)?.intersection(from);
        if there.is_empty() { self.globally(claim, f, from) } else { self.until(claim, f, g, &there) }
    }

    fn until(&mut self, claim: &Formula, f: &Formula, g: &Formula, from: &StateSet) -> Outcome {
        let goal = self.set(g)?.intersection(self.ctl.fair());
        let through = self.set(f)?;
        let trace = shortest(self.explored, from.iter(), &through, &goal).expect("the claim holds");
        self.along(claim, trace, Some(f), Some(g))
    }

    fn globally(&mut self, claim: &Formula, f: &Formula, from: &StateSet) -> Outcome {
        let always = FormulaKind::Path(PathQuantifier::Some, PathOperator::Globally(Box::new(f.clone())));
        let inside = self.set(&always.into())?;
        let trace = self.lasso(&inside, from)?.expect("the claim holds");
        self.along(claim, trace, Some(f), None)
    }

    /// A path from one of these states that satisfies justice and never leaves a set.
    fn lasso(&mut self, inside: &StateSet, from: &StateSet) -> Result<Option<Trace>, ExploreError> {
        if self.positions.is_none() {
            self.positions = Some(Positions::new(self.context, self.interpreter, self.explored, &[])?);
        }
        let Some(positions) = &self.positions else { return Ok(None) };
        let mut places: IndexSet<usize, FxBuildHasher> = IndexSet::default();
        for state in from.iter() {
            places.extend(&positions.of_state[state.index()]);
        }
        let first: Vec<NodeId> = NodeId::first(places.len()).collect();
        let mut successors: Vec<Vec<NodeId>> = Vec::new();
        while successors.len() < places.len() {
            let at = places[successors.len()];
            let mut row = Vec::new();
            for target in positions.targets[at].iter().filter(|target| inside.contains(**target)) {
                for &next in &positions.of_state[target.index()] {
                    self.ctl.tick(1)?;
                    row.push(NodeId::new(places.insert_full(next).0));
                }
            }
            successors.push(row);
        }
        let places: Vec<usize> = places.into_iter().collect();
        let mut acceptance = positions.acceptance(&places);
        // Compassion has no part in branching time.
        acceptance.compassion.clear();
        let Some(lasso) = fair_lasso(&successors, &first, &acceptance) else { return Ok(None) };
        let path: Vec<usize> = lasso.nodes.iter().map(|node| places[node.index()]).collect();
        Ok(Some(positions.lasso(&path, lasso.loop_start)?))
    }

    /// A path with its claims: `each` at all states, or all but the last if there is a claim for the `end`, which must go on
    /// by a fair path.
    fn along(
        &mut self,
        claim: &Formula,
        trace: Trace,
        each: Option<&Formula>,
        end: Option<&Formula>,
    ) -> Outcome {
        let last = trace.states.len() - 1;
        let mut at = Vec::new();
        if let Some(each) = each.filter(|each| !is_boolean(each)) {
            let n = if end.is_some() { last } else { trace.states.len() };
            for (index, state) in trace.states.iter().enumerate().take(n) {
                let here = self.only(state);
                at.push((index, self.explain(each, &here)?));
            }
        }
        if let Some(end) = end {
            let here = self.only(&trace.states[last]);
            let shown = self.explain(end, &here)?;
            let goes_on = shown.has_path();
            at.push((last, shown));
            if !goes_on && !self.interpreter.model().justice.is_empty() {
                let always = PathOperator::Globally(Box::new(FormulaKind::True.into()));
                let always = FormulaKind::Path(PathQuantifier::Some, always).into();
                at.push((last, self.explain(&always, &here)?));
            }
        }
        let state = trace.states[0].clone();
        Ok(CtlTree { formula: claim.clone(), state, support: Support::Path { trace, at } })
    }
}

fn first(states: &StateSet) -> StateId {
    states.iter().next().expect("a claim is made somewhere")
}
