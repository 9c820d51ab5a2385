//! What keeps an answer open, and what would settle it.
//!
//! A run to the goal is looked for along a shortest abstract path. Where there is none, the atoms that exclude the path are new predicates
//! (`path`), wanted where they are used on it; so are those that settle the step which blocks the checker (`split`), wanted where the step
//! leaves from, and those of the label which blocks it.

use crate::by_predicates::{ByPredicates, Wanted};
use crate::goal::{Goal, begins_once};
use crate::path::{AbstractPath, Execution, exclude, execute};
use crate::program_abstraction::ProgramAbstraction;
use crate::split::split;
use std::collections::VecDeque;
use tertium_abstraction::{AbstractSystem, TriState};
use tertium_evidence::{Blocking, Culprit};
use tertium_explore::Run;
use tertium_expr::Term;
use tertium_program::{CommandId, LocId};
use tertium_support::{Context, Id, StopReason};
use tertium_system::{ActionId, StateId};
use tertium_truth::Kleene;

impl<'p, V: ProgramAbstraction<'p>> ByPredicates<'_, 'p, V> {
    /// A run to the goal along a shortest abstract path, or what excludes that path.
    pub(crate) fn towards(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        goal: Goal,
    ) -> Result<Towards, StopReason> {
        let program = self.question.program;
        let Some(path) = self.shortest(context, found, goal.term)? else {
            return Ok(Towards::New(Vec::new()));
        };
        // A run from one initial state shows that another property holds at all of them only if there is no other.
        if goal.proves && found.system.initial().len() > 1 {
            return Ok(Towards::New(Vec::new()));
        }
        let execution = execute(context, &mut self.paths, program, &abstract_path(found, &path), goal.term)?;
        Ok(match execution {
            Execution::Run(run) if !goal.proves || begins_once(context, program)? => Towards::Run(run),
            Execution::Run(_) | Execution::Open => Towards::New(Vec::new()),
            Execution::Impossible(_) => {
                let path = abstract_path(found, &path);
                let known = self.seen.precision();
                Towards::New(exclude(context, &mut self.paths, program, &path, goal.term, known, &self.live)?)
            }
        })
    }

    /// A shortest path along may steps to where the goal is not excluded.
    fn shortest(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        goal: Term,
    ) -> Result<Option<Path>, StopReason> {
        let n = found.states.len();
        let mut parents: Vec<Option<StateId>> = vec![None; n];
        let mut seen = vec![false; n];
        let mut queue: VecDeque<StateId> = found.system.initial().iter().copied().collect();
        queue.iter().for_each(|state| seen[state.index()] = true);
        while let Some(state) = queue.pop_front() {
            context.poll()?;
            if self.seen.value(context, &found.states[state.index()], goal) != Kleene::False {
                let mut states = vec![state];
                while let Some(parent) = parents[states[states.len() - 1].index()] {
                    states.push(parent);
                }
                states.reverse();
                debug_assert!(
                    found.system.initial().contains(&states[0]),
                    "paths begin where the system does"
                );
                debug_assert!(states.len() <= n, "a shortest path meets no state twice");
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
    pub(crate) fn unblock(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        blocking: &Blocking,
    ) -> Result<Vec<Wanted>, StopReason> {
        let program = self.question.program;
        let states =
            [blocking.start].into_iter().chain(blocking.steps.iter().map(|&(_, state)| state)).collect();
        let path = Path { states };
        let anything = program.terms.boolean(true);
        let execution = execute(context, &mut self.paths, program, &abstract_path(found, &path), anything)?;
        if let Execution::Impossible(_) = execution {
            let path = abstract_path(found, &path);
            let known = self.seen.precision();
            let atoms = exclude(context, &mut self.paths, program, &path, anything, known, &self.live)?;
            if !atoms.is_empty() {
                return Ok(atoms);
            }
        }
        Ok(match blocking.culprit {
            Culprit::MayOnly { source, action, target } => {
                self.settle(context, found, source, action, target)
            }
            Culprit::Label { proposition, .. } => {
                let name = found.system.labels().names().name(proposition);
                let term = self.question.propositions.iter().find(|(other, _)| other == name);
                let atoms = term.map(|(_, term)| program.terms.atoms_of(*term));
                atoms.into_iter().flatten().map(|atom| (atom, LocId::ANYWHERE)).collect()
            }
            Culprit::MissingProposition { .. } => Vec::new(),
        })
    }

    /// Predicates that settle whether a step exists.
    fn settle(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
        source: StateId,
        action: ActionId,
        target: StateId,
    ) -> Vec<Wanted> {
        let program = self.question.program;
        let name = found.system.actions().name(action);
        let own = |&command: &CommandId| program.commands()[command.index()].action == name;
        let commands: Vec<CommandId> =
            commands_between(found, source, target).into_iter().filter(own).collect();
        let (from, to) = (&found.states[source.index()], &found.states[target.index()]);
        let atoms = split(context, program, &mut self.seen, from, &commands, to);
        let wanted = |atom: Term| (atom, self.live.location(program, &from.control, atom));
        atoms.into_iter().map(wanted).collect()
    }

    /// New predicates for the first step that may but need not exist and has any, for when nothing is found that
    /// blocks: where must steps are no may steps it can be hidden.
    pub(crate) fn any_open_step(
        &mut self,
        context: &Context,
        found: &AbstractSystem<TriState>,
    ) -> Result<Vec<Wanted>, StopReason> {
        for source in found.system.states() {
            for edge in found.system.edges(source).filter(|edge| !edge.modality.is_must()) {
                context.poll()?;
                let wanted = self.settle(context, found, source, edge.action, edge.other);
                let added = self.new_ones(context, wanted);
                if !added.is_empty() {
                    return Ok(added);
                }
            }
        }
        Ok(Vec::new())
    }
}

/// What became of the way to a goal.
pub(crate) enum Towards {
    /// A run goes there.
    Run(Run),
    /// None was found; these predicates may tell why.
    New(Vec<Wanted>),
}

/// States one after the other.
struct Path {
    states: Vec<StateId>,
}

fn abstract_path<'a>(found: &'a AbstractSystem<TriState>, path: &Path) -> AbstractPath<'a> {
    debug_assert!(!path.states.is_empty(), "a path begins somewhere");
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
