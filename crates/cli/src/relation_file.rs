//! The text form of a relation between the states of a system and abstract states: one line `concrete -> abstract` per
//! pair, several abstract states separated by commas, `//` for comments. Abstract states are those that occur, in order of
//! first appearance.

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
    let content = line.split("//").next().unwrap_or_default();
    if content.trim().is_empty() {
        return Ok(());
    }
    let whole = located(content, 0, start);
    let Some(arrow) = content.find("->") else {
        let fault = Diagnostic::error(whole.1, "this line has no `->`");
        return Err(fault.with_note("write `concrete -> abstract`"));
    };
    let (concrete, span) = located(&content[..arrow], 0, start);
    let state = system.state_named(concrete).ok_or_else(|| unknown(concrete, span, system))?;
    let mut at = arrow + 2;
    for part in content[at..].split(',') {
        let (name, span) = located(part, at, start);
        at += part.len() + 1;
        if name.is_empty() {
            return Err(Diagnostic::error(span, "the name of an abstract state is missing"));
        }
        pairs.push((state, names.intern(name)));
    }
    Ok(())
}

/// A part of a line without surrounding blanks and quotation marks, and where it stands in the text.
fn located(part: &str, at: usize, line_start: usize) -> (&str, Span) {
    let trimmed = part.trim();
    let before = part.len() - part.trim_start().len();
    let start = line_start + at + before;
    let inner = trimmed.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(trimmed);
    (inner, Span::new(start, start + trimmed.len()))
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
        assert_eq!(places, [(2, 1), (3, 1), (4, 8)]);
        assert_eq!(faults[0].notes, ["did you mean `two`?"]);
    }

    #[test]
    fn an_empty_relation_is_a_mistake() {
        assert_eq!(read_relation(&Source::new("r", "// nothing\n"), &system()).unwrap_err().len(), 1);
    }
}
