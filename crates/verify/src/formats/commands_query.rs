//! Queries about the variables of a model of guarded commands: on the states that a search finds.

use super::commands::{Commands, left_out};
use crate::engines::explicit::MOST_STATES;
use crate::{
    AskedOf, FoundSystem, Halt, Notation, OffersQueries, QueriedSystem, QueryColumn, ReadQuery, Sort, Within,
};
use std::rc::Rc;
use std::sync::Arc;
use tertium_evidence::{Assumption, Origin};
use tertium_explore::{CodedBits, Exploration, reachable};
use tertium_expr::Value;
use tertium_front_gcl::{Coded, Model, ResolvedQuery};
use tertium_program::{Interpreter, Program, State};
use tertium_query::Code;
use tertium_report::{SolutionReport, ValuesReport};
use tertium_support::{Context, Diagnostic, Id, Source};
use tertium_system::{PartialSystem, StateId};

/// How conditions are written.
const GCL_NOTATION: Notation =
    Notation { and: " && ", or: " || ", yes: "true", no: "false", bracketed: true };

impl OffersQueries for Commands {
    fn query<'m>(
        &'m self,
        context: &'m Context,
        source: &Source,
        within: Within<'_>,
    ) -> Result<ReadQuery<'m>, Halt> {
        let model = &self.model;
        let query = model.query(source).map_err(|complaints| Halt::faulty(source, complaints))?;
        let states = reachable(context, &model.program, within.states.unwrap_or(MOST_STATES))?;
        if states.n_states() == 0 && states.is_complete() {
            return Err(Halt::Refused(format!("{} has no initial state", crate::Model::source(self).name())));
        }
        let columns =
            columns(model, &states, &query).map_err(|complaint| Halt::faulty(source, vec![complaint]))?;
        let atoms = query.atoms.iter().map(|(name, &term)| (name.as_str(), term));
        let interpreter = Interpreter::new(&model.program);
        let numbers: Vec<_> =
            columns.iter().map(|column| |state: &State| column.code(&interpreter, state)).collect();
        let bits = columns.iter().zip(&numbers);
        let bits: Vec<CodedBits<'_>> =
            bits.map(|(column, code)| CodedBits { names: column.bit_names(), code }).collect();
        let system = states.to_coded_system(&model.program, atoms, &bits);
        drop(bits);
        drop(numbers);
        let codes = columns.iter().map(|column| code(&system, column)).collect();
        let left_out = left_out(model, &states);
        let found = FoundSystem::named_by_itself(Arc::new(system), Origin::Model, left_out);
        let names = model.program.variables().iter().map(|own| model.program.terms.name(own.variable));
        let mut assumptions = found.beyond();
        assumptions.extend(columns.iter().filter_map(occurring));
        let every_value = !columns.iter().any(|column| column.occurring);
        Ok(ReadQuery {
            formula: query.formula,
            columns: columns.into_iter().map(column).collect(),
            notation: GCL_NOTATION,
            asked_of: AskedOf::System(QueriedSystem {
                found,
                placeholder: query.placeholder,
                codes,
                state_variables: names.collect(),
                show: Box::new(move |state| shown(&model.program, &states, state)),
                assumptions,
                every_value,
            }),
        })
    }
}

/// What the placeholder is about, with codes; or a complaint about what has too many values.
fn columns(model: &Model, found: &Exploration, query: &ResolvedQuery) -> Result<Vec<Coded>, Diagnostic> {
    let coded = |subject| {
        Coded::new(&model.program, subject, |variable| found.occurring(variable)).ok_or_else(|| {
            let name = &subject.name;
            let message = format!("`{name}` has no bounds, and not all of its values are known");
            let n = found.n_states();
            Diagnostic::error(subject.span, message)
                .with_note(format!("{n} states were looked at, and there are more: allow more with --states"))
                .with_note("or list other variables, or conditions such as `?{x > 0}`")
        })
    };
    query.subjects.iter().map(coded).collect()
}

fn code(system: &PartialSystem, column: &Coded) -> Code {
    let names = system.labels().names();
    let bits = column.bit_names().iter().filter_map(|name| names.get(name)).collect();
    Code { bits, last_code: column.last_code() }
}

fn column(coded: Coded) -> QueryColumn<'static> {
    let name = coded.name.clone();
    let sort = if coded.is_truth() {
        Sort::Truth(truth(&name, true), truth(&name, false))
    } else if coded.is_integer() && !coded.occurring {
        Sort::Numbers
    } else {
        // Of integers that merely occur, those with codes in a row need not follow each other.
        Sort::Listed
    };
    let coded = Rc::new(coded);
    QueryColumn { name, sort, value: Box::new(move |code| coded.value(code).to_string()) }
}

/// For which values a variable without bounds stands.
fn occurring(column: &Coded) -> Option<Assumption> {
    let name = &column.name;
    column.occurring.then(|| {
        Assumption::OccurringValues(match column.last_code() {
            0 => format!("`{name}` has no bounds and stands for its only value that occurs"),
            last => format!("`{name}` has no bounds and stands for its {} values that occur", last + 1),
        })
    })
}

/// A state by its values.
fn shown(program: &Program, found: &Exploration, state: StateId) -> SolutionReport {
    if state.index() >= found.n_states() {
        let text = "states that were not looked at".to_owned();
        return SolutionReport { text, cubes: vec![Vec::new()] };
    }
    let state = found.state(state.index());
    let variables = program.variables().iter().map(|own| program.terms.name(own.variable));
    let (mut conditions, mut values) = (Vec::new(), Vec::new());
    for (name, value) in variables.zip(&state.0) {
        conditions.push(match value {
            Value::Bool(is_true) => truth(&name, *is_true),
            value => format!("{name} = {value}"),
        });
        values.push(ValuesReport { variable: name, values: vec![value.to_string()] });
    }
    SolutionReport { text: GCL_NOTATION.conjunction(&conditions, false), cubes: vec![values] }
}

fn truth(name: &str, is_true: bool) -> String {
    let is_name = name.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '.'));
    match (is_true, is_name) {
        (true, _) => name.to_owned(),
        (false, true) => format!("!{name}"),
        (false, false) => format!("!({name})"),
    }
}
