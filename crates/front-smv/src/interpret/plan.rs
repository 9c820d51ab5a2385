//! In which order the enumeration gives values to variables, from where it takes them, and what it checks on the way.
//!
//! Constraints are cut into their conjuncts. A variable with an assignment comes as soon as everything is known that the
//! assignment reads, and so does one that a conjunct equates with something known. Otherwise the next variable is one that a
//! conjunct with the fewest unknown variables reads. A conjunct is checked when its last variable has a value, and
//! tried before that whenever a variable it reads is chosen freely.
//!
//! Invariant: every law is a filter somewhere, or the source of its variable; so the order changes the cost and not the result.

use super::evaluate::When;
use super::laws::{Check, Laws, Rule, Slot, initial_laws, step_laws};
use super::{parts, values_of};
use crate::reads::Reads;
use crate::{BinaryOp, Expr, ExprKind, FlatModel, Type, UnaryOp, Value, VarId, VarKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use tertium_support::Id;

/// An order of enumeration.
#[derive(Debug)]
pub(crate) struct Plan<'m> {
    /// What reads no variable that is to be found.
    pub(crate) first: Vec<Filter<'m>>,
    pub(crate) choices: Vec<Choice<'m>>,
}

/// One variable, its candidates, and what becomes known with it.
#[derive(Debug)]
pub(crate) struct Choice<'m> {
    pub(crate) slot: Slot,
    pub(crate) source: Source<'m>,
    pub(crate) filters: Vec<Filter<'m>>,
    /// Conjuncts that read the variable and further unknown ones: false is false already.
    pub(crate) hints: Vec<Check<'m>>,
}

/// Where the candidates come from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'m> {
    /// The values of an assignment; one outside the type is a fault.
    Assigned(Rule<'m>),
    /// The value that the variable has now.
    Kept,
    /// The values of an expression that are of the type, if it has one value: a conjunct demands it, and is checked still.
    Equal(Check<'m>),
    /// The values of an expression that are of the type.
    Member(Check<'m>),
    /// This truth value.
    Truth(bool),
    /// All values of the type.
    Any,
}

/// What may exclude a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Filter<'m> {
    Check(Check<'m>),
    Rule(Rule<'m>),
    Kept(VarId),
}

/// How first states are found.
pub(crate) fn plan_initial<'m>(model: &'m FlatModel, reads: &Reads) -> Plan<'m> {
    let unknown = slots(model, When::Now, |kind| kind != VarKind::Input);
    Planner::new(model, reads, unknown, initial_laws(model)).plan()
}

/// How steps are found: one plan for each process, with the value of the selector.
pub(crate) fn plan_steps<'m>(model: &'m FlatModel, reads: &Reads) -> Vec<(Option<Value>, Plan<'m>)> {
    let mut unknown = slots(model, When::Now, |kind| kind == VarKind::Input);
    unknown.retain(|slot| Some(slot.variable) != model.selector);
    unknown.extend(slots(model, When::Next, |kind| kind != VarKind::Input));
    let processes: Vec<Option<Value>> = match model.selector {
        Some(selector) => values_of(&model.variables[selector.index()].ty).map(Some).collect(),
        None => vec![None],
    };
    let plan = |process| Planner::new(model, reads, unknown.clone(), step_laws(model, process)).plan();
    processes.into_iter().map(|process| (process, plan(process))).collect()
}

fn slots(model: &FlatModel, when: When, wanted: fn(VarKind) -> bool) -> Vec<Slot> {
    let ids = VarId::first(model.variables.len()).filter(|id| wanted(model.variables[id.index()].kind));
    ids.map(|variable| Slot { when, variable }).collect()
}

/// A law with how many of the variables that it reads are still unknown.
struct Pending<'m> {
    filter: Filter<'m>,
    reads: Vec<Slot>,
    missing: usize,
    /// It is the source of its variable.
    used: bool,
}

/// A way to the candidates of a variable that depends on other variables.
struct Generator<'m> {
    target: Slot,
    source: Source<'m>,
    missing: usize,
}

struct Planner<'m> {
    /// By slot: whether it is to be found and was not placed yet.
    unknown: Vec<bool>,
    /// What is to be found, in order; some of it was placed, all before `first` was.
    slots: Vec<Slot>,
    first: usize,
    /// What is kept from before the step and was not placed yet, the next one last.
    to_keep: Vec<Slot>,
    n_variables: usize,
    kept: Vec<bool>,
    assigned: Vec<bool>,
    pending: Vec<Pending<'m>>,
    generators: Vec<Generator<'m>>,
    /// The generators that wait for nothing any more, best first; some of their targets were placed.
    ready: BTreeSet<(u8, usize)>,
    /// By slot: the laws and generators that wait for it.
    waiting: Vec<(Vec<usize>, Vec<usize>)>,
    plan: Plan<'m>,
}

impl<'m> Planner<'m> {
    fn new(model: &'m FlatModel, reads: &Reads, slots: Vec<Slot>, laws: Laws<'m>) -> Self {
        let n_variables = model.variables.len();
        let mut planner = Self {
            unknown: vec![false; 2 * n_variables],
            slots,
            first: 0,
            to_keep: Vec::new(),
            n_variables,
            kept: vec![false; 2 * n_variables],
            assigned: vec![false; 2 * n_variables],
            pending: Vec::new(),
            generators: Vec::new(),
            ready: BTreeSet::new(),
            waiting: vec![(Vec::new(), Vec::new()); 2 * n_variables],
            plan: Plan { first: Vec::new(), choices: Vec::new() },
        };
        for at in 0..planner.slots.len() {
            let index = planner.index(planner.slots[at]);
            planner.unknown[index] = true;
        }
        for &variable in &laws.kept {
            let next = Slot { when: When::Next, variable };
            let index = planner.index(next);
            planner.kept[index] = true;
            planner.law(Filter::Kept(variable), vec![next]);
        }
        for rule in laws.rules {
            let mut read = slots_read(&rule.assign.value, rule.when, reads);
            let index = planner.index(rule.target);
            planner.assigned[index] = true;
            planner.generator(rule.target, Source::Assigned(rule), &read);
            read.push(rule.target);
            planner.law(Filter::Rule(rule), read);
        }
        let mut conjuncts = Vec::new();
        let mut seen = FxHashSet::default();
        for check in laws.checks {
            split(model, check, &mut seen, &mut conjuncts);
        }
        planner.to_keep =
            planner.slots.iter().rev().copied().filter(|&slot| planner.kept[planner.index(slot)]).collect();
        for check in conjuncts {
            for (target, source) in equations(check) {
                let read = match source {
                    Source::Equal(of) | Source::Member(of) => slots_read(of.expr, of.when, reads),
                    _ => Vec::new(),
                };
                planner.generator(target, source, &read);
            }
            planner.law(Filter::Check(check), slots_read(check.expr, check.when, reads));
        }
        planner
    }

    fn index(&self, slot: Slot) -> usize {
        slot.variable.index() + if slot.when == When::Next { self.n_variables } else { 0 }
    }

    fn law(&mut self, filter: Filter<'m>, mut reads: Vec<Slot>) {
        reads.sort_unstable();
        reads.dedup();
        reads.retain(|&slot| self.unknown[self.index(slot)]);
        for &slot in &reads {
            let index = self.index(slot);
            self.waiting[index].0.push(self.pending.len());
        }
        if reads.is_empty() {
            self.plan.first.push(filter);
        }
        self.pending.push(Pending { filter, missing: reads.len(), reads, used: false });
    }

    fn generator(&mut self, target: Slot, source: Source<'m>, reads: &[Slot]) {
        let mut missing = 0;
        let mut reads = reads.to_vec();
        reads.sort_unstable();
        reads.dedup();
        for slot in reads {
            let index = self.index(slot);
            if self.unknown[index] {
                missing += 1;
                self.waiting[index].1.push(self.generators.len());
            }
        }
        if missing == 0 {
            self.ready.insert((rank(&source), self.generators.len()));
        }
        self.generators.push(Generator { target, source, missing });
    }

    fn plan(mut self) -> Plan<'m> {
        while let Some((slot, source)) = self.choose() {
            self.place(slot, source);
        }
        self.plan
    }

    /// What is found next, and from where; nothing if everything is found.
    fn choose(&mut self) -> Option<(Slot, Source<'m>)> {
        while self.slots.get(self.first).is_some_and(|&slot| !self.unknown[self.index(slot)]) {
            self.first += 1;
        }
        let first = *self.slots.get(self.first)?;
        if let Some(slot) = self.to_keep.pop() {
            return Some((slot, Source::Kept));
        }
        while let Some((_, generator)) = self.ready.pop_first() {
            let Generator { target, source, .. } = self.generators[generator];
            let index = self.index(target);
            // Candidates of an assigned variable come from nowhere else: that is where its faults show.
            let allowed = !self.assigned[index] || matches!(source, Source::Assigned(_));
            if self.unknown[index] && allowed {
                return Some((target, source));
            }
        }
        let free = |slot: &Slot| !self.assigned[self.index(*slot)];
        let open =
            self.pending.iter().filter(|law| law.missing > 0 && matches!(law.filter, Filter::Check(_)));
        let nearest = open
            .filter_map(|law| {
                let slot = law.reads.iter().find(|slot| self.unknown[self.index(**slot)] && free(slot))?;
                Some((law.missing, *slot))
            })
            .min_by_key(|(missing, _)| *missing);
        let unknown = |slot: &Slot| self.unknown[self.index(*slot)];
        let mut left = self.slots[self.first..].iter().copied().filter(unknown);
        let slot = nearest.map(|(_, slot)| slot).or_else(|| left.find(free));
        // Assignments that wait for each other: the elaborated model has none, but a filter is right in any case.
        Some((slot.unwrap_or(first), Source::Any))
    }

    fn place(&mut self, slot: Slot, source: Source<'m>) {
        let index = self.index(slot);
        self.unknown[index] = false;
        let (laws, generators) = std::mem::take(&mut self.waiting[index]);
        for generator in generators {
            let waiting = &mut self.generators[generator];
            waiting.missing -= 1;
            if waiting.missing == 0 {
                self.ready.insert((rank(&waiting.source), generator));
            }
        }
        let (mut filters, mut hints) = (Vec::new(), Vec::new());
        let free = !matches!(source, Source::Assigned(_) | Source::Kept);
        for law in laws {
            let law = &mut self.pending[law];
            law.missing -= 1;
            let is_source = match (source, law.filter) {
                (Source::Assigned(rule), Filter::Rule(other)) => std::ptr::eq(rule.assign, other.assign),
                (Source::Kept, Filter::Kept(_)) => true,
                _ => false,
            };
            law.used |= is_source;
            match law.filter {
                filter if law.missing == 0 && !law.used => filters.push(filter),
                Filter::Check(check) if law.missing > 0 && free => hints.push(check),
                _ => {}
            }
        }
        self.plan.choices.push(Choice { slot, source, filters, hints });
    }
}

/// The variables that an expression reads, through definitions.
fn slots_read(expr: &Expr, when: When, reads: &Reads) -> Vec<Slot> {
    let (mut now, mut next) = (Vec::new(), Vec::new());
    let mut waiting = vec![(expr, when)];
    while let Some((expr, when)) = waiting.pop() {
        let nodes = if when == When::Now { &mut now } else { &mut next };
        match &expr.kind {
            ExprKind::Variable(id) => nodes.push(reads.of_variable(*id)),
            ExprKind::Define(id) => nodes.push(reads.of_define(id.index())),
            ExprKind::Next(operand) => waiting.push((operand, When::Next)),
            _ => waiting.extend(parts(expr).into_iter().map(|part| (part, when))),
        }
    }
    let mut slots = Vec::new();
    for (when, mut nodes) in [(When::Now, now), (When::Next, next)] {
        nodes.sort_unstable();
        nodes.dedup();
        slots.extend(reads.all(nodes).into_iter().map(|variable| Slot { when, variable }));
    }
    slots.sort_unstable();
    slots
}

/// The conjuncts of a constraint, through definitions; each definition once.
fn split<'m>(
    model: &'m FlatModel,
    check: Check<'m>,
    seen: &mut FxHashSet<(When, usize)>,
    out: &mut Vec<Check<'m>>,
) {
    let mut waiting = vec![check];
    while let Some(Check { when, expr }) = waiting.pop() {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::And, left, right) if expr.ty == Type::Boolean => {
                waiting.push(Check { when, expr: right });
                waiting.push(Check { when, expr: left });
            }
            ExprKind::Next(operand) if when == When::Now => {
                waiting.push(Check { when: When::Next, expr: operand });
            }
            ExprKind::Define(id) => {
                if seen.insert((when, id.index())) {
                    waiting.push(Check { when, expr: &model.defines[id.index()].body });
                }
            }
            _ => out.push(Check { when, expr }),
        }
    }
}

/// Which sources are taken first.
fn rank(source: &Source<'_>) -> u8 {
    match source {
        Source::Assigned(_) => 0,
        Source::Truth(_) => 1,
        Source::Equal(_) => 2,
        _ => 3,
    }
}

/// The candidates for variables that a conjunct gives by its form.
fn equations<'m>(check: Check<'m>) -> Vec<(Slot, Source<'m>)> {
    let when = check.when;
    let mut found = Vec::new();
    match &check.expr.kind {
        ExprKind::Binary(BinaryOp::Equal, left, right) => {
            found.extend(slot(left, when).map(|slot| (slot, Source::Equal(Check { when, expr: right }))));
            found.extend(slot(right, when).map(|slot| (slot, Source::Equal(Check { when, expr: left }))));
        }
        ExprKind::Binary(BinaryOp::Xnor, left, right) if check.expr.ty == Type::Boolean => {
            found.extend(slot(left, when).map(|slot| (slot, Source::Equal(Check { when, expr: right }))));
            found.extend(slot(right, when).map(|slot| (slot, Source::Equal(Check { when, expr: left }))));
        }
        ExprKind::Binary(BinaryOp::In, left, right) => {
            found.extend(slot(left, when).map(|slot| (slot, Source::Member(Check { when, expr: right }))));
        }
        ExprKind::Unary(UnaryOp::Not, operand) => {
            found.extend(slot(operand, when).map(|slot| (slot, Source::Truth(false))));
        }
        _ => found.extend(slot(check.expr, when).map(|slot| (slot, Source::Truth(true)))),
    }
    found
}

/// The variable that an expression is.
fn slot(expr: &Expr, when: When) -> Option<Slot> {
    match &expr.kind {
        ExprKind::Variable(variable) => Some(Slot { when, variable: *variable }),
        ExprKind::Next(operand) if when == When::Now => slot(operand, When::Next),
        _ => None,
    }
}
