//! Programs with procedures, as interprocedural control-flow graphs \[Wei09\].
//!
//! Every procedure is a graph of *points* with one entry and one exit. An edge is a [`Step`] (a block of statements as one
//! guarded simultaneous assignment) or a call. A call is one edge here and three in the theory: the *call* edge to the
//! entry of the callee, the *return* edge from its exit, and the *func-call* edge that jumps over the callee by its
//! summary; [`Icfg::calls_of`] finds the first two from the third. Each call has a return point of its own.
//!
//! **State.** An activation record gives values to the globals and to the variables of one procedure. At the entry the
//! formals have the values of the arguments, and every other variable of the procedure any value of its domain. Globals
//! are seen by all procedures; a call neither hides nor copies them. At the exit the results have the values that the
//! caller takes. Values are always within their domains: guards of steps keep them there.
//!
//! **Ends.** A state without enabled edge is the end of a path. The exit of main is the end of the program. Whether a
//! path ends there or runs into a point without edges ([`Icfg::labels`] may name it) makes no difference to the graph.
//!
//! **Over-approximation.** A step that is not [exact](Edge::is_exact) only says what *may* happen: every concrete step is
//! among those it describes, but not all of these need exist.

use crate::{Domain, Step};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, Terms, Variable};
use tertium_support::{Id, Span, define_id};

define_id!(
    /// A procedure.
    ProcedureId
);

define_id!(
    /// A control point of a procedure.
    PointId
);

define_id!(
    /// An edge between two points of one procedure.
    EdgeId
);

/// A variable with what is known of it.
#[derive(Clone, Debug)]
pub struct Cell {
    /// As terms see it. Names are unique in the whole program: `n` of `f` may be called `f::n`.
    pub variable: Variable,
    /// As the user wrote it.
    pub name: String,
    /// Its values.
    pub domain: Domain,
    /// Whose it is; a global is nobody's.
    pub owner: Option<ProcedureId>,
    /// Where it is declared.
    pub span: Span,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// As the user wrote it.
    pub name: String,
    /// The variables that take the arguments, in order.
    pub formals: Vec<Variable>,
    /// The variables whose values the caller takes, in order. One may be a formal.
    pub results: Vec<Variable>,
    /// All variables of the procedure, formals and results among them.
    pub variables: Vec<Variable>,
    /// Where it begins.
    pub entry: PointId,
    /// Where it ends. No edge leaves from here.
    pub exit: PointId,
    /// All points, the entry and the exit among them.
    pub points: Vec<PointId>,
    /// Where it is declared.
    pub span: Span,
}

/// A control point.
#[derive(Clone, Debug)]
pub struct Point {
    /// Whose it is.
    pub procedure: ProcedureId,
    /// Where in the source control is.
    pub span: Span,
    /// Whether it is where control comes back to in a loop.
    pub is_loop_head: bool,
    /// The edges that leave from here.
    pub leaving: Vec<EdgeId>,
    /// The edges that lead here.
    pub entering: Vec<EdgeId>,
}

/// What an edge does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Goes on where the guard holds, with new values for some variables.
    Step(Step),
    /// Calls a procedure and goes on when it has come to its exit.
    Call(Call),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// What is called.
    pub callee: ProcedureId,
    /// A term for each formal, over the variables of the caller and globals.
    pub arguments: Vec<Term>,
    /// For each result, the variable of the caller, or the global, that takes it; nothing if it is dropped.
    pub results: Vec<Option<Variable>>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it leaves.
    pub source: PointId,
    /// Where it leads.
    pub target: PointId,
    /// What it does.
    pub action: Action,
    /// Whether it does just that; else it says only what may happen.
    pub is_exact: bool,
    /// The text it stands for.
    pub span: Span,
}

/// A program with procedures.
#[derive(Debug)]
pub struct Icfg {
    /// All terms live here.
    pub terms: Terms,
    cells: BTreeMap<Variable, Cell>,
    globals: Vec<Variable>,
    procedures: Vec<Procedure>,
    points: Vec<Point>,
    edges: Vec<Edge>,
    calls_of: Vec<Vec<EdgeId>>,
    /// Of all cells, as terms see them.
    names: BTreeSet<String>,
    /// The procedure that the program begins in. Nobody calls it.
    pub main: ProcedureId,
    /// What holds of the globals where the program begins.
    pub initial: Term,
    /// Names of places: labels of the program, and what a front end marks (`reach_error`). A name can be at several points.
    pub labels: BTreeMap<String, Vec<PointId>>,
}

impl Icfg {
    /// A program without procedures and globals. The first procedure that is added is main unless that is changed.
    pub fn new(terms: Terms) -> Self {
        let initial = terms.boolean(true);
        Self {
            terms,
            cells: BTreeMap::new(),
            globals: Vec::new(),
            procedures: Vec::new(),
            points: Vec::new(),
            edges: Vec::new(),
            calls_of: Vec::new(),
            names: BTreeSet::new(),
            main: ProcedureId::from_raw(0),
            initial,
            labels: BTreeMap::new(),
        }
    }

    /// Adds a global.
    pub fn add_global(&mut self, name: &str, domain: Domain, span: Span) -> Variable {
        let variable = self.declare(name, name, domain, None, span);
        self.globals.push(variable);
        variable
    }

    /// Adds a procedure without variables and edges: its entry and its exit are there.
    pub fn add_procedure(&mut self, name: &str, span: Span) -> ProcedureId {
        let id = ProcedureId::new(self.procedures.len());
        self.procedures.push(Procedure {
            name: name.to_owned(),
            formals: Vec::new(),
            results: Vec::new(),
            variables: Vec::new(),
            entry: PointId::from_raw(0),
            exit: PointId::from_raw(0),
            points: Vec::new(),
            span,
        });
        self.calls_of.push(Vec::new());
        let (entry, exit) = (self.add_point(id, span), self.add_point(id, span));
        (self.procedures[id.index()].entry, self.procedures[id.index()].exit) = (entry, exit);
        id
    }

    /// Adds a variable of a procedure. Two with one name get different names among terms.
    pub fn add_variable(
        &mut self,
        procedure: ProcedureId,
        name: &str,
        domain: Domain,
        span: Span,
    ) -> Variable {
        let full = format!("{}::{name}", self.procedures[procedure.index()].name);
        let variable = self.declare(&full, name, domain, Some(procedure), span);
        self.procedures[procedure.index()].variables.push(variable);
        variable
    }

    /// Makes a variable of a procedure its next formal.
    pub fn add_formal(&mut self, procedure: ProcedureId, variable: Variable) {
        debug_assert_eq!(self.cells[&variable].owner, Some(procedure), "a formal is a variable of its own");
        self.procedures[procedure.index()].formals.push(variable);
    }

    /// Makes a variable of a procedure its next result.
    pub fn add_result(&mut self, procedure: ProcedureId, variable: Variable) {
        debug_assert_eq!(self.cells[&variable].owner, Some(procedure), "a result is a variable of its own");
        self.procedures[procedure.index()].results.push(variable);
    }

    /// Adds a point.
    pub fn add_point(&mut self, procedure: ProcedureId, span: Span) -> PointId {
        let id = PointId::new(self.points.len());
        let (leaving, entering) = (Vec::new(), Vec::new());
        self.points.push(Point { procedure, span, is_loop_head: false, leaving, entering });
        self.procedures[procedure.index()].points.push(id);
        id
    }

    /// Says that control comes back to a point in a loop.
    pub fn mark_loop_head(&mut self, point: PointId) {
        self.points[point.index()].is_loop_head = true;
    }

    /// Gives a point a name.
    pub fn add_label(&mut self, name: &str, point: PointId) {
        self.labels.entry(name.to_owned()).or_default().push(point);
    }

    /// Adds an edge.
    pub fn add_edge(
        &mut self,
        source: PointId,
        target: PointId,
        action: Action,
        is_exact: bool,
        span: Span,
    ) -> EdgeId {
        let owner = self.points[source.index()].procedure;
        debug_assert_eq!(owner, self.points[target.index()].procedure, "an edge stays in its procedure");
        debug_assert_ne!(source, self.procedures[owner.index()].exit, "no edge leaves from an exit");
        let id = EdgeId::new(self.edges.len());
        if let Action::Call(call) = &action {
            let callee = &self.procedures[call.callee.index()];
            debug_assert_eq!(call.arguments.len(), callee.formals.len(), "an argument for each formal");
            debug_assert_eq!(call.results.len(), callee.results.len(), "all results are taken or dropped");
            self.calls_of[call.callee.index()].push(id);
        }
        self.points[source.index()].leaving.push(id);
        self.points[target.index()].entering.push(id);
        self.edges.push(Edge { source, target, action, is_exact, span });
        id
    }

    /// An edge turns out to say only what may happen.
    pub fn over_approximate(&mut self, edge: EdgeId) {
        self.edges[edge.index()].is_exact = false;
    }

    /// A new point just before the exit of a procedure: all edges that led to the exit lead there, and one that changes nothing leads
    /// from there to the exit.
    pub fn add_point_before_exit(&mut self, procedure: ProcedureId) -> PointId {
        let (exit, span) = (self.procedure(procedure).exit, self.procedure(procedure).span);
        let last = self.add_point(procedure, span);
        let entering = std::mem::take(&mut self.points[exit.index()].entering);
        for edge in &entering {
            self.edges[edge.index()].target = last;
        }
        self.points[last.index()].entering = entering;
        let step = Step { guard: self.terms.boolean(true), inputs: Vec::new(), updates: BTreeMap::new() };
        self.add_edge(last, exit, Action::Step(step), true, span);
        last
    }

    fn declare(
        &mut self,
        full: &str,
        name: &str,
        domain: Domain,
        owner: Option<ProcedureId>,
        span: Span,
    ) -> Variable {
        let variable = if self.names.insert(full.to_owned()) {
            self.terms.declare(full, &domain.sort())
        } else {
            self.terms.fresh(full, &domain.sort())
        };
        self.names.insert(self.terms.name(variable));
        self.cells.insert(variable, Cell { variable, name: name.to_owned(), domain, owner, span });
        variable
    }

    /// What is known of a variable; nothing if it is none of the program.
    pub fn cell(&self, variable: Variable) -> Option<&Cell> {
        self.cells.get(&variable)
    }

    /// The globals, in order.
    pub fn globals(&self) -> &[Variable] {
        &self.globals
    }

    /// All procedures, by id.
    pub fn procedures(&self) -> &[Procedure] {
        &self.procedures
    }

    /// One procedure.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// All points, by id.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// One point.
    pub fn point(&self, id: PointId) -> &Point {
        &self.points[id.index()]
    }

    /// All edges, by id.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// One edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges that call a procedure.
    pub fn calls_of(&self, procedure: ProcedureId) -> &[EdgeId] {
        &self.calls_of[procedure.index()]
    }

    /// The variables that a state at a point of a procedure gives values to: globals, then its own.
    pub fn in_scope(&self, procedure: ProcedureId) -> impl Iterator<Item = Variable> + '_ {
        self.globals.iter().chain(&self.procedure(procedure).variables).copied()
    }

    /// That these variables are within their domains.
    pub fn within(&self, variables: impl IntoIterator<Item = Variable>) -> Term {
        let known = variables.into_iter().filter_map(|variable| self.cell(variable));
        let within = known.map(|cell| cell.domain.contains(&self.terms, self.terms.variable(cell.variable)));
        self.terms.and(within.collect::<Vec<Term>>())
    }
}
