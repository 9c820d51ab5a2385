//! Where variables matter.
//!
//! A variable is *live* at a location if what it is there may be read later: some path leads on to a guard that reads it, or to an
//! assignment of what it is to a variable that is live behind it, and nothing else is assigned to it before. A predicate about a variable
//! that is not live says nothing about what comes.
//!
//! Locations are those of one counter. Variables that meet in an atom or in an assignment have to do with each other. A
//! variable is *private* to a counter if only commands of this counter read it or what it has to do with, and only they
//! move the counter; then where the counter is says whether the variable is live. Any other variable may matter to
//! others wherever control is.
//!
//! Cost: linear in the commands for each time that something becomes live behind them, and one bit for each location and variable.

use crate::{CommandId, LocId, Program, Step, VarId};
use std::collections::{BTreeSet, VecDeque};
use tertium_expr::{Term, Value};
use tertium_support::{Id, IdSet};

/// Which variables are live at which locations.
#[derive(Clone, Debug)]
pub struct LiveVariables {
    /// The counter that each variable is private to, by number.
    private: Vec<Option<usize>>,
    /// Where the locations of each counter begin; one more at the end.
    firsts: Vec<usize>,
    /// For each location, the variables that are live there; of these, those count that are private to its counter.
    live: Vec<IdSet<VarId>>,
}

/// Who reads a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    Nobody,
    /// Commands of this counter, by number.
    One(usize),
    Several,
}

/// Sets of data that have to do with each other, each with a member that stands for it.
struct Meeting(Vec<usize>);

impl Meeting {
    fn new(program: &Program, flows: &[Flow], read: &[Term]) -> Self {
        let mut meeting = Self((0..program.variables().len()).collect());
        let mut atoms: BTreeSet<Term> = flows.iter().map(|flow| flow.guard).collect();
        atoms.extend(read);
        let atoms: BTreeSet<Term> = atoms.into_iter().flat_map(|term| program.terms.atoms_of(term)).collect();
        atoms.into_iter().for_each(|atom| meeting.join(program, variables(program, atom)));
        for (variable, read) in flows.iter().flat_map(|flow| &flow.assigned) {
            meeting.join(program, [*variable].into_iter().chain(read.iter().copied()));
        }
        meeting
    }

    fn root(&mut self, mut variable: usize) -> usize {
        while self.0[variable] != variable {
            self.0[variable] = self.0[self.0[variable]];
            variable = self.0[variable];
        }
        variable
    }

    fn join(&mut self, program: &Program, all: impl IntoIterator<Item = VarId>) {
        let data = all.into_iter().filter(|variable| !program.variables()[variable.index()].is_control());
        let mut before = None;
        for variable in data {
            let root = self.root(variable.index());
            let other = before.map_or(root, |before| self.root(before));
            self.0[root.max(other)] = root.min(other);
            before = Some(variable.index());
        }
    }
}

/// One way through a command, as far as variables are concerned.
struct Flow {
    command: CommandId,
    guard: Term,
    /// What the guard reads.
    asked: Vec<VarId>,
    /// What is assigned, and what that reads.
    assigned: Vec<(VarId, Vec<VarId>)>,
}

impl LiveVariables {
    /// The live variables of a program in which these terms are read everywhere.
    pub fn new(program: &Program, read: impl IntoIterator<Item = Term>) -> Self {
        let (locations, n_variables) = (program.locations(), program.variables().len());
        let counters = locations.counters();
        let mut firsts: Vec<usize> = counters.iter().map(|counter| counter.first.index()).collect();
        firsts.push(locations.len());
        let live = vec![IdSet::empty(n_variables); locations.len()];
        let mut found = Self { private: vec![None; n_variables], firsts, live };
        let commands = CommandId::first(program.commands().len());
        let flows: Vec<Flow> = commands.flat_map(|command| flows(program, command)).collect();
        let read: Vec<Term> = read.into_iter().collect();
        let mut meeting = Meeting::new(program, &flows, &read);
        let mut readers = vec![Reader::Nobody; n_variables];
        let mut places: Vec<Option<usize>> = vec![None; n_variables];
        counters.iter().enumerate().for_each(|(n, counter)| places[counter.variable.index()] = Some(n));
        let mut moved = vec![false; counters.len()];
        for flow in &flows {
            let own = found.counter_of(locations.source(flow.command));
            for variable in flow.asked.iter().chain(flow.assigned.iter().flat_map(|(_, read)| read)) {
                let reader = &mut readers[meeting.root(variable.index())];
                *reader = match (*reader, own) {
                    (Reader::Nobody, Some(own)) => Reader::One(own),
                    (Reader::One(other), Some(own)) if other == own => Reader::One(own),
                    _ => Reader::Several,
                };
            }
            for counter in flow.assigned.iter().filter_map(|(variable, _)| places[variable.index()]) {
                moved[counter] |= own != Some(counter);
            }
        }
        for variable in 0..n_variables {
            found.private[variable] = match readers[meeting.root(variable)] {
                Reader::One(own) if !moved[own] => Some(own),
                _ => None,
            };
        }
        for variable in read.iter().flat_map(|&term| variables(program, term)) {
            let Some(own) = found.private[variable.index()] else { continue };
            for location in found.firsts[own]..found.firsts[own + 1] {
                found.live[location].insert(variable);
            }
        }
        found.spread(program, &flows);
        debug_assert!(
            flows.iter().all(|flow| {
                let source = locations.source(flow.command).index();
                found.before(program, flow).is_subset(&found.live[source])
            }),
            "the equations hold"
        );
        found
    }

    /// Where all data of a term are live, if they are private to one counter; [`LocId::ANYWHERE`] if they are not, or
    /// live nowhere or everywhere.
    pub fn locations(&self, program: &Program, term: Term) -> Vec<LocId> {
        let own = data(program, term);
        let Some(counter) = self.counter(&own) else { return vec![LocId::ANYWHERE] };
        let all = self.firsts[counter]..self.firsts[counter + 1];
        let n_all = all.len();
        let is_live = |location: &usize| own.iter().all(|&variable| self.live[*location].contains(variable));
        let live: Vec<LocId> = all.filter(is_live).map(LocId::new).collect();
        if live.is_empty() || live.len() == n_all { vec![LocId::ANYWHERE] } else { live }
    }

    /// The location of a state with this control that a term belongs to: that of the counter which its data are private to, or
    /// [`LocId::ANYWHERE`].
    pub fn location(&self, program: &Program, control: &[Value], term: Term) -> LocId {
        let counter = self.counter(&data(program, term));
        let own = counter.and_then(|counter| {
            let mut here = program.locations().at(program, control);
            here.find(|&location| self.counter_of(location) == Some(counter))
        });
        own.unwrap_or(LocId::ANYWHERE)
    }

    /// The counter that all of these variables are private to.
    fn counter(&self, variables: &[VarId]) -> Option<usize> {
        let mut counters = variables.iter().map(|variable| self.private[variable.index()]);
        let first = counters.next()??;
        counters.all(|other| other == Some(first)).then_some(first)
    }

    /// The counter that a location belongs to, by number.
    fn counter_of(&self, location: LocId) -> Option<usize> {
        self.firsts.partition_point(|&first| first <= location.index()).checked_sub(1)
    }

    /// Finds what is live, backwards from what is read.
    fn spread(&mut self, program: &Program, flows: &[Flow]) {
        let locations = program.locations();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); locations.len()];
        for (number, flow) in flows.iter().enumerate() {
            for target in self.targets(program, flow) {
                into[target.index()].push(number);
            }
        }
        let mut queue: VecDeque<usize> = (0..flows.len()).rev().collect();
        let mut waits = vec![true; flows.len()];
        while let Some(number) = queue.pop_front() {
            waits[number] = false;
            let source = locations.source(flows[number].command);
            let before = self.before(program, &flows[number]);
            if before.is_subset(&self.live[source.index()]) {
                continue;
            }
            self.live[source.index()].union_with(&before);
            for &other in &into[source.index()] {
                if !std::mem::replace(&mut waits[other], true) {
                    queue.push_back(other);
                }
            }
        }
    }

    /// The locations of its own counter that a flow may lead to.
    fn targets(&self, program: &Program, flow: &Flow) -> Vec<LocId> {
        let locations = program.locations();
        let own = self.counter_of(locations.source(flow.command));
        match (locations.target(flow.command), own) {
            (Some(target), _) => vec![target],
            (None, Some(own)) => (self.firsts[own]..self.firsts[own + 1]).map(LocId::new).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// What is live before a flow.
    fn before(&self, program: &Program, flow: &Flow) -> IdSet<VarId> {
        let mut live = IdSet::empty(self.private.len());
        for target in self.targets(program, flow) {
            live.union_with(&self.live[target.index()]);
        }
        let mut read: Vec<VarId> = flow.asked.clone();
        for (variable, reads) in &flow.assigned {
            if live.remove(*variable) || self.private[variable.index()].is_none() {
                read.extend(reads);
            }
        }
        read.into_iter().for_each(|variable| {
            live.insert(variable);
        });
        live
    }
}

/// The ways through a command.
fn flows(program: &Program, command: CommandId) -> Vec<Flow> {
    let flow = |step: &Step| {
        let assigned = step
            .updates
            .iter()
            .filter_map(|(&variable, &term)| Some((program.id_of(variable)?, variables(program, term))));
        Flow {
            command,
            guard: step.guard,
            asked: variables(program, step.guard),
            assigned: assigned.collect(),
        }
    };
    program.commands()[command.index()].steps.iter().map(flow).collect()
}

/// The variables of the program in a term.
fn variables(program: &Program, term: Term) -> Vec<VarId> {
    program.terms.variables_of(term).into_iter().filter_map(|variable| program.id_of(variable)).collect()
}

/// The same without control.
fn data(program: &Program, term: Term) -> Vec<VarId> {
    let mut own = variables(program, term);
    own.retain(|variable| !program.variables()[variable.index()].is_control());
    own
}
