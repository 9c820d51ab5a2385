//! The tree of instances: every module is unfolded where it is declared, and its names are bound.
//!
//! A name in an instance is a formal parameter, a variable, an array, a further instance or a definition. An actual
//! parameter belongs to the scope of the caller: one that only names something stands for what it names, which may be
//! assigned to; any other becomes a definition `instance.parameter`.
//!
//! `ISA m` puts the declarations of `m` here, to be read with the names of the module where it stands.

use super::define::Definition;
use super::{DefinitionId, Elaborator, InstanceId, SELECTOR};
use crate::syntax::tree::{Expr, ExprKind, Item, Module, Name, Program, TypeTree};
use crate::{SymbolId, Type, Value, VarId, VarKind, Variable};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tertium_support::{Diagnostic, Id, Span, nearest_names};

/// How deep instances may nest.
const NESTING: usize = 100;
/// How many instances a model may have.
const INSTANCES: usize = 1 << 17;
/// How many variables and definitions a model may have.
const NAMES: usize = 1 << 20;

/// An instance of a module.
pub(super) struct Instance<'a> {
    /// The path to it; empty for `main`.
    pub(super) path: String,
    /// Its declarations, those of `ISA` included.
    pub(super) items: Vec<&'a Item>,
    /// What its names stand for, and where they are declared.
    pub(super) names: FxHashMap<String, (Entry<'a>, Span)>,
    /// The process to which its assignments belong, if there are processes.
    pub(super) process: Option<SymbolId>,
    /// The instances declared in it, in order.
    pub(super) children: Vec<InstanceId>,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Entry<'a> {
    /// A variable.
    Variable(VarId),
    /// An array from this first index on.
    Array(i64, Rc<Vec<Entry<'a>>>),
    /// An instance.
    Instance(InstanceId),
    /// A definition.
    Definition(DefinitionId),
    /// What an actual parameter names in the scope of the caller, or a constant.
    Parameter(&'a Expr, InstanceId),
}

/// What is to become an instance.
struct Unfolding<'a> {
    module: &'a Name,
    path: String,
    caller: Option<InstanceId>,
    arguments: &'a [Expr],
    process: Option<SymbolId>,
}

impl<'a> Instance<'a> {
    /// An instance without names.
    pub(super) fn new(path: String, process: Option<SymbolId>) -> Self {
        Self { path, items: Vec::new(), names: FxHashMap::default(), process, children: Vec::new() }
    }

    /// The full name of something declared here.
    pub(super) fn full_name(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

impl<'a> Elaborator<'a> {
    /// Unfolds `main`. Nothing if that leaves nothing to look at.
    pub(super) fn instantiate_main(&mut self, program: &'a Program) -> Option<()> {
        let mut modules: FxHashMap<&str, &'a Module> = FxHashMap::default();
        for module in &program.modules {
            if let Some(first) = modules.insert(&module.name.text, module) {
                let message = format!("there are two modules `{}`", module.name.text);
                let complaint = Diagnostic::error(module.name.span, message);
                self.complain(complaint.with_related(first.name.span, "the first one"));
            }
        }
        let Some(main) = modules.get("main").copied() else {
            let end = Span::default();
            return self.refuse(Diagnostic::error(end, "there is no module `main`"));
        };
        let unfolding = Unfolding {
            module: &main.name,
            path: String::new(),
            caller: None,
            arguments: &[],
            process: None,
        };
        let mut unfolder = Unfolder { modules, around: Vec::new(), used: Vec::new(), n_included: 0 };
        unfolder.instance(self, unfolding)?;
        for module in &program.modules {
            if !unfolder.used.contains(&module.name.text.as_str()) {
                let message = format!("the module `{}` is never used", module.name.text);
                self.complain(Diagnostic::warning(module.name.span, message));
            }
        }
        self.add_selector(main.name.span);
        self.define_elsewhere();
        self.refuse_paths_into_others();
        Some(())
    }

    /// The variable that says which process runs, if there are processes.
    fn add_selector(&mut self, span: Span) {
        let mut processes: Vec<SymbolId> =
            self.instances.iter().filter_map(|instance| instance.process).collect();
        processes.sort_unstable();
        processes.dedup();
        if processes.is_empty() {
            return;
        }
        let main = self.symbols.intern("main");
        self.constants.insert(main);
        for instance in &mut self.instances {
            instance.process.get_or_insert(main);
        }
        let values = std::iter::once(main).chain(processes).map(Value::Symbol).collect();
        let ty = Type::Enumeration(values);
        self.selector = Some(VarId::new(self.variables.len()));
        self.variables.push(Variable { name: SELECTOR.to_owned(), kind: VarKind::Input, ty, span });
    }

    /// Binds a name, unless it is taken.
    pub(super) fn bind(&mut self, scope: InstanceId, name: &str, span: Span, entry: Entry<'a>) {
        if self.variables.len() + self.definitions.len() > NAMES {
            let message = format!("the model has more than {NAMES} variables and definitions");
            return self.complain(Diagnostic::error(span, message));
        }
        let names = &mut self.instances[scope.index()].names;
        if let Some((_, first)) = names.get(name) {
            let first = *first;
            let complaint = Diagnostic::error(span, format!("`{name}` is declared twice"));
            return self.complain(complaint.with_related(first, "the first declaration"));
        }
        names.insert(name.to_owned(), (entry, span));
    }

    /// A new definition, not yet looked at.
    pub(super) fn add_definition(&mut self, name: String, body: &'a Expr, scope: InstanceId) -> DefinitionId {
        self.definitions.push(Definition::new(name, body, scope));
        DefinitionId::new(self.definitions.len() - 1)
    }

    /// What a definition with this body is: one definition, or an array of them.
    fn defined(&mut self, name: String, body: &'a Expr, scope: InstanceId) -> Entry<'a> {
        let ExprKind::Array(parts) = &body.kind else {
            return Entry::Definition(self.add_definition(name, body, scope));
        };
        let length = |part: &Expr| match &part.kind {
            ExprKind::Array(parts) => Some(parts.len()),
            _ => None,
        };
        if let Some(unlike) = parts.iter().find(|part| length(part) != length(&parts[0])) {
            let message = "the elements of an array are all arrays of one length, or all none";
            self.complain(Diagnostic::error(unlike.span, message));
        }
        let elements = parts.iter().enumerate();
        let elements =
            elements.map(|(at, part)| self.defined(format!("{name}[{at}]"), part, scope)).collect();
        Entry::Array(0, Rc::new(elements))
    }

    /// Definitions whose names are paths: `left.ack := …` declares `ack` in the instance that `left` names; if `left` is
    /// no name here, the path is a name of its own.
    fn define_elsewhere(&mut self) {
        for scope in InstanceId::first(self.instances.len()) {
            for item in self.instances[scope.index()].items.clone() {
                let Item::Define(target, body) = item else { continue };
                if matches!(target.kind, ExprKind::Name(_)) {
                    continue;
                }
                let root = target.preorder().last().map(|root| &root.kind);
                let is_known = match root {
                    Some(ExprKind::Name(name)) => self.instances[scope.index()].names.contains_key(name),
                    _ => true,
                };
                match &target.kind {
                    ExprKind::Member(base, name) if is_known => {
                        let Some(place) = self.instance_named(scope, base) else { continue };
                        let full = self.instances[place.index()].full_name(&name.text);
                        let entry = self.defined(full, body, scope);
                        self.bind(place, &name.text, target.span, entry);
                    }
                    _ => {
                        let Some(text) = self.path_text(scope, target) else { continue };
                        let full = self.instances[scope.index()].full_name(&text);
                        let entry = self.defined(full, body, scope);
                        self.bind_path(scope, &text, target, entry);
                    }
                }
            }
        }
        self.refuse_symbols_as_names();
    }

    /// In `main` a name cannot be both declared and a symbolic constant: a property could not say which it means.
    fn refuse_symbols_as_names(&mut self) {
        let Some(main) = self.instances.first() else { return };
        let mut both: Vec<(String, Span)> = main
            .names
            .iter()
            .filter(|(name, _)| self.symbols.get(name).is_some_and(|symbol| self.constants.contains(&symbol)))
            .map(|(name, (_, span))| (name.clone(), *span))
            .collect();
        both.sort_by_key(|(_, span)| *span);
        for (name, span) in both {
            let message = format!("`{name}` is declared here and is a symbolic constant as well");
            self.complain(Diagnostic::error(span, message));
        }
    }
}

/// The modules by name, and where in the tree we are.
struct Unfolder<'a> {
    modules: FxHashMap<&'a str, &'a Module>,
    /// The modules around this place, outermost first.
    around: Vec<&'a str>,
    used: Vec<&'a str>,
    /// How often a module was included with `ISA`.
    n_included: usize,
}

impl<'a> Unfolder<'a> {
    fn instance(&mut self, elaborator: &mut Elaborator<'a>, unfolding: Unfolding<'a>) -> Option<InstanceId> {
        let Unfolding { module: name, path, caller, arguments, process } = unfolding;
        if !elaborator.goes_on(1) {
            return None;
        }
        let module = self.module(elaborator, name)?;
        if self.around.contains(&name.text.as_str()) {
            let message = format!("the module `{}` contains itself", name.text);
            let around = format!("by way of {} > {}", self.around.join(" > "), name.text);
            return elaborator.refuse(Diagnostic::error(name.span, message).with_note(around));
        }
        if self.around.len() >= NESTING || elaborator.instances.len() > INSTANCES {
            return elaborator
                .refuse(Diagnostic::error(name.span, "there are too many instances of modules"));
        }
        if module.parameters.len() != arguments.len() {
            let message = format!(
                "the module `{}` has {}, but {} given",
                name.text,
                counted(module.parameters.len(), "parameter"),
                if arguments.len() == 1 { "1 is".to_owned() } else { format!("{} are", arguments.len()) },
            );
            let complaint = Diagnostic::error(name.span, message);
            return elaborator.refuse(complaint.with_related(module.name.span, "declared here"));
        }
        let scope = InstanceId::new(elaborator.instances.len());
        elaborator.instances.push(Instance::new(path, process));
        self.around.push(&module.name.text);
        for (formal, actual) in module.parameters.iter().zip(arguments) {
            let caller = caller.unwrap_or(scope);
            parameter(elaborator, scope, formal, actual, caller);
        }
        let mut items = Vec::new();
        self.items(elaborator, module, &mut Vec::new(), &mut items);
        elaborator.instances[scope.index()].items = items.clone();
        self.declare(elaborator, scope, &items);
        self.around.pop();
        Some(scope)
    }

    fn module(&mut self, elaborator: &mut Elaborator<'a>, name: &Name) -> Option<&'a Module> {
        if let Some(module) = self.modules.get(name.text.as_str()) {
            if !self.used.contains(&module.name.text.as_str()) {
                self.used.push(&module.name.text);
            }
            return Some(module);
        }
        let mut complaint = Diagnostic::error(name.span, format!("there is no module `{}`", name.text));
        for near in nearest_names(&name.text, self.modules.keys().copied()) {
            complaint = complaint.with_note(format!("did you mean `{near}`?"));
        }
        elaborator.refuse(complaint)
    }

    /// The declarations of a module with those of `ISA` in their places.
    fn items(
        &mut self,
        elaborator: &mut Elaborator<'a>,
        module: &'a Module,
        around: &mut Vec<&'a str>,
        items: &mut Vec<&'a Item>,
    ) {
        around.push(&module.name.text);
        for item in &module.items {
            let Item::Isa(name) = item else {
                items.push(item);
                continue;
            };
            let Some(included) = self.module(elaborator, name) else { continue };
            // Modules that include others twice would double each time.
            self.n_included += 1;
            if self.n_included > INSTANCES {
                if self.n_included == INSTANCES + 1 {
                    let message = "there are too many inclusions of modules";
                    elaborator.complain(Diagnostic::error(name.span, message));
                }
                break;
            }
            if around.contains(&name.text.as_str()) || around.len() > NESTING {
                let message = format!("the module `{}` includes itself", name.text);
                elaborator.complain(Diagnostic::error(name.span, message));
            } else {
                self.items(elaborator, included, around, items);
            }
        }
        around.pop();
    }

    fn declare(&mut self, elaborator: &mut Elaborator<'a>, scope: InstanceId, items: &[&'a Item]) {
        // Definitions first: the bounds of types may use them.
        for item in items {
            match item {
                Item::Define(target, body) => {
                    if let ExprKind::Name(name) = &target.kind {
                        let full = elaborator.instances[scope.index()].full_name(name);
                        let entry = elaborator.defined(full, body, scope);
                        elaborator.bind(scope, name, target.span, entry);
                    }
                }
                Item::Constants(names) => {
                    for name in names {
                        let symbol = elaborator.symbols.intern(&name.text);
                        elaborator.constants.insert(symbol);
                    }
                }
                _ => {}
            }
        }
        for item in items {
            if !elaborator.goes_on(1) {
                return;
            }
            if let Item::Variable(kind, name, ty) = item {
                let Some(text) = elaborator.path_text(scope, name) else { continue };
                let full = elaborator.instances[scope.index()].full_name(&text);
                let Some(entry) = self.variable(elaborator, scope, *kind, full, name.span, ty) else {
                    continue;
                };
                if matches!(name.kind, ExprKind::Name(_)) {
                    elaborator.bind(scope, &text, name.span, entry);
                } else {
                    elaborator.bind_path(scope, &text, name, entry);
                }
            }
        }
    }

    fn variable(
        &mut self,
        elaborator: &mut Elaborator<'a>,
        scope: InstanceId,
        kind: VarKind,
        full: String,
        declared: Span,
        ty: &'a TypeTree,
    ) -> Option<Entry<'a>> {
        match ty {
            TypeTree::Array(low, high, element) => {
                let (low_at, high_at) = (elaborator.bound(scope, low), elaborator.bound(scope, high));
                let (low_at, high_at) = (low_at?, high_at?);
                let size = i128::from(high_at) - i128::from(low_at) + 1;
                if size < 1 || size > NAMES as i128 {
                    let message = format!("an array cannot have {} elements", size.max(0));
                    return elaborator.refuse(Diagnostic::error(low.span.to(high.span), message));
                }
                let elements = (low_at..=high_at)
                    .map(|index| {
                        self.variable(elaborator, scope, kind, format!("{full}[{index}]"), declared, element)
                    })
                    .collect::<Option<Vec<_>>>()?;
                Some(Entry::Array(low_at, Rc::new(elements)))
            }
            TypeTree::Instance { module, arguments, process } => {
                if kind != VarKind::State {
                    let message = "instances of modules are declared with VAR";
                    return elaborator.refuse(Diagnostic::error(module.span, message));
                }
                let process = if *process {
                    Some(elaborator.symbols.intern(&full))
                } else {
                    elaborator.instances[scope.index()].process
                };
                let unfolding = Unfolding { module, path: full, caller: Some(scope), arguments, process };
                let instance = self.instance(elaborator, unfolding)?;
                elaborator.instances[scope.index()].children.push(instance);
                Some(Entry::Instance(instance))
            }
            _ => {
                let ty = elaborator.variable_type(scope, ty)?;
                if elaborator.variables.len() > NAMES {
                    let message = format!("the model has more than {NAMES} variables");
                    return elaborator.refuse(Diagnostic::error(declared, message));
                }
                elaborator.variables.push(Variable { name: full, kind, ty, span: declared });
                Some(Entry::Variable(VarId::new(elaborator.variables.len() - 1)))
            }
        }
    }
}

fn parameter<'a>(
    elaborator: &mut Elaborator<'a>,
    scope: InstanceId,
    formal: &'a Name,
    actual: &'a Expr,
    caller: InstanceId,
) {
    let entry = if actual.is_reference() || matches!(actual.kind, ExprKind::Constant(_)) {
        Entry::Parameter(actual, caller)
    } else {
        let full = elaborator.instances[scope.index()].full_name(&formal.text);
        Entry::Definition(elaborator.add_definition(full, actual, caller))
    };
    elaborator.bind(scope, &formal.text, formal.span, entry);
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
