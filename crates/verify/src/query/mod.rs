//! Queries: what can stand for the placeholder of a formula.
//!
//! A model that says what values its variables have is asked about these, by decision diagrams or on the states that a search finds; of any
//! other model that makes a system, the placeholder is about the propositions of that. What comes out is turned into the user's
//! names and values by one printer.

mod by_engines;
mod by_system;
mod columns;
mod general;
mod propositions;
mod shortcut;
mod symbolic;

pub use columns::{Notation, QueryColumn, Sort};

use crate::check::read;
use crate::refusal::refuse_unused;
use crate::{FoundSystem, Halt, Request, SymbolicOptions};
use shortcut::{Written, written};
use tertium_dd::Bdd;
use tertium_evidence::Assumption;
use tertium_logic::{Formula, formulas_of};
use tertium_query::{Code, Column, Cube, Placeholder, QueryError, cubes};
use tertium_report::{Message, QueryReport, SolutionReport};
use tertium_support::{Context, Diagnostics, Source, StopReason};
use tertium_system::{StateId, SymbolicModel};
use tertium_truth::Verdict;

/// How queries are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryMethod {
    /// All combinations of values at once.
    Tlq,
    /// One check for each combination of values.
    Naive,
    /// Variable by variable.
    Refine,
    /// The strongest or weakest formulas.
    General,
}

impl QueryMethod {
    /// As in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Tlq => "tlq",
            Self::Naive => "naive",
            Self::Refine => "refine",
            Self::General => "general",
        }
    }
}

/// At which initial states something must be a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    /// At all.
    All,
    /// At some.
    Some,
    /// One answer for each.
    Each,
}

impl Initial {
    /// As in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Some => "some",
            Self::Each => "each",
        }
    }
}

/// A query as the user wants it answered.
#[derive(Clone, Debug)]
pub struct QueryWanted {
    /// The text of the query, shortcuts written out.
    source: Source,
    /// Whether all solutions make one formula: the strongest invariant is that some reachable combination is there.
    invariant: bool,
    initial: Initial,
    method: QueryMethod,
    max: usize,
}

impl QueryWanted {
    /// A query as it was given, perhaps with a shortcut; at these initial states, or at those that the shortcut is about; of which
    /// so many lines are shown.
    pub fn new(text: &str, initial: Option<Initial>, method: QueryMethod, max: usize) -> Result<Self, Halt> {
        let file = Source::new("<query>", text);
        let formulas = formulas_of(&file).map_err(|found| Halt::faulty(&file, found))?;
        let [query] = &formulas[..] else {
            return Err(Halt::Refused(format!("a query is one formula, and here are {}", formulas.len())));
        };
        let mut written = written(query.source.text())?;
        if written.invariant && method == QueryMethod::General {
            // Formulas are what this method looks for: it can be asked for the strongest invariant itself.
            written = Written { text: written.text.replacen("EF", "AG", 1), initial: None, invariant: false };
        }
        if written.invariant && initial == Some(Initial::Each) {
            return Err(Halt::Usage("an invariant is one of all initial states".to_owned()));
        }
        let initial = initial.or(written.initial).unwrap_or(Initial::All);
        let source = Source::new("<query>", written.text.as_str());
        Ok(Self { source, invariant: written.invariant, initial, method, max })
    }

    /// A report that says what was asked about a file and has no answer yet.
    pub fn report(&self, file: &str) -> QueryReport {
        let text = self.source.text().trim();
        // An invariant is what can stand in `AG ?`.
        let shown = if self.invariant { text.replacen("EF", "AG", 1) } else { text.to_owned() };
        let initial = if self.invariant { Initial::All } else { self.initial };
        QueryReport { method: self.method.word(), initial: initial.word(), ..QueryReport::new(file, &shown) }
    }

    /// Complains if a method for all initial states at once is asked about others.
    fn require_all_initial(&self) -> Result<(), Halt> {
        if self.initial == Initial::All {
            return Ok(());
        }
        Err(Halt::Usage(
            "--method general answers for all initial states at once: not with --per-initial, --some-initial or a \
             shortcut for some initial states"
                .to_owned(),
        ))
    }
}

/// What was found: the answer whether there is a solution, and all about it.
#[derive(Clone, Debug)]
pub struct QueryFound {
    /// Whether there is a solution.
    pub verdict: Verdict,
    /// The answer as a record.
    pub report: QueryReport,
    /// The names of the variables of states of the model that was looked at.
    pub state_variables: Vec<String>,
    /// What is suspicious about the file.
    pub warnings: Option<(Source, Diagnostics)>,
}

/// Within which bounds a query is answered.
#[derive(Clone, Copy, Debug)]
pub struct Within<'a> {
    /// How diagrams are made.
    pub symbolic: &'a SymbolicOptions,
    /// Whether states are told apart by all variables.
    pub whole_states: bool,
    /// How many states are looked at.
    pub states: Option<usize>,
}

/// Models that say which values their variables have.
pub trait OffersQueries {
    /// Reads a query and prepares what it is asked of.
    fn query<'m>(
        &'m self,
        context: &'m Context,
        source: &Source,
        within: Within<'_>,
    ) -> Result<ReadQuery<'m>, Halt>;
}

/// A query with all that is needed to answer it.
pub struct ReadQuery<'m> {
    /// The formula, in which the placeholder is a proposition.
    pub formula: Formula,
    /// What the placeholder is about.
    pub columns: Vec<QueryColumn<'m>>,
    /// How solutions are written.
    pub notation: Notation,
    /// What it is asked of.
    pub asked_of: AskedOf<'m>,
}

/// What a query is asked of.
pub enum AskedOf<'m> {
    /// Decision diagrams.
    Diagrams(Box<QueriedDiagrams<'m>>),
    /// A system with may and must.
    System(QueriedSystem<'m>),
}

/// Decision diagrams with a placeholder.
pub struct QueriedDiagrams<'m> {
    /// The model, with the propositions of the query.
    pub model: SymbolicModel,
    /// The placeholder, with one copy for each column.
    pub placeholder: Placeholder,
    /// What tells states apart: the variables of the model that are no inputs, in its order.
    pub states: Vec<QueryColumn<'m>>,
}

/// A system in which the columns have codes.
pub struct QueriedSystem<'m> {
    /// The system, with the propositions of the query and the bits of the codes.
    pub found: FoundSystem,
    /// The proposition that stands for the placeholder.
    pub placeholder: String,
    /// The codes of the columns.
    pub codes: Vec<Code>,
    /// The names of what states are shown by.
    pub state_variables: Vec<String>,
    /// Shows a state.
    pub show: Box<dyn Fn(StateId) -> SolutionReport + 'm>,
    /// What the answer relies on besides the system.
    pub assumptions: Vec<Assumption>,
    /// Whether the columns have all values that there are.
    pub every_value: bool,
}

/// Solves a query.
pub fn solve_query(request: &Request<'_>, wanted: &QueryWanted) -> Result<QueryFound, Halt> {
    let (model, warnings) = read(request)?;
    refuse_unused(model.as_ref(), request.options)?;
    let within = Within {
        symbolic: &request.options.symbolic,
        whole_states: wanted.initial == Initial::Each,
        states: request.options.states,
    };
    let query = match model.queries() {
        Some(offer) => offer.query(request.context, &wanted.source, within)?,
        None => propositions::query(request.context, model.as_ref(), &wanted.source, within.states)?,
    };
    let mut report = wanted.report(model.source().name());
    report.messages = warnings.iter().map(|warning| Message::located(model.source(), warning)).collect();
    report.variables = query.columns.iter().map(|column| column.name.clone()).collect();
    let (verdict, state_variables) = match &query.asked_of {
        AskedOf::Diagrams(own) => symbolic::fill(request.context, wanted, &query, own, &mut report)?,
        AskedOf::System(own) => {
            // A bound that the user gives counts as it is.
            let is_left_open = !own.found.is_complete() && request.options.states.is_none();
            let mut settle = |combinations: &[String]| {
                by_engines::are_solutions(request, wanted, &query.formula, &own.placeholder, combinations)
            };
            let settle = (is_left_open && model.program().is_some()).then_some(&mut settle as _);
            by_system::fill(request.context, wanted, &query, own, settle, &mut report)?
        }
    };
    let warnings = (!warnings.is_empty()).then(|| (model.source().clone(), warnings));
    Ok(QueryFound { verdict, report, state_variables, warnings })
}

impl From<QueryError> for Halt {
    fn from(error: QueryError) -> Self {
        match error {
            QueryError::Stopped(reason) => Self::Stopped(reason),
            error => Self::Refused(error.to_string()),
        }
    }
}

/// As many cubes of a set as are shown, and whether there are more.
fn some_cubes(
    context: &Context,
    set: &Bdd,
    columns: Vec<Column>,
    most: usize,
) -> Result<(Vec<Cube>, bool), StopReason> {
    let mut shown = Vec::new();
    for cube in cubes(set, columns) {
        if shown.len() == most {
            return Ok((shown, true));
        }
        context.poll()?;
        shown.push(cube?);
    }
    Ok((shown, false))
}
