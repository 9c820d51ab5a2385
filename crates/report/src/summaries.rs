//! What procedures do and what holds at places, as text and as JSON.

use crate::Detail;
use crate::json_evidence::{EvidenceReport, PlaceReport, SummaryReport};
use crate::names::{count, plain};
use crate::page::Page;
use tertium_evidence::{Answer, Evidence, PlacedCondition, ProcedureSummary, Summaries};

/// So many conditions are shown on a screen.
const MOST_SHOWN: usize = 12;
/// So many characters of each.
const LONGEST: usize = 200;

/// Conditions at places, then what procedures do. On a screen: what holds where loops begin their rounds, in one line if that is all
/// too much.
pub(crate) fn write_summaries(summaries: &Summaries, detail: Detail, page: &mut Page) {
    let full = detail == Detail::Full;
    let shown: Vec<&PlacedCondition> =
        summaries.places.iter().filter(|place| full || place.is_loop_head).collect();
    let n_procedures = summaries.procedures.iter().filter(|own| own.exit.is_some()).count();
    let hidden = if full { "" } else { " (--full shows all)" };
    page.line(
        2,
        &format!(
            "proof: {} and {} that no step and no call leads out of{hidden}",
            count(summaries.places.len(), "condition"),
            count(n_procedures, "summary").replace("summarys", "summaries"),
        ),
    );
    let most = if full { usize::MAX } else { MOST_SHOWN };
    for place in shown.iter().take(most) {
        let word = if place.is_loop_head { "loop " } else { "" };
        let condition = cut(&plain(&place.condition), if full { usize::MAX } else { LONGEST });
        page.line(4, &format!("{word}{}: {condition}", at(&place.procedure, place.line)));
    }
    if full {
        summaries.procedures.iter().for_each(|own| write_summary(own, page));
    }
}

/// What procedures need and do, for those who ask for it: of each the condition at its entry and that at its exit. Nothing if the proof is
/// of another kind.
pub fn summaries_text(answer: &Answer) -> String {
    let Some(Evidence::Summaries(summaries)) = &answer.outcome.evidence else { return String::new() };
    let mut page = Page::default();
    page.line(2, "procedures:");
    summaries.procedures.iter().for_each(|own| write_summary(own, &mut page));
    page.into_text()
}

/// What a procedure does.
fn write_summary(own: &ProcedureSummary, page: &mut Page) {
    let place = at(&own.name, own.line);
    let Some(entry) = &own.entry else {
        page.line(4, &format!("{place}: never called"));
        return;
    };
    let exit = own.exit.as_ref().map_or("it never comes back".to_owned(), |exit| plain(exit).into_owned());
    page.line(4, &format!("{place}: called where {}; then {exit}", plain(entry)));
}

/// A text, or its beginning if it is long.
fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

fn at(procedure: &str, line: Option<usize>) -> String {
    let place = line.map_or(String::new(), |line| format!(" :{line}"));
    format!("{}{place}", plain(procedure))
}

pub(crate) fn summaries_report(summaries: &Summaries) -> EvidenceReport {
    let procedures = summaries.procedures.iter().cloned().map(|own| {
        let ProcedureSummary { name, line, entry, exit } = own;
        SummaryReport { procedure: name, line, entry, exit }
    });
    let places = summaries.places.iter().cloned().map(|own| {
        let PlacedCondition { procedure, line, is_loop_head, condition } = own;
        PlaceReport { procedure, line, loop_head: is_loop_head, condition }
    });
    EvidenceReport::Summaries { procedures: procedures.collect(), places: places.collect() }
}
