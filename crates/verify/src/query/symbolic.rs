//! Queries by decision diagrams: on the cone of influence of the query, or with the initial states told apart on the whole model.

use super::columns::Columns;
use super::general::{self, Listed};
use super::{Initial, QueriedDiagrams, QueryMethod, QueryWanted, ReadQuery};
use crate::Halt;
use crate::engines::symbolic::assumptions;
use tertium_check::symbolic::{Options, SymbolicAssumption};
use tertium_dd::Bdd;
use tertium_evidence::Table;
use tertium_query::{
    Column, Cube, Question, Solutions, classes, cubes, distributes_over_disjunction, solve,
    solve_by_refinement, solve_generally, solve_naively,
};
use tertium_report::{ClassReport, QueryReport, assumption_report, counters};
use tertium_support::{Context, Statistics, StopReason};
use tertium_truth::Verdict;

/// Whether there is a solution; the report gets them. And the names of what states are shown by.
pub(super) fn fill(
    context: &Context,
    wanted: &QueryWanted,
    query: &ReadQuery<'_>,
    own: &QueriedDiagrams<'_>,
    report: &mut QueryReport,
) -> Result<(Verdict, Vec<String>), Halt> {
    let question = Question {
        context,
        model: &own.model,
        formula: &query.formula,
        placeholder: &own.placeholder,
        options: Options { evidence: 0, ..Options::default() },
    };
    let shown = Columns { columns: &query.columns, notation: query.notation };
    let states = Columns { columns: &own.states, notation: query.notation };
    let some = Answer { wanted, question, shown, states }.fill(report)?;
    Ok((if some { Verdict::True } else { Verdict::False }, states.names()))
}

struct Answer<'a, 'm> {
    wanted: &'a QueryWanted,
    question: Question<'a>,
    shown: Columns<'a, 'm>,
    states: Columns<'a, 'm>,
}

impl Answer<'_, '_> {
    fn fill(&self, report: &mut QueryReport) -> Result<bool, Halt> {
        let solutions = match self.wanted.method {
            QueryMethod::Tlq => solve(&self.question)?,
            QueryMethod::Naive => solve_naively(&self.question)?,
            QueryMethod::Refine => solve_by_refinement(&self.question)?.solutions,
            QueryMethod::General => return self.fill_generally(report),
        };
        let set = match self.wanted.initial {
            Initial::All => solutions.at_all(&self.question)?,
            Initial::Some | Initial::Each => solutions.at_some(&self.question)?,
        };
        let mut relied_on = solutions.assumptions.clone();
        self.question.note_dependence(solutions.reachable.as_ref(), &mut relied_on, |other| {
            let again = solve(other)?;
            Ok(match self.wanted.initial {
                Initial::All => again.at_all(other)? == set,
                Initial::Some => again.at_some(other)? == set,
                Initial::Each => again.initial == solutions.initial && again.relation == solutions.relation,
            })
        });
        note(report, relied_on, &solutions.statistics);
        report.n_solutions = Some(set.count(&self.question.placeholder.bits()).to_string());
        if self.wanted.invariant {
            self.fill_invariant(report, &set)?;
            return Ok(true);
        }
        if self.wanted.initial == Initial::Each {
            self.fill_classes(report, &solutions)?;
        } else {
            let (shown, cut) = self.cubes(&set, self.columns())?;
            report.solutions = shown.iter().map(|cube| self.shown.cube(cube)).collect();
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

    fn fill_invariant(&self, report: &mut QueryReport, set: &Bdd) -> Result<(), Halt> {
        let (shown, cut) = self.cubes(set, self.columns())?;
        let mut invariant = self.shown.union(&shown);
        if cut {
            invariant.text.push_str(&format!("{}…", self.shown.notation.or));
        }
        report.kind = "strongest";
        report.n_solutions = Some("1".to_owned());
        report.solutions = vec![invariant];
        report.cut = cut;
        Ok(())
    }

    fn fill_classes(&self, report: &mut QueryReport, solutions: &Solutions) -> Result<(), Halt> {
        let frame = self.question.model.relation.frame();
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
                initial: initial.iter().map(|cube| self.states.cube(cube)).collect(),
                n_solutions: class.solutions.count(&self.question.placeholder.bits()).to_string(),
                solutions: found.iter().map(|cube| self.shown.cube(cube)).collect(),
                n_possible: None,
                possible: Vec::new(),
                cut: initial_cut || cut,
            });
        }
        Ok(())
    }

    fn fill_generally(&self, report: &mut QueryReport) -> Result<bool, Halt> {
        self.wanted.require_all_initial()?;
        let found = solve_generally(&self.question, self.wanted.max)?;
        let mut relied_on = found.assumptions.clone();
        self.question.note_dependence(found.reachable.as_ref(), &mut relied_on, |other| {
            let again = solve_generally(other, self.wanted.max)?;
            Ok(again.solutions == found.solutions && again.is_cut == found.is_cut)
        });
        note(report, relied_on, &found.statistics);
        let mut listed = Listed { formulas: Vec::new(), is_cut: found.is_cut };
        for set in &found.solutions {
            let all = cubes(set, self.columns()).collect::<Result<Vec<Cube>, StopReason>>()?;
            listed.formulas.push(self.shown.union(&all));
        }
        general::fill(report, found.direction, listed, Listed::default());
        Ok(found.is_cut || !found.solutions.is_empty())
    }

    fn cubes(&self, set: &Bdd, columns: Vec<Column>) -> Result<(Vec<Cube>, bool), StopReason> {
        super::some_cubes(self.question.context, set, columns, self.wanted.max)
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
}

fn note(report: &mut QueryReport, found: Vec<SymbolicAssumption>, statistics: &Statistics) {
    report.statistics = counters(statistics);
    let names = Table::default();
    let relied_on = assumptions(found);
    report.assumptions = relied_on.iter().map(|relied| assumption_report(relied, &names)).collect();
}
