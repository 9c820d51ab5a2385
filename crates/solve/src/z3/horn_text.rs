//! Questions about Horn clauses and their answers, as texts that go to another process and come back.
//!
//! | question | |
//! |---|---|
//! | `farkas 37500 - 2048` | way, steps, milliseconds, megabytes |
//! | `2` | the number of relations |
//! | `main@loop (Int Int)` | a relation and its sorts |
//! | … | the clauses, in SMT-LIB |
//!
//! | answer | |
//! |---|---|
//! | `sat 812 -` | what was said, steps taken, whether the time was over |
//! | `any` | nothing is said of the first relation |
//! | `is (<= argument!0 3)` | what the second is for its arguments |
//! | `part (<= argument!0 3)` | a part of what the third is |

use super::HornWay;
use super::own_context::OwnContext;
use rustc_hash::FxHashSet;
use std::fmt::Write;
use z3::ast::{Ast, Bool, Dynamic};
use z3::{AstKind, DeclKind, Goal, Params, SatResult, Solver, StatisticsValue, Tactic, set_global_param};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HornQuestion {
    pub(super) way: HornWay,
    pub(super) steps: u32,
    /// Milliseconds.
    pub(super) timeout: Option<u32>,
    /// For a process that does nothing else.
    pub(super) megabytes: Option<u64>,
    /// Names and sorts, as the text has them.
    pub(super) relations: Vec<(String, Vec<String>)>,
    pub(super) text: String,
}

/// What is said of a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Interpretation {
    /// Nothing: it does not matter.
    Any,
    /// Something that cannot be told.
    None,
    /// What it is for its arguments.
    Is(String),
    /// A part of that; the rest needs quantifiers.
    Part(String),
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HornReply {
    /// Whether there is a solution, if that was said.
    pub(super) solved: Option<bool>,
    /// Steps that were taken.
    pub(super) work: u64,
    pub(super) timed_out: bool,
    /// By relation, if there is a solution.
    pub(super) interpretations: Vec<Interpretation>,
}

/// Answers a question that came as a text, in a process that does nothing else: nothing if it is none.
pub fn answer_aside(question: &str) -> Option<String> {
    let question = HornQuestion::of_text(question)?;
    if let Some(megabytes) = question.megabytes {
        set_global_param("memory_max_size", &megabytes.to_string());
    }
    Some(question.answer().to_text())
}

const WAYS: [(HornWay, &str); 3] =
    [(HornWay::Farkas, "farkas"), (HornWay::Cores, "cores"), (HornWay::Inlined, "inlined")];

fn number_text(number: Option<impl ToString>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

impl HornQuestion {
    pub(super) fn to_text(&self) -> String {
        let way = WAYS.iter().find(|(way, _)| *way == self.way).map_or("", |(_, name)| name);
        let (timeout, megabytes) = (number_text(self.timeout), number_text(self.megabytes));
        let mut text = format!("{way} {} {timeout} {megabytes}\n{}\n", self.steps, self.relations.len());
        for (name, sorts) in &self.relations {
            let _ = writeln!(text, "{}\t{name}", sorts.join("\t"));
        }
        text + &self.text
    }

    fn of_text(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once('\n')?;
        let (count, mut rest) = rest.split_once('\n')?;
        let [way, steps, timeout, megabytes] = first.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let mut relations = Vec::new();
        for _ in 0..count.parse::<usize>().ok()? {
            let (line, after) = rest.split_once('\n')?;
            let (sorts, name) = line.rsplit_once('\t')?;
            let sorts = sorts.split('\t').filter(|sort| !sort.is_empty()).map(str::to_owned).collect();
            relations.push((name.to_owned(), sorts));
            rest = after;
        }
        Some(Self {
            way: WAYS.iter().find(|(_, name)| *name == way)?.0,
            steps: steps.parse().ok()?,
            timeout: timeout.parse().ok(),
            megabytes: megabytes.parse().ok(),
            relations,
            text: rest.to_owned(),
        })
    }

    /// A script whose first assertion has `value` on its left, over the arguments of a relation, and whose others have the arguments.
    pub(super) fn with_value(&self, relation: usize, value: &str) -> String {
        let (name, sorts) = &self.relations[relation];
        let mut text = format!("(declare-fun {name} ({}) Bool)\n", sorts.join(" "));
        for (number, sort) in sorts.iter().enumerate() {
            let _ = writeln!(text, "(declare-const argument!{number} {sort})");
        }
        let _ = writeln!(text, "(assert (= {value} {value}))");
        for number in 0..sorts.len() {
            let _ = writeln!(text, "(assert (= argument!{number} argument!{number}))");
        }
        text
    }

    /// The relation, applied to its arguments.
    fn applied(&self, relation: usize) -> String {
        let (name, sorts) = &self.relations[relation];
        let arguments: Vec<String> = (0..sorts.len()).map(|number| format!(" argument!{number}")).collect();
        if arguments.is_empty() { name.clone() } else { format!("({name}{})", arguments.concat()) }
    }

    /// Asks Spacer, in this process.
    pub(super) fn answer(&self) -> HornReply {
        let question = self.clone();
        let reply = OwnContext::new().inside(None, move |reply| *reply = Some(question.ask()));
        reply.expect("it was asked inside")
    }

    /// Asks Spacer, in the context of Z3 that is current.
    fn ask(&self) -> HornReply {
        // A solver for the logic would be another one where a default tactic is set.
        let solver = Tactic::new("horn").solver();
        let mut params = Params::new();
        match self.way {
            HornWay::Farkas | HornWay::Inlined => {}
            HornWay::Cores => params.set_u32("spacer.iuc", 0),
        }
        // Left alone, it may list the values of bit-vectors one by one.
        params.set_symbol("engine", "spacer");
        // Relations that are put into others may come back with quantifiers.
        if self.way != HornWay::Inlined {
            params.set_bool("xform.inline_eager", false);
            params.set_bool("xform.inline_linear", false);
        }
        params.set_bool("ctrl_c", false);
        params.set_u32("rlimit", self.steps);
        if let Some(timeout) = self.timeout {
            params.set_u32("timeout", timeout);
        }
        solver.set_params(&params);
        solver.from_string(self.text.as_str());
        let result = solver.check();
        let is_over = |why: String| why.contains("cancel") || why.contains("timeout");
        let timed_out = self.timeout.is_some()
            && result == SatResult::Unknown
            && solver.get_reason_unknown().is_some_and(is_over);
        let work = match solver.get_statistics().value("rlimit count") {
            Some(StatisticsValue::UInt(count)) => u64::from(count),
            Some(StatisticsValue::Double(count)) => count as u64,
            None => 0,
        };
        let solved = match result {
            SatResult::Sat => Some(true),
            SatResult::Unsat => Some(false),
            SatResult::Unknown => None,
        };
        let model = if result == SatResult::Sat { solver.get_model() } else { None };
        let interpretation = |model: &z3::Model, relation: usize| {
            let applied = Solver::new();
            applied.from_string(self.with_value(relation, &self.applied(relation)));
            let found: Option<Bool> =
                applied.get_assertions().first().and_then(|own| own.nth_child(0)?.as_bool());
            let Some(applied) = found else { return Interpretation::None };
            if !model.has_interp(&applied.decl()) {
                return Interpretation::Any;
            }
            // With completion, the arguments would get values.
            match model.eval(&applied, false) {
                Some(value) => said(&value),
                None => Interpretation::None,
            }
        };
        let interpretations = model.iter().flat_map(|model| {
            (0..self.relations.len()).map(|relation| interpretation(model, relation)).collect::<Vec<_>>()
        });
        HornReply { solved, work, timed_out, interpretations: interpretations.collect() }
    }
}

/// A condition, without what needs quantifiers. Those that come back from relations that were put into others are mostly of the
/// form "and somewhere else it holds that".
fn said(value: &Bool) -> Interpretation {
    let line = |value: &Bool| value.to_string().replace('\n', " ");
    if !has_quantifier(value) {
        return Interpretation::Is(line(value));
    }
    // Constants stand for what there is, then.
    let goal = Goal::new(false, false, false);
    goal.assert(value);
    let Ok(found) = Tactic::new("snf").apply(&goal, None) else { return Interpretation::None };
    let parts = found.list_subgoals().flat_map(|goal| goal.get_formulas());
    let parts: Vec<String> = parts.filter(speaks_of_arguments).map(|part| line(&part)).collect();
    Interpretation::Part(format!("(and true {})", parts.join(" ")))
}

fn has_quantifier(value: &Bool) -> bool {
    any_part(value, &mut |part| part.kind() == AstKind::Quantifier)
}

/// Whether nothing but the arguments of a relation occurs.
fn speaks_of_arguments(value: &Bool) -> bool {
    let is_known = |part: &Dynamic| {
        let is_own = |name: String| name.starts_with("argument!");
        part.safe_decl()
            .is_ok_and(|own| matches!(own.kind(), DeclKind::True | DeclKind::False) || is_own(own.name()))
    };
    !any_part(value, &mut |part| {
        let is_name = part.kind() == AstKind::App && part.num_children() == 0;
        part.kind() == AstKind::Quantifier || is_name && !is_known(part)
    })
}

fn any_part(value: &Bool, is_wanted: &mut dyn FnMut(&Dynamic) -> bool) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![Dynamic::from_ast(value)];
    while let Some(part) = open.pop() {
        if is_wanted(&part) {
            return true;
        }
        if part.kind() == AstKind::App {
            open.extend(part.children().into_iter().filter(|own| seen.insert(own.clone())));
        }
    }
    false
}

impl HornReply {
    fn to_text(&self) -> String {
        let solved = match self.solved {
            Some(true) => "sat",
            Some(false) => "unsat",
            None => "unknown",
        };
        let mut text = format!("{solved} {} {}\n", self.work, if self.timed_out { "over" } else { "-" });
        for interpretation in &self.interpretations {
            let _ = match interpretation {
                Interpretation::Any => writeln!(text, "any"),
                Interpretation::None => writeln!(text, "none"),
                Interpretation::Is(value) => writeln!(text, "is {value}"),
                Interpretation::Part(value) => writeln!(text, "part {value}"),
            };
        }
        text
    }

    pub(super) fn of_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let [solved, work, timed_out] = lines.next()?.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let interpretation = |line: &str| match line {
            "any" => Interpretation::Any,
            _ => match line.split_once(' ') {
                Some(("is", is)) => Interpretation::Is(is.to_owned()),
                Some(("part", part)) => Interpretation::Part(part.to_owned()),
                _ => Interpretation::None,
            },
        };
        Some(Self {
            solved: match solved {
                "sat" => Some(true),
                "unsat" => Some(false),
                _ => None,
            },
            work: work.parse().ok()?,
            timed_out: timed_out == "over",
            interpretations: lines.map(interpretation).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let relations = vec![("p".to_owned(), Vec::new()), ("|q r|".to_owned(), vec!["Int".to_owned(); 2])];
        for (way, timeout, megabytes) in [(HornWay::Farkas, None, Some(7)), (HornWay::Cores, Some(3), None)] {
            let (relations, text) = (relations.clone(), "(check-sat)\n\n".to_owned());
            let question = HornQuestion { way, steps: 5, timeout, megabytes, relations, text };
            assert_eq!(HornQuestion::of_text(&question.to_text()), Some(question));
        }
        let is = Interpretation::Is("(<= argument!0 3)".to_owned());
        let part = Interpretation::Part("true".to_owned());
        let interpretations = vec![Interpretation::Any, Interpretation::None, is, part];
        for (solved, timed_out) in [(Some(true), false), (Some(false), false), (None, true)] {
            let reply = HornReply { solved, work: 9, timed_out, interpretations: interpretations.clone() };
            assert_eq!(HornReply::of_text(&reply.to_text()), Some(reply));
        }
        assert_eq!((HornQuestion::of_text("farkas"), HornReply::of_text("")), (None, None));
    }
}
