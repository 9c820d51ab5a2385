//! A propositional solver: clauses in, satisfiable or not out.
//!
//! BatSat, a descendant of MiniSat \[ES03\], behind a small interface; [decision 018](../../../docs/decisions/018-propositional-solver.md)
//! tells why. Its answers are a function of the clauses and questions: its own choices at random have a fixed seed.
//!
//! How much it may do is counted in units of work, never in seconds, over the whole life of a solver: what clauses and questions cost is
//! one sum. The search runs in stretches that double, and work is counted between them; what was learnt is kept. The limits of the run
//! are looked at inside a stretch as well.

use crate::Answer;
use batsat::{Callbacks, ClauseKind, Lit, Solver as Search, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;
use tertium_support::{Context, StopReason};

/// Units of work for a clause,
const PER_CLAUSE: u64 = 8;
/// for a literal that follows from others,
const PER_PROPAGATION: u64 = 4;
/// and for a conflict with what is learnt from it. Measured against steps of diagrams, so that equal work takes about equal time.
const PER_CONFLICT: u64 = 64;

/// Decisions and conflicts of the first stretch of a search.
const FIRST_STRETCH: u64 = 1 << 7;
/// Decisions between two looks at the limits of the run.
const BETWEEN_LOOKS: u64 = 1 << 6;

/// A propositional variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(Lit);

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Literal {
    /// Whether it is a negation.
    pub fn is_negative(self) -> bool {
        !self.0.sign()
    }
}

/// Clauses, and whether they can hold together.
pub struct Sat {
    search: Search<Watch>,
    /// How much all that is done here may cost.
    budget: u64,
    n_clauses: u64,
    /// What the run was already told about.
    charged: u64,
    clause: Vec<Lit>,
}

impl Sat {
    /// Without clauses; may do this much work in its life.
    pub fn new(budget: u64) -> Self {
        let search = Search::new(SolverOpts::default(), Watch::default());
        Self { search, budget, n_clauses: 0, charged: 0, clause: Vec::new() }
    }

    /// A variable that no clause mentions yet.
    pub fn fresh(&mut self) -> Literal {
        let variable: Var = self.search.new_var_default();
        Literal(Lit::new(variable, true))
    }

    /// Demands that one of these holds.
    pub fn add(&mut self, clause: &[Literal]) {
        self.n_clauses += 1;
        self.clause.clear();
        self.clause.extend(clause.iter().map(|literal| literal.0));
        // That the clauses contradict each other is found again by the next question.
        let _ = self.search.add_clause_reuse(&mut self.clause);
    }

    /// Whether all clauses and these literals can hold together.
    pub fn solve(&mut self, context: &Context, assumptions: &[Literal]) -> Answer {
        let assumed: Vec<Lit> = assumptions.iter().map(|literal| literal.0).collect();
        let mut stretch = FIRST_STRETCH;
        loop {
            if let Err(reason) = self.charge(context) {
                return Answer::Stopped(reason);
            }
            if self.is_spent() {
                return Answer::GaveUp;
            }
            self.search.cb_mut().begin(context, stretch);
            let found = self.search.solve_limited(&assumed);
            let stopped = self.search.cb_mut().end();
            // Whether that was too much is for the next look at the limits: the answer is there.
            let charged = self.charge(context);
            if found == lbool::TRUE {
                return Answer::Satisfiable;
            }
            if found == lbool::FALSE {
                return Answer::Unsatisfiable;
            }
            if let Some(reason) = stopped.or(charged.err()) {
                return Answer::Stopped(reason);
            }
            stretch *= 2;
        }
    }

    /// After `Satisfiable`: whether a literal holds in what was found; nothing if it does not matter.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        match self.search.value_lit(literal.0) {
            value if value == lbool::TRUE => Some(true),
            value if value == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    /// What everything cost so far, in units of work.
    pub fn work(&self) -> u64 {
        self.n_clauses * PER_CLAUSE
            + self.search.num_propagations() * PER_PROPAGATION
            + self.search.num_conflicts() * PER_CONFLICT
    }

    /// Whether the budget is used up.
    pub fn is_spent(&self) -> bool {
        self.work() >= self.budget
    }

    /// Tells the run what was done since it was last told, and asks it whether to go on.
    pub fn charge(&mut self, context: &Context) -> Result<(), StopReason> {
        let work = self.work();
        debug_assert!(work >= self.charged, "work is never taken back");
        let new = work - std::mem::replace(&mut self.charged, work);
        context.spend(new).and_then(|()| context.poll())
    }
}

/// Ends a stretch of a search.
#[derive(Default)]
struct Watch {
    /// The run, while a stretch is on.
    context: Option<Context>,
    /// Decisions and conflicts that are left.
    left: Cell<u64>,
    /// How often it was asked whether to stop.
    calls: Cell<u64>,
    stopped: Cell<Option<StopReason>>,
}

impl Watch {
    fn begin(&mut self, context: &Context, stretch: u64) {
        debug_assert!(self.context.is_none(), "one stretch is on at a time");
        self.context = Some(context.clone());
        self.left.set(stretch);
        self.stopped.set(None);
    }

    /// Which limit of the run ended the stretch, if one did.
    fn end(&mut self) -> Option<StopReason> {
        self.context = None;
        self.stopped.get()
    }
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.left.set(self.left.get().saturating_sub(1));
        }
    }

    /// Called at every decision.
    fn stop(&self) -> bool {
        let left = self.left.get();
        if left == 0 {
            return true;
        }
        self.left.set(left - 1);
        self.calls.set(self.calls.get() + 1);
        if self.calls.get().is_multiple_of(BETWEEN_LOOKS) {
            self.stopped.set(self.context.as_ref().and_then(|context| context.poll().err()));
        }
        self.stopped.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::{Cancel, Limits, Rng};

    fn random_clauses(rng: &mut Rng, n_variables: usize, n_clauses: usize) -> Vec<Vec<(usize, bool)>> {
        let literal = |rng: &mut Rng| (rng.below(n_variables), rng.chance(0.5));
        (0..n_clauses).map(|_| (0..3).map(|_| literal(rng)).collect()).collect()
    }

    fn solver(clauses: &[Vec<(usize, bool)>], n_variables: usize, budget: u64) -> (Sat, Vec<Literal>) {
        let mut sat = Sat::new(budget);
        let variables: Vec<Literal> = (0..n_variables).map(|_| sat.fresh()).collect();
        for clause in clauses {
            let clause: Vec<Literal> = clause
                .iter()
                .map(|&(at, holds)| if holds { variables[at] } else { !variables[at] })
                .collect();
            sat.add(&clause);
        }
        (sat, variables)
    }

    /// A pigeon more than there are holes.
    fn pigeons(holes: usize, budget: u64) -> Sat {
        let at = |pigeon: usize, hole: usize| pigeon * holes + hole;
        let mut clauses: Vec<Vec<(usize, bool)>> =
            (0..=holes).map(|pigeon| (0..holes).map(|hole| (at(pigeon, hole), true)).collect()).collect();
        for hole in 0..holes {
            for one in 0..=holes {
                clauses.extend((0..one).map(|other| vec![(at(one, hole), false), (at(other, hole), false)]));
            }
        }
        solver(&clauses, (holes + 1) * holes, budget).0
    }

    #[test]
    fn random_clauses_hold_together_exactly_if_some_valuation_says_so() {
        let mut rng = Rng::seeded(7);
        for _ in 0..300 {
            let (n_variables, n_clauses) = (rng.between(1, 8), rng.between(0, 40));
            let clauses = random_clauses(&mut rng, n_variables, n_clauses);
            let (mut sat, variables) = solver(&clauses, n_variables, u64::MAX);
            let assumed: Vec<(usize, bool)> =
                (0..rng.between(0, 3)).map(|_| (rng.below(n_variables), rng.chance(0.5))).collect();
            let holds = |valuation: usize, &(at, holds): &(usize, bool)| (valuation >> at & 1 == 1) == holds;
            let is_model = |valuation: &usize| {
                clauses.iter().all(|clause| clause.iter().any(|literal| holds(*valuation, literal)))
                    && assumed.iter().all(|literal| holds(*valuation, literal))
            };
            let expected = (0..1 << n_variables).any(|valuation| is_model(&valuation));
            let literals: Vec<Literal> = assumed
                .iter()
                .map(|&(at, holds)| if holds { variables[at] } else { !variables[at] })
                .collect();
            let answer = sat.solve(&Context::default(), &literals);
            assert_eq!(answer == Answer::Satisfiable, expected, "{clauses:?} {assumed:?}");
            assert_eq!(answer == Answer::Unsatisfiable, !expected);
            if expected {
                let bits = variables.iter().enumerate();
                let found: usize =
                    bits.map(|(at, &own)| usize::from(sat.value(own) == Some(true)) << at).sum();
                assert!(is_model(&found), "{clauses:?} {assumed:?}");
            }
        }
    }

    #[test]
    fn a_budget_ends_the_search_at_the_same_place_and_more_of_it_goes_on() {
        let ask = |budget| {
            let mut sat = pigeons(8, budget);
            (sat.solve(&Context::default(), &[]), sat.work())
        };
        assert_eq!(ask(1 << 17).0, Answer::GaveUp);
        assert_eq!(ask(1 << 17), ask(1 << 17));
        assert_eq!(ask(u64::MAX).0, Answer::Unsatisfiable);
        let context = Context::default();
        let mut sat = pigeons(6, u64::MAX);
        sat.solve(&context, &[]);
        assert_eq!(context.spent(), sat.work(), "the run is told of all work");
    }

    #[test]
    fn limits_of_the_run_are_called_what_they_are() {
        let cancel = Cancel::default();
        cancel.cancel();
        let cancelled = Context::new(Limits::default(), cancel);
        assert_eq!(pigeons(10, u64::MAX).solve(&cancelled, &[]), Answer::Stopped(StopReason::Interrupted));
        let time = std::time::Duration::from_millis(20);
        let timed = Context::new(Limits { time: Some(time), ..Limits::default() }, Cancel::default());
        assert_eq!(pigeons(12, u64::MAX).solve(&timed, &[]), Answer::Stopped(StopReason::TimeLimit));
        let worked = Context::new(Limits { work: Some(1 << 17), ..Limits::default() }, Cancel::default());
        assert_eq!(pigeons(12, u64::MAX).solve(&worked, &[]), Answer::Stopped(StopReason::WorkLimit));
    }
}
