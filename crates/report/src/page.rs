//! Lines of text no wider than a page.

/// No line of evidence is wider.
pub(crate) const WIDTH: usize = 120;
/// Deeper lines are not indented any further.
const DEEPEST: usize = 40;

/// Items joined by a separator, on as many lines as it takes. Items that are wider than a line are split.
pub(crate) fn wrapped(items: &[String], separator: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for (index, item) in items.iter().enumerate() {
        let last = index + 1 == items.len();
        let item = if last { item.clone() } else { format!("{item}{separator}") };
        let mut rest = item.as_str();
        let mut length = rest.chars().count();
        let mut shown = rest.trim_end().chars().count();
        if used > 0 && used + shown > width {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0;
        }
        while shown > width {
            let (end, _) = rest.char_indices().nth(width).expect("it is longer");
            lines.push(rest[..end].to_owned());
            rest = &rest[end..];
            length -= width;
            shown -= width;
        }
        line.push_str(rest);
        used += length;
    }
    if used > 0 {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// Text that grows by lines.
#[derive(Default)]
pub(crate) struct Page {
    text: String,
    n_lines: usize,
}

impl Page {
    /// Adds a line; where it is too wide, it goes on below, a little further to the right.
    pub(crate) fn line(&mut self, indent: usize, text: &str) {
        let indent = indent.min(DEEPEST);
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        for (index, line) in wrapped(&words, " ", WIDTH - indent - 4).iter().enumerate() {
            self.raw(indent + if index == 0 { 0 } else { 4 }, line);
        }
    }

    /// Adds a line as it is, without blanks at its end.
    pub(crate) fn raw(&mut self, indent: usize, line: &str) {
        self.text.push_str(format!("{:indent$}{line}", "").trim_end());
        self.text.push('\n');
        self.n_lines += 1;
    }

    /// Adds the lines of another page.
    pub(crate) fn append(&mut self, other: Self) {
        self.text.push_str(&other.text);
        self.n_lines += other.n_lines;
    }

    /// Leaves out what is beyond so many lines, and says so.
    pub(crate) fn cut(&mut self, most: usize) {
        let Some(more) = self.n_lines.checked_sub(most).filter(|more| *more > 0) else { return };
        let kept: String = self.text.split_inclusive('\n').take(most - 1).collect();
        *self = Self { text: kept, n_lines: most - 1 };
        self.raw(4, &format!("… {} more lines (--full shows all)", more + 1));
    }

    /// How many lines there are.
    pub(crate) fn n_lines(&self) -> usize {
        self.n_lines
    }

    /// All lines, each ended by a line break.
    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// An indentation that leaves room for text.
pub(crate) fn indentation(wanted: usize) -> usize {
    wanted.min(DEEPEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(items: &[&str]) -> Vec<String> {
        items.iter().map(|&item| item.to_owned()).collect()
    }

    #[test]
    fn lines_break_between_items_and_inside_only_if_one_is_too_wide() {
        assert_eq!(wrapped(&items(&["a = 1", "b = 2", "c = 3"]), ", ", 13), ["a = 1, b = 2,", "c = 3"]);
        assert_eq!(wrapped(&items(&["x", "abcdefgh", "y"]), ", ", 5), ["x,", "abcde", "fgh,", "y"]);
        assert!(wrapped(&[], ", ", 5).is_empty());
    }

    /// Each part was a copy of all that follows it, in memory and in time.
    #[test]
    fn the_parts_of_a_long_item_take_no_more_room_than_the_item() {
        let item = "é".repeat(1_000_000);
        let lines = wrapped(&[item.clone(), "x".to_owned()], ", ", 100);
        assert_eq!(lines.len(), 10_001);
        assert_eq!(lines.concat(), format!("{item}, x"));
        assert!(lines.iter().map(String::capacity).sum::<usize>() < 2 * item.len());
    }

    #[test]
    fn long_lines_go_on_below() {
        let mut page = Page::default();
        page.line(2, &"word ".repeat(60));
        let text = page.into_text();
        assert!(text.lines().count() == 3 && text.lines().all(|line| line.chars().count() <= WIDTH));
        assert!(text.lines().skip(1).all(|line| line.starts_with("      word")), "{text}");
    }
}
