//! Text no wider than the terminal: lines that are wider go on below, a little further to the right.

/// The text with lines of at most `width` characters, where that is wide enough for anything.
pub fn fit(text: &str, width: usize) -> String {
    let width = width.max(NARROWEST);
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        fit_line(line, width, &mut fitted);
        fitted.push_str(end);
    }
    fitted
}

/// Narrower terminals get lines of this width.
const NARROWEST: usize = 40;
/// How much further to the right a line goes on.
const FURTHER: usize = 4;

fn fit_line(line: &str, width: usize, fitted: &mut String) {
    let indent = line.chars().take_while(|&c| c == ' ').count();
    let next_indent = (indent + FURTHER).min(width / 2);
    let (mut rest, mut used) = (line, 0);
    loop {
        let Some((limit, _)) = rest.char_indices().nth(width - used) else {
            fitted.push_str(rest);
            return;
        };
        let at = place_to_break(rest, limit, if used == 0 { indent } else { 0 });
        fitted.push_str(rest[..at].trim_end());
        fitted.push('\n');
        fitted.extend(std::iter::repeat_n(' ', next_indent));
        rest = rest[at..].trim_start();
        used = next_indent;
    }
}

/// Between two columns if possible, else after a comma, else at a blank, else in the middle of a word. The indentation is no place
/// to break, and a line is not left nearly empty.
fn place_to_break(text: &str, limit: usize, indent: usize) -> usize {
    // A blank at the very limit is as good as one before it.
    let reach = text[limit..].chars().next().map_or(limit, |c| limit + c.len_utf8());
    let last = |mark: &str, least: usize| {
        let at = text[..reach].rfind(mark)? + mark.trim_end().len();
        (at > least).then_some(at)
    };
    let columns = last("    ", indent + limit / 4);
    columns.or_else(|| last(", ", indent + limit / 2)).or_else(|| last(" ", indent)).unwrap_or(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_lines_go_on_below_and_narrow_ones_stay() {
        let text = format!("TRUE  p\n  note: {}\nRESULT: true\n", "word ".repeat(30).trim_end());
        for width in [1, 40, 41, 79, 80, 120, 400] {
            let fitted = fit(&text, width);
            assert!(fitted.lines().all(|line| line.chars().count() <= width.max(40)), "{fitted}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&fitted), words(&text));
            assert!(fitted.ends_with("\nRESULT: true\n"));
        }
        assert_eq!(fit(&text, 400), text);
    }

    #[test]
    fn lines_break_between_columns_and_after_commas_rather_than_between_words() {
        let line = "TRUE  p: AG x < 3    m.gcl:3    symbolic, 12 states, not re-checked";
        assert_eq!(fit(line, 60), "TRUE  p: AG x < 3    m.gcl:3\n    symbolic, 12 states, not re-checked");
        assert_eq!(
            fit("  one two, three four, five six seven", 32),
            fit("  one two, three four, five six seven", 40)
        );
        let line = "  aaaa bbbb, cccc dddd, eeee ffff gggg hhhh";
        assert_eq!(fit(line, 40), "  aaaa bbbb, cccc dddd,\n      eeee ffff gggg hhhh");
    }

    #[test]
    fn a_word_that_is_wider_than_a_line_is_split() {
        let fitted = fit(&format!("  {}", "é".repeat(100)), 40);
        assert_eq!(fitted.lines().map(|line| line.chars().count()).collect::<Vec<_>>(), [40, 40, 34]);
    }
}
