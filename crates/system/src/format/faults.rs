//! How reading fails: by complaints about the text, collected up to a bound, or by a limit of the run.

use tertium_support::{Complaints, Context, Diagnostic, ReadError, Source, StopReason, nearest_names};

/// A reader stops after this many complaints: what follows is seldom news.
pub const MAX_FAULTS: usize = 20;

/// The source under which complaints about `bytes` are shown. Spans are byte offsets, so each byte that is not UTF-8
/// is shown as one `?`: nothing moves. Takes the bytes, because copying a large file only to show a line is a waste.
pub fn source_of_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Source {
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        text
    });
    Source::new(name, text)
}

/// Whether there is room for `bytes` more. Asking the system costs more than reading a small file, so small amounts
/// pass unasked.
pub(super) fn make_room(context: &Context, bytes: u64) -> Result<(), StopReason> {
    const SMALL: u64 = 1 << 20;
    if bytes < SMALL { Ok(()) } else { context.reserve(bytes) }
}

/// A name as messages show it: in backquotes, and cut if it is endless.
pub(super) fn quoted(name: &str) -> String {
    const SHOWN: usize = 60;
    match name.char_indices().nth(SHOWN) {
        None => format!("`{name}`"),
        Some((cut, _)) => format!("`{}…`", &name[..cut]),
    }
}

/// The complaint with a note on the known names that are near to an unknown one. Comparing costs the product of the
/// lengths, so that long names, and very many, are not looked at.
pub(super) fn nearest_note<'a>(
    fault: Diagnostic,
    unknown: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    const LONGEST: usize = 60;
    const MOST: usize = 20_000;
    if unknown.len() > LONGEST {
        return fault;
    }
    let known = known.into_iter().take(MOST).filter(|name| name.len() <= LONGEST);
    match nearest_names(unknown, known).as_slice() {
        [] => fault,
        near => {
            let near: Vec<_> = near.iter().map(|name| quoted(name)).collect();
            fault.with_note(format!("did you mean {}?", near.join(" or ")))
        }
    }
}

/// No complaints so far, with room for as many as are looked for.
pub(super) fn no_faults() -> Complaints {
    Complaints::at_most(MAX_FAULTS)
}

/// Fails if there is a complaint, and says so if there may be more than [`MAX_FAULTS`].
pub(super) fn check(faults: Complaints) -> Result<(), ReadError> {
    let is_full = faults.is_full();
    let mut faults = faults.into_list();
    match faults.last_mut() {
        None => return Ok(()),
        Some(last) if is_full => {
            last.notes.push(format!("this is error {MAX_FAULTS}: further ones are not looked for"));
        }
        Some(_) => {}
    }
    Err(ReadError::Faulty(faults))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_support::{Span, render};

    #[test]
    fn a_byte_that_is_not_utf8_moves_nothing() {
        let bytes = b"ab\xff\xfe\ncd \xce\xbc!".to_vec();
        let source = source_of_bytes("f", bytes.clone());
        assert_eq!(source.text().len(), bytes.len());
        assert_eq!(source.line_column(bytes.len() - 1), (2, 5));
    }

    #[test]
    fn complaints_are_bounded_and_say_so() {
        let mut faults = no_faults();
        for at in 0..1000 {
            faults.push(Diagnostic::error(Span::point(at), "bad"));
        }
        let Err(ReadError::Faulty(list)) = check(faults) else { panic!("there are faults") };
        assert_eq!(list.len(), MAX_FAULTS);
        assert!(render(&Source::new("f", "x"), &list, false).contains("further ones are not looked for"));
    }
}
