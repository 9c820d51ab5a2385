//! CTL with justice, by sets of listed states \[EL86\].
//!
//! With justice constraints C₁ … Cₙ, which steps satisfy or not, the states where a fair path stays in f are the greatest
//! Z with Z = f ∧ ⋀ₖ E[f U f ∧ ⟨a step in Cₖ⟩ Z]. Without constraints it is the greatest Z with Z = f ∧ EX Z.
//!
//! Every set is computed from one side: where a formula surely holds, with the steps that are listed, or where it may hold,
//! with any steps from open states besides. Negation changes sides. Without open states the sides are the same.
//!
//! Cost: linear in the steps for each operator; with justice, times the constraints times the rounds of Z.

use super::predecessors::Predecessors;
use super::{FairChecker, FairError, FairMemory, Propositions};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier};
use tertium_support::{Context, Id, Ticker};
use tertium_system::{StateGraph, StateId, StateSet, StepFairness};

/// From where a set is approximated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// States where the formula holds, whatever is not listed.
    Surely,
    /// States where it holds, or may hold because of what is not listed.
    Possibly,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Surely => Self::Possibly,
            Self::Possibly => Self::Surely,
        }
    }
}

/// The evaluation of CTL formulas over these propositions.
pub(super) struct Ctl<'a, 'g, G> {
    pub(super) graph: &'g G,
    pub(super) fairness: &'g StepFairness,
    pub(super) context: &'a Context,
    open: &'a StateSet,
    propositions: &'a Propositions,
    ticker: Ticker<'a>,
    predecessors: &'a Predecessors,
    /// By side: the states where a fair path starts; all states if there are no justice constraints.
    fair: [StateSet; 2],
}

type Outcome = Result<StateSet, FairError>;

impl<'a, 'g, G: StateGraph> Ctl<'a, 'g, G> {
    pub(super) fn new(
        context: &'a Context,
        checker: &'a mut FairChecker<'g, G>,
        propositions: &'a Propositions,
    ) -> Result<Self, FairError> {
        let mut ticker = context.ticker("checking listed states");
        let FairChecker { graph, fairness, open, memory } = checker;
        let FairMemory { predecessors, fair, .. } = &mut **memory;
        let predecessors = match predecessors {
            Some(known) => known,
            None => predecessors.insert(Predecessors::new(*graph, &mut ticker)?),
        };
        let all = StateSet::full(graph.n_states());
        let mut ctl = Self {
            graph,
            fairness,
            context,
            open,
            propositions,
            ticker,
            predecessors,
            fair: [all.clone(), all.clone()],
        };
        if !fairness.justice.is_empty() {
            for side in [Side::Surely, Side::Possibly] {
                let known = match &fair[side as usize] {
                    Some(known) => known.clone(),
                    None => ctl.always(&all, side)?,
                };
                ctl.fair[side as usize] = known.clone();
                fair[side as usize] = Some(known);
            }
        }
        debug_assert!(
            ctl.fair(Side::Surely).is_subset(ctl.fair(Side::Possibly)),
            "what is surely fair is possibly fair"
        );
        Ok(ctl)
    }

    /// Whether the two sides differ.
    pub(super) fn is_cut(&self) -> bool {
        !self.open.is_empty()
    }

    /// The states that satisfy a formula.
    pub(super) fn states(&mut self, formula: &Formula, side: Side) -> Outcome {
        let n = self.graph.n_states();
        Ok(match &formula.kind {
            FormulaKind::True => StateSet::full(n),
            FormulaKind::False => StateSet::empty(n),
            FormulaKind::Proposition(name) => {
                let found = self.propositions.get(name).and_then(|set| set.states());
                let found = found.ok_or(FairError::NotUnderstood(formula.span))?;
                debug_assert_eq!(found.universe(), n, "a proposition is about all listed states");
                found.clone()
            }
            FormulaKind::Not(f) => self.states(f, side.other())?.complement(),
            FormulaKind::And(parts) => {
                let mut all = StateSet::full(n);
                for part in parts {
                    all.intersect_with(&self.states(part, side)?);
                }
                all
            }
            FormulaKind::Or(parts) => {
                let mut any = StateSet::empty(n);
                for part in parts {
                    any.union_with(&self.states(part, side)?);
                }
                any
            }
            FormulaKind::Implies(f, g) => {
                self.states(f, side.other())?.complement().union(&self.states(g, side)?)
            }
            FormulaKind::Iff(f, g) => {
                let both = self.states(f, side)?.intersection(&self.states(g, side)?);
                let either = self.states(f, side.other())?.union(&self.states(g, side.other())?);
                both.union(&either.complement())
            }
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator, side)?,
            FormulaKind::Variable(_) | FormulaKind::Modal(..) | FormulaKind::Fixpoint(..) => {
                return Err(FairError::NotUnderstood(formula.span));
            }
        })
    }

    /// The states where a fair path starts; all states if there are no justice constraints.
    pub(super) fn fair(&self, side: Side) -> &StateSet {
        &self.fair[side as usize]
    }

    /// `A` is the dual of `E`: the complement of what some fair path does to the complements, from the other side.
    fn path(&mut self, quantifier: PathQuantifier, operator: &PathOperator, side: Side) -> Outcome {
        let all = StateSet::full(self.graph.n_states());
        let some = quantifier == PathQuantifier::Some;
        let mut operand =
            |f: &Formula| self.states(f, side).map(|set| if some { set } else { set.complement() });
        let inner = if some { side } else { side.other() };
        let set = match operator {
            PathOperator::Next(f) => {
                let f = operand(f)?;
                self.next(&f, inner)?
            }
            PathOperator::Finally(f) => {
                let f = operand(f)?;
                if some { self.until(&all, &f, inner)? } else { self.always(&f, inner)? }
            }
            PathOperator::Globally(f) => {
                let f = operand(f)?;
                if some { self.always(&f, inner)? } else { self.until(&all, &f, inner)? }
            }
            PathOperator::Until(f, g) => {
                let (f, g) = (operand(f)?, operand(g)?);
                if some { self.until(&f, &g, inner)? } else { self.release(&f, &g, inner)? }
            }
            PathOperator::Release(f, g) => {
                let (f, g) = (operand(f)?, operand(g)?);
                if some { self.release(&f, &g, inner)? } else { self.until(&f, &g, inner)? }
            }
            // f W g is g R (f or g).
            PathOperator::WeakUntil(f, g) => {
                let (f, g) = (operand(f)?, operand(g)?);
                match some {
                    true => self.release(&g, &f.union(&g), inner)?,
                    false => self.until(&g, &f.intersection(&g), inner)?,
                }
            }
        };
        Ok(if some { set } else { set.complement() })
    }

    /// Some fair path goes to f in one step.
    fn next(&mut self, f: &StateSet, side: Side) -> Outcome {
        let good = f.intersection(self.fair(side));
        let mut found = StateSet::empty(good.universe());
        for state in good.iter() {
            let sources = self.predecessors.of(state);
            self.tick(1 + sources.len())?;
            sources.iter().for_each(|&before| {
                found.insert(before);
            });
        }
        if side == Side::Possibly {
            found.union_with(self.open);
        }
        Ok(found)
    }

    /// Some fair path is in f until it is in g.
    fn until(&mut self, f: &StateSet, g: &StateSet, side: Side) -> Outcome {
        let goal = g.intersection(self.fair(side));
        self.reach(f, goal, side)
    }

    /// Some fair path is in g, always or up to and including where it is in f.
    fn release(&mut self, f: &StateSet, g: &StateSet, side: Side) -> Outcome {
        let ends = self.until(g, &f.intersection(g), side)?;
        Ok(ends.union(&self.always(g, side)?))
    }

    /// Some fair path is always in f.
    fn always(&mut self, f: &StateSet, side: Side) -> Outcome {
        if self.fairness.justice.is_empty() {
            return self.endless(f, side);
        }
        let mut z = f.clone();
        loop {
            let before = z.clone();
            for constraint in &self.fairness.justice {
                let graph = self.graph;
                let mut goal = StateSet::empty(f.universe());
                for state in f.iter() {
                    let mut steps = graph.steps(state);
                    self.tick(1 + steps.len())?;
                    let leads = |step| graph.step(step).1.is_some_and(|target| z.contains(target));
                    if steps.any(|step| constraint.contains(state, step) && leads(step)) {
                        goal.insert(state);
                    }
                }
                z.intersect_with(&self.reach(f, goal, side)?);
            }
            debug_assert!(z.is_subset(&before), "rounds take states away");
            if z == before {
                return Ok(z);
            }
        }
    }

    /// The states from which an infinite path stays in f: those that are left when states without a step to others that
    /// are left are taken away.
    pub(super) fn endless(&mut self, f: &StateSet, side: Side) -> Outcome {
        let mut z = f.clone();
        // Predecessors are listed once, so steps are counted once for each target.
        let mut steps = vec![0_u32; self.graph.n_states()];
        for state in z.iter() {
            let sources = self.predecessors.of(state);
            self.tick(1 + sources.len())?;
            sources.iter().for_each(|before| steps[before.index()] += 1);
        }
        let stays = |state: StateId| side == Side::Possibly && self.open.contains(state);
        let is_doomed = |state: &StateId| steps[state.index()] == 0 && !stays(*state);
        let mut doomed: Vec<StateId> = z.iter().filter(is_doomed).collect();
        while let Some(state) = doomed.pop() {
            let left = z.remove(state);
            debug_assert!(left, "a state is taken away once");
            let sources = self.predecessors.of(state);
            self.tick(1 + sources.len())?;
            for &before in sources {
                steps[before.index()] -= 1;
                let stays = side == Side::Possibly && self.open.contains(before);
                if steps[before.index()] == 0 && !stays && z.contains(before) {
                    doomed.push(before);
                }
            }
        }
        debug_assert!(
            z.iter().all(|state| steps[state.index()] > 0 || stays(state)),
            "all that is left goes on"
        );
        Ok(z)
    }

    /// The least set that holds the goal and every state of f with a step into the set; with what is not listed, perhaps.
    fn reach(&mut self, f: &StateSet, goal: StateSet, side: Side) -> Outcome {
        let mut found = goal;
        if side == Side::Possibly {
            found.union_with(&f.intersection(self.open));
        }
        let mut waiting: Vec<StateId> = found.iter().collect();
        while let Some(state) = waiting.pop() {
            let sources = self.predecessors.of(state);
            self.tick(1 + sources.len())?;
            for &before in sources {
                if f.contains(before) && found.insert(before) {
                    waiting.push(before);
                }
            }
        }
        Ok(found)
    }

    /// The sources of the steps into a state, each once.
    pub(super) fn predecessors(&self, state: StateId) -> &'a [StateId] {
        self.predecessors.of(state)
    }

    pub(super) fn tick(&mut self, work: usize) -> Result<(), FairError> {
        Ok(self.ticker.tick(work)?)
    }
}
