//! What a name, a path or an element of an array stands for.
//!
//! Names are looked up in their instance: parameters, variables, definitions and instances first, then `running`, then
//! the symbolic constants, which belong to the whole model. Modules do not see the names of those around them.

use super::define::State;
use super::expression::constant;
use super::instance::Entry;
use super::{DefinitionId, Elaborator, InstanceId, SELECTOR};
use crate::syntax::NESTING;
use crate::syntax::tree::{Expr as Tree, ExprKind as TreeKind, Function, Name};
use crate::{BinaryOp, Expr, ExprKind, Type, Value, VarId};
use std::rc::Rc;
use tertium_support::{Diagnostic, Id, Span, nearest_names};

/// How far names are followed through parameters.
pub(super) const STEPS: u32 = 200;

/// What a reference stands for.
pub(super) enum Place<'a> {
    /// A variable.
    Variable(VarId),
    /// An array from this first index on.
    Array(i64, Rc<Vec<Entry<'a>>>),
    /// An instance.
    Instance(InstanceId),
    /// A definition.
    Definition(DefinitionId),
    /// A constant.
    Constant(Value),
    /// Whether the process of this instance runs.
    Running(InstanceId),
    /// The beginning of names that are declared as paths.
    Beginning(String),
    /// One of these, by the value of the index.
    Select(Box<Expr>, Vec<(i64, Place<'a>)>),
}

impl<'a> Elaborator<'a> {
    /// What `reference` stands for in an instance.
    pub(super) fn resolve(&mut self, scope: InstanceId, reference: &Tree) -> Option<Place<'a>> {
        self.resolve_within(scope, reference, STEPS)
    }

    /// The instance that `reference` names.
    pub(super) fn instance_named(&mut self, scope: InstanceId, reference: &Tree) -> Option<InstanceId> {
        match self.resolve(scope, reference)? {
            Place::Instance(instance) => Some(instance),
            _ => {
                let message = "this does not name an instance of a module";
                self.refuse(Diagnostic::error(reference.span, message))
            }
        }
    }

    pub(super) fn resolve_within(
        &mut self,
        scope: InstanceId,
        reference: &Tree,
        steps: u32,
    ) -> Option<Place<'a>> {
        let Some(steps) = steps.checked_sub(1) else {
            let message = "this parameter stands for itself";
            return self.refuse(Diagnostic::error(reference.span, message));
        };
        match &reference.kind {
            TreeKind::SelfInstance => Some(Place::Instance(scope)),
            TreeKind::Constant(value) => Some(Place::Constant(*value)),
            TreeKind::Name(name) => self.named(scope, name, reference.span, steps),
            TreeKind::Member(base, name) => {
                let base = self.resolve_within(scope, base, steps)?;
                self.member(base, name, steps)
            }
            TreeKind::Index(base, index) => {
                let base_place = self.resolve_within(scope, base, steps);
                let index_expr = match self.constant_integer(scope, index) {
                    Some(value) => Some(constant(Value::Integer(value), index.span)),
                    None => self.expr(scope, index),
                };
                self.element(base_place?, base.span, index_expr?, steps)
            }
            _ => self.refuse(Diagnostic::error(reference.span, "a name is expected here")),
        }
    }

    fn named(&mut self, scope: InstanceId, name: &str, span: Span, steps: u32) -> Option<Place<'a>> {
        if let Some((entry, _)) = self.instances[scope.index()].names.get(name) {
            return self.entry(entry.clone(), steps);
        }
        if let Some(selector) = self.selector {
            match name {
                "running" => return Some(Place::Running(scope)),
                SELECTOR => return Some(Place::Variable(selector)),
                _ => {}
            }
        }
        if let Some(place) = self.path_in(scope, name, steps) {
            return place;
        }
        match self.symbols.get(name).filter(|symbol| self.constants.contains(symbol)) {
            Some(symbol) => Some(Place::Constant(Value::Symbol(symbol))),
            None => self.refuse(self.undeclared(scope, name, span)),
        }
    }

    pub(super) fn entry(&mut self, entry: Entry<'a>, steps: u32) -> Option<Place<'a>> {
        match entry {
            Entry::Variable(variable) => Some(Place::Variable(variable)),
            Entry::Array(low, elements) => Some(Place::Array(low, elements)),
            Entry::Instance(instance) => Some(Place::Instance(instance)),
            Entry::Definition(definition) => Some(Place::Definition(definition)),
            Entry::Parameter(actual, caller) => self.resolve_within(caller, actual, steps),
        }
    }

    fn member(&mut self, base: Place<'a>, name: &Name, steps: u32) -> Option<Place<'a>> {
        match base {
            Place::Instance(instance) => {
                if let Some((entry, _)) = self.instances[instance.index()].names.get(&name.text) {
                    return self.entry(entry.clone(), steps);
                }
                if name.text == "running" && self.selector.is_some() {
                    return Some(Place::Running(instance));
                }
                if let Some(place) = self.path_in(instance, &name.text, steps) {
                    return place;
                }
                self.refuse(self.undeclared(instance, &name.text, name.span))
            }
            Place::Beginning(full) => {
                let full = format!("{full}.{}", name.text);
                match self.path(full.clone(), steps) {
                    Some(place) => place,
                    None => self.refuse(Diagnostic::error(name.span, format!("`{full}` is not declared"))),
                }
            }
            Place::Select(index, choices) => {
                let choices = choices
                    .into_iter()
                    .map(|(at, place)| Some((at, self.member(place, name, steps)?)))
                    .collect::<Option<_>>()?;
                Some(Place::Select(index, choices))
            }
            _ => {
                let message =
                    format!("`{}` is asked of something that is no instance of a module", name.text);
                self.refuse(Diagnostic::error(name.span, message))
            }
        }
    }

    fn element(&mut self, base: Place<'a>, span: Span, index: Expr, steps: u32) -> Option<Place<'a>> {
        // The index may be a word.
        let index = if matches!(index.ty, Type::Word { .. }) {
            let span = index.span;
            self.cast(Function::ToInteger, index, span)?
        } else {
            index
        };
        // Arrays of arrays that are named more than once have more elements than were written.
        self.grow(1, span)?;
        match base {
            Place::Array(low, elements) => {
                let high = low + elements.len() as i64 - 1;
                if let ExprKind::Constant(Value::Integer(at)) = index.kind {
                    let element = usize::try_from(at.wrapping_sub(low)).ok().and_then(|at| elements.get(at));
                    let Some(element) = element.filter(|_| at >= low).cloned() else {
                        let message =
                            format!("the index {at} is outside of the array, which has {low}..{high}");
                        return self.refuse(Diagnostic::error(index.span, message));
                    };
                    return self.entry(element, STEPS);
                }
                let Some((from, to)) = index.ty.integers() else {
                    return self.refuse(Diagnostic::error(index.span, "an index is an integer"));
                };
                if to < low || from > high {
                    let message = format!("the index is never inside of the array, which has {low}..{high}");
                    return self.refuse(Diagnostic::error(index.span, message));
                }
                let choices = (low.max(from)..=high.min(to))
                    .map(|at| Some((at, self.entry(elements[(at - low) as usize].clone(), STEPS)?)))
                    .collect::<Option<_>>()?;
                Some(Place::Select(Box::new(index), choices))
            }
            Place::Select(outer, choices) => {
                let choices = choices
                    .into_iter()
                    .map(|(at, place)| Some((at, self.element(place, span, index.clone(), steps)?)))
                    .collect::<Option<_>>()?;
                Some(Place::Select(outer, choices))
            }
            Place::Beginning(full) => {
                let ExprKind::Constant(Value::Integer(at)) = index.kind else {
                    let message = format!("the elements of `{full}` are declared one by one");
                    let complaint = Diagnostic::error(index.span, message);
                    return self.refuse(complaint.with_note("the index is to be a constant"));
                };
                let full = format!("{full}[{at}]");
                match self.path(full.clone(), steps) {
                    Some(place) => place,
                    None => self.refuse(Diagnostic::error(span, format!("`{full}` is not declared"))),
                }
            }
            // A definition that names an array, or an array of such.
            Place::Definition(id) => match self.named_array(id, steps)? {
                Some(array) => self.element(array, span, index, steps.saturating_sub(1)),
                None => self.refuse(Diagnostic::error(span, "this is no array")),
            },
            _ => self.refuse(Diagnostic::error(span, "this is no array")),
        }
    }

    /// The array that a definition is another name for, if it is one.
    pub(super) fn named_array(&mut self, id: DefinitionId, steps: u32) -> Option<Option<Place<'a>>> {
        let definition = &self.definitions[id.index()];
        let (scope, Some(body)) = (definition.scope, definition.body) else { return Some(None) };
        let open = matches!(definition.state, State::Waiting | State::Open | State::Array);
        if !open || !body.is_reference() || steps <= 1 {
            return Some(None);
        }
        Some(match self.resolve_within(scope, body, steps)? {
            place @ Place::Array(..) => Some(place),
            Place::Definition(id) => self.named_array(id, steps.saturating_sub(1))?,
            _ => None,
        })
    }

    /// The value of what a reference stands for.
    pub(super) fn place_value(&mut self, place: Place<'a>, span: Span) -> Option<Expr> {
        let expr = |kind, ty| Some(Expr { kind, ty, span });
        match place {
            Place::Variable(id) => expr(ExprKind::Variable(id), self.variables[id.index()].ty.clone()),
            Place::Constant(value) => expr(ExprKind::Constant(value), type_of(value)),
            Place::Definition(id) => self.definition_value(id, span),
            Place::Running(instance) => {
                let (selector, process) = (self.selector?, self.instances[instance.index()].process?);
                Some(self.is_process(selector, process, span))
            }
            // The name of a process, for comparisons with the selector.
            Place::Instance(instance) => match self.instances[instance.index()].process {
                Some(process) if self.symbols.name(process) == self.process_name(instance) => {
                    let value = Value::Symbol(process);
                    expr(ExprKind::Constant(value), type_of(value))
                }
                _ => self.refuse(Diagnostic::error(span, "an instance of a module is not a value")),
            },
            Place::Array(..) => self.refuse(Diagnostic::error(span, "a whole array is not a value")),
            Place::Beginning(full) => {
                let message = format!("`{full}` is only the beginning of a name");
                self.refuse(Diagnostic::error(span, message))
            }
            Place::Select(index, choices) => self.selection(*index, choices, span),
        }
    }

    fn process_name(&self, instance: InstanceId) -> &str {
        let path = &self.instances[instance.index()].path;
        if path.is_empty() { "main" } else { path }
    }

    fn is_process(&self, selector: VarId, process: crate::SymbolId, span: Span) -> Expr {
        let variable = Expr {
            kind: ExprKind::Variable(selector),
            ty: self.variables[selector.index()].ty.clone(),
            span,
        };
        let value = Value::Symbol(process);
        let constant = Expr { kind: ExprKind::Constant(value), ty: type_of(value), span };
        let kind = ExprKind::Binary(BinaryOp::Equal, Box::new(variable), Box::new(constant));
        Expr { kind, ty: Type::Boolean, span }
    }

    fn definition_value(&mut self, id: DefinitionId, span: Span) -> Option<Expr> {
        match &self.definitions[id.index()].state {
            State::Done(define) => {
                let (define, ty) = (*define, self.defines[define.index()].body.ty.clone());
                Some(Expr { kind: ExprKind::Define(define), ty, span })
            }
            State::Inline(body) => {
                let (size, depth) = (body.size(), body.depth());
                if depth > NESTING {
                    let message = "definitions with `next` nest too deeply here";
                    return self.refuse(Diagnostic::error(span, message));
                }
                self.grow(size, span)?;
                match &self.definitions[id.index()].state {
                    State::Inline(body) => Some(body.clone()),
                    _ => None,
                }
            }
            State::Waiting | State::Open => {
                self.needs.push(id);
                None
            }
            State::Array => self.refuse(Diagnostic::error(span, "a whole array is not a value")),
            State::Failed => None,
        }
    }

    /// A case over the values of an index. Where every value of the index is inside of the array, the last element
    /// needs no condition.
    fn selection(&mut self, index: Expr, choices: Vec<(i64, Place<'a>)>, span: Span) -> Option<Expr> {
        let (from, to) = index.ty.integers()?;
        let inside = choices.first().is_some_and(|(at, _)| *at <= from)
            && choices.last().is_some_and(|(at, _)| *at >= to);
        let last = choices.len().saturating_sub(1);
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        for (nth, (at, place)) in choices.into_iter().enumerate() {
            values.push(self.place_value(place, span)?);
            self.grow(index.size(), span)?;
            conditions.push(if inside && nth == last {
                Expr { kind: ExprKind::Constant(Value::Boolean(true)), ty: Type::Boolean, span }
            } else {
                let value = Value::Integer(at);
                let at = Expr { kind: ExprKind::Constant(value), ty: type_of(value), span };
                let kind = ExprKind::Binary(BinaryOp::Equal, Box::new(index.clone()), Box::new(at));
                Expr { kind, ty: Type::Boolean, span }
            });
        }
        let (values, ty) = self.unify(values)?;
        let kind = ExprKind::Case(conditions.into_iter().zip(values).collect());
        Some(Expr { kind, ty, span })
    }

    fn undeclared(&self, scope: InstanceId, name: &str, span: Span) -> Diagnostic {
        let instance = &self.instances[scope.index()];
        let message = if instance.path.is_empty() {
            format!("`{name}` is not declared")
        } else {
            format!("`{name}` is not declared in `{}`", instance.path)
        };
        let constants = self.constants.iter().map(|symbol| self.symbols.name(*symbol));
        let known = instance.names.keys().map(String::as_str).chain(constants);
        let mut complaint = Diagnostic::error(span, message);
        for near in nearest_names(name, known) {
            complaint = complaint.with_note(format!("did you mean `{near}`?"));
        }
        complaint
    }
}

/// The smallest type with a value.
pub(super) fn type_of(value: Value) -> Type {
    match value {
        Value::Boolean(_) => Type::Boolean,
        Value::Integer(value) => Type::Range(value, value),
        Value::Symbol(_) => Type::Enumeration(vec![value]),
        Value::Word { width, signed, .. } => Type::Word { width, signed },
    }
}
