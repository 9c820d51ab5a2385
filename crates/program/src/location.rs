//! Locations: where control can be, and the commands that leave from there.
//!
//! A program is a network of control-flow automata, one for each *counter*: a control variable that commands ask for a value of. A
//! location is a value of a counter, and a state is at one location of each. A command is an edge: it leaves from the one location
//! that its guard asks for, and leads to the one that its updates name. Of several counters that a guard asks for, the one counts
//! that most commands ask for. What asks for no counter leaves from a location of its own, [`LocId::ANYWHERE`], where every state is.
//!
//! So whoever has a state need only look at the edges of its locations: the guards of all others are false. Found once for a program,
//! from the guards of steps; costs their size.

use crate::{Command, CommandId, Program, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, TermKind, Terms, Value, Variable, evaluate};
use tertium_support::{Id, define_id};

define_id!(
    /// A location of a program.
    LocId
);

/// Counters have at most so many values.
const MOST_VALUES: usize = 1 << 20;

/// A control variable whose values are locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The variable.
    pub variable: VarId,
    /// Its place among the control variables.
    pub place: usize,
    /// The location of its first value; those of the others follow in order.
    pub first: LocId,
}

/// The locations of a program, and its commands as edges between them.
#[derive(Clone, Debug)]
pub struct Locations {
    counters: Vec<Counter>,
    sources: Vec<LocId>,
    targets: Vec<Option<LocId>>,
    /// Where the edges of each location begin; one more at the end.
    starts: Vec<usize>,
    /// By source, in the order of the program.
    edges: Vec<CommandId>,
}

impl LocId {
    /// Where every state is: the source of commands that ask for no counter.
    pub const ANYWHERE: Self = Self::from_raw(0);
}

impl Locations {
    /// The locations of a program.
    pub(crate) fn new(program: &Program) -> Self {
        let asked: Vec<BTreeMap<VarId, Value>> =
            program.commands().iter().map(|command| asked(program, command)).collect();
        let mut times: BTreeMap<VarId, usize> = BTreeMap::new();
        asked.iter().flat_map(BTreeMap::keys).for_each(|&variable| *times.entry(variable).or_default() += 1);
        // The counter that most commands ask for, and the first of several.
        let chosen: Vec<Option<(VarId, &Value)>> = asked
            .iter()
            .map(|asked| {
                let best =
                    asked.iter().max_by_key(|&(variable, _)| (times[variable], std::cmp::Reverse(*variable)));
                best.map(|(&variable, value)| (variable, value))
            })
            .collect();
        let used: BTreeSet<VarId> = chosen.iter().flatten().map(|&(variable, _)| variable).collect();
        let mut counters = Vec::new();
        let mut n_locations = 1;
        for (place, &variable) in program.control().iter().enumerate().filter(|(_, own)| used.contains(own)) {
            counters.push(Counter { variable, place, first: LocId::new(n_locations) });
            let domain = &program.variables()[variable.index()].domain;
            n_locations += domain.count(MOST_VALUES).expect("counters have few values");
        }
        let firsts: FxHashMap<VarId, LocId> = counters.iter().map(|own| (own.variable, own.first)).collect();
        let location = |variable: VarId, value: &Value| {
            let number = program.variables()[variable.index()].domain.number_of(value)?;
            Some(LocId::new(firsts[&variable].index() + number))
        };
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        for (command, chosen) in program.commands().iter().zip(&chosen) {
            let source = chosen.and_then(|(variable, value)| location(variable, value));
            sources.push(source.unwrap_or(LocId::ANYWHERE));
            targets.push(match chosen {
                Some((variable, value)) => {
                    target(program, command, *variable, value).and_then(|value| location(*variable, &value))
                }
                None => Some(LocId::ANYWHERE),
            });
        }
        let mut starts = vec![0; n_locations + 1];
        sources.iter().for_each(|source| starts[source.index() + 1] += 1);
        (0..n_locations).for_each(|n| starts[n + 1] += starts[n]);
        let mut edges: Vec<CommandId> = CommandId::first(sources.len()).collect();
        edges.sort_by_key(|command| sources[command.index()]);
        debug_assert_eq!(starts[n_locations], edges.len(), "every command has one source");
        debug_assert!(counters.is_sorted_by_key(|counter| counter.first), "locations follow their counters");
        debug_assert!(starts.is_sorted(), "rows follow each other");
        Self { counters, sources, targets, starts, edges }
    }

    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none, which is never so.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The counters, in the order of the program.
    pub fn counters(&self) -> &[Counter] {
        &self.counters
    }

    /// The commands that leave from a location, in the order of the program.
    pub fn edges_from(&self, location: LocId) -> &[CommandId] {
        &self.edges[self.starts[location.index()]..self.starts[location.index() + 1]]
    }

    /// The location that a command leaves from.
    pub fn source(&self, command: CommandId) -> LocId {
        self.sources[command.index()]
    }

    /// The location that a command leads to. Nothing if it leads to several.
    pub fn target(&self, command: CommandId) -> Option<LocId> {
        self.targets[command.index()]
    }

    /// The location where a variable has a value; nothing if the variable is no counter, or the value none of its own.
    pub fn find(&self, program: &Program, variable: VarId, value: &Value) -> Option<LocId> {
        let counter = self.counters.iter().find(|counter| counter.variable == variable)?;
        let number = program.variables()[variable.index()].domain.number_of(value)?;
        Some(LocId::new(counter.first.index() + number))
    }

    /// Holds of the states at a location, and of no others.
    pub fn condition(&self, program: &Program, location: LocId) -> Term {
        let terms = &program.terms;
        let at = self.counters.partition_point(|counter| counter.first <= location);
        let Some(counter) = at.checked_sub(1).map(|at| &self.counters[at]) else {
            return terms.boolean(true);
        };
        let own = &program.variables()[counter.variable.index()];
        let values = own.domain.values(MOST_VALUES).expect("counters have few values");
        let value = &values[location.index() - counter.first.index()];
        terms.equal(terms.variable(own.variable), terms.value(value))
    }

    /// The locations of a state with these values of the control variables, in order. One for each counter whose value is of its
    /// domain, and [`LocId::ANYWHERE`].
    pub fn at<'a>(&'a self, program: &'a Program, control: &'a [Value]) -> impl Iterator<Item = LocId> + 'a {
        let own = self.counters.iter().filter_map(|counter| {
            let domain = &program.variables()[counter.variable.index()].domain;
            domain.number_of(&control[counter.place]).map(|number| LocId::new(counter.first.index() + number))
        });
        [LocId::ANYWHERE].into_iter().chain(own)
    }

    /// The commands that leave from the locations of such a state, in the order of the program. No other can be taken there.
    pub fn edges_at(&self, program: &Program, control: &[Value]) -> Vec<CommandId> {
        let mut edges: Vec<CommandId> =
            self.at(program, control).flat_map(|location| self.edges_from(location)).copied().collect();
        edges.sort_unstable();
        edges
    }
}

/// The control variables of which all steps of a command ask for the same value.
fn asked(program: &Program, command: &Command) -> BTreeMap<VarId, Value> {
    let mut steps = command.steps.iter().map(|step| {
        let parts = program.terms.conjuncts(step.guard).into_iter();
        let asked = parts.filter_map(|part| pinned(&program.terms, part)).filter_map(|(variable, value)| {
            let id = program.id_of(variable)?;
            let own = &program.variables()[id.index()];
            let few = own.is_control() && own.domain.count(MOST_VALUES).is_some();
            (few && own.domain.number_of(&value).is_some()).then_some((id, value))
        });
        asked.collect::<BTreeMap<VarId, Value>>()
    });
    let Some(first) = steps.next() else { return BTreeMap::new() };
    steps.fold(first, |mut all, step| {
        all.retain(|variable, value| step.get(variable) == Some(value));
        all
    })
}

/// The variable that a condition gives a value to, and that value: of `x = 3`, `b` and `!b`. Arrays may be given, too.
pub fn pinned(terms: &Terms, condition: Term) -> Option<(Variable, Value)> {
    let variable = |term: Term| match terms.kind(term) {
        TermKind::Variable(variable) => Some(variable),
        _ => None,
    };
    match terms.kind(condition) {
        TermKind::Exactly(form, value) => Some((variable(form)?, Value::Int(value))),
        TermKind::Equal(left, right) => {
            let (own, other) = match variable(left) {
                Some(own) => (own, right),
                None => (variable(right)?, left),
            };
            // Constants have a value without any of variables, also arrays.
            Some((own, evaluate(terms, other, &|_| None).ok()?))
        }
        TermKind::Not(inner) => Some((variable(inner)?, Value::Bool(false))),
        TermKind::Variable(own) => Some((own, Value::Bool(true))),
        _ => None,
    }
}

/// The value of a counter after all steps of a command that asks for a value of it; nothing if that depends.
fn target(program: &Program, command: &Command, counter: VarId, source: &Value) -> Option<Value> {
    let variable = program.variables()[counter.index()].variable;
    let mut values = command.steps.iter().map(|step| match step.updates.get(&variable) {
        Some(&term) => program.terms.as_value(term),
        None => Some(source.clone()),
    });
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}
