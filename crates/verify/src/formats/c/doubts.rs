//! Why a run of the graph is none of the program, in the user's words.
//!
//! The program was run with the inputs of the run of the graph, and ended another way: where it ends may say why, and so does what
//! the graph does not follow exactly on the way.

use super::shown::{line_of, undefined_words};
use super::{CProgram, Graph};
use crate::Doubts;
use tertium_evidence::{Advice, Change};
use tertium_front_c::interpret::{self, Ending};
use tertium_front_c::lower::{Doubt, IntegerModel};
use tertium_program::EdgeId;
use tertium_recursion::IcfgRun;
use tertium_support::Span;
use tertium_truth::Cause;

/// So many places are named.
const MOST_NAMED: usize = 3;
/// Longer texts of the program are not shown.
const LONGEST_TEXT: usize = 40;
/// What can stand in the body of a function that is not at hand.
const IN_BODIES: &str =
    "`__VERIFIER_nondet_int()` is any value there, and `__VERIFIER_assume(e)` ends runs where `e` is zero";
/// What helps where something is not followed.
const ANOTHER_WAY: &str =
    "write what is named in another way (`tertium formats c` tells what is not followed)";

impl CProgram {
    /// Why the program does not do what a run of the graph does, when it ends this way with the same inputs.
    pub(super) fn doubts(&self, graph: &Graph, run: &IcfgRun, ending: Option<&Ending>) -> Doubts {
        let last = run.steps.last().map(|step| graph.icfg.point(graph.icfg.edge(step.edge).target).span);
        let line = last.and_then(|span| line_of(&self.source, &self.unit, span));
        let target = line.map_or("what is asked for".to_owned(), |line| format!("line {line}"));
        let (mut sentences, mut advice) = (Vec::new(), Vec::new());
        let missing = missing_bodies(graph, run);
        if !missing.is_empty() {
            let calls = missing.iter().map(|(name, span)| format!("`{name}`{}", self.at_line(*span)));
            let names: Vec<String> = missing.iter().map(|(name, _)| format!("`{name}`")).collect();
            let (has, body) =
                if names.len() == 1 { ("has no body", "a body") } else { ("have no body", "bodies") };
            sentences.push(format!("a run to {target} depends on {}, which {has}", named(calls.collect())));
            advice.push(Advice::Help(format!("give {} {body} ({IN_BODIES})", named(names))));
        }
        let edges = run.steps.iter().map(|step| step.edge).filter(|&edge| !graph.icfg.edge(edge).is_exact);
        let doubted = doubts_on(graph, edges).into_iter();
        let doubted = doubted.filter(|doubt| !matches!(doubt, Doubt::MissingBody { .. }));
        let mut places: Vec<String> = doubted.map(|doubt| self.doubt_text(doubt)).collect();
        places.dedup();
        if !places.is_empty() {
            let also = if missing.is_empty() { "" } else { "also " };
            sentences.push(format!(
                "a run to {target} {also}depends on what is not followed exactly: {}",
                named(places)
            ));
            advice.push(Advice::Help(ANOTHER_WAY.to_owned()));
        }
        let way = match ending {
            Some(Ending::Undefined(what, span)) => Some(format!(
                "does something undefined before{}: {}",
                self.at_line(*span),
                undefined_words(*what)
            )),
            Some(Ending::Stopped(interpret::Halt::Memory)) => {
                Some("needs more memory than runs have".to_owned())
            }
            Some(Ending::Stopped(interpret::Halt::IntegerTooLarge)) => {
                Some("counts with integers of more than 127 bits".to_owned())
            }
            _ if sentences.is_empty() => Some(format!("does not come to {target}")),
            _ => None,
        };
        sentences
            .extend(way.map(|way| format!("with the inputs of the run that was found, the program {way}")));
        if self.how.integers == IntegerModel::Mathematical {
            let machine = Change { without: vec!["--integers"], ..Change::default() };
            advice.insert(0, Advice::Ask(machine));
        }
        Doubts { cause: Cause::Imprecise, sentences, advice }
    }

    /// What is doubted, with its place.
    pub(super) fn doubt_text(&self, doubt: &Doubt) -> String {
        match doubt {
            Doubt::MissingBody { name, span } => {
                format!("the call of `{name}`, which has no body,{}", self.at_line(*span))
            }
            Doubt::Construct(own) => {
                let text = self.source.text().get(own.span.start..own.span.end).unwrap_or_default();
                let words: Vec<&str> = text.split_whitespace().collect();
                let text = words.join(" ");
                let line = line_of(&self.source, &self.unit, own.span);
                match line {
                    Some(line) if (1..=LONGEST_TEXT).contains(&text.chars().count()) => {
                        format!("{} (line {line}: `{text}`)", own.what)
                    }
                    _ => format!("{}{}", own.what, self.at_line(own.span)),
                }
            }
        }
    }

    /// ` (line 12)`; nothing if that is no line of the user's.
    pub(super) fn at_line(&self, span: Span) -> String {
        let line = line_of(&self.source, &self.unit, span);
        line.map_or(String::new(), |line| format!(" (line {line})"))
    }
}

/// Functions without body that a run calls, each once, with the place of the first call.
fn missing_bodies(graph: &Graph, run: &IcfgRun) -> Vec<(String, Span)> {
    let mut found: Vec<(String, Span)> = Vec::new();
    for doubt in doubts_on(graph, run.steps.iter().map(|step| step.edge)) {
        if let Doubt::MissingBody { name, span } = doubt
            && !found.iter().any(|(own, _)| own == name)
        {
            found.push((name.clone(), *span));
        }
    }
    found
}

/// What is not followed exactly on these edges, each once.
pub(super) fn doubts_on(graph: &Graph, edges: impl IntoIterator<Item = EdgeId>) -> Vec<&Doubt> {
    let mut found: Vec<&Doubt> = Vec::new();
    for doubt in edges.into_iter().filter_map(|edge| graph.doubts.get(&edge)).flatten() {
        if !found.contains(&doubt) {
            found.push(doubt);
        }
    }
    found
}

/// A list that is not too long.
fn named(mut all: Vec<String>) -> String {
    let more = all.len().saturating_sub(MOST_NAMED);
    all.truncate(MOST_NAMED);
    let last = if more > 0 { Some(format!("{more} more")) } else { all.pop() };
    match (all.join(", "), last) {
        (first, Some(last)) if !first.is_empty() => format!("{first} and {last}"),
        (first, last) => first + &last.unwrap_or_default(),
    }
}
