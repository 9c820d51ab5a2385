//! The text form of a relation between the states of a system and abstract states: one line `concrete -> abstract` per
//! pair, several abstract states separated by commas, `//` for comments. Names that hold any of these are quoted, as in
//! `.pts` files. Abstract states are those that occur, in order of first appearance.

use tertium_support::{Diagnostic, Diagnostics, Interner, Source, Span, nearest_names};
use tertium_system::relation::Relation;
use tertium_system::{PartialSystem, StateId};

/// More mistakes than this are not collected.
const ENOUGH: usize = 20;

/// The names of the abstract states, and the relation.
pub(crate) fn read_relation(
    source: &Source,
    system: &PartialSystem,
) -> Result<(Vec<String>, Relation), Diagnostics> {
    let mut names: Interner<StateId> = Interner::default();
    let mut pairs = Vec::new();
    let mut faults = Vec::new();
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        if let Err(fault) = read_line(line, start, system, &mut names, &mut pairs) {
            faults.push(fault);
        }
        start += line.len();
    }
    faults.truncate(ENOUGH);
    if !faults.is_empty() {
        return Err(faults);
    }
    if pairs.is_empty() {
        let fault = Diagnostic::error(Span::point(0), "the relation has no pairs");
        return Err(vec![fault.with_note("write one line `concrete -> abstract` for each")]);
    }
    let relation = Relation::from_pairs(system.n_states(), names.len(), pairs);
    Ok((names.names().map(str::to_owned).collect(), relation))
}

fn read_line(
    line: &str,
    start: usize,
    system: &PartialSystem,
    names: &mut Interner<StateId>,
    pairs: &mut Vec<(StateId, StateId)>,
) -> Result<(), Diagnostic> {
    let mut cursor = Cursor { line: line.trim_end(), at: 0, start };
    if cursor.is_at_end() {
        return Ok(());
    }
    let (concrete, span) = cursor.name()?;
    if !cursor.take("->") {
        let fault = Diagnostic::error(cursor.here(), "expected `->` after the concrete state");
        return Err(fault.with_note("write `concrete -> abstract`"));
    }
    let state = system.state_named(&concrete).ok_or_else(|| unknown(&concrete, span, system))?;
    loop {
        let (name, span) = cursor.name()?;
        if name.is_empty() {
            return Err(Diagnostic::error(span, "the name of an abstract state is missing"));
        }
        pairs.push((state, names.intern(&name)));
        if !cursor.take(",") {
            break;
        }
    }
    if cursor.is_at_end() {
        Ok(())
    } else {
        Err(Diagnostic::error(cursor.here(), "expected `,` or the end of the line"))
    }
}

/// A place in a line of the text.
struct Cursor<'a> {
    line: &'a str,
    at: usize,
    /// Where the line starts in the text.
    start: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.rest().is_empty() || self.rest().starts_with("//")
    }

    fn here(&self) -> Span {
        Span::new(self.start + self.at, self.start + self.line.len())
    }

    fn take(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// A name, quoted or up to the next sign, and where it stands. A name without quotes may be empty.
    fn name(&mut self) -> Result<(String, Span), Diagnostic> {
        self.skip_blanks();
        let from = self.at;
        if self.take("\"") {
            let name = self.quoted(from)?;
            return Ok((name, Span::new(self.start + from, self.start + self.at)));
        }
        let end = ["->", ",", "//"].iter().filter_map(|sign| self.rest().find(sign)).min();
        let name = self.rest()[..end.unwrap_or(self.rest().len())].trim_end();
        self.at += name.len();
        Ok((name.to_owned(), Span::new(self.start + from, self.start + self.at)))
    }

    /// The rest of a quoted name, behind the first quotation mark, which stands at `from`.
    fn quoted(&mut self, from: usize) -> Result<String, Diagnostic> {
        let mut name = String::new();
        let mut letters = self.rest().char_indices();
        while let Some((offset, c)) = letters.next() {
            match c {
                '"' => {
                    self.at += offset + 1;
                    return Ok(name);
                }
                '\\' => match letters.next() {
                    Some((_, 'n')) => name.push('\n'),
                    Some((_, 'r')) => name.push('\r'),
                    Some((_, 't')) => name.push('\t'),
                    Some((_, other)) => name.push(other),
                    None => break,
                },
                other => name.push(other),
            }
        }
        let span = Span::new(self.start + from, self.start + self.line.len());
        Err(Diagnostic::error(span, "this quoted name has no end"))
    }
}

fn unknown(name: &str, span: Span, system: &PartialSystem) -> Diagnostic {
    let known: Vec<String> =
        system.states().take(10_000).map(|s| system.state_name(s).into_owned()).collect();
    let fault = Diagnostic::error(span, format!("the system has no state `{name}`"));
    match nearest_names(name, known.iter().map(String::as_str)).first() {
        Some(near) => fault.with_note(format!("did you mean `{near}`?")),
        None => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_system::SystemBuilder;

    fn system() -> PartialSystem {
        let mut builder = SystemBuilder::named();
        let s = builder.state("one");
        builder.state("two");
        builder.initial(s);
        builder.build()
    }

    #[test]
    fn pairs_comments_and_quotes_are_read() {
        let text = "// parity\none -> odd, small\n\n\"two\" -> even // also small\ntwo -> small\n";
        let (names, relation) = read_relation(&Source::new("r", text), &system()).unwrap();
        assert_eq!(names, ["odd", "small", "even"]);
        assert_eq!(relation.count(), 4);
    }

    #[test]
    fn mistakes_are_located_and_told_together() {
        let source = Source::new("r", "one -> odd\ntoo -> even\none odd\ntwo -> ,\n");
        let faults = read_relation(&source, &system()).unwrap_err();
        let places: Vec<_> = faults.iter().map(|fault| source.line_column(fault.span.start)).collect();
        assert_eq!(places, [(2, 1), (3, 8), (4, 8)]);
        assert_eq!(faults[0].notes, ["did you mean `two`?"]);
    }

    #[test]
    fn a_missing_name_at_the_end_of_a_line_is_located_there() {
        let source = Source::new("r", "one -> odd\ntwo ->\n");
        let fault = read_relation(&source, &system()).unwrap_err().remove(0);
        assert_eq!(source.line_column(fault.span.start), (2, 7));
    }

    #[test]
    fn quoted_names_may_hold_every_sign() {
        let mut builder = SystemBuilder::named();
        let s = builder.state("a -> b, c // \"d\"");
        builder.initial(s);
        let text = "\"a -> b, c // \\\"d\\\"\" -> \"A, B\" // one pair\n";
        let (names, relation) = read_relation(&Source::new("r", text), &builder.build()).unwrap();
        assert_eq!((names, relation.count()), (vec!["A, B".to_owned()], 1));
        let open = read_relation(&Source::new("r", "\"one -> odd\n"), &system()).unwrap_err();
        assert_eq!(open[0].message, "this quoted name has no end");
    }

    #[test]
    fn an_empty_relation_is_a_mistake() {
        assert_eq!(read_relation(&Source::new("r", "// nothing\n"), &system()).unwrap_err().len(), 1);
    }
}
