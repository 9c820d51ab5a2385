//! Programs.

use crate::{Command, Domain, Locations, Process, ProcessId, Statement, Step, Template, TemplateId};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use tertium_expr::{BigInt, Term, Terms, Variable};
use tertium_support::{Id, Span, define_id};

define_id!(
    /// A variable of a program.
    VarId
);

define_id!(
    /// A command of a program.
    CommandId
);

/// Whether abstractions keep a variable as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Kept concrete; has finitely many values.
    Control,
    /// Seen through predicates only.
    Data,
}

/// A variable with what is known of it.
#[derive(Clone, Debug)]
pub struct ProgramVariable {
    /// As terms see it.
    pub variable: Variable,
    /// Its values.
    pub domain: Domain,
    /// Whether abstractions keep it.
    pub role: Role,
    /// Where it is declared.
    pub span: Span,
}

impl ProgramVariable {
    /// Whether abstractions keep it as it is.
    pub fn is_control(&self) -> bool {
        self.role == Role::Control
    }
}

/// A program: variables, where it begins, and what it does.
#[derive(Debug)]
pub struct Program {
    /// All terms live here.
    pub terms: Terms,
    variables: Vec<ProgramVariable>,
    ids: FxHashMap<Variable, VarId>,
    control: Vec<VarId>,
    commands: Vec<Command>,
    processes: Vec<Process>,
    templates: Vec<Template>,
    /// Once they were asked for.
    locations: OnceCell<Locations>,
    /// That all variables are within their domains, once it was asked for.
    within: Cell<Option<Term>>,
    /// Holds of the states where it begins; without the domains.
    pub initial: Term,
    /// Names for truth values, in the order of their declaration.
    pub propositions: IndexMap<String, Term>,
}

impl Program {
    /// A program without variables and commands that begins anywhere.
    pub fn new(terms: Terms) -> Self {
        let initial = terms.boolean(true);
        Self {
            terms,
            variables: Vec::new(),
            ids: FxHashMap::default(),
            control: Vec::new(),
            commands: Vec::new(),
            processes: Vec::new(),
            templates: Vec::new(),
            locations: OnceCell::new(),
            within: Cell::new(None),
            initial,
            propositions: IndexMap::new(),
        }
    }

    /// Adds a variable. Its name must be new, and its domain [sayable](Domain::is_sayable).
    pub fn add_variable(&mut self, name: &str, domain: Domain, role: Role, span: Span) -> VarId {
        debug_assert!(domain.is_sayable(), "no term can say that a value is of {domain}");
        let variable = self.terms.declare(name, &domain.sort());
        let id = VarId::new(self.variables.len());
        let first = self.ids.insert(variable, id).is_none();
        debug_assert!(first, "{name} is the name of two variables");
        if role == Role::Control {
            self.control.push(id);
        }
        self.variables.push(ProgramVariable { variable, domain, role, span });
        self.within.set(None);
        self.locations.take();
        id
    }

    /// Adds a command of no process, see [`Program::add_command_of`].
    pub fn add_command(&mut self, action: impl Into<String>, statement: Statement, span: Span) -> CommandId {
        self.add_command_of(None, action, statement, span)
    }

    /// Adds a command over variables that were added before, which a process takes. Assignments of values outside of the domains of
    /// variables block from here on. Costs what the statement and its steps cost, however many variables there are.
    pub fn add_command_of(
        &mut self,
        process: Option<ProcessId>,
        action: impl Into<String>,
        statement: Statement,
        span: Span,
    ) -> CommandId {
        let steps = statement.steps(&self.terms).into_iter().map(|step| self.blocking(step)).collect();
        let assigned = statement.assigned().into_iter().filter_map(|variable| self.id_of(variable));
        let inside = assigned.map(|id| self.is_within(id));
        let within = Statement::Assume(self.terms.and(inside));
        let statement = Statement::Sequence(vec![statement, within]);
        let id = CommandId::new(self.commands.len());
        if let Some(process) = process {
            self.processes[process.index()].commands.push(id);
        }
        self.commands.push(Command { process, action: action.into(), statement, steps, span });
        self.locations.take();
        id
    }

    /// Adds a process of its own.
    pub fn add_process(&mut self, name: impl Into<String>) -> ProcessId {
        self.new_process(name.into(), None)
    }

    /// Adds a template, without instances.
    pub fn add_template(
        &mut self,
        name: &str,
        index: &str,
        range: (BigInt, BigInt),
        span: Span,
    ) -> TemplateId {
        let (low, high) = range;
        debug_assert!(low <= high, "a template has instances");
        let (name, index) = (name.to_owned(), index.to_owned());
        self.templates.push(Template { name, index, low, high, instances: Vec::new(), span });
        TemplateId::new(self.templates.len() - 1)
    }

    /// Adds the next instance of a template: it has the number after that of the last one.
    pub fn add_instance(&mut self, template: TemplateId) -> ProcessId {
        let own = &self.templates[template.index()];
        let number = &own.low + BigInt::from(own.instances.len());
        debug_assert!(number <= own.high, "a template has an instance for each number of its range");
        let process = self.new_process(format!("{}[{number}]", own.name), Some((template, number)));
        self.templates[template.index()].instances.push(process);
        process
    }

    fn new_process(&mut self, name: String, instance: Option<(TemplateId, BigInt)>) -> ProcessId {
        self.processes.push(Process { name, instance, variables: Vec::new(), commands: Vec::new() });
        ProcessId::new(self.processes.len() - 1)
    }

    /// Says that a variable belongs to a process.
    pub fn give(&mut self, process: ProcessId, variable: VarId) {
        self.processes[process.index()].variables.push(variable);
    }

    /// All processes, by id.
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// All templates, by id.
    pub fn templates(&self) -> &[Template] {
        &self.templates
    }

    /// The name of who takes a command, if it stands in a process.
    pub fn taker(&self, command: CommandId) -> Option<&str> {
        let process = self.commands[command.index()].process?;
        Some(&self.processes[process.index()].name)
    }

    /// Whether all instances of each template have as many variables and commands: the n-th ones are copies of each other.
    pub fn has_uniform_templates(&self) -> bool {
        let size = |&process: &ProcessId| {
            let own = &self.processes[process.index()];
            (own.variables.len(), own.commands.len())
        };
        self.templates.iter().all(|own| own.instances.windows(2).all(|pair| size(&pair[0]) == size(&pair[1])))
    }

    /// The step where what it assigns is within the domains. Before a step everything is, so its guard need not say that.
    fn blocking(&self, mut step: Step) -> Step {
        let terms = &self.terms;
        let parts: Vec<Term> =
            terms.conjuncts(step.guard).into_iter().filter(|&part| !self.is_always(&step, part)).collect();
        let known: BTreeSet<Term> = parts.iter().copied().collect();
        let kept = step.updates.iter().filter_map(|(&variable, &term)| {
            let domain = &self.variables[self.id_of(variable)?.index()].domain;
            Some(domain.keeps(terms, &known, terms.variable(variable), term))
        });
        let kept: Vec<Term> = kept.collect();
        step.guard = terms.and(parts.into_iter().chain(kept));
        step
    }

    /// Whether a part of a guard says no more than that a variable which the step leaves alone is within its domain.
    fn is_always(&self, step: &Step, part: Term) -> bool {
        let mut mentioned = self.terms.variables_of(part).into_iter();
        let (Some(only), None) = (mentioned.next(), mentioned.next()) else { return false };
        !step.updates.contains_key(&only)
            && self.id_of(only).is_some_and(|id| self.terms.conjuncts(self.is_within(id)).contains(&part))
    }

    /// All variables, by id.
    pub fn variables(&self) -> &[ProgramVariable] {
        &self.variables
    }

    /// The control variables, in order.
    pub fn control(&self) -> &[VarId] {
        &self.control
    }

    /// The locations, with the commands as edges between them. Found when it is asked for first.
    pub fn locations(&self) -> &Locations {
        self.locations.get_or_init(|| Locations::new(self))
    }

    /// All commands, by id.
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// The variable of the program that a variable of terms is.
    pub fn id_of(&self, variable: Variable) -> Option<VarId> {
        self.ids.get(&variable).copied()
    }

    /// That a variable is within its domain.
    pub fn is_within(&self, id: VarId) -> Term {
        let own = &self.variables[id.index()];
        own.domain.contains(&self.terms, self.terms.variable(own.variable))
    }

    /// That all variables are within their domains.
    pub fn within(&self) -> Term {
        let all = || self.terms.and(VarId::first(self.variables.len()).map(|id| self.is_within(id)));
        let within = self.within.get().unwrap_or_else(all);
        self.within.set(Some(within));
        within
    }
}
