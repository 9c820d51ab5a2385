//! From a run to a violation witness, and from a violation witness to the values that a run should get.
//!
//! A run is told by what it passes that others could not guess: values from outside, and which way branching statements go. A value is a
//! waypoint `function_return` at the closing parenthesis of the call, with `\result == 5`: that is exact, whatever becomes of the
//! value. Of witnesses by other tools we also take assumptions such as `x == 5`, where a value is asked for that goes to `x`.
//!
//! A guide only suggests values. Whether the run then reaches the violation is for an interpreter to find out.

use super::{Segment, Way, Waypoint, WaypointKind, Witness, WitnessContent, WitnessLocation, WitnessTask};
use std::collections::VecDeque;

/// Something that a run passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A call gives a value from outside.
    Value {
        /// The value.
        value: i128,
        /// The closing parenthesis of the call.
        at: WitnessLocation,
    },
    /// An `if` or a loop goes this way.
    Branch {
        /// Whether the condition is true.
        taken: bool,
        /// Where the statement begins.
        at: WitnessLocation,
    },
    /// The run ends: this is the violation.
    Target(WitnessLocation),
}

/// The witness of a run, as far as its first target.
pub fn violation_witness(task: WitnessTask, run: &[Passed]) -> Witness {
    let end = run.iter().position(|passed| matches!(passed, Passed::Target(_)));
    let run = end.map_or(run, |end| &run[..=end]);
    let segments = run.iter().map(|passed| {
        let (kind, location) = match passed {
            Passed::Value { value, at } => {
                (WaypointKind::FunctionReturn(Some(format!("\\result == {}", literal(*value)))), at)
            }
            Passed::Branch { taken, at } => (WaypointKind::Branching(Way::Condition(*taken)), at),
            Passed::Target(at) => (WaypointKind::Target, at),
        };
        Segment::follow(Waypoint { kind, location: location.clone() })
    });
    Witness { task, content: WitnessContent::Violation(segments.collect()) }
}

/// Every literal has the value that it shows.
fn literal(value: i128) -> String {
    crate::harness::integer_literal(value)
}

/// The values that a witness suggests, in the order of the run.
#[derive(Clone, Debug)]
pub struct Guide {
    /// Each with the number of its waypoint, from 1.
    steps: VecDeque<(usize, Suggested)>,
}

#[derive(Clone, Debug)]
enum Suggested {
    /// What a call gives.
    Result { value: i128, at: WitnessLocation },
    /// What variables are at some place.
    Variables(Vec<(String, i128)>),
}

impl Guide {
    /// What a witness says about values; nothing if it is no violation witness.
    pub fn new(witness: &Witness) -> Option<Self> {
        let WitnessContent::Violation(segments) = &witness.content else { return None };
        let said = |segment: &Segment| match &segment.last.kind {
            WaypointKind::FunctionReturn(Some(constraint)) => {
                let (_, value) = equalities(constraint).into_iter().find(|(name, _)| name == "\\result")?;
                Some(Suggested::Result { value, at: segment.last.location.clone() })
            }
            WaypointKind::Assumption(constraint) => {
                let equalities = equalities(constraint);
                (!equalities.is_empty()).then_some(Suggested::Variables(equalities))
            }
            _ => None,
        };
        let numbered = segments.iter().enumerate();
        let steps = numbered.filter_map(|(at, segment)| Some((at + 1, said(segment)?)));
        Some(Self { steps: steps.collect() })
    }

    /// The value for the call whose closing parenthesis stands here, and whose result goes to the variable, if to any. Nothing if the
    /// witness says nothing about this call. A column is not compared where it is not known. What is said of variables may be about
    /// others than those that get values from outside, so it may be left behind.
    pub fn value(&mut self, line: u32, column: Option<u32>, variable: Option<&str>) -> Option<i128> {
        let is_here = |at: &WitnessLocation| {
            at.line == line && (at.column.is_none() || column.is_none() || at.column == column)
        };
        let mut found = None;
        for (at, (_, step)) in self.steps.iter_mut().enumerate() {
            match step {
                Suggested::Result { value, at: place } => {
                    found = is_here(place).then_some((at + 1, *value));
                    break;
                }
                Suggested::Variables(equalities) => {
                    let Some(own) = equalities.iter().position(|(name, _)| Some(&name[..]) == variable)
                    else {
                        continue;
                    };
                    let (_, value) = equalities.remove(own);
                    found = Some((if equalities.is_empty() { at + 1 } else { at }, value));
                    break;
                }
            }
        }
        let (passed, value) = found?;
        self.steps.drain(..passed);
        Some(value)
    }

    /// The first call whose value was said and not asked for, with the number of its waypoint.
    pub fn left(&self) -> Option<(usize, &WitnessLocation)> {
        self.steps.iter().find_map(|(number, step)| match step {
            Suggested::Result { at, .. } => Some((*number, at)),
            Suggested::Variables(_) => None,
        })
    }
}

/// The parts of a conjunction that say what the value of a name is.
fn equalities(constraint: &str) -> Vec<(String, i128)> {
    let parts = constraint.split("&&").filter_map(|part| {
        let (left, right) = part.split_once("==")?;
        let (left, right) = (inner(left), inner(right));
        match (number(right), number(left)) {
            (Some(value), None) => Some((left.to_owned(), value)),
            (None, Some(value)) => Some((right.to_owned(), value)),
            _ => None,
        }
    });
    parts.filter(|(name, _)| is_name(name)).collect()
}

fn is_name(text: &str) -> bool {
    let text = text.strip_prefix('\\').unwrap_or(text);
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

/// Without blanks, and without parentheses that are not closed inside of the part.
fn inner(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let (opened, closed) = (text.matches('(').count(), text.matches(')').count());
        let next = match (text.strip_prefix('('), text.strip_suffix(')')) {
            (Some(rest), Some(_)) if opened == closed => &rest[..rest.len() - 1],
            (Some(rest), _) if opened > closed => rest,
            (_, Some(rest)) if closed > opened => rest,
            _ => return text,
        };
        text = next.trim();
    }
}

/// The value of a literal: decimal, octal or hexadecimal, with a sign and a suffix. `-M - 1` is how C writes the least number.
fn number(text: &str) -> Option<i128> {
    let (text, less) = match text.strip_suffix("- 1").or_else(|| text.strip_suffix("-1")) {
        Some(rest) if !inner(rest).is_empty() => (inner(rest), 1),
        _ => (text, 0),
    };
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest.trim()),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => i128::from(u64::from_str_radix(hexadecimal, 16).ok()?),
        None if digits.len() > 1 && digits.starts_with('0') => {
            i128::from(u64::from_str_radix(digits, 8).ok()?)
        }
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => i128::from(digits.parse::<u64>().ok()?),
        None => return None,
    };
    Some(sign * value - less)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equalities_are_found_in_conjunctions() {
        let found = |text: &str| equalities(text);
        let one = |name: &str, value: i128| vec![(name.to_owned(), value)];
        assert_eq!(found("x == 5"), one("x", 5));
        assert_eq!(found("(x == -5LL)"), one("x", -5));
        assert_eq!(found("((0x10U == \\result))"), one("\\result", 16));
        assert_eq!(found("(x == (1)) && (y == (-2))"), [("x".to_owned(), 1), ("y".to_owned(), -2)]);
        assert_eq!(found("x == (-9223372036854775807LL - 1)"), one("x", i64::MIN.into()));
        assert_eq!(found("x == y"), []);
        assert_eq!(found("x >= 5 || x == 3 + 4"), []);
        assert_eq!(found("1"), []);
    }

    #[test]
    fn every_literal_is_read_as_its_value() {
        for value in
            [0, 1, -1, i32::MIN.into(), i64::MIN.into(), i64::MAX.into(), u64::MAX.into(), -3_000_000_000i128]
        {
            assert_eq!(number(inner(&literal(value))), Some(value), "{}", literal(value));
        }
    }
}
