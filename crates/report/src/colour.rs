//! Colours of verdicts: the words that lines begin with.

/// Words at the beginning of a line, or in the table at the end, and the codes of their colours.
const COLOURS: [(&str, &str); 3] = [("TRUE ", "32"), ("FALSE ", "31"), ("UNKNOWN ", "33")];

/// The text with the verdicts in colour.
pub fn paint(text: &str) -> String {
    text.split_inclusive('\n').map(paint_line).collect()
}

fn paint_line(line: &str) -> String {
    let indent = if line.starts_with("  ") { 2 } else { 0 };
    let (blanks, rest) = line.split_at(indent);
    let known = COLOURS.iter().find(|(word, _)| rest.starts_with(word));
    match known {
        Some((word, code)) => {
            let word = word.trim_end();
            format!("{blanks}\x1b[1;{code}m{word}\x1b[0m{}", &rest[word.len()..])
        }
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_painted_and_nothing_else() {
        let text = "TRUE  p: AG x\n  note: TRUE is a word\n  FALSE    q\nRESULT: true\n";
        let painted = paint(text);
        assert_eq!(
            painted,
            "\x1b[1;32mTRUE\x1b[0m  p: AG x\n  note: TRUE is a word\n  \x1b[1;31mFALSE\x1b[0m    q\nRESULT: true\n"
        );
    }
}
