//! Where an abstract state may and must go.
//!
//! A command falls into moves, and a move into groups (`site`); what the groups say is put together (`group`). Several moves of one
//! command can lead to a state together though none does alone, and are asked about together (`branches`). Source and target
//! are seen through the predicates that count at their own control, so nothing is asked about others.

use crate::branches::{Branch, Branches, varying};
use crate::group::{GroupAnswer, GroupKey, combine};
use crate::precise::Reply;
use crate::renamed_questions::{RenamedQuestions, Vectors};
use crate::site::{Move, moves};
use crate::sources::Sources;
use crate::{AbstractState, LeftOut, MostAsked, TriState};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Precision, Program};
use tertium_solve::{Prover, ProverStatistics};
use tertium_support::{Context, StopReason};
use tertium_truth::TriVector;

/// Where a command leads from an abstract state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Some concrete state may be led there.
    pub may: BTreeSet<AbstractState>,
    /// All concrete states can be led there. A part of `may`.
    pub must: BTreeSet<AbstractState>,
    /// Whether the command is enabled in all concrete states, so that each is led to one of `may`.
    pub always: bool,
}

/// A program seen through predicates.
pub struct PredicateAbstraction<'p> {
    pub(crate) program: &'p Program,
    pub(crate) precision: Precision,
    pub(crate) prover: Prover<'p>,
    sites: FxHashMap<Box<[Value]>, Rc<Vec<Move>>>,
    pub(crate) answers: FxHashMap<GroupKey, Rc<GroupAnswer>>,
    pub(crate) for_musts: ProverStatistics,
    /// By what the predicates are at a control.
    sources: FxHashMap<Vec<Term>, Rc<Sources>>,
    pub(crate) questions: RenamedQuestions,
    pub(crate) most_asked: MostAsked,
    pub(crate) left_out: LeftOut,
}

/// A move at a state, with its place among the moves there.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) state: &'a AbstractState,
    pub(crate) site: &'a Move,
    pub(crate) at: usize,
}

impl<'p> PredicateAbstraction<'p> {
    /// The program through these predicates. The prover has to be new, or used for this program only.
    pub fn new(program: &'p Program, precision: Precision, prover: Prover<'p>) -> Self {
        Self {
            program,
            precision,
            prover,
            sites: FxHashMap::default(),
            answers: FxHashMap::default(),
            for_musts: ProverStatistics::default(),
            sources: FxHashMap::default(),
            questions: RenamedQuestions::default(),
            most_asked: MostAsked::default(),
            left_out: LeftOut::default(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The predicates, with where they count.
    pub fn precision(&self) -> &Precision {
        &self.precision
    }

    /// What the solver was asked.
    pub fn statistics(&self) -> ProverStatistics {
        self.prover.statistics()
    }

    /// The part of it that [`PredicateAbstraction::successors`] asked for must targets, after the may targets were known.
    pub fn must_statistics(&self) -> ProverStatistics {
        self.for_musts
    }

    /// What was left out because there was too much of it.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// The same with other bounds on what is too much.
    #[must_use]
    pub fn asking(self, most_asked: MostAsked) -> Self {
        Self { most_asked, ..self }
    }

    /// The prover, to ask further questions.
    pub fn prover(&mut self) -> &mut Prover<'p> {
        &mut self.prover
    }

    /// The prover, to go on with.
    pub fn into_prover(self) -> Prover<'p> {
        self.prover
    }

    /// Where every command leads from a state, in the order of commands; those that lead nowhere are left out.
    pub fn successors(
        &mut self,
        context: &Context,
        state: &AbstractState,
    ) -> Result<Vec<(CommandId, Targets)>, StopReason> {
        let sites = self.sites(context, &state.control)?;
        let mut all = Vec::new();
        let mut start = 0;
        while start < sites.len() {
            let command = sites[start].command;
            let end = start + sites[start..].iter().take_while(|site| site.command == command).count();
            let targets = self.command(context, state, &sites, start..end)?;
            if !targets.may.is_empty() {
                all.push((command, targets));
            }
            start = end;
        }
        Ok(all)
    }

    fn command(
        &mut self,
        context: &Context,
        state: &AbstractState,
        sites: &[Move],
        range: std::ops::Range<usize>,
    ) -> Result<Targets, StopReason> {
        let mut targets = Targets::default();
        let mut possible = Vec::new();
        for at in range {
            let site = &sites[at];
            let Some(answers) = self.answers(context, Seen { state, site, at })? else { continue };
            targets.always |= answers.iter().all(|answer| answer.always);
            combine(state, site, &answers, &mut targets);
            possible.push(site);
        }
        // Several branches of one command can lead there together though none does alone.
        let before = self.prover.statistics();
        if possible.len() > 1 {
            let psi = TriState::exact(state).conditions(self.program, &self.precision);
            targets.always = targets.always || self.is_enabled(context, &psi, &possible)?;
            if targets.always {
                self.together(context, &psi, &possible, &mut targets)?;
            }
        }
        self.for_musts += self.prover.statistics().since(&before);
        debug_assert!(targets.must.is_subset(&targets.may), "must is a part of may");
        debug_assert!(targets.always || targets.must.is_empty(), "where all are led, all can go");
        Ok(targets)
    }

    /// Whether all states that satisfy `psi` can take one of the moves.
    pub(crate) fn is_enabled(
        &mut self,
        context: &Context,
        psi: &[Term],
        moves: &[&Move],
    ) -> Result<bool, StopReason> {
        let branches: Vec<Branch> = moves.iter().map(|site| Branch::new(site, &[])).collect();
        let mut branches = self.branches(psi, &branches);
        Ok(self.ask_branches(context, &mut branches, &TriVector::unknown(0))? == Reply::Yes)
    }

    /// Adds the must targets that all states are led to by one move or another.
    fn together(
        &mut self,
        context: &Context,
        psi: &[Term],
        moves: &[&Move],
        targets: &mut Targets,
    ) -> Result<(), StopReason> {
        let mut open: Vec<AbstractState> = targets.may.difference(&targets.must).cloned().collect();
        while let Some(first) = open.first() {
            let control = first.control.clone();
            let here = targets.may.iter().filter(|target| target.control == control);
            let varying = varying(&here.map(AbstractState::vector).collect::<Vec<_>>());
            let own = moves.iter().filter(|site| site.control == control);
            let mut branches =
                self.branches(psi, &own.map(|site| Branch::new(site, &varying)).collect::<Vec<_>>());
            let own = open.extract_if(.., |target| target.control == control);
            let mut candidates: Vec<(AbstractState, TriVector)> =
                own.map(|target| (target.clone(), target.vector().only(&varying))).collect();
            while let Some((target, vector)) = candidates.pop() {
                match self.ask_branches(context, &mut branches, &vector)? {
                    Reply::Yes => {
                        targets.must.insert(target);
                    }
                    Reply::Only(ends) => candidates.retain(|(_, other)| ends.contains(other)),
                    Reply::No => {}
                }
            }
        }
        Ok(())
    }

    /// Ways from all states that satisfy `psi`, to be asked about.
    pub(crate) fn branches(&mut self, psi: &[Term], branches: &[Branch]) -> Branches {
        Branches::new(&mut self.questions, &self.program.terms, psi, branches)
    }

    /// Whether all states before the branches can be led to a vector.
    pub(crate) fn ask_branches(
        &mut self,
        context: &Context,
        branches: &mut Branches,
        vector: &TriVector,
    ) -> Result<Reply, StopReason> {
        branches.ask(context, self.program, &mut self.prover, vector)
    }

    /// What some state before the branches is led to.
    pub(crate) fn some_ends(
        &mut self,
        context: &Context,
        branches: &mut Branches,
    ) -> Result<Option<Vec<TriVector>>, StopReason> {
        branches.some_ends(context, self.program, &mut self.prover)
    }

    /// The vectors of truth values that some terms can have under a condition; the second value is false if perhaps not all of them can.
    pub(crate) fn feasible(
        &mut self,
        context: &Context,
        condition: &[Term],
        posts: &[Term],
    ) -> Result<Vectors, StopReason> {
        self.questions.feasible(context, &mut self.prover, &self.program.terms, condition, posts)
    }

    /// The predicates at a control, with the values that they can have together.
    pub(crate) fn sources(
        &mut self,
        context: &Context,
        control: &[Value],
    ) -> Result<Rc<Sources>, StopReason> {
        let terms = &self.program.terms;
        let mut here = crate::state::at_control(self.program, control);
        let counting = self.precision.terms_at(self.program, control).into_iter();
        let before: Vec<Term> = counting.map(|predicate| here.apply(terms, predicate)).collect();
        if let Some(known) = self.sources.get(&before) {
            return Ok(Rc::clone(known));
        }
        let sources = Rc::new(Sources::new(
            context,
            self.program,
            &mut self.prover,
            &mut self.questions,
            before.clone(),
        )?);
        self.sources.insert(before, Rc::clone(&sources));
        Ok(sources)
    }

    /// The moves with this control.
    pub(crate) fn sites(
        &mut self,
        context: &Context,
        control: &[Value],
    ) -> Result<Rc<Vec<Move>>, StopReason> {
        if let Some(sites) = self.sites.get(control) {
            return Ok(Rc::clone(sites));
        }
        let sites = Rc::new(moves(context, self.program, &self.precision, control)?);
        debug_assert!(
            sites.is_sorted_by_key(|site| site.command),
            "the moves of a command follow each other"
        );
        self.sites.insert(control.into(), Rc::clone(&sites));
        Ok(sites)
    }
}
