//! From the syntax tree to the flat model.
//!
//! In this order: the tree of instances with all variables and names (`instance`), the definitions (`define`), the
//! assignments and constraints (`assign`), the properties (`specification`). Complaints are collected on the way; each
//! phase goes on as long as what it needs is there.

mod assign;
mod bounded;
mod circular;
mod constant;
mod define;
mod expression;
mod facts;
mod instance;
mod operator;
mod path;
mod property;
mod query;
mod resolve;
mod specification;
mod typing;

use crate::syntax::{self, tree};
use crate::{Define, Expr, FlatModel, SymbolId, VarId, Variable};
use define::Definition;
use instance::Instance;
pub use property::read_property;
pub use query::{Query, read_query};
use rustc_hash::FxHashSet;
use tertium_support::{
    Context, Diagnostic, Diagnostics, Interner, ReadError, Severity, Source, Span, Watch, define_id,
};

define_id!(
    /// An instance of a module.
    InstanceId
);

define_id!(
    /// A definition as it stands in the text, or an actual parameter that is more than a name.
    DefinitionId
);

/// The name of the input variable that says which process runs.
pub(crate) const SELECTOR: &str = "_process_selector_";

/// How many complaints are kept; more help nobody.
const KEPT: usize = 100;

/// Reads a model without limits: the flat model with warnings, or what is wrong with the text.
pub fn read(source: Source) -> Result<(FlatModel, Diagnostics), Diagnostics> {
    read_within(&Context::default(), source).map_err(ReadError::into_complaints)
}

/// Reads a model within the limits of a run.
pub fn read_within(context: &Context, source: Source) -> Result<(FlatModel, Diagnostics), ReadError> {
    let (program, diagnostics) = syntax::parse(context, source.text())?;
    let watch = Some(Watch::new(context, "elaborating"));
    let mut elaborator = Elaborator { diagnostics, watch, ..Elaborator::default() };
    let parsed = elaborator.diagnostics.is_empty();
    let parts = elaborator.program(&program, parsed);
    elaborator.watch.as_ref().map_or(Ok(()), Watch::check)?;
    let Elaborator { diagnostics, symbols, variables, defines, selector, open_cases, .. } = elaborator;
    let (errors, mut warnings): (Vec<_>, Vec<_>) =
        diagnostics.into_iter().partition(|diagnostic| diagnostic.severity == Severity::Error);
    match parts {
        Some(parts) if errors.is_empty() => {
            let Parts { assigns, init, invar, trans, justice, compassion, specifications } = parts;
            let model = FlatModel {
                source,
                symbols,
                variables,
                defines,
                assigns,
                init,
                invar,
                trans,
                justice,
                compassion,
                selector,
                specifications,
            };
            warnings.extend(gaps_in_cases(&model, &open_cases));
            Ok((model, warnings))
        }
        _ => Err(ReadError::Faulty(errors)),
    }
}

/// Warnings about each `case` for which there are values such that no branch applies.
fn gaps_in_cases(model: &FlatModel, open_cases: &FxHashSet<Span>) -> Vec<Diagnostic> {
    let warning = |(span, example): (Span, Option<String>)| {
        let warning = Diagnostic::warning(span, "it may be that no branch of this case applies");
        let warning = match example {
            Some(example) => warning.with_note(format!("none does with {example}")),
            None => warning,
        };
        let note = "end it with a branch `TRUE : …;`; where none applies, the model has no meaning";
        warning.with_note(note)
    };
    if open_cases.is_empty() {
        return Vec::new();
    }
    crate::encode::gaps(model, open_cases).into_iter().map(warning).take(KEPT).collect()
}

/// Everything that is known while the model is built.
#[derive(Default)]
struct Elaborator<'a> {
    diagnostics: Vec<Diagnostic>,
    symbols: Interner<SymbolId>,
    /// The symbols that expressions may name.
    constants: FxHashSet<SymbolId>,
    variables: Vec<Variable>,
    instances: Vec<Instance<'a>>,
    definitions: Vec<Definition<'a>>,
    /// The names that were declared as paths.
    paths: path::Paths<'a>,
    /// The finished definitions, each after those it uses.
    defines: Vec<Define>,
    /// What is known of each finished definition.
    facts: Vec<facts::Facts>,
    selector: Option<VarId>,
    /// Where there is a `case` without a branch `TRUE`.
    open_cases: FxHashSet<Span>,
    /// The definitions that the current expression waits for.
    needs: Vec<DefinitionId>,
    /// How many expressions are open.
    depth: u32,
    /// How many expressions were made.
    size: usize,
    /// Says when a limit of the run is reached.
    watch: Option<Watch<'a>>,
    /// In a query: its placeholder.
    placeholder: Option<query::Placeholder>,
}

/// The parts of the flat model that are made of expressions.
#[derive(Default)]
struct Parts {
    assigns: Vec<crate::Assign>,
    init: Vec<Expr>,
    invar: Vec<Expr>,
    trans: Vec<Expr>,
    justice: Vec<Expr>,
    compassion: Vec<(Expr, Expr)>,
    specifications: Vec<crate::Specification>,
}

impl<'a> Elaborator<'a> {
    /// The whole program. If the text had mistakes, names may be missing for that reason: then only declarations are
    /// looked at.
    fn program(&mut self, program: &'a tree::Program, parsed: bool) -> Option<Parts> {
        self.instantiate_main(program)?;
        if !parsed || self.has_errors() {
            return None;
        }
        self.define_all();
        let mut parts = Parts::default();
        self.assign_all(&mut parts);
        self.constrain_all(&mut parts);
        self.specify_all(&mut parts);
        Some(parts)
    }

    /// Notes units of work. Whether no limit of the run is reached: beyond one, nothing is looked at any more.
    fn goes_on(&mut self, work: usize) -> bool {
        self.watch.as_mut().is_none_or(|watch| watch.goes_on(work))
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Keeps a complaint. The same one about another instance of the same module is not repeated.
    fn complain(&mut self, diagnostic: Diagnostic) {
        let known = |other: &Diagnostic| other.span == diagnostic.span && other.message == diagnostic.message;
        if self.diagnostics.len() < KEPT && !self.diagnostics.iter().any(known) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The text of a proposition.
    fn text_of(&self, expr: &Expr) -> String {
        let (symbols, variables, defines) = (&self.symbols, &self.variables, &self.defines);
        crate::print::Names { symbols, variables, defines, selector: self.selector }.proposition(expr)
    }

    /// Complains and gives nothing.
    fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.complain(diagnostic);
        None
    }
}
