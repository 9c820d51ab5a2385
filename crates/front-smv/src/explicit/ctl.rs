//! CTL with justice, by sets of explored states \[EL86\].
//!
//! With justice constraints C₁ … Cₙ, which steps satisfy or not, the states where a fair path stays in f are the greatest
//! Z with Z = f ∧ ⋀ₖ E[f U f ∧ ⟨a step in Cₖ⟩ Z]. Without constraints it is the greatest Z with Z = f ∧ EX Z.
//!
//! Cost: linear in the edges for each operator; with justice, times the constraints times the rounds of Z.

use crate::Atom;
use crate::explore::{ExploreError, Explored, ExploredEdge};
use crate::interpret::Interpreter;
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier};
use tertium_support::{Context, Id, StopReason, Ticker};
use tertium_system::{StateId, StateSet};

/// The evaluation of CTL formulas over these propositions.
pub(super) struct Ctl<'a, 'm> {
    interpreter: &'a Interpreter<'m>,
    pub(super) explored: &'a Explored,
    atoms: &'a [Atom],
    ticker: Ticker<'a>,
    predecessors: Vec<Vec<StateId>>,
    n_justice: usize,
    /// The states where a fair path starts; all states if there are no justice constraints.
    fair: StateSet,
}

type Outcome = Result<StateSet, ExploreError>;

impl<'a, 'm> Ctl<'a, 'm> {
    pub(super) fn new(
        context: &'a Context,
        interpreter: &'a Interpreter<'m>,
        explored: &'a Explored,
        atoms: &'a [Atom],
    ) -> Result<Self, ExploreError> {
        let n = explored.n_states();
        let mut predecessors = vec![Vec::new(); n];
        for state in StateId::first(n) {
            for edge in explored.edges(state) {
                let row: &mut Vec<StateId> = &mut predecessors[edge.target.index()];
                if row.last() != Some(&state) {
                    row.push(state);
                }
            }
        }
        let n_justice = interpreter.model().justice.len();
        let ticker = context.ticker("checking states one by one");
        let all = StateSet::full(n);
        let mut ctl =
            Self { interpreter, explored, atoms, ticker, predecessors, n_justice, fair: all.clone() };
        if n_justice > 0 {
            ctl.fair = ctl.always(&all)?;
        }
        Ok(ctl)
    }

    /// The states that satisfy a formula.
    pub(super) fn states(&mut self, formula: &Formula) -> Outcome {
        let n = self.explored.n_states();
        Ok(match &formula.kind {
            FormulaKind::True => StateSet::full(n),
            FormulaKind::False => StateSet::empty(n),
            FormulaKind::Proposition(name) => self.proposition(name, formula)?,
            FormulaKind::Not(f) => self.states(f)?.complement(),
            FormulaKind::And(parts) => {
                let mut all = StateSet::full(n);
                for part in parts {
                    all.intersect_with(&self.states(part)?);
                }
                all
            }
            FormulaKind::Or(parts) => {
                let mut any = StateSet::empty(n);
                for part in parts {
                    any.union_with(&self.states(part)?);
                }
                any
            }
            FormulaKind::Implies(f, g) => self.states(f)?.complement().union(&self.states(g)?),
            FormulaKind::Iff(f, g) => {
                let (f, g) = (self.states(f)?, self.states(g)?);
                f.intersection(&g).union(&f.complement().intersection(&g.complement()))
            }
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator)?,
            FormulaKind::Variable(_) | FormulaKind::Modal(..) | FormulaKind::Fixpoint(..) => {
                return Err(ExploreError::NotUnderstood(formula.span));
            }
        })
    }

    fn proposition(&mut self, name: &str, formula: &Formula) -> Outcome {
        let atom = self.atoms.iter().find(|atom| atom.name == name);
        let atom = atom.ok_or(ExploreError::NotUnderstood(formula.span))?;
        let mut satisfied = StateSet::empty(self.explored.n_states());
        for state in StateId::first(self.explored.n_states()) {
            self.tick(1)?;
            if self.interpreter.holds(&atom.expr, &self.explored.state(state), None)? {
                satisfied.insert(state);
            }
        }
        Ok(satisfied)
    }

    /// `A` is the dual of `E`: the complement of what some fair path does to the complements.
    fn path(&mut self, quantifier: PathQuantifier, operator: &PathOperator) -> Outcome {
        let n = self.explored.n_states();
        let all = StateSet::full(n);
        let some = quantifier == PathQuantifier::Some;
        let mut operand = |f: &Formula| self.states(f).map(|set| if some { set } else { set.complement() });
        let set = match operator {
            PathOperator::Next(f) => {
                let f = operand(f)?;
                self.next(&f)?
            }
            PathOperator::Finally(f) => {
                let f = operand(f)?;
                if some { self.until(&all, &f)? } else { self.always(&f)? }
            }
            PathOperator::Globally(f) => {
                let f = operand(f)?;
                if some { self.always(&f)? } else { self.until(&all, &f)? }
            }
            PathOperator::Until(f, g) => {
                let (f, g) = (operand(f)?, operand(g)?);
                if some { self.until(&f, &g)? } else { self.release(&f, &g)? }
            }
            PathOperator::Release(f, g) => {
                let (f, g) = (operand(f)?, operand(g)?);
                if some { self.release(&f, &g)? } else { self.until(&f, &g)? }
            }
            // f W g is g R (f or g).
            PathOperator::WeakUntil(f, g) => {
                let (f, g) = (operand(f)?, operand(g)?);
                if some { self.release(&g, &f.union(&g))? } else { self.until(&g, &f.intersection(&g))? }
            }
        };
        Ok(if some { set } else { set.complement() })
    }

    /// Some fair path goes to f in one step.
    fn next(&mut self, f: &StateSet) -> Outcome {
        let good = f.intersection(&self.fair);
        self.before(&StateSet::full(good.universe()), |edge| good.contains(edge.target))
    }

    /// Some fair path is in f until it is in g.
    fn until(&mut self, f: &StateSet, g: &StateSet) -> Outcome {
        let goal = g.intersection(&self.fair);
        self.reach(f, goal)
    }

    /// Some fair path is in g, always or up to and including where it is in f.
    fn release(&mut self, f: &StateSet, g: &StateSet) -> Outcome {
        let ends = self.until(g, &f.intersection(g))?;
        Ok(ends.union(&self.always(g)?))
    }

    /// Some fair path is always in f.
    fn always(&mut self, f: &StateSet) -> Outcome {
        if self.n_justice == 0 {
            return self.endless(f);
        }
        let mut z = f.clone();
        loop {
            let before = z.clone();
            for k in 0..self.n_justice {
                let explored = self.explored;
                let just =
                    |edge: &ExploredEdge| explored.marks(edge.marks).justice[k] && z.contains(edge.target);
                let goal = self.before(f, just)?;
                z.intersect_with(&self.reach(f, goal)?);
            }
            if z == before {
                return Ok(z);
            }
        }
    }

    /// The states from which an infinite path stays in f: those that are left when states without a step to others that are
    /// left are taken away.
    pub(super) fn endless(&mut self, f: &StateSet) -> Outcome {
        let mut z = f.clone();
        let n = self.explored.n_states();
        // Predecessors are listed once, so steps are counted once for each target.
        let mut steps = vec![0_usize; n];
        for state in z.iter() {
            for &before in &self.predecessors[state.index()] {
                steps[before.index()] += 1;
            }
        }
        let mut doomed: Vec<StateId> = z.iter().filter(|state| steps[state.index()] == 0).collect();
        while let Some(state) = doomed.pop() {
            z.remove(state);
            self.tick(1 + self.predecessors[state.index()].len())?;
            for &before in &self.predecessors[state.index()] {
                steps[before.index()] -= 1;
                if steps[before.index()] == 0 && z.contains(before) {
                    doomed.push(before);
                }
            }
        }
        Ok(z)
    }

    /// The least set that holds the goal and every state of f with a step into the set.
    fn reach(&mut self, f: &StateSet, goal: StateSet) -> Outcome {
        let mut waiting: Vec<StateId> = goal.iter().collect();
        let mut found = goal;
        while let Some(state) = waiting.pop() {
            self.tick(1 + self.predecessors[state.index()].len())?;
            for &before in &self.predecessors[state.index()] {
                if f.contains(before) && found.insert(before) {
                    waiting.push(before);
                }
            }
        }
        Ok(found)
    }

    /// The states of f with such a step.
    pub(super) fn before(&mut self, f: &StateSet, step: impl Fn(&ExploredEdge) -> bool) -> Outcome {
        let mut found = StateSet::empty(f.universe());
        for state in f.iter() {
            self.tick(1)?;
            if self.explored.edges(state).iter().any(&step) {
                found.insert(state);
            }
        }
        Ok(found)
    }

    pub(super) fn tick(&mut self, work: usize) -> Result<(), ExploreError> {
        let n = self.explored.n_states();
        self.ticker.tick(work).map_err(|reason: StopReason| ExploreError::Stopped(reason, n))
    }
}
