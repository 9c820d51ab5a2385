//! Programs with procedures but without recursion as plain programs.
//!
//! A procedure that is not recursive is active at most once at a time, so one copy of its variables is enough, and the stack is told by
//! where each active procedure was called from. [`inlined`] makes a [`Program`] with a control variable for the point, one for each
//! procedure that several edges call, and the variables of all procedures; it is linear in the graph. Where a procedure ends, its
//! variables get the first values of their domains, so that two states differ only in what still counts.
//!
//! The states of the program are those of the graph, but for what a procedure leaves behind; steps are steps, calls and returns.
//! Where the graph only says what may happen, there is no such program.

use crate::{
    Action, Call, Domain, EdgeId, Icfg, Input, PointId, ProcedureId, Program, Role, Statement, Step, VarId,
};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Substitution, Term, Terms, Transplant, Value, Variable};
use tertium_support::{Id, Span};

/// A graph with more edges is not made one program.
const MOST_EDGES: usize = 20_000;

/// A program with procedures as a plain program.
#[derive(Debug)]
pub struct Inlined {
    /// The program. Labels are propositions; actions are the names of procedures, `call.NAME` and `return.NAME`.
    pub program: Program,
    /// The variable that says at which point control is: the number of one of [`Inlined::points`].
    pub at: VarId,
    /// The points, by their numbers.
    pub points: Vec<PointId>,
    /// What each command is: an edge, and for a return the call that it ends.
    pub edges: Vec<EdgeId>,
    /// For each procedure that is called from somewhere: the edges that call it, and the variable that says which of them did, if there
    /// are several. Its values are the numbers of edges from 1; 0 says that the procedure is not active.
    pub callers: BTreeMap<ProcedureId, (Option<VarId>, Vec<EdgeId>)>,
}

impl Inlined {
    /// The point of a state, and the calls that are not over, the innermost first. Values are those of all variables, in order.
    pub fn position(&self, icfg: &Icfg, values: &[Value]) -> Option<(PointId, Vec<EdgeId>)> {
        let number = |id: VarId| usize::try_from(values.get(id.index())?.as_int()?).ok();
        let point = *self.points.get(number(self.at)?)?;
        let mut calls = Vec::new();
        let mut procedure = icfg.point(point).procedure;
        while procedure != icfg.main {
            let (by, edges) = self.callers.get(&procedure)?;
            let edge = match by {
                None => *edges.first()?,
                Some(by) => *edges.get(number(*by)?.checked_sub(1)?)?,
            };
            calls.push(edge);
            procedure = icfg.point(icfg.edge(edge).source).procedure;
            if calls.len() > icfg.procedures().len() {
                return None;
            }
        }
        Some((point, calls))
    }
}

/// Why a graph is not made one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotPlain {
    /// This procedure can be called while it is active.
    Recursion(ProcedureId),
    /// This edge only says what may happen.
    Inexact(EdgeId),
    /// There are so many edges.
    Edges(usize),
}

/// The program that does what a graph does; nothing if there is recursion, if an edge is not exact, or if there are too many edges.
/// Only what control can reach along edges is there.
pub fn inlined(icfg: &Icfg) -> Option<Inlined> {
    inlined_showing(icfg, &BTreeSet::new()).ok()
}

/// The same, where somebody looks at the values of these variables wherever their procedure is active: they have any value there
/// before the first is written, even if no edge reads that.
pub fn inlined_showing(icfg: &Icfg, looked_at: &BTreeSet<Variable>) -> Result<Inlined, NotPlain> {
    let reached = reached(icfg)?;
    let edges: Vec<EdgeId> = reached.iter().flat_map(|&point| &icfg.point(point).leaving).copied().collect();
    if edges.len() > MOST_EDGES {
        return Err(NotPlain::Edges(edges.len()));
    }
    if let Some(&edge) = edges.iter().find(|&&edge| !icfg.edge(edge).is_exact) {
        return Err(NotPlain::Inexact(edge));
    }
    let mut making = Making::new(icfg, reached, looked_at);
    making.begin();
    for id in edges {
        match &icfg.edge(id).action {
            Action::Step(step) => making.step(id, step),
            Action::Call(call) => {
                making.call(id, call);
                making.come_back(id, call);
            }
        }
    }
    making.name_points();
    let Making { program, at, points, edges, callers, .. } = making;
    Ok(Inlined { program, at, points, edges, callers })
}

/// The points that control can come to along edges, in order; an error if a procedure can be called while it is active.
fn reached(icfg: &Icfg) -> Result<Vec<PointId>, NotPlain> {
    let mut seen = BTreeSet::from([icfg.procedure(icfg.main).entry]);
    let mut open: Vec<PointId> = seen.iter().copied().collect();
    let mut calls: BTreeMap<ProcedureId, BTreeSet<ProcedureId>> = BTreeMap::new();
    while let Some(point) = open.pop() {
        for &id in &icfg.point(point).leaving {
            let edge = icfg.edge(id);
            let mut next = vec![edge.target];
            if let Action::Call(call) = &edge.action {
                calls.entry(icfg.point(point).procedure).or_default().insert(call.callee);
                next.push(icfg.procedure(call.callee).entry);
            }
            open.extend(next.into_iter().filter(|&point| seen.insert(point)));
        }
    }
    // A procedure can be taken away once all that it calls are; what is left calls itself.
    let mut left: BTreeSet<ProcedureId> = calls.keys().copied().collect();
    loop {
        let (before, rest) = (left.len(), left.clone());
        left.retain(|procedure| calls[procedure].iter().any(|callee| rest.contains(callee)));
        if left.is_empty() {
            return Ok(seen.into_iter().collect());
        }
        if left.len() == before {
            return Err(NotPlain::Recursion(on_cycle(&calls, &left)));
        }
    }
}

/// One that calls itself, perhaps through others, of procedures that all call one of them.
fn on_cycle(
    calls: &BTreeMap<ProcedureId, BTreeSet<ProcedureId>>,
    left: &BTreeSet<ProcedureId>,
) -> ProcedureId {
    let mut at = *left.first().expect("there are such procedures");
    for _ in 0..left.len() {
        at = *calls[&at].iter().find(|callee| left.contains(callee)).expect("it calls one of them");
    }
    at
}

/// A program on its way.
struct Making<'a> {
    icfg: &'a Icfg,
    program: Program,
    at: VarId,
    points: Vec<PointId>,
    numbers: BTreeMap<PointId, usize>,
    edges: Vec<EdgeId>,
    callers: BTreeMap<ProcedureId, (Option<VarId>, Vec<EdgeId>)>,
    /// By procedure, the variables that are no formals and whose first values may be read.
    read_first: BTreeMap<ProcedureId, BTreeSet<Variable>>,
}

impl<'a> Making<'a> {
    fn new(icfg: &'a Icfg, points: Vec<PointId>, looked_at: &BTreeSet<Variable>) -> Self {
        let mut program = Program::new(Terms::new());
        let last = points.len().saturating_sub(1);
        let names: BTreeSet<String> = (icfg.globals().iter())
            .chain(icfg.procedures().iter().flat_map(|own| &own.variables))
            .map(|&variable| icfg.terms.name(variable))
            .collect();
        let mut name = "at".to_owned();
        while names.contains(&name) {
            name.push('\'');
        }
        let points_of = Domain::Range(0.into(), last.into());
        let at = program.add_variable(&name, points_of, Role::Control, Span::default());
        let mut procedures: BTreeSet<ProcedureId> = BTreeSet::new();
        points.iter().for_each(|&point| {
            procedures.insert(icfg.point(point).procedure);
        });
        let mut callers = BTreeMap::new();
        let numbers: BTreeMap<PointId, usize> =
            points.iter().enumerate().map(|(number, &point)| (point, number)).collect();
        for &id in procedures.iter().filter(|&&id| id != icfg.main) {
            let calls: Vec<EdgeId> = icfg
                .calls_of(id)
                .iter()
                .copied()
                .filter(|&edge| numbers.contains_key(&icfg.edge(edge).source))
                .collect();
            let own = icfg.procedure(id);
            let by = (calls.len() > 1).then(|| {
                let domain = Domain::Range(0.into(), calls.len().into());
                program.add_variable(
                    &format!("caller.{}.{}", own.name, id.index()),
                    domain,
                    Role::Control,
                    own.span,
                )
            });
            callers.insert(id, (by, calls));
        }
        let variables =
            icfg.globals().iter().chain(procedures.iter().flat_map(|&id| &icfg.procedure(id).variables));
        for &variable in variables {
            let cell = icfg.cell(variable).expect("it is a variable of the graph");
            program.add_variable(&icfg.terms.name(variable), cell.domain.clone(), Role::Data, cell.span);
        }
        let read_first = procedures.iter().map(|&id| (id, read_first(icfg, id, looked_at))).collect();
        Self { icfg, program, at, points, numbers, edges: Vec::new(), callers, read_first }
    }

    /// The variable of the program for one of the graph.
    fn own(&self, variable: Variable) -> Variable {
        self.program.terms.declare(&self.icfg.terms.name(variable), &self.icfg.terms.sort_of(variable))
    }

    fn variable(&self, id: VarId) -> Variable {
        self.program.variables()[id.index()].variable
    }

    fn copy(&self, term: Term) -> Term {
        Transplant::new(&self.icfg.terms, &self.program.terms).term(term)
    }

    fn first_of(&self, variable: Variable) -> Term {
        let cell = self.icfg.cell(variable).expect("it is a variable of the graph");
        self.program.terms.value(&cell.domain.first())
    }

    fn is(&self, id: VarId, number: usize) -> Term {
        let terms = &self.program.terms;
        terms.equal(terms.variable(self.variable(id)), terms.integer(number))
    }

    /// Main begins; no other procedure is active.
    fn begin(&mut self) {
        let entry = self.numbers[&self.icfg.procedure(self.icfg.main).entry];
        let mut parts = vec![self.copy(self.icfg.initial), self.is(self.at, entry)];
        parts.extend(self.callers.values().filter_map(|(by, _)| *by).map(|by| self.is(by, 0)));
        let open = &self.read_first[&self.icfg.main];
        let formals = &self.icfg.procedure(self.icfg.main).formals;
        let owners = self.callers.keys().chain([&self.icfg.main]);
        for &variable in owners.flat_map(|&id| &self.icfg.procedure(id).variables) {
            if !open.contains(&variable) && !formals.contains(&variable) {
                let terms = &self.program.terms;
                parts.push(terms.equal(terms.variable(self.own(variable)), self.first_of(variable)));
            }
        }
        self.program.initial = self.program.terms.and(parts);
    }

    fn add(&mut self, edge: EdgeId, action: String, step: Step) {
        let span = self.icfg.edge(edge).span;
        self.program.add_command(action, Statement::Step(step), span);
        self.edges.push(edge);
    }

    /// The names of procedures, as actions.
    fn name(&self, id: ProcedureId) -> &'a str {
        &self.icfg.procedure(id).name
    }

    fn step(&mut self, id: EdgeId, step: &Step) {
        let edge = self.icfg.edge(id);
        let terms = &self.program.terms;
        // Steps that went on from a common beginning share inputs; commands do not.
        let mut inputs = Vec::new();
        let mut renamed = Vec::new();
        for input in &step.inputs {
            let stem = self.icfg.terms.name(input.variable);
            let variable = terms.fresh(&stem, &input.domain.sort());
            renamed.push((self.own(input.variable), terms.variable(variable)));
            inputs.push(Input { variable, domain: input.domain.clone() });
        }
        let mut renaming = Substitution::new(renamed);
        let mut copy = Transplant::new(&self.icfg.terms, terms);
        let mut term = |term: Term| renaming.apply(terms, copy.term(term));
        let guard = terms.and([self.is(self.at, self.numbers[&edge.source]), term(step.guard)]);
        let mut updates: BTreeMap<Variable, Term> =
            step.updates.iter().map(|(&variable, &value)| (self.own(variable), term(value))).collect();
        updates.insert(self.variable(self.at), terms.integer(self.numbers[&edge.target]));
        let action = self.name(self.icfg.point(edge.source).procedure).to_owned();
        self.add(id, action, Step { guard, inputs, updates });
    }

    fn call(&mut self, id: EdgeId, call: &Call) {
        let edge = self.icfg.edge(id);
        let terms = &self.program.terms;
        let callee = self.icfg.procedure(call.callee);
        let mut guard = vec![self.is(self.at, self.numbers[&edge.source])];
        let mut inputs = Vec::new();
        let mut updates: BTreeMap<Variable, Term> = BTreeMap::new();
        for (&formal, &argument) in callee.formals.iter().zip(&call.arguments) {
            updates.insert(self.own(formal), self.copy(argument));
        }
        for &variable in &self.read_first[&call.callee] {
            let cell = self.icfg.cell(variable).expect("it is a variable of the graph");
            let input = terms.fresh(&format!("{}_in", self.icfg.terms.name(variable)), &cell.domain.sort());
            guard.push(cell.domain.contains(terms, terms.variable(input)));
            updates.insert(self.own(variable), terms.variable(input));
            inputs.push(Input { variable: input, domain: cell.domain.clone() });
        }
        updates.insert(self.variable(self.at), terms.integer(self.numbers[&callee.entry]));
        if let (Some(by), number) = self.caller(call.callee, id) {
            updates.insert(self.variable(by), terms.integer(number));
        }
        let step = Step { guard: terms.and(guard), inputs, updates };
        self.add(id, format!("call.{}", callee.name), step);
    }

    /// The variable that says who called, and the number of this call there.
    fn caller(&self, callee: ProcedureId, edge: EdgeId) -> (Option<VarId>, usize) {
        let (by, edges) = &self.callers[&callee];
        let number = edges.iter().position(|&own| own == edge).expect("the edge is a call of the procedure");
        (*by, number + 1)
    }

    fn come_back(&mut self, id: EdgeId, call: &Call) {
        let callee = self.icfg.procedure(call.callee);
        let Some(&exit) = self.numbers.get(&callee.exit) else { return };
        let edge = self.icfg.edge(id);
        let terms = &self.program.terms;
        let mut guard = vec![self.is(self.at, exit)];
        let mut updates: BTreeMap<Variable, Term> =
            callee.variables.iter().map(|&variable| (self.own(variable), self.first_of(variable))).collect();
        for (&result, to) in callee.results.iter().zip(&call.results) {
            if let Some(to) = to {
                updates.insert(self.own(*to), terms.variable(self.own(result)));
            }
        }
        updates.insert(self.variable(self.at), terms.integer(self.numbers[&edge.target]));
        if let (Some(by), number) = self.caller(call.callee, id) {
            guard.push(self.is(by, number));
            updates.insert(self.variable(by), terms.integer(0));
        }
        let step = Step { guard: terms.and(guard), inputs: Vec::new(), updates };
        self.add(id, format!("return.{}", callee.name), step);
    }

    fn name_points(&mut self) {
        for (name, points) in &self.icfg.labels {
            let numbers: Vec<usize> =
                points.iter().filter_map(|point| self.numbers.get(point).copied()).collect();
            let here = numbers.into_iter().map(|number| self.is(self.at, number)).collect::<Vec<Term>>();
            let here = self.program.terms.or(here);
            self.program.propositions.insert(name.clone(), here);
        }
    }
}

/// The variables of a procedure, other than formals, whose values at its entry may be read, or are looked at.
fn read_first(icfg: &Icfg, id: ProcedureId, looked_at: &BTreeSet<Variable>) -> BTreeSet<Variable> {
    let own = icfg.procedure(id);
    let locals: BTreeSet<Variable> =
        own.variables.iter().copied().filter(|variable| !own.formals.contains(variable)).collect();
    let mut live: BTreeMap<PointId, BTreeSet<Variable>> = BTreeMap::new();
    let at_exit = own.results.iter().copied().filter(|result| locals.contains(result)).collect();
    live.insert(own.exit, at_exit);
    let mut open = vec![own.exit];
    open.extend(own.points.iter().copied());
    while let Some(point) = open.pop() {
        let after = live.get(&point).cloned().unwrap_or_default();
        for &id in &icfg.point(point).entering {
            let edge = icfg.edge(id);
            let mut before = after.clone();
            let mut read: Vec<Term> = Vec::new();
            match &edge.action {
                Action::Step(step) => {
                    before.retain(|variable| !step.updates.contains_key(variable));
                    read.extend(step.updates.values());
                    read.push(step.guard);
                }
                Action::Call(call) => {
                    call.results.iter().flatten().for_each(|to| {
                        before.remove(to);
                    });
                    read.extend(&call.arguments);
                }
            }
            for variable in read.into_iter().flat_map(|term| icfg.terms.variables_of(term)) {
                if locals.contains(&variable) {
                    before.insert(variable);
                }
            }
            let known = live.entry(edge.source).or_default();
            let n = known.len();
            known.extend(before);
            if known.len() > n {
                open.push(edge.source);
            }
        }
    }
    let mut found = live.remove(&own.entry).unwrap_or_default();
    found.extend(locals.intersection(looked_at));
    found
}
