//! Names and types: the tree of a file to a model.
//!
//! In three rounds, so that the order of items matters only for constants and enumerations, which types may use: declarations of constants,
//! enumerations and variables; what is said about them; properties, which also need propositions and actions.

mod bounds;
mod choices;
mod command;
mod declare;
mod names;
mod process;

pub(crate) use bounds::{Bounds, domain_of};
pub(crate) use choices::{Choice, Choices};
pub(crate) use names::{Meaning, Names, View, forbidden};
pub(crate) use process::Inside;

use crate::Parameter;
use crate::formula::{PropertyMeaning, Resolved, linear_part, resolve, resolve_linear};
use crate::model::{Model, Property, PropertyKind};
use crate::syntax::{Item, MOST_COMPLAINTS, Name, Named, PropertyTree};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use tertium_expr::{Enumeration, Expression, Sort, Term, Terms, Value, evaluate};
use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, is_boolean};
use tertium_program::{Domain, Program, Statement};
use tertium_support::{Context, Diagnostic, Diagnostics, Source, Span, StopReason, Watch};

/// The model that the items make. What is wrong is added to the complaints; then the model lacks something, or there is none.
pub(crate) fn elaborate(
    context: &Context,
    source: &Source,
    parameters: &[Parameter],
    items: &[Item],
    complaints: &mut Diagnostics,
) -> Result<Option<Model>, StopReason> {
    let watch = Watch::new(context, "elaborating");
    let model = Model {
        program: Program::new(Terms::new()),
        constants: indexmap::IndexMap::new(),
        enumerations: Vec::new(),
        initial_values: Vec::new(),
        conditions: Vec::new(),
        commands: Vec::new(),
        properties: Vec::new(),
        names: Names::default(),
    };
    let mut elaboration = Elaboration {
        source,
        parameters: parameters.iter().map(|own| (own.name.as_str(), own)).collect(),
        model,
        domains: Vec::new(),
        in_place: FxHashMap::default(),
        instances: FxHashMap::default(),
        indexed: Vec::new(),
        choices: None,
        kind_span: Span::default(),
        muted: false,
        complaints,
        watch,
    };
    elaboration.declarations(items, None);
    elaboration.watch.check()?;
    if elaboration.is_full() {
        return Ok(None);
    }
    elaboration.statements(items, None);
    elaboration.templates_apart();
    elaboration.initial();
    elaboration.properties(items);
    elaboration.watch.check()?;
    debug_assert!(!elaboration.complaints.is_empty() || elaboration.model.program.has_uniform_templates());
    Ok(Some(elaboration.model))
}

/// So many bytes of an expression count as one unit of work.
const BYTES: usize = 8;

struct Elaboration<'a> {
    source: &'a Source,
    /// Values that constants have in place of the written ones, by name.
    parameters: FxHashMap<&'a str, &'a Parameter>,
    model: Model,
    /// By variable.
    domains: Vec<Domain>,
    /// Enumerations that were written in place, by name.
    in_place: FxHashMap<String, Arc<Enumeration>>,
    /// The processes that each tree stands for, by the place of its name.
    instances: FxHashMap<Span, Rc<[Inside]>>,
    /// Names such as `p[1].x` that are declared outside of processes.
    indexed: Vec<Name>,
    /// In a command: the processes that are chosen by variables.
    choices: Option<Choices>,
    /// Where the type that is being read stands.
    kind_span: Span,
    /// Whether complaints are dropped: they were made about another instance.
    muted: bool,
    complaints: &'a mut Diagnostics,
    watch: Watch<'a>,
}

impl Elaboration<'_> {
    fn complain(&mut self, complaint: Diagnostic) {
        if !self.is_full() && !self.muted {
            self.complaints.push(complaint);
        }
    }

    /// Whether there are so many complaints that no more are looked for, or a limit of the run is reached.
    fn is_full(&self) -> bool {
        self.complaints.len() >= MOST_COMPLAINTS || self.watch.check().is_err()
    }

    fn terms(&self) -> &Terms {
        &self.model.program.terms
    }

    /// The term of an expression, which has to be of this sort.
    fn term(&mut self, expression: &Expression, process: Option<&Inside>, sort: &Sort) -> Option<Term> {
        let before = self.model.names.n_written_out();
        let view = View::inside(&self.model.names, process).choosing(self.choices.as_ref());
        let term = forbidden(expression, &view)
            .and_then(|()| expression.lower_to(&self.model.program.terms, &view, sort));
        let written_out = self.model.names.n_written_out() - before;
        self.watch.goes_on(1 + expression.span.range().len() / BYTES + written_out);
        term.map_err(|found| found.into_iter().for_each(|complaint| self.complain(complaint))).ok()
    }

    /// The value of an expression over constants.
    fn constant(&mut self, expression: &Expression, process: Option<&Inside>, sort: &Sort) -> Option<Value> {
        let term = self.term(expression, process, sort)?;
        let value = evaluate(self.terms(), term, &|_| None).ok();
        if value.is_none() {
            self.complain(
                Diagnostic::error(expression.span, "this has to be a constant")
                    .with_note("what depends on variables is said with `init`"),
            );
        }
        value
    }

    /// Conditions, propositions and commands.
    fn statements(&mut self, items: &[Item], process: Option<&Inside>) {
        for item in items {
            if self.is_full() {
                return;
            }
            match item {
                Item::Init(condition) => {
                    let term = self.term(condition, process, &Sort::Bool);
                    self.model.conditions.extend(term.map(|term| (term, condition.span)));
                }
                Item::Prop(proposition) => self.proposition(proposition, process),
                Item::Command(command) => self.command(command, process),
                Item::Process(inner) => {
                    let instances =
                        self.instances.get(&inner.name.span).map_or_else(|| Rc::new([]) as _, Rc::clone);
                    self.in_each(&instances, |own, instance| own.statements(&inner.items, Some(instance)));
                }
                Item::Const(_) | Item::Enum(_) | Item::Variables(_) | Item::Property(_) => {}
            }
        }
    }

    fn proposition(&mut self, proposition: &Named, process: Option<&Inside>) {
        let Some(term) = self.term(&proposition.value, process, &Sort::Bool) else { return };
        if let Some(name) = self.declare(&proposition.name, process, Meaning::Proposition(term)) {
            self.model.program.propositions.insert(name, term);
        }
    }

    /// Initial values and conditions together.
    fn initial(&mut self) {
        let program = &self.model.program;
        let terms = &program.terms;
        let values = program.variables().iter().zip(&self.model.initial_values).filter_map(|(own, value)| {
            let value = terms.value(value.as_ref()?);
            Some(terms.equal(terms.variable(own.variable), value))
        });
        let initial = terms.and(values.chain(self.model.conditions.iter().map(|&(term, _)| term)));
        self.model.program.initial = initial;
    }

    fn properties(&mut self, items: &[Item]) {
        let mut labels: FxHashMap<&str, Span> = FxHashMap::default();
        for item in items {
            let Item::Property(property) = item else { continue };
            if self.is_full() {
                return;
            }
            if let Some(label) = &property.label {
                let first = *labels.entry(&label.text).or_insert(label.span);
                if first != label.span {
                    let complaint =
                        Diagnostic::error(label.span, format!("the label `{}` is used twice", label.text));
                    self.complain(complaint.with_related(first, "the first is here"));
                }
            }
            self.watch.goes_on(1 + property.formula.range().len() / BYTES);
            match self.property(property) {
                Ok(property) => self.model.properties.push(property),
                Err(found) => found.into_iter().for_each(|complaint| self.complain(complaint)),
            }
        }
    }

    fn property(&self, tree: &PropertyTree) -> Result<Property, Diagnostics> {
        let written = &self.source.text()[tree.formula.range()];
        if let Some(at) = percent(written) {
            let at = tree.formula.start + at;
            return Err(vec![
                Diagnostic::error(Span::new(at, at + 1), "`%` cannot stand in a formula")
                    .with_note("the remainder of a division is written `mod`; comments begin with `//`"),
            ]);
        }
        let (terms, names) = (&self.model.program.terms, &self.model.names);
        let meaning = match linear_part(self.source, tree.formula) {
            Some(part) if tree.kind == PropertyKind::Formula => {
                PropertyMeaning::Linear(resolve_linear(terms, names, self.source, part)?)
            }
            _ => PropertyMeaning::Branching(self.branching(tree)?),
        };
        Ok(Property {
            label: tree.label.as_ref().map(|label| label.text.clone()),
            kind: tree.kind,
            text: on_one_line(written),
            meaning,
            span: tree.span,
        })
    }

    /// What a property of branching time means.
    fn branching(&self, tree: &PropertyTree) -> Result<Resolved, Diagnostics> {
        let mut meaning = resolve(&self.model.program.terms, &self.model.names, self.source, tree.formula)?;
        if tree.kind != PropertyKind::Formula {
            if !is_boolean(&meaning.formula) {
                return Err(vec![
                    Diagnostic::error(tree.formula, "this has to speak of one state only").with_note(
                        "formulas with modalities, path quantifiers or fixpoints are written with `property`",
                    ),
                ]);
            }
            let inner = Box::new(meaning.formula);
            let kind = match tree.kind {
                PropertyKind::Invariant => {
                    FormulaKind::Path(PathQuantifier::All, PathOperator::Globally(inner))
                }
                _ => FormulaKind::Path(PathQuantifier::Some, PathOperator::Finally(inner)),
            };
            meaning.formula = Formula { kind, span: tree.formula };
        }
        Ok(meaning)
    }

    /// Adds a command to the program.
    fn add(&mut self, process: Option<&Inside>, action: &str, statement: Statement, span: Span) {
        self.model.program.add_command_of(process.map(|inside| inside.id), action, statement, span);
        self.model.names.actions.insert(action.to_owned());
    }
}

/// The parts of a formula outside of comments, with their places; quotations are parts of their own.
fn pieces(text: &str) -> Vec<(usize, &str, bool)> {
    let mut pieces = Vec::new();
    let (mut start, mut quoted) = (0, false);
    let mut escaped = false;
    let mut comment = false;
    for (at, c) in text.char_indices() {
        match c {
            '\n' if comment => (start, comment) = (at, false),
            _ if comment => {}
            '"' if !escaped => {
                let end = if quoted { at + 1 } else { at };
                pieces.push((start, &text[start..end], quoted));
                (start, quoted) = (end, !quoted);
            }
            '/' if !quoted && text[at..].starts_with("//") => {
                pieces.push((start, &text[start..at], false));
                comment = true;
            }
            _ => {}
        }
        escaped = quoted && c == '\\' && !escaped;
    }
    if !comment {
        pieces.push((start, &text[start..], quoted));
    }
    pieces
}

/// Where a percent sign stands outside of comments and quotations.
fn percent(text: &str) -> Option<usize> {
    let bare = pieces(text).into_iter().filter(|&(_, _, quoted)| !quoted);
    bare.into_iter().find_map(|(start, piece, _)| piece.find('%').map(|at| start + at))
}

/// The formula without comments and line breaks.
fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    for (_, piece, quoted) in pieces(text) {
        if quoted {
            line.push_str(piece);
            continue;
        }
        if piece.starts_with(char::is_whitespace) && !line.ends_with(' ') {
            line.push(' ');
        }
        line.push_str(&piece.split_whitespace().collect::<Vec<_>>().join(" "));
        if piece.ends_with(char::is_whitespace) && !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line.trim().to_owned()
}
