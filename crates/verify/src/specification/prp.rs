//! Property files: one `CHECK` line for each part of the property.

use super::{NamedProperty, Specification, SpecificationLogic};
use tertium_support::{Diagnostic, Diagnostics, Source, Span};

/// A line of a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyLine {
    /// What is asked.
    pub specification: Specification,
    /// The function with which the program begins: `main`.
    pub entry: String,
    /// The line, as it is written.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// The most complaints about one file.
const MOST_COMPLAINTS: usize = 20;

/// The lines of a property file, at least one.
pub fn read_properties(source: &Source) -> Result<Vec<PropertyLine>, Diagnostics> {
    let mut lines = Vec::new();
    let mut wrong = Vec::new();
    for (start, line) in lines_of(source.text()) {
        match line_of(line, start) {
            Ok(property) => lines.push(property),
            Err(why) => wrong.push(why),
        }
        if wrong.len() == MOST_COMPLAINTS {
            break;
        }
    }
    if lines.is_empty() && wrong.is_empty() {
        let none = Diagnostic::error(Span::point(0), "there is no property in this file");
        wrong.push(none.with_note(EXAMPLE));
    }
    if wrong.is_empty() { Ok(lines) } else { Err(wrong) }
}

const EXAMPLE: &str = "a property is a line such as CHECK( init(main()), LTL(G ! call(reach_error())) )";

/// Whether a text has the form of a property file: every line that is not empty begins with `CHECK` or `COVER`.
pub fn is_property_text(text: &str) -> bool {
    let mut lines = lines_of(text).map(|(_, line)| line).peekable();
    lines.peek().is_some() && lines.all(|line| line.starts_with("CHECK") || line.starts_with("COVER"))
}

/// Whether a text says only what tests should cover.
pub(super) fn is_coverage_text(text: &str) -> bool {
    is_property_text(text) && lines_of(text).all(|(_, line)| line.starts_with("COVER"))
}

/// Whether this is the name of a standard file that says what tests should cover: `coverage-branches.prp`, in whatever folder.
pub(super) fn is_coverage_file(file_name: &str) -> bool {
    let file = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    file.starts_with("coverage-") && file.ends_with(".prp")
}

/// Lines that are neither empty nor comments, without the blanks around them, with where they begin.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    let trimmed = starts.map(|(start, line)| (start + line.len() - line.trim_start().len(), line.trim()));
    trimmed.filter(|(_, line)| !line.is_empty() && !line.starts_with("//") && !line.starts_with('#'))
}

/// The text of a standard property file, by the name of the file: `unreach-call.prp`, in whatever folder.
pub fn standard_properties(file_name: &str) -> Option<String> {
    let file = file_name.rsplit(['/', '\\']).next()?;
    let name = file.strip_suffix(".prp")?;
    let named = |property: NamedProperty| Specification::Named(property).line();
    let one = NamedProperty::ALL.iter().find(|entry| entry.1 == name).map(|entry| named(entry.0));
    Some(
        match name {
            "unreach-call" => Specification::UnreachCall { function: "reach_error".into() }.line(),
            "unreach-label" => Specification::UnreachLabel { label: "ERROR".into() }.line(),
            "termination" => Specification::Termination.line(),
            "valid-memsafety" => {
                let parts =
                    [NamedProperty::ValidFree, NamedProperty::ValidDeref, NamedProperty::ValidMemtrack];
                parts.map(named).join("\n")
            }
            _ => one?,
        } + "\n",
    )
}

/// What is asked by a line, or by what stands inside of its `LTL(...)`: witnesses have either.
pub fn read_formula(text: &str) -> Result<Specification, String> {
    let text = text.trim();
    if text.starts_with("CHECK") || text.starts_with("COVER") {
        return line_of(text, 0).map(|line| line.specification).map_err(|wrong| wrong.message);
    }
    meaning(SpecificationLogic::Ltl, text)
}

/// A line `CHECK( init(main()), LTL(...) )` that begins at a byte.
fn line_of(line: &str, start: usize) -> Result<PropertyLine, Diagnostic> {
    let mut reader = Reader { line, start, at: 0 };
    if reader.takes("COVER") {
        let message = "what to cover cannot be asked for in a property file";
        let note = "`tertium tests` finds runs that cover a program";
        return Err(Diagnostic::error(reader.word_before("COVER"), message).with_note(note));
    }
    reader.expect("CHECK")?;
    reader.expect("(")?;
    reader.expect("init")?;
    reader.expect("(")?;
    let entry = reader.name("a function")?;
    reader.expect("(")?;
    reader.expect(")")?;
    reader.expect(")")?;
    reader.expect(",")?;
    let logics = [SpecificationLogic::Ltl, SpecificationLogic::Ctl, SpecificationLogic::Mu];
    let Some(logic) = logics.into_iter().find(|logic| reader.takes(logic.name())) else {
        return Err(reader.wrong("`LTL`, `CTL` or `MU`"));
    };
    reader.expect("(")?;
    let formula = reader.inside()?;
    reader.expect(")")?;
    reader.expect(")")?;
    reader.skip_blanks();
    if reader.at < line.len() {
        return Err(reader.wrong("the end of the line"));
    }
    let span = Span::new(start, start + line.len());
    let text = line[formula.range()].trim();
    let place = Span::new(start + formula.start, start + formula.end);
    let specification = meaning(logic, text).map_err(|why| Diagnostic::error(place, why).with_note(KNOWN))?;
    Ok(PropertyLine { specification, entry, text: line.to_owned(), span })
}

const KNOWN: &str = "known are G ! call(f()), G ! label(L), F end, G ! overflow, G valid-deref and their kin, \
                     and formulas over C expressions in double quotes, such as []\"x > 0\"";

/// What a formula asks.
fn meaning(logic: SpecificationLogic, text: &str) -> Result<Specification, String> {
    let formula = || Specification::Formula { logic, text: text.to_owned() };
    if text.is_empty() {
        return Err("there is no formula".into());
    }
    if logic != SpecificationLogic::Ltl {
        return Ok(formula());
    }
    let short: String = text.split_whitespace().collect();
    let short = short.as_str();
    if let Some((property, ..)) = NamedProperty::ALL.iter().find(|entry| entry.2 == short) {
        return Ok(Specification::Named(*property));
    }
    let inside = |prefix: &str, suffix: &str| {
        let name = short.strip_prefix(prefix)?.strip_suffix(suffix)?;
        is_name(name).then(|| name.to_owned())
    };
    if short == "Fend" {
        return Ok(Specification::Termination);
    }
    if let Some(function) = inside("G!call(", "())") {
        return Ok(Specification::UnreachCall { function });
    }
    if let Some(label) = inside("G!label(", ")") {
        return Ok(Specification::UnreachLabel { label });
    }
    // Whatever has an expression of C in quotes is a formula of its own.
    if text.contains('"') { Ok(formula()) } else { Err(format!("the property `{text}` is not known")) }
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
}

struct Reader<'l> {
    line: &'l str,
    /// Where the line begins in the file.
    start: usize,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.line[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.line.len() - self.rest().trim_start().len();
    }

    /// Goes past a word, if it stands here.
    fn takes(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let is_here = self.rest().starts_with(word);
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    fn expect(&mut self, word: &str) -> Result<(), Diagnostic> {
        if self.takes(word) { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<String, Diagnostic> {
        self.skip_blanks();
        let end = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
        let name = self.rest()[..end.unwrap_or(self.rest().len())].to_owned();
        if !is_name(&name) {
            return Err(self.wrong(what));
        }
        self.at += name.len();
        Ok(name)
    }

    /// What stands before the parenthesis that closes the open one. Parentheses in quotes do not count.
    fn inside(&mut self) -> Result<Span, Diagnostic> {
        let from = self.at;
        let mut depth = 0usize;
        let mut in_quotes = false;
        for (offset, byte) in self.rest().bytes().enumerate() {
            match byte {
                b'"' => in_quotes = !in_quotes,
                b'(' if !in_quotes => depth += 1,
                b')' if !in_quotes && depth > 0 => depth -= 1,
                b')' if !in_quotes => {
                    self.at += offset;
                    return Ok(Span::new(from, self.at));
                }
                _ => {}
            }
        }
        self.at = self.line.len();
        Err(self.wrong("`)`"))
    }

    /// A complaint about what stands here.
    fn wrong(&self, expected: &str) -> Diagnostic {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        let at = self.start + self.at;
        Diagnostic::error(Span::new(at, at + length), format!("expected {expected}")).with_note(EXAMPLE)
    }

    fn word_before(&self, word: &str) -> Span {
        Span::new(self.start + self.at - word.len(), self.start + self.at)
    }
}
