//! Paths and lassos as text: a line per step with its number, who moves by which command in which line, inputs, and the values that
//! changed. It is the one layout of paths, for all engines and formats.
//!
//! ```text
//!     0  start          x = 0, y = 0
//!     1  p1.enter :14   input go = TRUE
//!                       x = 1
//!     2  a              s2: p, !q
//! ```
//!
//! States with a name show it before their values; a step without a name is a `step`. A long path shows its beginning and its end, and
//! all values after the gap. Only what is shown is computed.

use crate::Detail;
use crate::names::{changed, count, placed_step, plain, step_of, texts};
use crate::page::{Page, WIDTH, indentation, wrapped};
use std::ops::Range;
use tertium_evidence::{Names, Trace, is_step};
use tertium_system::{ActionId, StateId};

/// Wider descriptions of steps stand on a line of their own.
const WIDEST_STEP: usize = 40;
/// Steps in calls are indented, deeper ones no further than these.
const MOST_INDENTED: usize = 8;
/// So many lines a path takes on a screen, if it has room.
pub(crate) const ROOM: usize = 34;
/// So many of them are for the gap, and for where a loop begins and ends.
const LINES_AROUND: usize = 4;
/// So many lines are shown of the values at one state.
const LINES_OF_A_STATE: usize = 8;

/// A path, and how its states are numbered.
pub(crate) struct Walk<'a> {
    pub(crate) names: &'a dyn Names,
    pub(crate) trace: &'a Trace,
    /// The number of the first state.
    pub(crate) first: usize,
    /// The number of the second state; the others follow.
    pub(crate) second: usize,
    /// What to call the first state; `None` if it was shown before.
    pub(crate) start: Option<&'static str>,
    pub(crate) detail: Detail,
    /// About so many lines it may take on a screen.
    pub(crate) room: usize,
}

/// One entry of the table.
struct Row {
    number: String,
    step: String,
    /// Lists of values, each of which begins on a new line.
    lists: Vec<Vec<String>>,
}

/// Where the columns are.
#[derive(Clone, Copy)]
struct Columns {
    indent: usize,
    number: usize,
    step: usize,
}

impl<'a> Walk<'a> {
    /// A path that is shown for itself.
    pub(crate) fn new(names: &'a dyn Names, trace: &'a Trace, detail: Detail) -> Self {
        debug_assert!(trace.is_well_formed());
        Self { names, trace, first: 0, second: 1, start: Some("start"), detail, room: ROOM }
    }

    /// The number of a state of the path.
    pub(crate) fn number(&self, index: usize) -> usize {
        if index == 0 { self.first } else { self.second + index - 1 }
    }

    /// Writes the path; gives back which states were left out.
    pub(crate) fn write(&self, page: &mut Page, indent: usize) -> Range<usize> {
        let columns = self.columns(indent);
        let begin = usize::from(self.start.is_none());
        let n = self.trace.states.len();
        let hidden = match self.detail {
            Detail::Full => n..n,
            Detail::Screen => self.hidden(begin, columns),
        };
        for index in (begin..hidden.start).chain(hidden.end..n) {
            if index == hidden.end && !hidden.is_empty() {
                self.write_gap(page, columns, &hidden);
            }
            if self.trace.loop_start == Some(index) {
                let loop_name = loop_name(self.names, self.trace);
                page.raw(columns.indent + columns.number + 2, &format!("the {loop_name} starts here"));
            }
            let after_gap = index == hidden.end && !hidden.is_empty();
            self.block(index, after_gap, columns).iter().for_each(|line| page.raw(0, line));
        }
        self.write_end(page, columns);
        hidden
    }

    fn write_gap(&self, page: &mut Page, columns: Columns, hidden: &Range<usize>) {
        let inside = self.trace.loop_start.filter(|start| hidden.contains(start));
        let inside = inside.map_or(String::new(), |start| {
            format!("; the {} starts at step {}", loop_name(self.names, self.trace), self.number(start))
        });
        let steps = count(hidden.len(), "more step");
        page.raw(columns.indent, &format!("… {steps} (--full shows all){inside}"));
    }

    /// The step that closes a loop.
    fn write_end(&self, page: &mut Page, columns: Columns) {
        let Some(start) = self.trace.loop_start else { return };
        let last = self.trace.steps.len() - 1;
        let mut lists = self.inputs(last);
        let start = self.number(start);
        lists.push(vec![match deepens(self.names, self.trace) {
            false => format!("then back to step {start} (the loop)"),
            true => format!("then on as from step {start}, ever deeper (the recursion)"),
        }]);
        let row = Row { number: String::new(), step: self.step(last), lists };
        row.lines(columns, self.lines_of_a_state()).iter().for_each(|line| page.raw(0, line));
    }

    /// The states that are left out: those in the middle, once each end has its lines.
    fn hidden(&self, begin: usize, columns: Columns) -> Range<usize> {
        let n = self.trace.states.len();
        let lines = |index: usize| self.block(index, false, columns).len();
        let lines_of_an_end = self.room.saturating_sub(LINES_AROUND) / 2;
        let mut used = 0;
        let mut head = begin;
        while head < n && (head == begin || used + lines(head) <= lines_of_an_end) {
            used += lines(head);
            head += 1;
        }
        let (mut tail, mut used) = (n, 0);
        while tail > head && (tail == n || used + lines(tail - 1) <= lines_of_an_end) {
            tail -= 1;
            used += lines(tail);
        }
        head..tail
    }

    fn columns(&self, indent: usize) -> Columns {
        let n = self.trace.states.len();
        let near_the_ends = (0..n.min(40)).chain(n.saturating_sub(40)..n);
        let widths = near_the_ends.map(|index| self.description(index).chars().count());
        let closing = self.trace.loop_start.map(|_| self.step(n - 1).chars().count());
        let step = widths.chain(closing).filter(|&width| width <= WIDEST_STEP).max().unwrap_or(0);
        let number = self.number(n - 1).max(self.first).to_string().len();
        Columns { indent: indentation(indent), number, step }
    }

    /// The lines about one state. After a gap it says everything.
    fn block(&self, index: usize, after_gap: bool, columns: Columns) -> Vec<String> {
        self.row(index, after_gap).lines(columns, self.lines_of_a_state())
    }

    fn row(&self, index: usize, after_gap: bool) -> Row {
        let states = &self.trace.states;
        let before = index.checked_sub(1).filter(|_| !after_gap);
        let mut values = texts(&changed(self.names, before.map(|before| states[before]), states[index]));
        let mut lists = if index == 0 { Vec::new() } else { self.inputs(index - 1) };
        let name = self.names.state(states[index]);
        match values.first_mut() {
            Some(first) if !name.is_empty() => *first = format!("{}: {first}", plain(&name)),
            Some(_) => {}
            None if !name.is_empty() => values.push(plain(&name).into_owned()),
            None if index > 0 => values.push("nothing changes".to_owned()),
            None => {}
        }
        lists.push(values);
        Row { number: self.number(index).to_string(), step: self.description(index), lists }
    }

    fn lines_of_a_state(&self) -> usize {
        match self.detail {
            Detail::Full => usize::MAX,
            Detail::Screen => LINES_OF_A_STATE.min(self.room / 4).max(1),
        }
    }

    /// How a state is reached.
    fn description(&self, index: usize) -> String {
        match index.checked_sub(1) {
            Some(step) => self.step(step),
            None => self.start.unwrap_or_default().to_owned(),
        }
    }

    /// Who makes a step, and how, and where that stands.
    fn step(&self, step: usize) -> String {
        let (&source, &target) = self.trace.ends(step);
        let name = step_of(self.names, self.trace, step);
        let jump = if self.is_jump(source, self.trace.steps[step], target) { "… " } else { "" };
        let indent = "  ".repeat(name.open_calls.min(MOST_INDENTED));
        format!("{indent}{jump}{}", placed_step(&name))
    }

    /// Whether a step starts elsewhere: under reduced semantics a way may go on from another state that stands for the same.
    fn is_jump(&self, source: StateId, action: ActionId, target: StateId) -> bool {
        self.names.system().is_some_and(|system| !is_step(system, source, action, target))
    }

    fn inputs(&self, step: usize) -> Vec<Vec<String>> {
        let inputs = step_of(self.names, self.trace, step).inputs;
        if inputs.is_empty() {
            return Vec::new();
        }
        let mut list: Vec<String> =
            inputs.iter().map(|(name, value)| format!("{} = {}", plain(name), plain(value))).collect();
        list[0] = format!("input {}", list[0]);
        vec![list]
    }
}

/// Writes the last step of each path, or where it begins, with a mark behind some: a table of what can be chosen.
pub(crate) fn write_choices(walks: &[(Walk<'_>, &str)], page: &mut Page, indent: usize) {
    let rows: Vec<(Row, usize)> = walks
        .iter()
        .map(|(walk, mark)| {
            let mut row = walk.row(walk.trace.states.len() - 1, false);
            row.step.push_str(mark);
            (row, walk.lines_of_a_state())
        })
        .collect();
    let widths = rows.iter().map(|(row, _)| row.step.chars().count());
    let step = widths.filter(|&width| width <= WIDEST_STEP).max().unwrap_or(0);
    let number = rows.iter().map(|(row, _)| row.number.len()).max().unwrap_or(0);
    let columns = Columns { indent: indentation(indent), number, step };
    for (row, most) in &rows {
        row.lines(columns, *most).iter().for_each(|line| page.raw(0, line));
    }
}

impl Row {
    /// At most `most` lines of values; those left out are counted.
    fn lines(&self, columns: Columns, most: usize) -> Vec<String> {
        let Columns { indent, number, step } = columns;
        let left = indent + number + 2;
        let column = left + step + 3;
        let mut head = format!("{:indent$}{:>number$}  ", "", self.number);
        let mut lines = Vec::new();
        if self.step.chars().count() > step {
            for part in wrapped(std::slice::from_ref(&self.step), "", WIDTH - left) {
                lines.push(format!("{head}{part}"));
                head = " ".repeat(left);
            }
            head = " ".repeat(column);
        } else {
            head.push_str(&format!("{:step$}   ", self.step));
        }
        let mut right: Vec<String> =
            self.lists.iter().flat_map(|list| wrapped(list, ", ", WIDTH - column)).collect();
        if right.len() > most {
            let n = right.len() - most + 1;
            right.truncate(most - 1);
            right.push(format!("… {} (--full shows all)", count(n, "more line")));
        }
        if right.is_empty() && lines.is_empty() {
            right.push(String::new());
        }
        for line in right {
            lines.push(format!("{head}{line}"));
            head = " ".repeat(column);
        }
        lines
    }
}

/// Whether the loop of a run leaves calls open each time it goes round: it goes ever deeper.
pub(crate) fn deepens(names: &dyn Names, trace: &Trace) -> bool {
    let open = |at: usize| step_of(names, trace, at).open_calls;
    trace.loop_start.is_some_and(|start| open(trace.steps.len() - 1) > start.checked_sub(1).map_or(0, open))
}

/// What the loop of a run is called.
fn loop_name(names: &dyn Names, trace: &Trace) -> &'static str {
    if deepens(names, trace) { "recursion" } else { "loop" }
}

/// `3 steps`, or `2 steps, then a loop of 1 step`.
pub(crate) fn trace_length(names: &dyn Names, trace: &Trace) -> String {
    match trace.loop_start {
        None => count(trace.steps.len(), "step"),
        Some(start) => {
            let (before, inside) = (count(start, "step"), count(trace.steps.len() - start, "step"));
            format!("{before}, then a {} of {inside}", loop_name(names, trace))
        }
    }
}
