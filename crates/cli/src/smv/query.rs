//! Queries about models in the SMV language.
//!
//! The query is solved on its cone of influence, or with the initial states told apart on the whole model; what comes out is turned into the user's variables and values.

use super::notes::Note;
use super::parts::encode_options;
use super::shortcut::{Initial, Written};
use super::values::Table;
use crate::args::QueryMethod;
use crate::failure::Failure;
use crate::general::{self, Listed};
use crate::input::{model_text, read_file};
use crate::settings::SymbolicSettings;
use std::path::PathBuf;
use tertium_check::symbolic::{Options, SymbolicAssumption};
use tertium_dd::Bdd;
use tertium_front_smv::{
    EncodeError, EncodeOptions, Encoded, FlatModel, SpecificationKind, VarKind, cone_of_query, encode, read,
    read_query,
};
use tertium_query::{
    Column, Cube, Placeholder, QueryError, Question, Solutions, classes, cubes, distributes_over_disjunction,
    solve, solve_by_refinement, solve_generally, solve_naively,
};
use tertium_report::{AssumptionReport, ClassReport, Message, QueryReport, counters};
use tertium_support::{Context, Diagnostic, Id, Source, Statistics, StopReason};
use tertium_truth::Verdict;

/// A query as the user wants it answered.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The file.
    pub(crate) file: PathBuf,
    /// The text of the query.
    pub(crate) source: Source,
    /// Shortcuts written out.
    pub(crate) written: Written,
    /// At which initial states.
    pub(crate) initial: Initial,
    /// How it is solved.
    pub(crate) method: QueryMethod,
    /// How many lines are shown.
    pub(crate) max: usize,
    /// How diagrams are made.
    pub(crate) diagrams: SymbolicSettings,
    /// How labels of `.aut` files are read.
    pub(crate) modal: bool,
    /// How many states of models of guarded commands are looked at.
    pub(crate) states: Option<usize>,
}

impl Wanted {
    /// A report that says what was asked and has no answer yet.
    pub(crate) fn report(&self) -> QueryReport {
        let text = self.source.text().trim();
        // An invariant is what can stand in `AG ?`.
        let shown = if self.written.invariant { text.replacen("EF", "AG", 1) } else { text.to_owned() };
        let initial = if self.written.invariant { Initial::All } else { self.initial };
        QueryReport {
            method: self.method.word(),
            initial: initial.word(),
            ..QueryReport::new(&self.file.display().to_string(), &shown)
        }
    }
}

/// What was found: the answer whether there is a solution, and all about it.
pub(crate) struct Found {
    pub(crate) verdict: Verdict,
    pub(crate) report: QueryReport,
    /// The names of the variables of states of the model that was looked at.
    pub(crate) state_variables: Vec<String>,
    pub(crate) warnings: Option<(Source, Vec<Diagnostic>)>,
}

/// Solves a query.
pub(crate) fn solve_query(context: &Context, wanted: &Wanted) -> Result<Found, Failure> {
    let file = wanted.file.display().to_string();
    let source = model_text(file.clone(), read_file(context, &wanted.file)?);
    let (model, warnings) =
        read(source.clone()).map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
    let query = read_query(&model, &wanted.source)
        .map_err(|complaints| Failure::Faulty(Box::new(wanted.source.clone()), complaints))?;
    let SpecificationKind::Ctl(formula) = &query.specification.kind else {
        return Err(Failure::Input("queries are formulas of CTL".to_owned()));
    };
    let cone = cone_of_query(&model, &query);
    // Initial states are told apart, counted and printed by all variables.
    let whole_model = wanted.diagrams.whole_model || wanted.initial == Initial::Each;
    let options = EncodeOptions {
        keep: (!whole_model && cone.len() < model.variables.len()).then_some(cone),
        ..encode_options(context, &model, &wanted.diagrams)?
    };
    let mut encoded = encode(context, &model, &options).map_err(|error| failure(error, &source))?;
    encoded.register(&query.specification).map_err(|error| failure(error, &wanted.source))?;
    let places: Vec<usize> = query.variables.iter().filter_map(|&id| encoded.symbolic(id)).collect();
    let placeholder = Placeholder::new(&mut encoded.model, &query.placeholder, &places)?;
    let question = Question {
        context,
        model: &encoded.model,
        formula,
        placeholder: &placeholder,
        options: Options { evidence: 0, ..Options::default() },
    };
    let mut report = wanted.report();
    report.messages = warnings.iter().map(|warning| Message::located(&source, warning)).collect();
    let table = Table { encoded: &encoded, variables: query.variables.clone() };
    report.variables = table.names();
    let answer = Answer { wanted, question, table };
    let some = answer.fill(&mut report)?;
    let state_variables = answer.states(&model).names();
    let warnings = (!warnings.is_empty()).then_some((source, warnings));
    let verdict = if some { Verdict::True } else { Verdict::False };
    Ok(Found { verdict, report, state_variables, warnings })
}

fn failure(error: EncodeError, source: &Source) -> Failure {
    match error {
        EncodeError::Stopped(reason) => Failure::Stopped(reason),
        EncodeError::Model(complaint) => Failure::Faulty(Box::new(source.clone()), vec![*complaint]),
    }
}

pub(crate) fn refusal(error: QueryError) -> Failure {
    match error {
        QueryError::Stopped(reason) => Failure::Stopped(reason),
        error => Failure::Input(error.to_string()),
    }
}

struct Answer<'a, 'm> {
    wanted: &'a Wanted,
    question: Question<'a>,
    table: Table<'a, 'm>,
}

impl Answer<'_, '_> {
    /// Whether there is a solution; the report gets them.
    fn fill(&self, report: &mut QueryReport) -> Result<bool, Failure> {
        let solutions = match self.wanted.method {
            QueryMethod::Tlq => solve(&self.question),
            QueryMethod::Naive => solve_naively(&self.question),
            QueryMethod::Refine => solve_by_refinement(&self.question).map(|refined| refined.solutions),
            QueryMethod::General => return self.fill_generally(report),
        };
        let solutions = solutions.map_err(refusal)?;
        note(report, &solutions.assumptions, &solutions.statistics);
        let set = match self.wanted.initial {
            Initial::All => solutions.at_all(&self.question)?,
            Initial::Some | Initial::Each => solutions.at_some(&self.question)?,
        };
        report.n_solutions = Some(set.count(&self.question.placeholder.bits()).to_string());
        if self.wanted.written.invariant {
            self.fill_invariant(report, &set)?;
            return Ok(true);
        }
        if self.wanted.initial == Initial::Each {
            self.fill_classes(report, &solutions)?;
        } else {
            let (shown, cut) = self.cubes(&set, self.columns())?;
            report.solutions = shown.iter().map(|cube| self.table.cube(cube)).collect();
            report.cut = cut;
            report.exact = self.is_exact(&solutions);
        }
        Ok(!set.is_false())
    }

    /// Whether solutions that leave values open follow from those that do not: by the form of the query, at one state.
    fn is_exact(&self, solutions: &Solutions) -> bool {
        let name = &self.question.placeholder.name;
        let n_initial = solutions.initial.count(&self.question.model.relation.frame().current).exact();
        n_initial == Some(1) && distributes_over_disjunction(self.question.formula, name)
    }

    fn fill_invariant(&self, report: &mut QueryReport, set: &Bdd) -> Result<(), Failure> {
        let (shown, cut) = self.cubes(set, self.columns())?;
        let mut invariant = self.table.union(&shown);
        if cut {
            invariant.text.push_str(" | …");
        }
        report.kind = "strongest";
        report.n_solutions = Some("1".to_owned());
        report.solutions = vec![invariant];
        report.cut = cut;
        Ok(())
    }

    fn fill_classes(&self, report: &mut QueryReport, solutions: &Solutions) -> Result<(), Failure> {
        let frame = self.question.model.relation.frame();
        let states = self.states(self.table.encoded.flat());
        for class in classes(&self.question, solutions)? {
            if report.classes.len() == self.wanted.max {
                report.cut = true;
                break;
            }
            let class = class?;
            let (initial, initial_cut) = self.cubes(&class.initial, self.state_columns())?;
            let (found, cut) = self.cubes(&class.solutions, self.columns())?;
            report.classes.push(ClassReport {
                n_initial: class.initial.count(&frame.current).to_string(),
                initial: initial.iter().map(|cube| states.cube(cube)).collect(),
                n_solutions: class.solutions.count(&self.question.placeholder.bits()).to_string(),
                solutions: found.iter().map(|cube| self.table.cube(cube)).collect(),
                n_possible: None,
                possible: Vec::new(),
                cut: initial_cut || cut,
            });
        }
        Ok(())
    }

    fn fill_generally(&self, report: &mut QueryReport) -> Result<bool, Failure> {
        general::require_all_initial(self.wanted)?;
        let found = solve_generally(&self.question, self.wanted.max).map_err(refusal)?;
        note(report, &found.assumptions, &found.statistics);
        let mut listed = Listed { formulas: Vec::new(), is_cut: found.is_cut };
        for set in &found.solutions {
            let all = cubes(set, self.columns()).collect::<Result<Vec<Cube>, StopReason>>()?;
            listed.formulas.push(self.table.union(&all));
        }
        general::fill(report, found.direction, listed, Listed::default());
        Ok(found.is_cut || !found.solutions.is_empty())
    }

    /// As many cubes as are shown, and whether there are more.
    fn cubes(&self, set: &Bdd, columns: Vec<Column>) -> Result<(Vec<Cube>, bool), StopReason> {
        let mut shown = Vec::new();
        for cube in cubes(set, columns) {
            if shown.len() == self.wanted.max {
                return Ok((shown, true));
            }
            self.question.context.poll()?;
            shown.push(cube?);
        }
        Ok((shown, false))
    }

    fn columns(&self) -> Vec<Column> {
        self.question.placeholder.columns(self.question.model)
    }

    fn state_columns(&self) -> Vec<Column> {
        let states = self.question.model.variables.iter().filter(|variable| !variable.is_input);
        states
            .map(|variable| Column { bits: variable.current.clone(), last_code: variable.last_code })
            .collect()
    }

    fn states(&self, flat: &FlatModel) -> Table<'_, '_> {
        let encoded: &Encoded<'_> = self.table.encoded;
        let is_state = |id: &&tertium_front_smv::VarId| flat.variables[id.index()].kind != VarKind::Input;
        Table { encoded, variables: encoded.variables().iter().filter(is_state).copied().collect() }
    }
}

fn note(report: &mut QueryReport, assumptions: &[SymbolicAssumption], statistics: &Statistics) {
    report.statistics = counters(statistics);
    let words = assumptions.iter().map(|assumption| Note::from(assumption).words());
    report.assumptions = words.map(|(code, text)| AssumptionReport { code, text }).collect();
}
