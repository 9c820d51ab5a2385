//! Which combinations are solutions, by the engines that check properties: for programs whose states no search exhausts.
//!
//! Each combination is a property: the text of the query with the combination in place of the placeholder. What the engines prove of
//! a property holds for the whole program. A solution at some initial state is one where the negated property fails. All
//! combinations are properties of one file, so predicates that one led to are offered to the next.

use super::{Initial, QueryWanted};
use crate::{Admitted, Chosen, Given, Halt, Listener, Options, Question, Request, VacuityCheck, check};
use tertium_check::Record;
use tertium_evidence::PropertyName;
use tertium_logic::{Formula, FormulaKind};
use tertium_support::{Diagnostic, Source};
use tertium_truth::{Cause, Verdict};

/// More combinations are not asked one by one.
pub(super) const MOST_ASKED: usize = 64;
/// The work that each may take, if nothing is said: some seconds.
const EACH: u64 = 1 << 30;

/// For each combination, as text: whether it is a solution.
pub(super) fn are_solutions(
    request: &Request<'_>,
    wanted: &QueryWanted,
    formula: &Formula,
    placeholder: &str,
    combinations: &[String],
) -> Result<Vec<Verdict>, Halt> {
    let some = wanted.initial == Initial::Some;
    let given: Vec<Given> = combinations
        .iter()
        .map(|combination| {
            let written = with(wanted.source.text(), formula, placeholder, combination);
            let written = if some { format!("!({written})") } else { written };
            Given { source: Ok(Source::new("<combination>", written.as_str())), written }
        })
        .collect();
    let options = Options { vacuity: VacuityCheck::Off, record: Record::Values, ..request.options.clone() };
    let request = Request {
        given: &given,
        chosen: &Chosen::default(),
        options: &options,
        work_each: request.work_each.or(Some(EACH)),
        ..*request
    };
    let mut heard = Heard::default();
    check(&request, &mut heard)?;
    heard.bug.map_or(Ok(()), |bug| Err(Halt::Bug(bug)))?;
    debug_assert_eq!(heard.verdicts.len(), combinations.len(), "every combination has an answer");
    let solution = |verdict| match verdict {
        Verdict::True if some => Verdict::False,
        Verdict::False if some => Verdict::True,
        other => other,
    };
    Ok(heard.verdicts.into_iter().map(solution).collect())
}

/// The text of a query with something in place of the placeholder.
fn with(text: &str, formula: &Formula, placeholder: &str, instead: &str) -> String {
    let is_placeholder =
        |part: &&Formula| matches!(&part.kind, FormulaKind::Proposition(name) if name == placeholder);
    let mut spans: Vec<_> = formula.preorder().filter(is_placeholder).map(|part| part.span).collect();
    // What is written out stands at one place.
    spans.sort_by_key(|span| std::cmp::Reverse(span.start));
    spans.dedup();
    let mut text = text.to_owned();
    for span in spans {
        text.replace_range(span.start..span.end, &format!("({instead})"));
    }
    text
}

/// Collects the verdicts in order.
#[derive(Default)]
struct Heard {
    verdicts: Vec<Verdict>,
    bug: Option<String>,
}

impl Listener for Heard {
    fn warnings(&mut self, _: &Source, _: &[Diagnostic]) {}

    fn questions(&mut self, _: &[Question]) -> Result<(), Halt> {
        Ok(())
    }

    fn answer(&mut self, admitted: Admitted) {
        self.bug = self.bug.take().or(admitted.bug);
        self.verdicts.push(admitted.answer.outcome.verdict);
    }

    fn trouble(&mut self, _: &PropertyName, halt: Halt) {
        let cause = match halt {
            Halt::Stopped(reason) => reason.into(),
            Halt::Bug(bug) => {
                self.bug.get_or_insert(bug);
                Cause::Evidence
            }
            // What an engine refuses stays open.
            Halt::Faulty(..) | Halt::Usage(_) | Halt::Refused(_) => Cause::Bound,
        };
        self.verdicts.push(Verdict::Unknown(cause));
    }
}
