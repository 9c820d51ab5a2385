//! Constants, enumerations and variables.

use super::names::{Known, MOST_DIGITS, Meaning};
use super::{Elaboration, Inside, View};
use crate::Parameter;
use crate::formula::with_near;
use crate::syntax::{Declaration, EnumTree, Item, Name, Named, TypeTree, instead_of_type};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;
use tertium_expr::{Enumeration, Expression, ExpressionKind, Sort, Value};
use tertium_program::{Domain, Role};
use tertium_support::{Diagnostic, Id, Span};

/// Constants have at most so many bits: otherwise a few lines of squares would fill any memory.
const MOST_BITS: u64 = 4096;
/// A control variable has at most so many values.
const MOST_CONTROL_VALUES: usize = 4096;

impl Elaboration<'_> {
    pub(super) fn declarations(&mut self, items: &[Item], process: Option<&Inside>) {
        let mut processes: FxHashMap<&str, Span> = FxHashMap::default();
        for item in items {
            if self.is_full() {
                return;
            }
            self.watch.goes_on(1);
            match item {
                Item::Const(constant) => self.constant_declaration(constant),
                Item::Enum(tree) => self.enumeration(tree),
                Item::Variables(declaration) => self.variables(declaration, process),
                Item::Process(inner) => {
                    let name = &inner.name;
                    self.refuse_dots(name, "a process");
                    let first = *processes.entry(&name.text).or_insert(name.span);
                    if first != name.span {
                        let complaint = Diagnostic::error(
                            name.span,
                            format!("the process `{}` is declared twice", name.text),
                        );
                        self.complain(complaint.with_related(first, "the first is here"));
                    }
                    let instances = self.instances(inner);
                    self.in_each(&instances, |own, instance| own.declarations(&inner.items, Some(instance)));
                    self.instances.insert(name.span, instances);
                }
                Item::Init(_) | Item::Prop(_) | Item::Command(_) | Item::Property(_) => {}
            }
        }
    }

    /// Complains about templates that share their name with a variable, a constant or a proposition: `p[1]` and `p[1].x` would look
    /// alike and have nothing to do with each other. Nor is `p[1].x` declared beside a template `p`.
    pub(super) fn templates_apart(&mut self) {
        let templates = self.model.program.templates().iter();
        let clashes = templates.filter_map(|own| Some((own, self.model.names.get(&own.name)?)));
        let complaints: Vec<Diagnostic> = clashes
            .map(|(own, other)| {
                let complaint = Diagnostic::error(own.span, format!("`{}` is declared twice", own.name));
                complaint.with_related(other.span, "the other is here")
            })
            .collect();
        complaints.into_iter().for_each(|complaint| self.complain(complaint));
        let templates: FxHashMap<&str, Span> =
            self.model.program.templates().iter().map(|own| (own.name.as_str(), own.span)).collect();
        let beside: Vec<Diagnostic> = self
            .indexed
            .iter()
            .filter_map(|name| {
                let template = *templates.get(name.text.split('[').next()?)?;
                let message = format!("`{}` is declared in its process, not beside it", name.text);
                Some(Diagnostic::error(name.span, message).with_related(template, "the template is here"))
            })
            .collect();
        beside.into_iter().for_each(|complaint| self.complain(complaint));
    }

    pub(super) fn refuse_dots(&mut self, name: &Name, what: &str) -> bool {
        let dotted = name.text.contains('.');
        if dotted {
            let complaint = Diagnostic::error(name.span, format!("the name of {what} has no dots"));
            self.complain(
                complaint.with_note("what is declared in a process has its name with a dot before its own"),
            );
        }
        dotted
    }

    /// Gives a new name its meaning. The whole name is given back.
    pub(super) fn declare(
        &mut self,
        name: &Name,
        process: Option<&Inside>,
        meaning: Meaning,
    ) -> Option<String> {
        if process.is_some() && self.refuse_dots(name, "something inside a process") {
            return None;
        }
        let whole = whole_name(name, process);
        if process.is_none() && name.text.contains('[') {
            self.indexed.push(name.clone());
        }
        if process.is_some_and(|inside| inside.index.as_ref().is_some_and(|(index, _)| *index == name.text)) {
            let message = format!("`{}` is the index of the process and cannot be declared in it", name.text);
            self.complain(Diagnostic::error(name.span, message));
            return None;
        }
        if let Some(first) = self.model.names.get(&whole) {
            let complaint = Diagnostic::error(name.span, format!("`{whole}` is declared twice"));
            self.complain(complaint.with_related(first.span, "the first is here"));
            return None;
        }
        self.model.names.insert(whole.clone(), Known { meaning, span: name.span });
        Some(whole)
    }

    fn constant_declaration(&mut self, constant: &Named) {
        let view = View::outside(&self.model.names);
        let sort = super::forbidden(&constant.value, &view)
            .and_then(|()| constant.value.lower(&self.model.program.terms, &view));
        let sort = match sort {
            Ok(term) => self.terms().sort(term),
            Err(found) => return found.into_iter().for_each(|complaint| self.complain(complaint)),
        };
        if self.refuse_dots(&constant.name, "a constant") {
            return;
        }
        let Some(mut value) = self.constant(&constant.value, None, &sort) else { return };
        if let Some(&parameter) = self.parameters.get(constant.name.text.as_str()) {
            match self.set_value(parameter, &sort) {
                Some(set) => value = set,
                // The written value stands in, so that uses of the name are no further mistakes.
                None => self.complain(not_a_value(parameter, &sort, constant.name.span)),
            }
        }
        if value.as_int().is_some_and(|number| number.bits() > MOST_BITS) {
            return self.complain(Diagnostic::error(constant.value.span, "this constant is too large"));
        }
        let term = self.terms().value(&value);
        if let Some(name) = self.declare(&constant.name, None, Meaning::Value(term)) {
            self.model.constants.insert(name, value);
        }
    }

    /// The value of this sort that the user gave a constant: a literal, or a name of the enumeration.
    fn set_value(&self, parameter: &Parameter, sort: &Sort) -> Option<Value> {
        let text = parameter.value.trim();
        let (expression, end) = tertium_expr::read(text, 0).ok()?;
        let unsigned = match &expression.kind {
            ExpressionKind::Minus(inner) => &inner.kind,
            kind => kind,
        };
        let is_literal = match unsigned {
            ExpressionKind::Name(_) => matches!(sort, Sort::Enumeration(_)),
            ExpressionKind::Number(digits) => digits.len() <= MOST_DIGITS,
            kind => matches!(kind, ExpressionKind::Bool(_) | ExpressionKind::Bits(..)),
        };
        if end != text.len() || !is_literal {
            return None;
        }
        let view = View::outside(&self.model.names);
        let term = expression.lower_to(self.terms(), &view, sort).ok()?;
        self.terms().as_value(term)
    }

    fn enumeration(&mut self, tree: &EnumTree) {
        let name = &tree.name;
        if let Some((_, first)) = self.model.names.sorts.get(&name.text) {
            let complaint =
                Diagnostic::error(name.span, format!("the enumeration `{}` is declared twice", name.text));
            let first = *first;
            return self.complain(complaint.with_related(first, "the first is here"));
        }
        if self.refuse_dots(name, "an enumeration") {
            return;
        }
        let enumeration = self.values(name.text.clone(), &tree.values);
        self.model.names.sorts.insert(name.text.clone(), (Arc::clone(&enumeration), name.span));
        self.model.enumerations.push(enumeration);
    }

    /// Declares the values of an enumeration.
    fn values(&mut self, name: String, values: &[Name]) -> Arc<Enumeration> {
        let texts = values.iter().map(|value| value.text.clone()).collect();
        let enumeration = Arc::new(Enumeration { name, values: texts });
        for (index, value) in values.iter().enumerate() {
            if self.refuse_dots(value, "a value") {
                continue;
            }
            if let Some(first) = self.model.names.get(&value.text) {
                let complaint = Diagnostic::error(value.span, format!("`{}` is declared twice", value.text));
                self.complain(complaint.with_related(first.span, "the first is here").with_note(
                    "a value belongs to one enumeration; several variables can have the same one",
                ));
                continue;
            }
            let term = self.terms().value(&Value::Constant { of: Arc::clone(&enumeration), index });
            self.declare(value, None, Meaning::Value(term));
        }
        enumeration
    }

    fn variables(&mut self, declaration: &Declaration, process: Option<&Inside>) {
        self.kind_span = declaration.kind_span;
        let Some(domain) = self.domain(&declaration.kind, process) else {
            // So that uses of the name are no further mistakes.
            return self.declare_unusable(declaration, process);
        };
        if declaration.control && matches!(domain, Domain::Array(..)) {
            self.complain(
                Diagnostic::error(declaration.kind_span, "a control variable is no array")
                    .with_note("declare it with `var`, or use a variable for each element"),
            );
        } else if declaration.control && domain == Domain::Int {
            self.complain(
                Diagnostic::error(declaration.kind_span, "a control variable has finitely many values")
                    .with_note("give it a range such as 0..9, or declare it with `var`"),
            );
        } else if declaration.control && domain.count(MOST_CONTROL_VALUES).is_none() {
            self.complain(
                Diagnostic::error(
                    declaration.kind_span,
                    format!("a control variable has at most {MOST_CONTROL_VALUES} values"),
                )
                .with_note("abstractions look at each of them by itself; declare it with `var` to see it through predicates"),
            );
        }
        let value = declaration.initial.as_ref().and_then(|initial| {
            let value = self.initial_value(initial, process, &domain)?;
            if domain.has(&value) {
                return Some(value);
            }
            self.complain(
                Diagnostic::error(initial.span, format!("the initial value {value} is not in {domain}"))
                    .with_related(declaration.kind_span, "the type is declared here"),
            );
            None
        });
        let role = if declaration.control { Role::Control } else { Role::Data };
        for name in &declaration.names {
            let id = Id::new(self.domains.len());
            // The term first: the declaration needs it.
            let whole = whole_name(name, process);
            let variable = self.terms().declare(&whole, &domain.sort());
            let term = self.terms().variable(variable);
            if let Some(whole) = self.declare(name, process, Meaning::Variable(id, term)) {
                self.model.names.firsts.insert(term, domain.first());
                let id = self.model.program.add_variable(&whole, domain.clone(), role, name.span);
                process.into_iter().for_each(|inside| self.model.program.give(inside.id, id));
                self.model.initial_values.push(value.clone());
                self.domains.push(domain.clone());
            }
        }
    }

    /// The value that variables of this domain begin with. For an array it can also be that of all elements.
    fn initial_value(
        &mut self,
        initial: &Expression,
        process: Option<&Inside>,
        domain: &Domain,
    ) -> Option<Value> {
        let Domain::Array(index, element) = domain else {
            return self.constant(initial, process, &domain.sort());
        };
        let view = View::inside(&self.model.names, process);
        let sort = initial.lower(&self.model.program.terms, &view).map(|term| self.terms().sort(term));
        if sort.is_ok_and(|sort| sort == domain.sort()) {
            return self.constant(initial, process, &domain.sort());
        }
        let value = self.initial_value(initial, process, element)?;
        match index.values(Domain::MOST_ELEMENTS) {
            Some(indices) => domain.array_value(indices.iter().map(|_| value.clone())),
            None => Some(Value::array(Arc::new(index.sort()), value, BTreeMap::new())),
        }
    }

    fn declare_unusable(&mut self, declaration: &Declaration, process: Option<&Inside>) {
        let variables = Declaration {
            control: false,
            names: declaration.names.clone(),
            kind: TypeTree::Int,
            kind_span: declaration.kind_span,
            initial: None,
        };
        self.variables(&variables, process);
    }

    fn domain(&mut self, kind: &TypeTree, process: Option<&Inside>) -> Option<Domain> {
        match kind {
            TypeTree::Int => Some(Domain::Int),
            TypeTree::Bool => Some(Domain::Bool),
            TypeTree::Range(low, high) => self.range(low, high, process),
            TypeTree::Bits(width) => self.bits(width, process),
            TypeTree::Array(index, element) => self.array(index, element, process),
            TypeTree::Named(name) => {
                if let Some((enumeration, _)) = self.model.names.sorts.get(&name.text) {
                    return Some(Domain::Enumeration(Arc::clone(enumeration)));
                }
                let complaint = Diagnostic::error(name.span, format!("there is no type `{}`", name.text));
                let known = self.model.names.sorts.keys().map(String::as_str).chain(["int", "bool"]);
                let complaint = with_near(complaint, &name.text, known.collect::<Vec<_>>());
                self.complain(complaint.with_note(instead_of_type(&name.text).unwrap_or(
                    "types are int, bool, low..high, bits(n), the name of an enumeration declared before, { names }, and array … of …",
                )));
                None
            }
            TypeTree::Values(values) => {
                let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
                let name = format!("{{ {} }}", texts.join(", "));
                // The same values written in place again are the same type.
                if let Some(same) = self.in_place.get(&name) {
                    return Some(Domain::Enumeration(Arc::clone(same)));
                }
                let enumeration = self.values(name.clone(), values);
                self.in_place.insert(name, Arc::clone(&enumeration));
                Some(Domain::Enumeration(enumeration))
            }
        }
    }

    fn bits(&mut self, width: &Expression, process: Option<&Inside>) -> Option<Domain> {
        let Value::Int(number) = self.constant(width, process, &Sort::Int)? else { return None };
        let width_of = u32::try_from(&number).ok().filter(|width| (1..=128).contains(width));
        if width_of.is_none() {
            self.complain(Diagnostic::error(width.span, "bit-vectors have 1 to 128 bits"));
        }
        width_of.map(Domain::Bits)
    }

    fn array(&mut self, index: &TypeTree, element: &TypeTree, process: Option<&Inside>) -> Option<Domain> {
        let (index, element) = (self.domain(index, process), self.domain(element, process));
        let domain = Domain::array(index?, element?);
        if !domain.is_sayable() {
            self.complain(
                Diagnostic::error(self.kind_span, format!("there are no variables of the type {domain}"))
                    .with_note(format!(
                        "indices are no arrays, and there are at most {}, unless index and element are whole types such as int or bits(n)",
                        Domain::MOST_ELEMENTS
                    )),
            );
            return None;
        }
        Some(domain)
    }

    /// The integers between two constants.
    pub(super) fn range(
        &mut self,
        low: &Expression,
        high: &Expression,
        process: Option<&Inside>,
    ) -> Option<Domain> {
        let ends = (self.constant(low, process, &Sort::Int), self.constant(high, process, &Sort::Int));
        let (Some(Value::Int(from)), Some(Value::Int(to))) = ends else { return None };
        if from > to {
            let complaint =
                Diagnostic::error(low.span.to(high.span), format!("the range {from}..{to} is empty"));
            self.complain(complaint);
            return None;
        }
        Some(Domain::Range(from, to))
    }
}

/// The name with that of the process before it.
fn whole_name(name: &Name, process: Option<&Inside>) -> String {
    match process {
        Some(inside) => format!("{}.{}", inside.name, name.text),
        None => name.text.clone(),
    }
}

fn not_a_value(parameter: &Parameter, sort: &Sort, constant: Span) -> Diagnostic {
    let Parameter { name, value, written } = parameter;
    let message = format!("{written}: `{name}` is of sort {sort}, and `{value}` is no value of that sort");
    let known = match sort {
        Sort::Int => "an integer such as 5 or -1".to_owned(),
        Sort::Bool => "true or false".to_owned(),
        Sort::Enumeration(of) => format!("one of {}", of.values.join(", ")),
        _ => "a bit-vector such as 8'd255".to_owned(),
    };
    Diagnostic::error(constant, message).with_note(format!("its values are written as {known}"))
}
