//! Names of others, safe to print.
//!
//! A name, also of a file, can hold anything. Printed as it is, it could look like a line of ours or talk to the terminal; and nobody
//! reads one of a megabyte.

use std::borrow::Cow;

/// Longer names in messages are cut.
const SHOWN: usize = 60;

/// Whether a character does something else than show itself: control characters, breaks of lines, and what turns the direction of text.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A name on one line of text: what does not show itself is written as an escape.
pub fn plain(name: &str) -> Cow<'_, str> {
    if !name.contains(is_unprintable) {
        return name.into();
    }
    let escape = |c: char| if is_unprintable(c) { c.escape_default().to_string() } else { c.to_string() };
    name.chars().map(escape).collect::<String>().into()
}

/// A message about names, which stand in backquotes: on one line, with long names cut.
pub(crate) fn message(text: String) -> String {
    let text = match plain(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(escaped) => escaped,
    };
    if text.len() <= SHOWN || !text.contains('`') {
        return text;
    }
    let parts = text.split('`').enumerate();
    let cut: Vec<Cow<'_, str>> =
        parts.map(|(at, part)| if at % 2 == 1 { cut(part) } else { part.into() }).collect();
    cut.join("`")
}

fn cut(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_on_their_line_and_tell_the_terminal_nothing() {
        assert_eq!(plain("ä b`c"), "ä b`c");
        assert_eq!(plain("a\nTRUE\u{1b}[2J"), "a\\nTRUE\\u{1b}[2J");
        assert_eq!(plain("a\u{9b}b\u{202e}c\u{7f}"), "a\\u{9b}b\\u{202e}c\\u{7f}");
    }

    #[test]
    fn long_names_are_cut_in_messages_and_the_rest_is_not() {
        let long = "n".repeat(1000);
        let told = message(format!("{} `{long}` is `ok`", "word ".repeat(30)));
        assert!(told.ends_with(&format!("`{}…` is `ok`", "n".repeat(SHOWN))), "{told}");
        assert!(told.starts_with("word word"), "{told}");
        assert_eq!(message("the state `a\nb` is unknown".to_owned()), "the state `a\\nb` is unknown");
    }
}
