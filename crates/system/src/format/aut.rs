//! Reading Aldebaran files (`.aut`): a header `des (first, transitions, states)`, then one transition
//! `(from, "label", to)` per line.
//!
//! One pass over the bytes. Nothing is allocated per transition: labels are slices of the input until a new one is
//! interned. The file in memory apart, reading takes 12 bytes per transition until the rows are built, and the 8 of
//! the finished system. Room is made for what the header announces only as far as the file could hold it.
//!
//! In the modal mode a label `may:a` stands for a transition that is only possible, `must:a` and plain `a` for one
//! that is guaranteed (and possible). In the plain mode these prefixes are ordinary text. See docs/formats/aut.md.

use super::StepLines;
use super::aut_label::LabelTable;
use super::aut_line::{self, Header, Transition};
use super::faults::{check, make_room, no_faults};
use crate::{ActionId, PartialSystem, StateId, SystemBuilder};
use tertium_support::{Complaints, Context, Diagnostic, ReadError, Span};

/// Whether label prefixes carry a modality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutMode {
    /// Every transition is may and must; labels are taken as they are.
    Plain,
    /// `may:a` is a may-only transition with action `a`; `must:a` and `a` are both may and must.
    Modal,
}

/// The shortest transition with its line end, `(0,a,1)⏎`: bounds the transitions a file can hold.
const SHORTEST_LINE: usize = 8;
/// A header may declare this many states however short the file is; beyond, at most one per byte. A file in which
/// every state occurs stays far below that; a header that lies must not cost gigabytes.
const FREE_STATES: usize = 1 << 20;

/// Reads a system from an Aldebaran file. Spans of complaints are byte offsets; to show them, see
/// [`source_of_bytes`](super::source_of_bytes).
pub fn read_aut(context: &Context, bytes: &[u8], mode: AutMode) -> Result<PartialSystem, ReadError> {
    read(context, bytes, mode, &mut |_, _| {})
}

/// Reads a system, and notes where its steps stand if the file has at most so many bytes: nobody looks things up in larger ones.
pub fn read_aut_with_lines(
    context: &Context,
    bytes: &[u8],
    mode: AutMode,
    most: usize,
) -> Result<(PartialSystem, StepLines), ReadError> {
    if bytes.len() > most {
        return Ok((read_aut(context, bytes, mode)?, StepLines::default()));
    }
    let mut steps = Vec::new();
    let (mut at, mut line) = (0, 1);
    let system = read(context, bytes, mode, &mut |start, (source, action, target)| {
        line += bytes[at..start].iter().filter(|byte| **byte == b'\n').count() as u32;
        at = start;
        steps.push((source, action, target, line));
    })?;
    Ok((system, StepLines::new(steps)))
}

/// Reads a system; `note` hears where each step begins.
fn read(
    context: &Context,
    bytes: &[u8],
    mode: AutMode,
    note: &mut impl FnMut(usize, (StateId, ActionId, StateId)),
) -> Result<PartialSystem, ReadError> {
    let mut faults = no_faults();
    let mut at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let header = match aut_line::header(bytes, &mut at) {
        Ok(header) => header,
        Err(fault) => return Err(ReadError::Faulty(vec![fault])),
    };
    if let Some(fault) = absurd_header(&header, bytes.len()) {
        return Err(ReadError::Faulty(vec![fault]));
    }
    let n_states = header.states.value;
    if header.first.value >= n_states {
        faults.push(out_of_range("the initial state", header.first.value, header.first.span, &header));
    }
    let room = (header.transitions.value as usize).min((bytes.len() - at) / SHORTEST_LINE + 1);
    make_room(context, 12 * room as u64)?;
    let mut builder = SystemBuilder::numbered(n_states as usize);
    builder.initial(StateId::from_raw(header.first.value));
    builder.reserve(room);

    let mut labels = LabelTable::new(mode);
    let mut ticker = context.ticker("reading transitions");
    let announced = u64::from(header.transitions.value);
    let mut found = 0u64;
    let mut first_surplus = None;
    while let Some(start) = aut_line::next_line(bytes, &mut at) {
        ticker.tick(1)?;
        found += 1;
        if found > announced && first_surplus.is_none() {
            first_surplus = Some(start);
        }
        let line = match aut_line::transition(bytes, start) {
            Ok(line) => line,
            Err(fault) => {
                faults.push(fault);
                if faults.is_full() {
                    break;
                }
                at = aut_line::line_end(bytes, start);
                continue;
            }
        };
        at = line.end;
        if line.from.max(line.to) >= n_states {
            report_range(bytes, start, &header, &mut faults);
        }
        match labels.get_or_intern(line.label, &mut builder) {
            // Once something is wrong, only further complaints matter.
            Ok((action, modality)) if faults.is_empty() && found <= announced => {
                let (from, to) = (StateId::from_raw(line.from), StateId::from_raw(line.to));
                builder.edge(from, action, to, modality);
                note(start, (from, action, to));
            }
            Ok(_) => {}
            Err(invalid_at) => faults.push(not_utf8(bytes, &line, invalid_at)),
        }
        if faults.is_full() {
            break;
        }
    }
    if found != announced && !faults.is_full() {
        faults.push(wrong_count(&header, found, first_surplus));
    }
    check(faults)?;
    make_room(context, 8 * found + 4 * u64::from(n_states))?;
    Ok(builder.build())
}

/// The complaint about a header no honest file of this length has.
fn absurd_header(header: &Header, file_len: usize) -> Option<Diagnostic> {
    let Header { states, .. } = header;
    if states.value == 0 {
        let fault = Diagnostic::error(states.span, "a system without states has no initial state");
        return Some(
            fault.with_note("the header is `des (initial state, number of transitions, number of states)`"),
        );
    }
    (states.value as usize > FREE_STATES.max(file_len)).then(|| {
        let message = format!(
            "the header declares {} states, far more than a file of {file_len} bytes can mention",
            states.value
        );
        Diagnostic::error(states.span, message)
    })
}

fn out_of_range(what: &str, state: u32, span: Span, header: &Header) -> Diagnostic {
    let n = header.states.value;
    Diagnostic::error(span, format!("{what} {state} is out of range"))
        .with_related(header.states.span, format!("{n} states: numbered 0 to {}", n - 1))
}

#[cold]
fn report_range(bytes: &[u8], start: usize, header: &Header, faults: &mut Complaints) {
    let Ok((source, target)) = aut_line::end_points(bytes, start) else { return };
    for (what, number) in [("source state", source), ("target state", target)] {
        if number.value >= header.states.value {
            faults.push(out_of_range(what, number.value, number.span, header));
        }
    }
}

#[cold]
fn not_utf8(bytes: &[u8], line: &Transition<'_>, invalid_at: usize) -> Diagnostic {
    // The label is a slice of the input, so its offset is the difference of the addresses.
    let at = line.label.as_ptr() as usize - bytes.as_ptr() as usize + invalid_at;
    Diagnostic::error(Span::new(at, at + 1), "this label is not UTF-8 text")
        .with_note("Tertium reads text files in UTF-8")
}

fn wrong_count(header: &Header, found: u64, first_surplus: Option<usize>) -> Diagnostic {
    let announced = header.transitions.value;
    let message = format!("the header announces {announced} transitions, but the file has {found}");
    let fault = Diagnostic::error(header.transitions.span, message);
    match first_surplus {
        Some(at) => fault.with_related(Span::new(at, at + 1), "the first transition too many"),
        None => fault.with_note("is the file cut off?"),
    }
}
