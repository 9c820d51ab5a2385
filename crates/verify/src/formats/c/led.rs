//! Runs of C programs that follow a witness: the interpreter gets the values that it tells, and has to come to the violation that it
//! names.

use super::CProgram;
use super::runs::Visible;
use super::shown::undefined_words;
use crate::{Halt, Led, PropertyId};
use tertium_front_c::interpret::{
    self, Ending, InputSource, InputType, Inputs, NoObserver, RandomInputs, Request, RunLimits,
};
use tertium_report::witness::{Guide, Segment, Waypoint, WaypointKind, Witness, WitnessContent};
use tertium_support::{Context, Id};

/// The steps of the first run, and those of further ones.
const STEPS: (u64, u64) = (1 << 28, 1 << 18);
/// So many runs are made where the witness leaves values open.
const MOST_RUNS: u64 = 100;

/// Values from a witness; what it does not tell is zero in the first run and random later.
struct Guided<'g> {
    program: &'g CProgram,
    guide: Guide,
    others: Option<RandomInputs>,
    /// Whether a value was asked for that the witness does not tell.
    is_open: bool,
}

impl Inputs for Guided<'_> {
    fn next(&mut self, request: &Request) -> Option<i128> {
        let mut told = None;
        if let (InputSource::Call { .. }, InputType::Integer(_)) = (&request.source, request.ty) {
            let last = request.span.end.saturating_sub(1).max(request.span.start);
            let place = self.program.location(last, "");
            let variable = self.program.taker(request.span.start);
            told = self.guide.value(place.line, place.column, variable);
        }
        if told.is_some() {
            return told;
        }
        self.is_open = true;
        match &mut self.others {
            Some(others) => others.next(request),
            None => Some(0),
        }
    }
}

impl CProgram {
    /// Leads runs along a witness of a violation.
    pub(super) fn led(
        &self,
        context: &Context,
        property: PropertyId,
        witness: &Witness,
    ) -> Result<Led, Halt> {
        let logic = &self.properties[property.index()].logic;
        let visible = self.visible(property, logic).filter(Visible::can_fail);
        let (Some(guide), WitnessContent::Violation(segments)) = (Guide::new(witness), &witness.content)
        else {
            return Err(Halt::Bug("this is no witness of a violation".to_owned()));
        };
        let fails = |why: &str| Ok(Led { passed: 0, outcome: Err(why.to_owned()), is_open: false });
        let Some(visible) = visible else {
            return fails("no run that ends shows that this property fails");
        };
        if segments.iter().any(|segment| segment.is_cycle) {
            return fails("runs that go on for ever are not followed");
        }
        let target = match segments.last() {
            Some(Segment { last: waypoint @ Waypoint { kind: WaypointKind::Target, .. }, .. }) => waypoint,
            _ => return fails("its last waypoint is no target"),
        };
        let mut first = None;
        for number in 0..MOST_RUNS {
            let others = (number > 0).then(|| RandomInputs::seeded(number));
            let mut inputs = Guided { program: self, guide: guide.clone(), others, is_open: false };
            let steps = if number == 0 { STEPS.0 } else { STEPS.1 };
            let limits = RunLimits { steps, ..RunLimits::default() };
            let run = self.execute(context, &visible, &mut inputs, &mut NoObserver, limits)?;
            let outcome = self.arrives(&run.ending, &inputs.guide, target);
            let is_open = inputs.is_open;
            let Err((passed, why)) = outcome else {
                return Ok(Led { passed: segments.len(), outcome: Ok(()), is_open: false });
            };
            let was_led = inputs.guide.left().is_none() && !matches!(run.ending, Ending::Failed(..));
            first.get_or_insert(Led { passed, outcome: Err(why), is_open: is_open && was_led });
            if !is_open {
                break;
            }
        }
        first.ok_or_else(|| Halt::Bug("there is a first run".to_owned()))
    }

    /// Whether a run ends with the violation, or how far it was led and what is wrong.
    fn arrives(&self, ending: &Ending, guide: &Guide, target: &Waypoint) -> Result<(), (usize, String)> {
        let left = guide.left();
        let passed = left.map_or(0, |(number, _)| number - 1);
        let line = |span: tertium_support::Span| self.location(span.start, "").line;
        let Ending::Failed(_, end, function) = ending else {
            let ends = match ending {
                Ending::Finished(_) => "main returns".to_owned(),
                Ending::Exited(_, span) => format!("the program exits in line {}", line(*span)),
                Ending::Undefined(what, span) => {
                    format!(
                        "undefined behaviour ends the run in line {}: {}",
                        line(*span),
                        undefined_words(*what)
                    )
                }
                Ending::AssumptionFailed(span) => {
                    format!("an assumption of the program does not hold in line {}", line(*span))
                }
                Ending::Unsupported(_, span) => {
                    format!("the run comes to something unsupported in line {}", line(*span))
                }
                Ending::MissingBody(_, span) => {
                    format!("a function without body is called in line {}", line(*span))
                }
                Ending::Stopped(interpret::Halt::Steps) => "the run goes on and on".to_owned(),
                _ => "the run needs too much room".to_owned(),
            };
            let stuck = left.map_or(String::new(), |(number, at)| {
                format!(", and waypoint {number}, in line {}, is not passed", at.line)
            });
            return Err((passed, format!("{ends}{stuck}")));
        };
        if let Some((number, at)) = left {
            let why = format!("the violation comes before waypoint {number}, in line {}, is passed", at.line);
            return Err((passed, why));
        }
        let (wanted, place) =
            (&target.location, self.location(end.start, &self.unit.function(*function).name));
        let is_there = wanted.line == place.line
            && self.is_file(&place, wanted)
            && (wanted.function.is_none() || wanted.function == place.function);
        if is_there {
            return Ok(());
        }
        let function = place.function.unwrap_or_default();
        Err((passed, format!("the violation is in line {} of {function}, not at the target", place.line)))
    }

    /// The variable that takes the value of a call that begins here: `x` in `x = f()`.
    fn taker(&self, at: usize) -> Option<&str> {
        let before = self.source.text().get(..at)?.trim_end().strip_suffix('=')?.trim_end();
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |n| n + 1);
        Some(&before[start..]).filter(|name| !name.is_empty())
    }
}
