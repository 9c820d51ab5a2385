//! Where an abstract state may and must go.
//!
//! For a move taken apart into groups, the may targets are all combinations of the groups' vectors, and a combination is a must target
//! iff its part is one in each group: the states in the group's sources can all choose inputs that lead there. Without inputs that is so iff
//! there is one vector only and the guard is implied.
//!
//! Cost: what a group is asked once for each valuation of its sources is remembered. Calls for must are at most one more than for may in groups without
//! inputs, and one for each vector with.

use crate::branches::{Branch, Branches, varying};
use crate::feasible::feasible;
use crate::precise::Reply;
use crate::renamed_questions::{RenamedQuestions, Vectors};
use crate::site::{Group, Move, Post, moves};
use crate::sources::Sources;
use crate::{AbstractState, Predicates, TriState};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;
use tertium_expr::{Term, Value};
use tertium_program::{CommandId, Input, Program};
use tertium_solve::{Answer, Prover, ProverStatistics};
use tertium_support::{Context, Id, StopReason};
use tertium_truth::{Kleene, TriVector};

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
    program: &'p Program,
    predicates: Predicates,
    prover: Prover<'p>,
    sites: FxHashMap<Box<[Value]>, Rc<Vec<Move>>>,
    answers: FxHashMap<GroupKey, Rc<GroupAnswer>>,
    for_musts: ProverStatistics,
    /// By what the predicates are at a control.
    sources: FxHashMap<Vec<Term>, Rc<Sources>>,
    questions: RenamedQuestions,
}

/// A group of a move at some control, and the values of its sources.
#[derive(PartialEq, Eq, Hash)]
struct GroupKey {
    control: Box<[Value]>,
    site: usize,
    group: usize,
    sources: FixedBitSet,
}

/// A move at a state, with its place among the moves there.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) state: &'a AbstractState,
    pub(crate) site: &'a Move,
    pub(crate) at: usize,
}

/// What a group says for one valuation of its sources.
pub(crate) struct GroupAnswer {
    pub(crate) vectors: Vec<FixedBitSet>,
    /// For each vector, whether it is one that all states can be led to.
    pub(crate) musts: Vec<bool>,
    /// Whether the guard can be met in all states.
    pub(crate) always: bool,
}

impl<'p> PredicateAbstraction<'p> {
    /// The program through these predicates. The prover has to be new, or used for this program only.
    pub fn new(program: &'p Program, predicates: Predicates, prover: Prover<'p>) -> Self {
        Self {
            program,
            predicates,
            prover,
            sites: FxHashMap::default(),
            answers: FxHashMap::default(),
            for_musts: ProverStatistics::default(),
            sources: FxHashMap::default(),
            questions: RenamedQuestions::default(),
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The predicates.
    pub fn predicates(&self) -> &Predicates {
        &self.predicates
    }

    /// What the solver was asked.
    pub fn statistics(&self) -> ProverStatistics {
        self.prover.statistics()
    }

    /// The part of it that [`PredicateAbstraction::successors`] asked for must targets, after the may targets were known.
    pub fn must_statistics(&self) -> ProverStatistics {
        self.for_musts
    }

    /// The prover, to ask further questions.
    pub fn prover(&mut self) -> &mut Prover<'p> {
        &mut self.prover
    }

    /// The prover, to go on with.
    pub fn into_prover(self) -> Prover<'p> {
        self.prover
    }

    /// The abstract states where the program may begin, each with whether it is known to stand for an initial state.
    pub fn initial(&mut self, context: &Context) -> Result<Vec<(AbstractState, bool)>, StopReason> {
        let terms = &self.program.terms;
        let mut states = Vec::new();
        let control = crate::state::control_variables(self.program);
        let mut conditions = vec![(Vec::new(), vec![self.program.initial, self.program.within()])];
        for variable in control {
            let id = self.program.id_of(variable).expect("it is a variable of the program");
            let domain = &self.program.variables()[id.index()].domain;
            let values = domain.values(usize::MAX).expect("control variables have finitely many values");
            let mut longer = Vec::new();
            for (chosen, condition) in conditions {
                for value in &values {
                    let here = terms.equal(terms.variable(variable), terms.value(value));
                    let condition: Vec<Term> = [condition.clone(), vec![here]].concat();
                    if self.prover.check(context, terms, condition.iter().copied()).may_be_satisfiable() {
                        longer.push(([chosen.clone(), vec![value.clone()]].concat(), condition));
                    }
                    context.poll()?;
                }
            }
            conditions = longer;
        }
        let posts: Vec<Term> = self.predicates.iter().collect();
        for (chosen, condition) in conditions {
            let (vectors, exact) = feasible(context, &mut self.prover, terms, &condition, &posts)?;
            let control: Box<[Value]> = chosen.into();
            states.extend(
                vectors.into_iter().map(|bits| (AbstractState { control: control.clone(), bits }, exact)),
            );
        }
        Ok(states)
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
            let psi = TriState::exact(state).conditions(self.program, &self.predicates);
            targets.always = targets.always || self.is_enabled(context, &psi, &possible)?;
            if targets.always {
                self.together(context, &psi, &possible, &mut targets)?;
            }
        }
        self.for_musts += self.prover.statistics().since(&before);
        Ok(targets)
    }

    /// What the groups of a move say at a state; nothing if it leads nowhere.
    pub(crate) fn answers(
        &mut self,
        context: &Context,
        Seen { state, site, at }: Seen<'_>,
    ) -> Result<Option<Vec<Rc<GroupAnswer>>>, StopReason> {
        let mut answers = Vec::new();
        for (number, group) in site.groups.iter().enumerate() {
            let mut seen = FixedBitSet::with_capacity(group.sources.len());
            for (n, &(predicate, _)) in group.sources.iter().enumerate() {
                seen.set(n, state.bits.contains(predicate));
            }
            let answer = self.answer(context, &state.control, at, number, group, seen)?;
            if answer.vectors.is_empty() {
                return Ok(None);
            }
            answers.push(answer);
        }
        Ok(Some(answers))
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

    /// The abstract states with this control that stand for something, as far as the solver knows.
    pub fn inhabited(
        &mut self,
        context: &Context,
        control: &[Value],
    ) -> Result<Vec<AbstractState>, StopReason> {
        let sources = self.sources(context, control)?;
        let all: Vec<usize> = (0..sources.components.len()).collect();
        let valuations = sources.valuations(&all, usize::MAX).expect("any number is allowed");
        let mut states: Vec<AbstractState> = Vec::new();
        for valuation in valuations {
            context.poll()?;
            let mut bits = FixedBitSet::with_capacity(self.predicates.len());
            valuation.into_iter().for_each(|(predicate, value)| bits.set(predicate, value));
            states.push(AbstractState { control: control.into(), bits });
        }
        states.sort();
        Ok(states)
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
        let before: Vec<Term> =
            self.predicates.iter().map(|predicate| here.apply(terms, predicate)).collect();
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

    /// The value of a truth value at an abstract state: what all its concrete states agree on.
    pub fn value(&mut self, context: &Context, state: &AbstractState, term: Term) -> Kleene {
        let terms = &self.program.terms;
        let here = state.at_control(self.program, term);
        if let Some(value) = terms.as_bool(here) {
            return Kleene::from(value);
        }
        if let Some((id, positive)) = self.predicates.find_literal(terms, term) {
            return Kleene::from(state.bits.contains(id.index()) == positive);
        }
        let psi = state.term(self.program, &self.predicates);
        self.decided(context, psi, term)
    }

    /// The value of a truth value at a vector: what all its concrete states agree on.
    pub fn tri_value(&mut self, context: &Context, state: &TriState, term: Term) -> Kleene {
        let terms = &self.program.terms;
        let here = state.at_control(self.program, term);
        if let Some(value) = terms.as_bool(here) {
            return Kleene::from(value);
        }
        let known = self.predicates.find_literal(terms, term).map(|(id, positive)| {
            let known = state.vector.components()[id.index()];
            if positive { known } else { known.not() }
        });
        match known {
            Some(known @ (Kleene::True | Kleene::False)) => known,
            // A predicate that is left open can still follow from the others.
            Some(Kleene::Unknown) | None => {
                let psi = state.term(self.program, &self.predicates);
                self.decided(context, psi, term)
            }
        }
    }

    /// What all states that satisfy `psi` agree on.
    pub(crate) fn decided(&mut self, context: &Context, psi: Term, term: Term) -> Kleene {
        let terms = &self.program.terms;
        if self.prover.check(context, terms, [psi, terms.not(term)]) == Answer::Unsatisfiable {
            Kleene::True
        } else if self.prover.check(context, terms, [psi, term]) == Answer::Unsatisfiable {
            Kleene::False
        } else {
            Kleene::Unknown
        }
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
        let sites = Rc::new(moves(context, self.program, &self.predicates, control)?);
        self.sites.insert(control.into(), Rc::clone(&sites));
        Ok(sites)
    }

    /// What a group of a move says where the sources are as `seen`, by their place in the group.
    pub(crate) fn answer(
        &mut self,
        context: &Context,
        control: &[Value],
        site: usize,
        number: usize,
        group: &Group,
        seen: FixedBitSet,
    ) -> Result<Rc<GroupAnswer>, StopReason> {
        let key = GroupKey { control: control.into(), site, group: number, sources: seen };
        if let Some(answer) = self.answers.get(&key) {
            return Ok(Rc::clone(answer));
        }
        let terms = &self.program.terms;
        let literal = |(n, &(_, term)): (usize, &(usize, Term))| {
            if key.sources.contains(n) { term } else { terms.not(term) }
        };
        let psi: Vec<Term> =
            group.sources.iter().enumerate().map(literal).chain(group.within.iter().copied()).collect();
        let condition: Vec<Term> = psi.iter().chain(&group.guard).copied().collect();
        let found = self.questions.feasible(context, &mut self.prover, terms, &condition, &group.posts)?;
        let vectors = found.0.clone();
        let before = self.prover.statistics();
        let guard = terms.and(group.guard.iter().copied());
        let mut implied = |reaches: Term| {
            let avoids = not_for_any(self.program, &group.inputs, reaches);
            let question: Vec<Term> = psi.iter().copied().chain([avoids]).collect();
            self.questions.check(context, &mut self.prover, terms, &question) == Answer::Unsatisfiable
        };
        let always = !vectors.is_empty() && implied(guard);
        let musts = vectors
            .iter()
            .map(|vector| match (always, group.inputs.is_empty()) {
                (false, _) => false,
                (true, true) => vectors.len() == 1,
                (true, false) => {
                    let literals = group
                        .posts
                        .iter()
                        .enumerate()
                        .map(|(n, &post)| if vector.contains(n) { post } else { terms.not(post) });
                    implied(terms.and([guard].into_iter().chain(literals)))
                }
            })
            .collect();
        self.for_musts += self.prover.statistics().since(&before);
        let answer = Rc::new(GroupAnswer { vectors, musts, always });
        self.answers.insert(key, Rc::clone(&answer));
        Ok(answer)
    }
}

/// That `reaches` holds for no values of the inputs.
pub(crate) fn not_for_any(program: &Program, inputs: &[Input], reaches: Term) -> Term {
    let terms = &program.terms;
    let step = tertium_program::Step {
        guard: reaches,
        inputs: inputs.to_vec(),
        updates: std::collections::BTreeMap::new(),
    };
    step.pre(terms, terms.boolean(false))
}

/// Adds the combinations of the groups' vectors.
fn combine(state: &AbstractState, site: &Move, answers: &[Rc<GroupAnswer>], targets: &mut Targets) {
    let mut chosen = vec![0; answers.len()];
    loop {
        let mut bits = FixedBitSet::with_capacity(site.posts.len());
        for (n, post) in site.posts.iter().enumerate() {
            let value = match *post {
                Post::Fixed(value) => value,
                Post::Copied(source, same) => state.bits.contains(source) == same,
                Post::Solved { group, at } => answers[group].vectors[chosen[group]].contains(at),
            };
            bits.set(n, value);
        }
        let target = AbstractState { control: site.control.clone(), bits };
        if answers.iter().zip(&chosen).all(|(answer, &vector)| answer.musts[vector]) {
            targets.must.insert(target.clone());
        }
        targets.may.insert(target);
        // The next combination, like counting.
        let Some(place) = (0..answers.len()).rev().find(|&n| chosen[n] + 1 < answers[n].vectors.len()) else {
            return;
        };
        chosen[place] += 1;
        chosen[place + 1..].fill(0);
    }
}
