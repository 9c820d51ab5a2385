//! Queries on a system with may and must, by the standard semantics.
//!
//! What the placeholder is about has codes, whose bits are propositions of the system. If a search for the states was cut, what lies
//! beyond is open: solutions that are definite hold for the whole model, and there are no others than those that are possible. Of a
//! program, these are then settled one by one, as far as they can be.

use super::by_engines::MOST_ASKED;
use super::columns::Columns;
use super::general::{self, Listed};
use super::{Initial, QueriedSystem, QueryMethod, QueryWanted, ReadQuery};
use crate::Halt;
use std::cell::Cell;
use tertium_check::{Prepared, Semantics, assumptions};
use tertium_dd::Bdd;
use tertium_evidence::Assumption;
use tertium_logic::{Staying, staying_at_ends};
use tertium_query::{
    Answer, Cube, ExplicitQuestion, ExplicitSolutions, QueryError, cubes, distributes_over_disjunction,
};
use tertium_report::{ClassReport, QueryReport, SolutionReport, assumption_report, counters};
use tertium_support::{Context, Statistics, StopReason};
use tertium_system::StateId;
use tertium_truth::{Cause, Verdict};

/// Says of combinations, as text, whether they are solutions.
pub(super) type Settle<'s> = dyn FnMut(&[String]) -> Result<Vec<Verdict>, Halt> + 's;

/// Whether there is a solution; the report gets them. And the names of what states are shown by. `settle` is asked about what the system
/// leaves open.
pub(super) fn fill(
    context: &Context,
    wanted: &QueryWanted,
    query: &ReadQuery<'_>,
    own: &QueriedSystem<'_>,
    settle: Option<&mut Settle<'_>>,
    report: &mut QueryReport,
) -> Result<(Verdict, Vec<String>), Halt> {
    let system = &*own.found.system;
    let prepared = Prepared::new(context, system)?;
    let question =
        ExplicitQuestion::about_codes(context, &prepared, &query.formula, &own.placeholder, &own.codes);
    let shown = Columns { columns: &query.columns, notation: query.notation };
    let asks_engines = settle.is_some() && wanted.method != QueryMethod::General;
    let mut relied_on = assumptions(system, &query.formula, Semantics::Sis);
    let may_depend = relied_on.iter().any(is_deadlock);
    let noted = Noted { may_depend, ..Noted::default() };
    let reply = Reply { context, wanted, own, question, shown, noted };
    let verdict = reply.fill(report, settle)?;
    match reply.noted.depends.get() {
        Ok(true) => {}
        Ok(false) => relied_on.retain(|relied| !is_deadlock(relied)),
        Err(reason) => {
            relied_on.retain(|relied| !is_deadlock(relied));
            relied_on.push(Assumption::DeadlocksUnknown(reason));
        }
    }
    // Where nothing is open, it does not matter how far a search came.
    let is_settled = asks_engines && report.n_possible.is_none() && report.classes.is_empty();
    let counts = |relied: &&Assumption| !(is_settled && matches!(relied, Assumption::Bounded(_)));
    let too_many = reply.noted.too_many.get().then(|| {
        let text = format!("more than {MOST_ASKED} combinations are open; engines were not asked about them");
        Assumption::Bounded(text)
    });
    let relied_on = relied_on.iter().chain(&own.assumptions).chain(&too_many).filter(counts);
    report.assumptions = relied_on.map(|relied| assumption_report(relied, system)).collect();
    Ok((verdict, own.state_variables.clone()))
}

struct Reply<'a, 'm> {
    context: &'a Context,
    wanted: &'a QueryWanted,
    own: &'a QueriedSystem<'m>,
    question: ExplicitQuestion<'a>,
    shown: Columns<'a, 'm>,
    noted: Noted,
}

/// What is noted on the way.
struct Noted {
    /// Whether a path may end, and the query can tell.
    may_depend: bool,
    /// Whether the answer would be another one if paths that end stayed where they ended; an error if that is not known, with the limit
    /// that was reached.
    depends: Cell<Result<bool, Option<StopReason>>>,
    /// Whether more combinations stay open than engines are asked about.
    too_many: Cell<bool>,
}

impl Default for Noted {
    fn default() -> Self {
        Self { may_depend: false, depends: Cell::new(Ok(false)), too_many: Cell::new(false) }
    }
}

fn is_deadlock(assumption: &Assumption) -> bool {
    matches!(assumption, Assumption::Deadlock { .. })
}

impl Reply<'_, '_> {
    fn fill(&self, report: &mut QueryReport, settle: Option<&mut Settle<'_>>) -> Result<Verdict, Halt> {
        let solutions = match self.wanted.method {
            QueryMethod::Tlq => self.question.solve()?,
            QueryMethod::Naive => self.question.solve_naively()?,
            QueryMethod::Refine => self.question.solve_by_refinement()?,
            QueryMethod::General => return self.fill_generally(report),
        };
        let system = &self.own.found.system;
        let mut statistics = Statistics::default();
        statistics.set("states", system.n_states());
        statistics.set("transitions", system.transitions().len() + system.hyper_musts().len());
        statistics.set("instances", solutions.n_instances);
        statistics.set("passes", solutions.runs);
        report.statistics = counters(&statistics);
        let mut answer = match self.wanted.initial {
            Initial::All => solutions.at_all()?,
            Initial::Some | Initial::Each => solutions.at_some()?,
        };
        self.note_dependence(|other| {
            let again = other.solve()?;
            Ok(match self.wanted.initial {
                Initial::All => is_same(&again.at_all()?, &answer),
                Initial::Some => is_same(&again.at_some()?, &answer),
                Initial::Each => {
                    let (one, other) = (solutions.by_initial()?, again.by_initial()?);
                    let mut pairs = one.iter().zip(&other);
                    let same = |(one, other): (&Group, &Group)| one.0 == other.0 && is_same(&one.1, &other.1);
                    one.len() == other.len() && pairs.all(same)
                }
            })
        });
        let mut cause = self.own.found.open_cause();
        if let (Some(settle), Initial::All | Initial::Some) = (settle, self.wanted.initial) {
            cause = self.settle(&mut answer, settle)?.unwrap_or(cause);
        }
        if self.wanted.invariant {
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
            report.solutions = definite.iter().map(|cube| self.shown.cube(cube)).collect();
            report.possible = possible.iter().map(|cube| self.shown.cube(cube)).collect();
            report.cut = cut || possible_cut;
            report.exact = self.own.every_value
                && system.initial().len() == 1
                && system.is_complete()
                && distributes_over_disjunction(self.question.formula, self.question.placeholder);
        }
        let contradiction = solutions.is_inconsistent();
        Ok(answer.verdict(if contradiction { Cause::Inconsistent } else { cause }))
    }

    /// Asks the query once more as it is where paths that end stay where they ended, if that can be another one.
    fn note_dependence(&self, is_same: impl FnOnce(&ExplicitQuestion<'_>) -> Result<bool, QueryError>) {
        if !self.noted.may_depend {
            return;
        }
        let Staying::Other(staying) = staying_at_ends(self.question.formula) else {
            self.noted.depends.set(Err(None));
            return;
        };
        let mut other = self.question.clone();
        other.formula = &staying;
        self.noted.depends.set(match is_same(&other) {
            Ok(is_same) => Ok(!is_same),
            Err(QueryError::Stopped(reason)) => Err(Some(reason)),
            Err(_) => Err(None),
        });
    }

    /// Settles what is possible, combination by combination, if there are not too many; why the first that stays open does.
    fn settle(&self, answer: &mut Answer, settle: &mut Settle<'_>) -> Result<Option<Cause>, Halt> {
        let columns = self.question.columns();
        let mut tuples = Vec::new();
        for cube in cubes(&answer.possible, columns.clone()) {
            tuples.extend(cube?.tuples(&columns).take(MOST_ASKED + 1));
            if tuples.len() > MOST_ASKED {
                self.noted.too_many.set(true);
                return Ok(None);
            }
        }
        let single = |codes: &Vec<u64>| Cube(codes.iter().map(|&code| Some(vec![(code, code)])).collect());
        let texts: Vec<String> = tuples.iter().map(|codes| self.shown.cube(&single(codes)).text).collect();
        if texts.is_empty() {
            return Ok(None);
        }
        let mut open = None;
        for (codes, verdict) in tuples.iter().zip(settle(&texts)?) {
            let combination = self.question.combination(codes)?;
            match verdict {
                Verdict::True => answer.definite = answer.definite.or(&combination)?,
                Verdict::False => {}
                Verdict::Unknown(cause) => {
                    open.get_or_insert(cause);
                    continue;
                }
            }
            answer.possible = answer.possible.and(&combination.not())?;
        }
        Ok(open)
    }

    /// What can be reached in any case, or perhaps, is an invariant; what can be reached in any case alone may be one.
    fn fill_invariant(&self, report: &mut QueryReport, answer: &Answer) -> Result<(), Halt> {
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
        let mut formula = self.shown.union(&shown);
        if cut {
            formula.text.push_str(&format!("{}…", self.shown.notation.or));
        }
        *is_cut |= cut;
        Ok(formula)
    }

    fn fill_classes(&self, report: &mut QueryReport, solutions: &ExplicitSolutions) -> Result<(), Halt> {
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
                initial: shown.map(|&state| (self.own.show)(state)).collect(),
                n_solutions: self.count(&answer.definite),
                solutions: definite.iter().map(|cube| self.shown.cube(cube)).collect(),
                n_possible: (!answer.possible.is_false()).then(|| self.count(&answer.possible)),
                possible: possible.iter().map(|cube| self.shown.cube(cube)).collect(),
                cut: cut || possible_cut || states.len() > self.wanted.max,
            });
        }
        Ok(())
    }

    fn fill_generally(&self, report: &mut QueryReport) -> Result<Verdict, Halt> {
        self.wanted.require_all_initial()?;
        let found = self.question.solve_generally(self.wanted.max)?;
        self.note_dependence(|other| {
            let again = other.solve_generally(self.wanted.max)?;
            let sets = again.definite == found.definite && again.possible == found.possible;
            Ok(sets && again.is_cut == found.is_cut && again.is_possible_cut == found.is_possible_cut)
        });
        let listed = |sets: &[Bdd], is_cut: bool| {
            let mut formulas = Vec::new();
            for set in sets {
                let all = cubes(set, self.question.columns()).collect::<Result<Vec<Cube>, StopReason>>()?;
                formulas.push(self.shown.union(&all));
            }
            Ok::<_, StopReason>(Listed { formulas, is_cut })
        };
        let definite = listed(&found.definite, found.is_cut)?;
        let possible = listed(&found.possible, found.is_possible_cut)?;
        general::fill(report, found.direction, definite, possible);
        Ok(match found.verdict {
            Verdict::Unknown(Cause::Imprecise) => Verdict::Unknown(self.own.found.open_cause()),
            verdict => verdict,
        })
    }

    fn count(&self, set: &Bdd) -> String {
        set.count(&self.question.vars()).to_string()
    }

    fn cubes(&self, set: &Bdd) -> Result<(Vec<Cube>, bool), StopReason> {
        super::some_cubes(self.context, set, self.question.columns(), self.wanted.max)
    }
}

/// Initial states with the same solutions.
type Group = (Vec<StateId>, Answer);

fn is_same(one: &Answer, other: &Answer) -> bool {
    one.definite == other.definite && one.possible == other.possible
}
