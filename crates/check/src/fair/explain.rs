//! Why a claim of branching time holds at a listed state: a tree of paths, in the form that the symbolic checker gives.
//!
//! `EX` takes one step, `E U` a shortest path, `EG` a lasso that satisfies justice; of a disjunction one part that holds is
//! shown, of a conjunction all. Claims about all paths are not shown by a path and say so. With justice, a path that ends
//! is followed by the claim that a fair path begins at its end, unless another claim there has a path of its own.
//!
//! Invariant: every claim is in the form of [`as_claim`] and surely holds at all states it is made of.

use super::ctl::{Ctl, Side};
use super::places::{NodeId, Once, PlaceId, Places};
use super::streett::{Arcs, fair_lasso};
use super::walk::shortest;
use super::{FairError, GraphTrace};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tertium_evidence::{Claim, Support};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, as_claim, is_boolean};
use tertium_support::{Id, Ticker};
use tertium_system::{StateGraph, StateId, StateSet, StepFairness, StepId};

/// A claim about a state of a graph.
type GraphClaim = Claim<StateId, StepId>;
type Outcome = Result<GraphClaim, FairError>;

/// Makes evidence.
pub(super) struct Explanation<'a, 'g, G> {
    ctl: Ctl<'a, 'g, G>,
    /// What is known already.
    sets: Vec<(Formula, StateSet)>,
    /// Made when the first lasso is looked for.
    places: Option<Places<'g, G>>,
    /// How many claims may still be shown.
    left: usize,
}

impl<'a, 'g, G: StateGraph> Explanation<'a, 'g, G> {
    pub(super) fn new(ctl: Ctl<'a, 'g, G>, left: usize) -> Self {
        Self { ctl, sets: Vec::new(), places: None, left }
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

    fn here(&self, claim: &Formula, from: &StateSet, support: Support<StateId, StepId>) -> GraphClaim {
        GraphClaim { formula: claim.clone(), state: first(from), support }
    }

    /// The states where a formula surely holds.
    fn set(&mut self, formula: &Formula) -> Result<StateSet, FairError> {
        if let Some((_, set)) = self.sets.iter().find(|(known, _)| known == formula) {
            return Ok(set.clone());
        }
        let set = self.ctl.states(formula, Side::Surely)?;
        self.sets.push((formula.clone(), set.clone()));
        Ok(set)
    }

    fn only(&self, state: StateId) -> StateSet {
        StateSet::of(self.ctl.graph.n_states(), [state])
    }

    /// Where f surely holds and a fair path surely goes on.
    fn fair_set(&mut self, f: &Formula) -> Result<StateSet, FairError> {
        Ok(self.set(f)?.intersection(self.ctl.fair(Side::Surely)))
    }

    /// All parts, at one state. The first that needs a path may choose the state.
    fn all(&mut self, claim: &Formula, parts: &[Formula], from: &StateSet) -> Outcome {
        let chooser = parts.iter().position(|part| !is_boolean(part)).unwrap_or(0);
        let chosen = self.explain(&parts[chooser], from)?;
        let state = chosen.state;
        let here = self.only(state);
        let mut shown = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            shown.push(if at == chooser { chosen.clone() } else { self.explain(part, &here)? });
        }
        Ok(GraphClaim { formula: claim.clone(), state, support: Support::Parts(shown) })
    }

    /// One part, a Boolean one if possible.
    fn one(&mut self, claim: &Formula, parts: &[Formula], from: &StateSet) -> Outcome {
        let (plain, other): (Vec<_>, Vec<_>) = parts.iter().partition(|part| is_boolean(part));
        for part in plain.into_iter().chain(other) {
            let there = self.set(part)?.intersection(from);
            if !there.is_empty() {
                let shown = self.explain(part, &there)?;
                let state = shown.state;
                return Ok(GraphClaim {
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
        (f, g): (&Formula, &Formula),
        equal: bool,
        from: &StateSet,
    ) -> Outcome {
        let state = first(from);
        let here = self.only(state);
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
        let goal = self.fair_set(f)?;
        let (graph, state) = (self.ctl.graph, first(from));
        let target = |step: usize| graph.step(step).1.filter(|target| goal.contains(*target));
        let found = graph.steps(state).find_map(|step| Some((StepId::new(step), target(step)?)));
        let (step, target) = found.expect("the claim holds");
        let trace = GraphTrace { states: vec![state, target], steps: vec![step], loop_start: None };
        self.along(claim, trace, None, Some(f))
    }

    fn weak_until(&mut self, claim: &Formula, f: &Formula, g: &Formula, from: &StateSet) -> Outcome {
        let strong = PathOperator::Until(Box::new(f.clone()), Box::new(g.clone()));
        let strong = FormulaKind::Path(PathQuantifier::Some, strong).into();
        let there = self.set(&strong)?.intersection(from);
        if there.is_empty() { self.globally(claim, f, from) } else { self.until(claim, f, g, &there) }
    }

    fn until(&mut self, claim: &Formula, f: &Formula, g: &Formula, from: &StateSet) -> Outcome {
        let goal = self.fair_set(g)?;
        let through = self.set(f)?;
        let trace = shortest(self.ctl.graph, from, &through, &goal).expect("the claim holds");
        self.along(claim, trace, Some(f), Some(g))
    }

    fn globally(&mut self, claim: &Formula, f: &Formula, from: &StateSet) -> Outcome {
        let always = FormulaKind::Path(PathQuantifier::Some, PathOperator::Globally(Box::new(f.clone())));
        let inside = self.set(&always.into())?;
        let trace = self.lasso(&inside, from)?;
        self.along(claim, trace, Some(f), None)
    }

    /// A path from one of these states that satisfies justice and never leaves a set, in which there is one.
    fn lasso(&mut self, inside: &StateSet, from: &StateSet) -> Result<GraphTrace, FairError> {
        let Ctl { graph, context, fairness, .. } = self.ctl;
        if self.places.is_none() {
            // Compassion has no part in branching time.
            let justice = StepFairness { justice: fairness.justice.clone(), compassion: Vec::new() };
            self.places = Some(Places::new(context, graph, &justice, &[])?);
        }
        let places = self.places.as_ref().expect("it was made");
        let mut ticker: Ticker<'_> = context.ticker("looking for a lasso");
        let mut nodes: IndexSet<PlaceId, FxBuildHasher> = IndexSet::default();
        from.iter().for_each(|state| nodes.extend(places.of_state(state)));
        let first: Vec<NodeId> = NodeId::first(nodes.len()).collect();
        let mut arcs = Arcs::default();
        let mut once = Once::new(graph.n_states());
        while arcs.len() < nodes.len() {
            once.begin();
            for (_, target) in places.steps(nodes[arcs.len()]) {
                if inside.contains(target) && once.is_new(target) {
                    for next in places.of_state(target) {
                        ticker.tick(1)?;
                        arcs.add(NodeId::new(nodes.insert_full(next).0));
                    }
                }
            }
            arcs.close_row();
        }
        let nodes: Vec<PlaceId> = nodes.into_iter().collect();
        let lasso = fair_lasso(&mut ticker, &arcs, &first, &places.acceptance(&nodes))?;
        let lasso = lasso.expect("the claim holds");
        let path: Vec<PlaceId> = lasso.nodes.iter().map(|node| nodes[node.index()]).collect();
        Ok(places.lasso(&path, lasso.loop_start))
    }

    /// A path with its claims: `each` at all states, or all but the last if there is a claim for the `end`, which must go on
    /// by a fair path.
    fn along(
        &mut self,
        claim: &Formula,
        trace: GraphTrace,
        each: Option<&Formula>,
        end: Option<&Formula>,
    ) -> Outcome {
        let last = trace.states.len() - 1;
        let mut at = Vec::new();
        if let Some(each) = each.filter(|each| !is_boolean(each)) {
            let n = if end.is_some() { last } else { trace.states.len() };
            for (index, &state) in trace.states.iter().enumerate().take(n) {
                let here = self.only(state);
                at.push((index, self.explain(each, &here)?));
            }
        }
        if let Some(end) = end {
            let here = self.only(trace.states[last]);
            let shown = self.explain(end, &here)?;
            let goes_on = shown.has_path();
            at.push((last, shown));
            if !goes_on && !self.ctl.fairness.justice.is_empty() {
                let always = PathOperator::Globally(Box::new(FormulaKind::True.into()));
                let always = FormulaKind::Path(PathQuantifier::Some, always).into();
                at.push((last, self.explain(&always, &here)?));
            }
        }
        let state = trace.states[0];
        Ok(GraphClaim { formula: claim.clone(), state, support: Support::Path { trace, at } })
    }
}

fn first(states: &StateSet) -> StateId {
    states.iter().next().expect("a claim is made somewhere")
}
