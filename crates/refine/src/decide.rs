//! Abstract, check, diagnose, refine.

use crate::abstract_program::{AbstractProgram, Abstraction};
use crate::goal::{Goal, goal};
use crate::path::{AbstractPath, Execution, exclude, execute};
use crate::split::split;
use std::collections::{BTreeMap, VecDeque};
use tertium_abstraction::{AbstractSystem, Predicates, TriState};
use tertium_check::{Prepared, Semantics, check};
use tertium_evidence::{Assumption, Blocking, Culprit, Evidence, Outcome};
use tertium_expr::{BigInt, Term, TermKind, Terms};
use tertium_logic::Formula;
use tertium_program::{CommandId, Program, Run};
use tertium_search::Counted;
use tertium_solve::{Prover, ProverStatistics, Z3};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ActionId, StateId};
use tertium_truth::{Cause, Kleene, Verdict};

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
    pub predicates: Predicates,
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
}

impl Default for Settings {
    fn default() -> Self {
        Self { abstraction: Abstraction::default(), semantics: Semantics::Sis, iterations: 50, guards: true }
    }
}

/// One round of the loop.
#[derive(Clone, Debug)]
pub struct Round {
    /// How many predicates it had.
    pub n_predicates: usize,
    /// The size of the abstract system.
    pub n_states: usize,
    /// Its may steps; of a search, the states that were generated.
    pub n_steps: usize,
    /// What the solver was asked until its end.
    pub solver: ProverStatistics,
    /// What was added at its end.
    pub added: Vec<Term>,
    /// Of a search, its questions.
    pub searched: Option<Counted>,
}

/// What an answer rests on.
#[derive(Debug)]
pub enum Support {
    /// A concrete run to where this holds.
    Run(Run, Term),
    /// The abstract system with the outcome of its check.
    Abstract(Box<AbstractSystem<TriState>>, Box<Outcome>),
    /// Nothing: the run ended before.
    Nothing,
}

/// The answer.
#[derive(Debug)]
pub struct Answer {
    /// True, false or unknown.
    pub verdict: Verdict,
    /// What it rests on.
    pub support: Support,
    /// The predicates at the end.
    pub predicates: Predicates,
    /// All rounds.
    pub rounds: Vec<Round>,
    /// What the solver was asked.
    pub solver: ProverStatistics,
    /// The atoms with products in questions on which it gave up, with how often.
    pub hard: BTreeMap<Term, u64>,
    /// What was seen of the propositions of the program, if states were searched: the name, and whether it was seen to hold and to fail.
    pub seen: Vec<(String, bool, bool)>,
    /// Whether the program has no initial state, so that everything holds of all of them.
    pub no_initial_state: bool,
}

impl Answer {
    /// Nothing is known yet, with these predicates.
    pub(crate) fn open(predicates: Predicates) -> Self {
        Self {
            verdict: Verdict::Unknown(Cause::Iterations),
            support: Support::Nothing,
            predicates,
            rounds: Vec::new(),
            solver: ProverStatistics::default(),
            hard: BTreeMap::new(),
            seen: Vec::new(),
            no_initial_state: false,
        }
    }
}

/// Answers the question. `prover` has to be new, or used for this program only.
pub fn decide<'p>(
    context: &Context,
    question: &Question<'p>,
    settings: &Settings,
    prover: Prover<'p>,
) -> Answer {
    let program = question.program;
    let mut prover = prover;
    let predicates = first_predicates(context, question, settings.guards, &mut prover);
    let goal = goal(program, question.formula, question.propositions);
    let mut answer = Answer::open(predicates);
    let mut system = AbstractProgram::new(
        program,
        answer.predicates.clone(),
        prover,
        (settings.abstraction, settings.semantics),
    );
    let mut solver = Z3::new();
    while answer.rounds.len() < settings.iterations {
        let mut cycle = Cycle { context, question, settings, goal, system: &mut system, solver: &mut solver };
        let result = cycle.round(&mut answer).and_then(|added| unless_limited(context, &answer, added));
        answer.solver = system.statistics();
        answer.hard.clone_from(system.prover().hard());
        match result {
            Ok(Some(added)) => {
                if let Some(round) = answer.rounds.last_mut() {
                    round.added = added;
                }
                system = system.extend(answer.predicates.clone());
            }
            Ok(None) => return answer,
            Err(reason) => {
                answer.verdict = Verdict::Unknown(reason.into());
                return answer;
            }
        }
    }
    answer
}

/// An open answer under a limit that was reached is open because of the limit, not because the solver did not answer in time.
pub(crate) fn unless_limited<T>(context: &Context, answer: &Answer, result: T) -> Result<T, StopReason> {
    match answer.verdict {
        Verdict::Unknown(Cause::Solver | Cause::Imprecise) => context.poll().map(|()| result),
        _ => Ok(result),
    }
}

/// The predicates that an abstraction starts with: those given, the atoms of the property, and, if asked, those of the guards. What is the same everywhere is left out.
pub fn first_predicates(
    context: &Context,
    question: &Question<'_>,
    guards: bool,
    prover: &mut Prover<'_>,
) -> Predicates {
    let program = question.program;
    let mut predicates = question.predicates.clone();
    for (_, term) in question.propositions {
        predicates.add_atoms(program, *term);
    }
    if guards {
        for step in program.commands().iter().flat_map(|command| &command.steps) {
            let atoms = program.terms.atoms_of(step.guard).into_iter();
            let own = |&atom: &Term| {
                program.terms.variables_of(atom).into_iter().all(|variable| program.id_of(variable).is_some())
            };
            atoms.filter(own).for_each(|atom| {
                predicates.add(program, atom);
            });
        }
    }
    without_constants(context, program, prover, predicates.iter())
}

/// An equation with a number as the two bounds that it consists of. Bounds carry over from step to step where equations do not: after `y := x + 1`,
/// y is not 0 because x is not -1, and that because y was not -2; but y is above 0 because x is above -1. Remainders have few values, and stay.
fn as_bounds(terms: &Terms, term: Term) -> Vec<Term> {
    let plain = match terms.kind(term) {
        TermKind::Not(inner) => inner,
        _ => term,
    };
    match terms.kind(plain) {
        TermKind::Exactly(form, value) if !matches!(terms.kind(form), TermKind::Modulo(..)) => {
            let bound = |value: BigInt| terms.at_most(form, terms.integer(value));
            vec![bound(value.clone()), bound(value - 1)]
        }
        _ => vec![term],
    }
}

/// The predicates that are not the same everywhere within the domains of variables: the others say nothing.
fn without_constants(
    context: &Context,
    program: &Program,
    prover: &mut Prover<'_>,
    candidates: impl Iterator<Item = Term>,
) -> Predicates {
    let terms = &program.terms;
    let mut varying = Predicates::new();
    for term in candidates {
        let possible = |prover: &mut Prover<'_>, term| {
            prover.check(context, terms, [program.within(), term]).may_be_satisfiable()
        };
        if possible(prover, term) && possible(prover, terms.not(term)) {
            varying.add(program, term);
        }
    }
    varying
}

struct Cycle<'a, 'p> {
    context: &'a Context,
    question: &'a Question<'p>,
    settings: &'a Settings,
    goal: Option<Goal>,
    system: &'a mut AbstractProgram<'p>,
    /// For paths.
    solver: &'a mut Z3,
}

impl Cycle<'_, '_> {
    /// One round. Gives the predicates that were added, or nothing if the answer is final.
    fn round(&mut self, answer: &mut Answer) -> Result<Option<Vec<Term>>, StopReason> {
        let found = self.system.explore(self.context, self.question.propositions)?;
        answer.rounds.push(Round {
            n_predicates: answer.predicates.len(),
            n_states: found.states.len(),
            n_steps: found.edges.len(),
            solver: self.system.statistics(),
            added: Vec::new(),
            searched: None,
        });
        if found.states.is_empty() {
            answer.verdict = Verdict::True;
            answer.no_initial_state = true;
            return Ok(None);
        }
        let prepared = Prepared::new(self.context, &found.system)?;
        let settings = tertium_check::Settings { semantics: self.settings.semantics, ..Default::default() };
        let mut outcome = check(self.context, &prepared, self.question.formula, &settings);
        // That states without stars do not overlap is no assumption.
        outcome.assumptions.retain(|assumption| *assumption != Assumption::FlatDomain);
        if outcome.verdict == Verdict::False && !self.refuted_somewhere(&found, &outcome) {
            outcome.verdict = Verdict::Unknown(Cause::Solver);
        }
        let mut added = Vec::new();
        if let Some(goal) = self.goal
            && outcome.verdict == goal.shows()
            && let Towards::Run(run) = self.towards(&found, goal)?
        {
            // A concrete run says more than the strategy that promises it.
            answer.verdict = goal.shows();
            answer.support = Support::Run(run, goal.term);
            return Ok(None);
        }
        if !matches!(outcome.verdict, Verdict::True | Verdict::False) {
            if let Some(goal) = self.goal {
                match self.towards(&found, goal)? {
                    Towards::Run(run) => {
                        answer.verdict = goal.shows();
                        answer.support = Support::Run(run, goal.term);
                        return Ok(None);
                    }
                    Towards::New(terms) => added = self.new_ones(answer, terms),
                }
            }
            if added.is_empty()
                && let Some(Evidence::Open(blocking)) = &outcome.evidence
            {
                let terms = self.unblock(&found, blocking)?;
                added = self.new_ones(answer, terms);
            }
            if added.is_empty() && outcome.evidence.is_none() {
                added = self.any_open_step(&found, answer)?;
            }
        }
        let gave_up = self.system.statistics().n_gave_up > 0;
        let verdict = match outcome.verdict {
            Verdict::Unknown(Cause::Imprecise) if gave_up => Verdict::Unknown(Cause::Solver),
            other => other,
        };
        answer.support = Support::Abstract(Box::new(found), Box::new(outcome));
        if added.is_empty() {
            answer.verdict = verdict;
            return Ok(None);
        }
        Ok(Some(added))
    }

    /// Whether the property fails at an abstract state that certainly stands for an initial one.
    fn refuted_somewhere(&self, found: &AbstractSystem<TriState>, outcome: &Outcome) -> bool {
        let refuted = outcome.values.iter().filter(|(_, value)| *value == tertium_truth::Belnap::False);
        refuted.into_iter().any(|(state, _)| found.inhabited.contains(state))
    }

    fn new_ones(&mut self, answer: &mut Answer, terms: Vec<Term>) -> Vec<Term> {
        let program = self.question.program;
        let terms = terms.into_iter().flat_map(|term| as_bounds(&program.terms, term));
        let varying = without_constants(self.context, program, self.system.prover(), terms);
        varying.iter().filter(|&term| answer.predicates.add(program, term)).collect()
    }

    /// A run to the goal along a shortest abstract path, or what excludes that path.
    fn towards(&mut self, found: &AbstractSystem<TriState>, goal: Goal) -> Result<Towards, StopReason> {
        let Some(path) = self.shortest(found, goal.term)? else { return Ok(Towards::New(Vec::new())) };
        // A run from one initial state shows that another property holds at all of them only if there is no other.
        if goal.proves && found.system.initial().len() > 1 {
            return Ok(Towards::New(Vec::new()));
        }
        let execution = execute(
            self.context,
            self.solver,
            self.question.program,
            &abstract_path(found, &path),
            goal.term,
        )?;
        Ok(match execution {
            Execution::Run(run) if !goal.proves || self.begins_once() => Towards::Run(run),
            Execution::Run(_) | Execution::Open => Towards::New(Vec::new()),
            Execution::Impossible(_) => {
                let path = abstract_path(found, &path);
                let known = self.system.predicates();
                Towards::New(exclude(
                    self.context,
                    self.solver,
                    self.question.program,
                    &path,
                    goal.term,
                    known,
                )?)
            }
        })
    }

    /// Whether the program has one initial state only.
    fn begins_once(&self) -> bool {
        let all = tertium_program::initial_states(self.context, self.question.program, 1);
        all.complete && all.states.len() == 1
    }

    /// A shortest path along may steps to where the goal is not excluded.
    fn shortest(&mut self, found: &AbstractSystem<TriState>, goal: Term) -> Result<Option<Path>, StopReason> {
        let n = found.states.len();
        let mut parents: Vec<Option<StateId>> = vec![None; n];
        let mut seen = vec![false; n];
        let mut queue: VecDeque<StateId> = found.system.initial().iter().copied().collect();
        queue.iter().for_each(|state| seen[state.index()] = true);
        while let Some(state) = queue.pop_front() {
            self.context.poll()?;
            if self.system.value(self.context, &found.states[state.index()], goal) != Kleene::False {
                let mut states = vec![state];
                while let Some(parent) = parents[states[states.len() - 1].index()] {
                    states.push(parent);
                }
                states.reverse();
                return Ok(Some(Path { states }));
            }
            for (_, target) in found.system.may(state) {
                if !std::mem::replace(&mut seen[target.index()], true) {
                    parents[target.index()] = Some(state);
                    queue.push_back(target);
                }
            }
        }
        Ok(None)
    }

    /// Predicates for what keeps the answer open: those that exclude the way there, or those that settle the step or label.
    fn unblock(
        &mut self,
        found: &AbstractSystem<TriState>,
        blocking: &Blocking,
    ) -> Result<Vec<Term>, StopReason> {
        let states =
            [blocking.start].into_iter().chain(blocking.steps.iter().map(|&(_, state)| state)).collect();
        let path = Path { states };
        let anything = self.question.program.terms.boolean(true);
        let way = execute(
            self.context,
            self.solver,
            self.question.program,
            &abstract_path(found, &path),
            anything,
        )?;
        if let Execution::Impossible(_) = way {
            let path = abstract_path(found, &path);
            let known = self.system.predicates();
            let atoms = exclude(self.context, self.solver, self.question.program, &path, anything, known)?;
            let terms = &self.question.program.terms;
            if atoms.iter().any(|&atom| known.find_literal(terms, atom).is_none()) {
                return Ok(atoms);
            }
        }
        Ok(match blocking.culprit {
            Culprit::MayOnly { source, action, target } => self.settle(found, source, action, target),
            Culprit::Label { proposition, .. } => {
                let name = found.system.labels().names().name(proposition);
                let term = self.question.propositions.iter().find(|(other, _)| other == name);
                let atoms = term.map(|(_, term)| self.question.program.terms.atoms_of(*term));
                atoms.into_iter().flatten().collect()
            }
            Culprit::MissingProposition { .. } => Vec::new(),
        })
    }

    /// Predicates that settle whether a step exists.
    fn settle(
        &mut self,
        found: &AbstractSystem<TriState>,
        source: StateId,
        action: ActionId,
        target: StateId,
    ) -> Vec<Term> {
        let name = found.system.actions().name(action);
        let own = |&command: &CommandId| self.question.program.commands()[command.index()].action == name;
        let commands: Vec<CommandId> =
            commands_between(found, source, target).into_iter().filter(own).collect();
        let (from, to) = (&found.states[source.index()], &found.states[target.index()]);
        split(self.context, self.question.program, self.system, from, &commands, to)
    }

    /// New predicates for the first step that may but need not exist and has any, for when nothing is found that blocks: where must steps are no may steps
    /// it can be hidden.
    fn any_open_step(
        &mut self,
        found: &AbstractSystem<TriState>,
        answer: &mut Answer,
    ) -> Result<Vec<Term>, StopReason> {
        for source in found.system.states() {
            for edge in found.system.edges(source).filter(|edge| !edge.modality.is_must()) {
                self.context.poll()?;
                let terms = self.settle(found, source, edge.action, edge.other);
                let added = self.new_ones(answer, terms);
                if !added.is_empty() {
                    return Ok(added);
                }
            }
        }
        Ok(Vec::new())
    }
}

enum Towards {
    Run(Run),
    New(Vec<Term>),
}

/// States one after the other.
struct Path {
    states: Vec<StateId>,
}

fn abstract_path<'a>(found: &'a AbstractSystem<TriState>, path: &Path) -> AbstractPath<'a> {
    let steps = path
        .states
        .windows(2)
        .map(|pair| (commands_between(found, pair[0], pair[1]), &found.states[pair[1].index()]));
    AbstractPath { start: &found.states[path.states[0].index()], steps: steps.collect() }
}

fn commands_between(found: &AbstractSystem<TriState>, source: StateId, target: StateId) -> Vec<CommandId> {
    let edges = found.edges_of(source).iter().filter(|&&(_, _, to)| to == target);
    edges.map(|&(_, command, _)| command).collect()
}
