//! The text form of a relation between the states of a system and abstract states: one line `concrete -> abstract` per
//! pair, several abstract states separated by commas, `//` for comments. Names that hold any of these are quoted, as in
//! `.pts` files. Abstract states are those that occur, in order of first appearance.

use crate::relation::Relation;
use crate::{PartialSystem, StateId};
use tertium_support::{
    Complaints, Cursor, Diagnostic, Diagnostics, Interner, Lexer, Source, Span, Token, nearest_names,
    run_length,
};

/// More mistakes than this are not collected.
const ENOUGH: usize = 20;

/// The names of the abstract states, and the relation.
pub fn read_relation(
    source: &Source,
    system: &PartialSystem,
) -> Result<(Vec<String>, Relation), Diagnostics> {
    let mut names: Interner<StateId> = Interner::default();
    let mut pairs = Vec::new();
    let mut cursor: Cursor<'_, Tokens> = Cursor::new(source.text(), 0, ENOUGH);
    while !cursor.is_at_end() {
        if let Err(fault) = read_line(&mut cursor, system, &mut names, &mut pairs) {
            cursor.complaints.push(*fault);
        }
        cursor.skip_until(|cursor| cursor.kind() == Kind::LineEnd);
        cursor.eat(Kind::LineEnd);
    }
    if !cursor.complaints.is_empty() {
        return Err(cursor.complaints.into_list());
    }
    if pairs.is_empty() {
        let fault = Diagnostic::error(Span::point(0), "the relation has no pairs");
        return Err(vec![fault.with_note("write one line `concrete -> abstract` for each")]);
    }
    let relation = Relation::from_pairs(system.n_states(), names.len(), pairs);
    Ok((names.names().map(str::to_owned).collect(), relation))
}

fn read_line(
    cursor: &mut Cursor<'_, Tokens>,
    system: &PartialSystem,
    names: &mut Interner<StateId>,
    pairs: &mut Vec<(StateId, StateId)>,
) -> Result<(), Box<Diagnostic>> {
    if cursor.kind() == Kind::LineEnd {
        return Ok(());
    }
    let (concrete, span) = name(cursor)?;
    if !cursor.eat(Kind::Arrow) {
        let fault = Diagnostic::error(rest_of_line(cursor), "expected `->` after the concrete state");
        return Err(Box::new(fault.with_note("write `concrete -> abstract`")));
    }
    let state = system.state_named(&concrete).ok_or_else(|| unknown(&concrete, span, system))?;
    loop {
        let (name, span) = name(cursor)?;
        if name.is_empty() {
            return Err(Box::new(Diagnostic::error(span, "the name of an abstract state is missing")));
        }
        pairs.push((state, names.intern(&name)));
        if !cursor.eat(Kind::Comma) {
            break;
        }
    }
    if matches!(cursor.kind(), Kind::LineEnd | Kind::End) {
        Ok(())
    } else {
        Err(Box::new(Diagnostic::error(rest_of_line(cursor), "expected `,` or the end of the line")))
    }
}

/// A name, and where it stands. A name without quotes may be empty.
fn name(cursor: &mut Cursor<'_, Tokens>) -> Result<(String, Span), Box<Diagnostic>> {
    let Token { kind, span } = cursor.peek();
    let name = match kind {
        Kind::Name => cursor.word().to_owned(),
        Kind::Quoted => unquoted(cursor.word()),
        Kind::Unterminated => return Err(Box::new(Diagnostic::error(span, "this quoted name has no end"))),
        Kind::Arrow | Kind::Comma | Kind::LineEnd | Kind::End => {
            return Ok((String::new(), Span::point(span.start)));
        }
    };
    cursor.bump();
    Ok((name, span))
}

fn rest_of_line(cursor: &Cursor<'_, Tokens>) -> Span {
    let line = cursor.rest().lines().next().unwrap_or_default();
    Span::new(cursor.start(), cursor.start() + line.trim_end().len())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Up to the next sign or comment, with blanks inside.
    Name,
    Quoted,
    /// A quotation without end, up to the end of its line.
    Unterminated,
    Arrow,
    Comma,
    /// With the comment before it.
    LineEnd,
    End,
}

/// No text is complained about.
struct Tokens;

impl Lexer for Tokens {
    type Kind = Kind;
    const END: Kind = Kind::End;

    fn token(text: &str, at: usize, _: &mut Complaints) -> Token<Kind> {
        let line_end = at + run_length(&text[at..], |c| c != '\n');
        let line = text[at..line_end].trim_end();
        let rest = line.trim_start();
        let start = at + line.len() - rest.len();
        let (kind, end) = if rest.is_empty() || rest.starts_with("//") {
            if line_end == text.len() { (Kind::End, start) } else { (Kind::LineEnd, line_end + 1) }
        } else if rest.starts_with("->") {
            (Kind::Arrow, start + 2)
        } else if rest.starts_with(',') {
            (Kind::Comma, start + 1)
        } else if rest.starts_with('"') {
            let length = quotation_length(rest);
            length.map_or((Kind::Unterminated, at + line.len()), |length| (Kind::Quoted, start + length))
        } else {
            let end = ["->", ",", "//"].iter().filter_map(|sign| rest.find(sign)).min();
            (Kind::Name, start + rest[..end.unwrap_or(rest.len())].trim_end().len())
        };
        Token { kind, span: Span::new(start, end) }
    }
}

/// How long the quotation is that `line` begins with, if it ends.
fn quotation_length(line: &str) -> Option<usize> {
    let mut letters = line.char_indices().skip(1);
    while let Some((offset, c)) = letters.next() {
        match c {
            '"' => return Some(offset + 1),
            '\\' => letters.next().map(|_| ())?,
            _ => {}
        }
    }
    None
}

/// The name that a quotation stands for. Letters without a meaning of their own stand for themselves behind a backslash.
fn unquoted(quotation: &str) -> String {
    let mut name = String::new();
    let mut letters = quotation[1..quotation.len() - 1].chars();
    while let Some(c) = letters.next() {
        name.push(match c {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('t') => '\t',
                other => other.unwrap_or(c),
            },
            other => other,
        });
    }
    name
}

fn unknown(name: &str, span: Span, system: &PartialSystem) -> Box<Diagnostic> {
    let known: Vec<String> =
        system.states().take(10_000).map(|s| system.state_name(s).into_owned()).collect();
    let fault = Diagnostic::error(span, format!("the system has no state `{name}`"));
    Box::new(match nearest_names(name, known.iter().map(String::as_str)).first() {
        Some(near) => fault.with_note(format!("did you mean `{near}`?")),
        None => fault,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemBuilder;

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
