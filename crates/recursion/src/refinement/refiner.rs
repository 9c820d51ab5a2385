//! What all loops share: predicates, rounds, and what becomes of a path.

use super::explain::{Wanted, explain};
use super::symbolic::{Condition, Executed};
use super::{Answer, Evidence, Settings};
use crate::abstraction::edges::EdgeSites;
use crate::abstraction::explore::{Bounds, Ended, Exploration, Explorer};
use crate::abstraction::scopes::Scopes;
use crate::abstraction::vectors::Asked;
use crate::{IcfgRun, Move};
use indexmap::IndexSet;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, Variable};
use tertium_program::{EdgeId, PointId, Precision, ProcedureId};
use tertium_solve::{Answer as Solved, Prover, Solver, Z3};
use tertium_support::{Context, Id, Statistics, StopReason};
use tertium_truth::Kleene;

/// Moves of a path.
pub(super) type Moves = [(Move, EdgeId)];

/// The state of a loop.
pub(super) struct Refiner<'r, 'p, 'a, 's> {
    pub(super) context: &'r Context,
    pub(super) scopes: &'r Scopes<'p>,
    pub(super) settings: &'r Settings,
    pub(super) sites: EdgeSites,
    pub(super) asked: Asked<'a, 's>,
    pub(super) precision: Precision<Term, PointId>,
    /// What counts in all procedures that have to do with it.
    shared: BTreeSet<Term>,
    /// How often paths over these edges were excluded.
    pub(super) excluded: BTreeMap<Vec<EdgeId>, usize>,
    pub(super) rounds: usize,
    pub(super) statistics: Statistics,
}

/// What became of a path.
pub(super) enum Followed {
    /// A run goes along it.
    Run(IcfgRun),
    /// No run goes along it, because of these conditions.
    Impossible(Vec<Condition>),
    /// The solver gave up.
    Open,
}

impl<'r, 'p, 'a, 's> Refiner<'r, 'p, 'a, 's> {
    /// With the hints as predicates. What can be either may be left open where only what may happen is asked for.
    pub(super) fn new(
        context: &'r Context,
        scopes: &'r Scopes<'p>,
        settings: &'r Settings,
        prover: &'a mut Prover<'s>,
        merges: bool,
    ) -> Self {
        let asked = Asked::new(context, prover, settings.vectors, merges);
        let (sites, precision) = (EdgeSites::default(), Precision::new());
        let statistics = Statistics::default();
        let (shared, excluded) = (BTreeSet::new(), BTreeMap::new());
        let mut refiner = Self {
            context,
            scopes,
            settings,
            sites,
            asked,
            precision,
            shared,
            excluded,
            rounds: 0,
            statistics,
        };
        for &(point, hint) in &settings.hints {
            refiner.add(point, hint);
        }
        refiner
    }

    /// Lets a predicate count at a point. Says whether that is news.
    pub(super) fn add(&mut self, point: PointId, term: Term) -> bool {
        let predicate = self.scopes.predicate(point, term);
        predicate.is_some_and(|predicate| self.precision.insert(predicate, point))
    }

    /// Lets predicates count where they are wanted. Says whether any is news.
    pub(super) fn add_all(&mut self, wanted: &[Wanted]) -> bool {
        let any = wanted.iter().fold(false, |any, &(point, term)| self.add(point, term) | any);
        if any {
            self.share(wanted);
        }
        any
    }

    /// A predicate about globals that was wanted in several procedures is wanted in all that have to do with these globals: else programs
    /// of many procedures that are alike would need a round for each.
    fn share(&mut self, wanted: &[Wanted]) {
        let icfg = self.scopes.icfg;
        let terms: BTreeSet<Term> =
            wanted.iter().filter_map(|&(point, term)| self.scopes.predicate(point, term)).collect();
        for term in terms {
            let said = self.scopes.terms().variables_of(term);
            let is_global =
                |variable: &Variable| icfg.cell(*variable).is_some_and(|cell| cell.owner.is_none());
            let Some(id) = self.precision.find(&term) else { continue };
            if !said.iter().all(is_global) || self.shared.contains(&term) {
                continue;
            }
            let points = self.precision.locations(id).iter();
            let procedures: BTreeSet<_> = points.map(|&point| icfg.point(point).procedure).collect();
            if procedures.len() < SHARED {
                continue;
            }
            self.shared.insert(term);
            for id in ProcedureId::first(icfg.procedures().len()) {
                if said.iter().any(|&variable| self.scopes.may_change(id, variable)) {
                    for &point in &icfg.procedure(id).points {
                        self.add(point, term);
                    }
                }
            }
        }
    }

    /// Lets predicates count everywhere in the procedures where they are wanted.
    pub(super) fn spread<'w>(&mut self, wanted: impl Iterator<Item = &'w Wanted>) -> bool {
        let icfg = self.scopes.icfg;
        let wanted: BTreeSet<_> = wanted.map(|&(point, term)| (icfg.point(point).procedure, term)).collect();
        let mut any = false;
        for (procedure, term) in wanted {
            for &point in &icfg.procedure(procedure).points {
                any |= self.add(point, term);
            }
        }
        any
    }

    /// Explores with the predicates there are, up to the first target.
    pub(super) fn explore(
        &mut self,
        is_target: &dyn Fn(PointId) -> bool,
    ) -> Result<(Exploration, Ended), StopReason> {
        self.sites.begin(self.scopes.icfg, &self.precision);
        let mut explorer = Explorer {
            context: self.context,
            scopes: self.scopes,
            sites: &mut self.sites,
            asked: &mut self.asked,
            bounds: Bounds { nodes: self.settings.nodes, fan: self.settings.fan },
            is_target,
        };
        let explored = explorer.run()?;
        self.statistics.set("abstract states", explored.0.nodes.len());
        Ok(explored)
    }

    /// What these conditions of a path require on the way.
    pub(super) fn explain(
        &self,
        moves: &Moves,
        executed: &Executed,
        core: &[Condition],
    ) -> Result<Vec<Wanted>, StopReason> {
        explain(self.context, self.scopes, moves, executed, core)
    }

    /// Adds what excludes a path, or else what is met on it, or else that everywhere. Says whether anything is news.
    pub(super) fn exclude(
        &mut self,
        moves: &Moves,
        executed: &Executed,
        core: &[Condition],
    ) -> Result<bool, StopReason> {
        let wanted = self.explain(moves, executed, core)?;
        if self.add_all(&wanted) {
            return Ok(true);
        }
        let more = self.explain(moves, executed, &executed.conditions)?;
        Ok(self.add_all(&more) || self.spread(wanted.iter().chain(&more)))
    }

    /// Looks for a run along a path.
    pub(super) fn follow(&mut self, moves: &Moves, executed: &Executed) -> Result<Followed, StopReason> {
        let terms = self.scopes.terms();
        let mut solver = Z3::new();
        executed.given.iter().for_each(|&term| solver.assert(terms, term));
        let all: Vec<Term> = executed.conditions.iter().map(|condition| condition.chosen).collect();
        self.statistics.add("paths", 1);
        match solver.check(self.context, terms, &all).unless_stopped()? {
            Solved::Satisfiable => {
                let Some(model) = solver.model(terms) else { return Ok(Followed::Open) };
                Ok(Followed::Run(executed.run(self.scopes, moves, &model)))
            }
            Solved::Unsatisfiable => {
                let core: BTreeSet<Term> = solver.core().into_iter().collect();
                let core = self.smaller(&mut solver, executed, core)?;
                let own = |condition: &&Condition| core.contains(&condition.chosen);
                Ok(Followed::Impossible(executed.conditions.iter().filter(own).copied().collect()))
            }
            Solved::GaveUp | Solved::Stopped(_) => Ok(Followed::Open),
        }
    }

    /// A core without conditions that it does not need; those that are met first are left out first.
    fn smaller(
        &self,
        solver: &mut Z3,
        executed: &Executed,
        core: BTreeSet<Term>,
    ) -> Result<BTreeSet<Term>, StopReason> {
        let terms = self.scopes.terms();
        let own = executed.conditions.iter().map(|condition| condition.chosen);
        let order: IndexSet<Term> = own.filter(|term| core.contains(term)).collect();
        let mut kept: BTreeSet<Term> = core;
        for term in order.into_iter().take(MOST_TRIED) {
            if !kept.remove(&term) {
                continue;
            }
            let rest: Vec<Term> = kept.iter().copied().collect();
            match solver.check(self.context, terms, &rest).unless_stopped()? {
                Solved::Unsatisfiable => kept = solver.core().into_iter().collect(),
                _ => {
                    kept.insert(term);
                }
            }
        }
        Ok(kept)
    }

    /// The answer with all that was counted.
    pub(super) fn answer(mut self, value: Kleene, evidence: Evidence) -> Answer {
        let points = PointId::first(self.scopes.icfg.points().len());
        let mut predicates = BTreeMap::new();
        for point in points {
            let here = self.precision.counting_at([point]);
            if !here.is_empty() {
                predicates.insert(point, here.into_iter().map(|id| *self.precision.get(id)).collect());
            }
        }
        self.statistics.set("rounds", self.rounds);
        self.statistics.set("predicates", self.precision.len());
        self.statistics.set("questions about steps", self.asked.n_questions.0);
        self.statistics.set("new questions about steps", self.asked.n_questions.1);
        self.statistics.set("coarse steps", self.asked.n_coarse);
        self.asked.prover.statistics().report(&mut self.statistics);
        Answer { value, evidence, rounds: self.rounds, predicates, statistics: self.statistics }
    }
}

/// In so many procedures a predicate about globals is wanted before it is shared.
const SHARED: usize = 4;
/// So many conditions of a core are tried to be left out.
const MOST_TRIED: usize = 48;
