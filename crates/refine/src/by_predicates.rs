//! Programs abstracted by predicates: predicate and cartesian abstraction as the loop goes round them.
//!
//! A predicate is added where it is wanted: along a path that it excludes, or where a step leaves from that it settles. One that is wanted
//! at a further location counts from then on wherever its variables are live, so that no loop takes a round for each of its locations. All
//! become global if nothing else is left to do. So the loop ends with no less precision than if they had been global from the start.

use crate::diagnosis::Towards;
use crate::goal::{Goal, goal};
use crate::lassos::{Signature, Taught};
use crate::path::PathSolver;
use crate::predicates::{as_bounds, first_precision, varies};
use crate::program_abstraction::{Bits, ProgramAbstraction, Vectors};
use crate::rank_steps::{Known, ranked};
use crate::refinement::{Diagnosis, Learnt, Refinable, Refined, Round, refine};
use rustc_hash::FxHashSet;
use tertium_abstraction::{
    AbstractSystem, CartesianAbstraction, Form, Musts, PredicateAbstraction, Rank, TriState,
};
use tertium_check::{Prepared, Semantics, check};
use tertium_evidence::{Assumption, Evidence, Outcome};
use tertium_explore::Run;
use tertium_expr::Term;
use tertium_logic::Formula;
use tertium_program::{LiveVariables, LocId, Precision, PredicateId, Program};
use tertium_solve::Prover;
use tertium_support::{Context, Id, StopReason};
use tertium_truth::{Belnap, Cause, Verdict};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The program.
    pub program: &'a Program,
    /// The property.
    pub formula: &'a Formula,
    /// What the propositions of the property mean.
    pub propositions: &'a [(String, Term)],
    /// Predicates to start with, besides the atoms of the property and of the guards.
    pub precision: Precision,
}

impl Question<'_> {
    /// Where variables matter; the property reads its own everywhere.
    pub(crate) fn live(&self) -> LiveVariables {
        LiveVariables::new(self.program, self.propositions.iter().map(|&(_, term)| term))
    }
}

/// Which abstraction is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstraction {
    /// Each predicate holds or does not: predicate abstraction.
    Bits(Musts),
    /// Each predicate holds, does not, or is left open: cartesian abstraction.
    Vectors {
        /// Which steps there are.
        form: Form,
        /// How many predicates a question about a target may look at together, if not all.
        depth: Option<usize>,
    },
}

impl Default for Abstraction {
    fn default() -> Self {
        Self::Bits(Musts::default())
    }
}

/// How to go about it.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Which abstraction.
    pub abstraction: Abstraction,
    /// Which semantics abstract systems have: standard or reduced. They differ only where states overlap.
    pub semantics: Semantics,
    /// How many rounds at most.
    pub iterations: usize,
    /// Whether atoms of guards are predicates from the start.
    pub guards: bool,
    /// Whether ranks may exclude circles.
    pub ranks: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            abstraction: Abstraction::default(),
            semantics: Semantics::Sis,
            iterations: 50,
            guards: true,
            ranks: true,
        }
    }
}

/// A run to where a term holds: it decides the property by itself.
pub type DecidingRun = (Run, Term);

/// What is found out about a program: it rests on a run or on a system of vectors.
pub type Answer = Refined<AbstractSystem<TriState>, DecidingRun>;

/// Answers the question. `prover` has to be new, or used for this program only.
pub fn decide<'p>(
    context: &Context,
    question: &Question<'p>,
    settings: &Settings,
    mut prover: Prover<'p>,
) -> Answer {
    let live = question.live();
    let precision = first_precision(context, question, &live, settings.guards, &mut prover);
    let bits = PredicateAbstraction::new(question.program, precision, prover);
    let semantics = settings.semantics;
    match settings.abstraction {
        Abstraction::Bits(musts) => {
            let abstraction =
                ByPredicates::new(question, live, semantics, settings.ranks, Bits { bits, musts });
            refine(context, abstraction, settings.iterations)
        }
        Abstraction::Vectors { form, depth } => {
            let vectors = match depth {
                None => CartesianAbstraction::new(bits),
                Some(depth) => CartesianAbstraction::limited(bits, depth),
            };
            let abstraction = ByPredicates::new(
                question,
                live,
                semantics,
                settings.ranks,
                Vectors { vectors, form, semantics },
            );
            refine(context, abstraction, settings.iterations)
        }
    }
}

/// A program seen through predicates, with what is asked about it.
pub(crate) struct ByPredicates<'a, 'p, V> {
    pub(crate) question: &'a Question<'p>,
    pub(crate) live: LiveVariables,
    pub(crate) semantics: Semantics,
    pub(crate) goal: Option<Goal>,
    pub(crate) seen: V,
    /// For paths.
    pub(crate) paths: PathSolver,
    takes_ranks: bool,
    /// Numbers that fall.
    pub(crate) ranks: Vec<Rank>,
    known_changes: Known,
    /// The graphs of commands that ranks were looked for already.
    pub(crate) ranked_graphs: FxHashSet<Signature>,
    /// How runs may go round for ever where the last round found no rank.
    pub(crate) goes_round: Option<String>,
}

/// A predicate, and where it is wanted.
pub(crate) type Wanted = (Term, LocId);

impl<'a, 'p, V: ProgramAbstraction<'p>> ByPredicates<'a, 'p, V> {
    fn new(
        question: &'a Question<'p>,
        live: LiveVariables,
        semantics: Semantics,
        takes_ranks: bool,
        seen: V,
    ) -> Self {
        let goal = goal(question.program, question.formula, question.propositions);
        Self {
            question,
            live,
            semantics,
            goal,
            seen,
            paths: PathSolver::default(),
            takes_ranks,
            ranks: Vec::new(),
            known_changes: Known::default(),
            ranked_graphs: FxHashSet::default(),
            goes_round: None,
        }
    }

    /// Those of these terms, as predicates, that do not count where they are wanted. What counts elsewhere only is taken as it is.
    pub(crate) fn new_ones(&mut self, context: &Context, wanted: Vec<Wanted>) -> Vec<Wanted> {
        let program = self.question.program;
        let mut known = self.seen.precision().clone();
        let mut new = Vec::new();
        for (term, location) in wanted {
            if known.find_literal(&program.terms, term).is_some() && known.add(program, term, location) {
                new.push((term, location));
                continue;
            }
            for part in as_bounds(&program.terms, term) {
                if varies(context, program, self.seen.prover(), part) && known.add(program, part, location) {
                    new.push((part, location));
                }
            }
        }
        new
    }

    /// All predicates that are not global, to be made so.
    fn all_local(&self) -> Vec<Wanted> {
        let precision = self.seen.precision();
        let local = PredicateId::first(precision.len()).filter(|&id| !precision.is_global(id));
        local.map(|id| (*precision.get(id), LocId::ANYWHERE)).collect()
    }
}

impl<'p, V: ProgramAbstraction<'p>> Refinable for ByPredicates<'_, 'p, V> {
    type System = AbstractSystem<TriState>;
    type Run = DecidingRun;
    type Refinement = Taught;

    fn abstract_system(&mut self, context: &Context) -> Result<(Self::System, Round), StopReason> {
        let mut found = self.seen.explore(context, self.question.propositions)?;
        if !self.ranks.is_empty() {
            let (program, prover) = (self.question.program, self.seen.prover());
            found.ranked =
                Some(ranked(context, program, prover, &found, &self.ranks, &mut self.known_changes)?);
        }
        debug_assert!(
            found.edges.is_sorted_by_key(|&(source, ..)| source),
            "steps are found by their source"
        );
        debug_assert!(
            found.states.iter().all(|state| {
                let counting = found.precision.at(self.question.program, &state.control);
                state.vector.len() == counting.len()
            }),
            "a vector has a component for each predicate that counts"
        );
        debug_assert!(
            found.inhabited.iter().all(|state| found.system.initial().contains(state)),
            "what is known to be inhabited is initial"
        );
        let n_predicates = found.precision.len();
        let round =
            Round { n_states: found.states.len(), n_steps: found.edges.len(), n_predicates, searched: None };
        Ok((found, round))
    }

    fn check(&mut self, context: &Context, found: &Self::System) -> Result<Outcome, StopReason> {
        if found.states.is_empty() {
            let mut outcome = Outcome::new(Verdict::True, Default::default());
            outcome.assumptions.push(Assumption::NoInitialState);
            return Ok(outcome);
        }
        let mut prepared = Prepared::new(context, &found.system)?;
        if let Some(ranked) = &found.ranked {
            prepared = prepared.with_ranks(ranked.steps.clone());
        }
        let settings = tertium_check::Settings { semantics: self.semantics, ..Default::default() };
        let mut outcome = check(context, &prepared, self.question.formula, &settings);
        // That states without stars do not overlap is no assumption.
        outcome.assumptions.retain(|assumption| *assumption != Assumption::FlatDomain);
        if outcome.verdict == Verdict::False && !refuted_somewhere(found, &outcome) {
            outcome.verdict = Verdict::Unknown(Cause::Solver);
        }
        Ok(outcome)
    }

    fn diagnose(
        &mut self,
        context: &Context,
        found: &Self::System,
        outcome: &Outcome,
    ) -> Result<Diagnosis<DecidingRun, Taught>, StopReason> {
        let mut added = Vec::new();
        // A concrete run says more than the strategy that promises it.
        if let Some(goal) = self.goal.filter(|goal| !outcome.is_definite() || outcome.verdict == goal.shows())
            && !found.states.is_empty()
        {
            match self.towards(context, found, goal)? {
                Towards::Run(run) => return Ok(Diagnosis::Shown(goal.shows(), (run, goal.term))),
                Towards::New(_) if outcome.is_definite() => {}
                Towards::New(wanted) => added = self.new_ones(context, wanted),
            }
        }
        if outcome.is_definite() {
            return Ok(Diagnosis::Final);
        }
        if added.is_empty() && !found.states.is_empty() && self.takes_ranks {
            let taught = self.go_round(context, found)?;
            if !taught.is_nothing() {
                return Ok(Diagnosis::Refine(taught));
            }
        }
        if added.is_empty()
            && let Some(Evidence::Open(blocking)) = &outcome.evidence
        {
            let wanted = self.unblock(context, found, blocking)?;
            added = self.new_ones(context, wanted);
        }
        if added.is_empty() && outcome.evidence.is_none() {
            added = self.any_open_step(context, found)?;
        }
        if added.is_empty() {
            added = self.all_local();
        }
        let taught = Taught { predicates: added, ranks: Vec::new() };
        Ok(if taught.is_nothing() { Diagnosis::Final } else { Diagnosis::Refine(taught) })
    }

    fn refine(mut self, taught: Taught) -> Self {
        let program = self.question.program;
        self.ranks.extend(taught.ranks);
        if taught.predicates.is_empty() {
            return self;
        }
        let mut precision = self.seen.precision().clone();
        for (term, location) in taught.predicates {
            precision.add(program, term, location);
            if self.seen.precision().find_literal(&program.terms, term).is_some() {
                for location in self.live.locations(program, term) {
                    precision.add(program, term, location);
                }
            }
        }
        debug_assert!(!self.seen.precision().extends(&precision), "something is new");
        Self { seen: self.seen.extend(precision), ..self }
    }

    fn learnt(&mut self) -> Learnt {
        Learnt {
            precision: self.seen.precision().clone(),
            solver: self.seen.statistics(),
            hard: self.seen.prover().hard().clone(),
            seen: Vec::new(),
            left_out: self.seen.left_out(),
            n_open_paths: self.paths.n_gave_up,
            stopped_short: None,
            goes_round: self.goes_round.clone(),
        }
    }
}

/// Whether the property fails at an abstract state that certainly stands for an initial one.
fn refuted_somewhere(found: &AbstractSystem<TriState>, outcome: &Outcome) -> bool {
    let mut refuted = outcome.values.iter().filter(|(_, value)| *value == Belnap::False);
    refuted.any(|(state, _)| found.inhabited.contains(state))
}
