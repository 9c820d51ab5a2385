//! Queries about transition systems, by the standard semantics.
//!
//! Propositions are columns with two values. Solutions are printed as formulas, so that they can stand in a property.

use super::check_names;
use crate::args::QueryMethod;
use crate::failure::Failure;
use crate::general::{self, Listed};
use crate::input::ModelFile;
use crate::smv::query::{Found, Wanted, refusal};
use crate::smv::shortcut::Initial;
use tertium_check::{Prepared, Semantics, assumptions};
use tertium_dd::Bdd;
use tertium_logic::{Formula, FormulaKind, Query, parse_query};
use tertium_query::{Answer, Cube, ExplicitQuestion, ExplicitSolutions, cubes, distributes_over_disjunction};
use tertium_report::{
    ClassReport, QueryReport, SolutionReport, ValuesReport, assumption_report, counters, state_text,
};
use tertium_support::{Context, Diagnostic, Id, Source, Statistics, StopReason};
use tertium_system::{PartialSystem, PropId, StateId};
use tertium_truth::{Belnap, Cause, Verdict};

/// Solves a query.
pub(crate) fn solve_query(context: &Context, wanted: &Wanted) -> Result<Found, Failure> {
    let file = ModelFile::new(&wanted.file, wanted.modal)?;
    let system = file.load(context)?;
    let source = &wanted.source;
    let query =
        parse_query(source).map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
    let propositions = propositions(&system, &query, source)?;
    let prepared = Prepared::new(context, &system)?;
    let question =
        ExplicitQuestion::new(context, &prepared, &query.formula, &query.placeholder, &propositions);
    let mut report = wanted.report();
    let names = |prop: &PropId| system.labels().names().name(*prop).to_owned();
    report.variables = propositions.iter().map(names).collect();
    report.assumptions = assumptions(&system, &query.formula, Semantics::Sis)
        .into_iter()
        .map(|assumption| assumption_report(&system, assumption))
        .collect();
    let labels: Vec<String> = PropId::first(system.labels().names().len()).map(|prop| names(&prop)).collect();
    let mut state_column = "state".to_owned();
    while labels.contains(&state_column) {
        state_column.push('_');
    }
    let state_variables = std::iter::once(state_column.clone()).chain(labels).collect();
    let shown = Labels { system: &system, state_column, names: report.variables.clone() };
    let reply = Reply {
        context,
        wanted,
        question,
        system: &system,
        shown: &shown,
        open: Cause::Imprecise,
        every_value: true,
    };
    let verdict = reply.fill(&mut report)?;
    Ok(Found { verdict, report, state_variables, warnings: None })
}

/// The propositions that the placeholder is about. Complains about names that the system does not have.
fn propositions(system: &PartialSystem, query: &Query, source: &Source) -> Result<Vec<PropId>, Failure> {
    check_names(system, &without(&query.formula, &query.placeholder), source)?;
    let known = system.labels().names();
    let Some(listed) = &query.propositions else {
        if known.is_empty() {
            let complaint =
                Diagnostic::error(query.span, "the file has no propositions that `?` could be about")
                    .with_note("labels of steps are actions; these are asked about with `tertium check`");
            return Err(Failure::Faulty(Box::new(source.clone()), vec![complaint]));
        }
        return Ok(PropId::first(known.len()).collect());
    };
    let named = listed.iter().map(|(name, span)| {
        let kind = FormulaKind::Proposition(name.clone());
        Formula { kind, span: *span }
    });
    check_names(system, &Formula::all(named.collect()), source)?;
    Ok(listed.iter().filter_map(|(name, _)| known.get(name)).collect())
}

/// The formula without its placeholder, for complaints about names.
fn without(formula: &Formula, placeholder: &str) -> Formula {
    match &formula.kind {
        FormulaKind::Proposition(name) if name == placeholder => FormulaKind::True.into(),
        _ => formula.map_children(|child| without(child, placeholder)),
    }
}

/// How solutions and states are shown.
pub(crate) trait Shown {
    /// A disjunction of cubes.
    fn solution(&self, cubes: &[&Cube]) -> SolutionReport;
    /// An initial state.
    fn state(&self, state: StateId) -> SolutionReport;
}

/// A query with all that is needed to answer it.
pub(crate) struct Reply<'a> {
    pub(crate) context: &'a Context,
    pub(crate) wanted: &'a Wanted,
    pub(crate) question: ExplicitQuestion<'a>,
    pub(crate) system: &'a PartialSystem,
    pub(crate) shown: &'a dyn Shown,
    /// Why something is open.
    pub(crate) open: Cause,
    /// Whether the placeholder is about every value of its variables.
    pub(crate) every_value: bool,
}

impl Reply<'_> {
    /// Whether there is a solution; the report gets them.
    pub(crate) fn fill(&self, report: &mut QueryReport) -> Result<Verdict, Failure> {
        let solutions = match self.wanted.method {
            QueryMethod::Tlq => self.question.solve(),
            QueryMethod::Naive => self.question.solve_naively(),
            QueryMethod::Refine => self.question.solve_by_refinement(),
            QueryMethod::General => return self.fill_generally(report),
        };
        let solutions = solutions.map_err(refusal)?;
        let mut statistics = Statistics::default();
        statistics.set("states", self.system.n_states());
        statistics.set("transitions", self.system.transitions().len() + self.system.hyper_musts().len());
        statistics.set("instances", solutions.n_instances);
        statistics.set("passes", solutions.runs);
        report.statistics = counters(&statistics);
        let answer = match self.wanted.initial {
            Initial::All => solutions.at_all()?,
            Initial::Some | Initial::Each => solutions.at_some()?,
        };
        if self.wanted.written.invariant {
            self.fill_invariant(report, &answer)?;
            return Ok(Verdict::True);
        }
        report.n_solutions = Some(self.count(&answer.definite));
        report.n_possible = (!answer.possible.is_false()).then(|| self.count(&answer.possible));
        if self.wanted.initial == Initial::Each {
            self.fill_classes(report, &solutions)?;
        } else {
            let (definite, cut) = self.cubes(&answer.definite)?;
            let (possible, possible_cut) = self.cubes(&answer.possible)?;
            report.solutions = definite.iter().map(|cube| self.shown.solution(&[cube])).collect();
            report.possible = possible.iter().map(|cube| self.shown.solution(&[cube])).collect();
            report.cut = cut || possible_cut;
            report.exact = self.every_value
                && self.system.initial().len() == 1
                && self.system.is_complete()
                && distributes_over_disjunction(self.question.formula, self.question.placeholder);
        }
        let contradiction = solutions.is_inconsistent();
        Ok(answer.verdict(if contradiction { Cause::Inconsistent } else { self.open }))
    }

    /// What can be reached in any case, or perhaps, is an invariant; what can be reached in any case alone may be one.
    fn fill_invariant(&self, report: &mut QueryReport, answer: &Answer) -> Result<(), Failure> {
        report.kind = "strongest";
        report.n_solutions = Some("1".to_owned());
        let all = answer.definite.or(&answer.possible)?;
        report.solutions = vec![self.disjunction(&all, &mut report.cut)?];
        if !answer.possible.is_false() {
            report.n_possible = Some("1".to_owned());
            report.possible = vec![self.disjunction(&answer.definite, &mut report.cut)?];
        }
        Ok(())
    }

    fn disjunction(&self, set: &Bdd, is_cut: &mut bool) -> Result<SolutionReport, StopReason> {
        let (shown, cut) = self.cubes(set)?;
        let mut formula = self.shown.solution(&shown.iter().collect::<Vec<_>>());
        if cut {
            formula.text.push_str(" || …");
        }
        *is_cut |= cut;
        Ok(formula)
    }

    fn fill_classes(&self, report: &mut QueryReport, solutions: &ExplicitSolutions) -> Result<(), Failure> {
        for (states, answer) in solutions.by_initial()? {
            if report.classes.len() == self.wanted.max {
                report.cut = true;
                break;
            }
            let (definite, cut) = self.cubes(&answer.definite)?;
            let (possible, possible_cut) = self.cubes(&answer.possible)?;
            let shown = states.iter().take(self.wanted.max);
            report.classes.push(ClassReport {
                n_initial: states.len().to_string(),
                initial: shown.map(|&state| self.shown.state(state)).collect(),
                n_solutions: self.count(&answer.definite),
                solutions: definite.iter().map(|cube| self.shown.solution(&[cube])).collect(),
                n_possible: (!answer.possible.is_false()).then(|| self.count(&answer.possible)),
                possible: possible.iter().map(|cube| self.shown.solution(&[cube])).collect(),
                cut: cut || possible_cut || states.len() > self.wanted.max,
            });
        }
        Ok(())
    }

    fn fill_generally(&self, report: &mut QueryReport) -> Result<Verdict, Failure> {
        general::require_all_initial(self.wanted)?;
        let found = self.question.solve_generally(self.wanted.max).map_err(refusal)?;
        let formula = |set: &Bdd| {
            let all = cubes(set, self.question.columns()).collect::<Result<Vec<Cube>, StopReason>>()?;
            Ok::<_, StopReason>(self.shown.solution(&all.iter().collect::<Vec<_>>()))
        };
        let listed = |sets: &[Bdd], is_cut: bool| {
            let formulas = sets.iter().map(formula).collect::<Result<_, StopReason>>()?;
            Ok::<_, StopReason>(Listed { formulas, is_cut })
        };
        let definite = listed(&found.definite, found.is_cut)?;
        let possible = listed(&found.possible, found.is_possible_cut)?;
        general::fill(report, found.direction, definite, possible);
        Ok(match found.verdict {
            Verdict::Unknown(Cause::Imprecise) => Verdict::Unknown(self.open),
            verdict => verdict,
        })
    }

    fn count(&self, set: &Bdd) -> String {
        set.count(&self.question.vars()).to_string()
    }

    /// As many cubes as are shown, and whether there are more.
    fn cubes(&self, set: &Bdd) -> Result<(Vec<Cube>, bool), StopReason> {
        let mut shown = Vec::new();
        for cube in cubes(set, self.question.columns()) {
            if shown.len() == self.wanted.max {
                return Ok((shown, true));
            }
            self.context.poll()?;
            shown.push(cube?);
        }
        Ok((shown, false))
    }
}

/// Propositions and labels of a system.
struct Labels<'a> {
    system: &'a PartialSystem,
    /// What the names of states are called: `state` if no proposition is.
    state_column: String,
    /// The names of the propositions, in order.
    names: Vec<String>,
}

impl Shown for Labels<'_> {
    fn solution(&self, cubes: &[&Cube]) -> SolutionReport {
        let mut formulas = Vec::new();
        let mut reports = Vec::new();
        for cube in cubes {
            let mut literals = Vec::new();
            let mut values = Vec::new();
            for (name, codes) in self.names.iter().zip(&cube.0) {
                // A column with two codes that are not both possible has one.
                let Some(is_true) = codes.as_ref().map(|intervals| intervals == &[(1, 1)]) else { continue };
                let literal = Formula::proposition(name.as_str());
                literals.push(if is_true { literal } else { literal.negated() });
                values.push(ValuesReport { variable: name.clone(), values: vec![is_true.to_string()] });
            }
            formulas.push(Formula::all(literals));
            reports.push(values);
        }
        SolutionReport { text: Formula::any(formulas).to_string(), cubes: reports }
    }

    /// Its name, and its labels as far as they are definite.
    fn state(&self, state: StateId) -> SolutionReport {
        let text = state_text(self.system, state);
        let mut values =
            vec![ValuesReport { variable: self.state_column.clone(), values: vec![text.clone()] }];
        let labels = self.system.labels();
        for prop in PropId::first(labels.names().len()) {
            let value = match labels.get(prop, state) {
                Belnap::True => "true",
                Belnap::False => "false",
                Belnap::Unknown | Belnap::Inconsistent => continue,
            };
            let variable = labels.names().name(prop).to_owned();
            values.push(ValuesReport { variable, values: vec![value.to_owned()] });
        }
        SolutionReport { text, cubes: vec![values] }
    }
}
