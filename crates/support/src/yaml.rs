//! YAML as a tree with places, for the formats that other tools write in it: task definitions and witnesses.
//!
//! The tokens and events are those of the crate `saphyr-parser`; here they become a tree in which every node knows where it stands, so
//! that readers can point at what is wrong. Scalars stay texts: whether `true` is a truth value is for the reader of the format to
//! say. Left out are anchors and aliases, which could make a small file large, further documents, and keys that are no scalars; all
//! are refused with their places. How deep nodes are nested is limited, so nothing here or in readers recurses without bound.

use crate::{Diagnostic, Source, Span};
use saphyr_parser::{Event, Parser, ScalarStyle};

/// The deepest nesting that is read.
const MOST_NESTING: usize = 100;

/// A part of a YAML document, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Yaml {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: YamlKind,
}

/// What a part of a YAML document is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum YamlKind {
    /// A text, number or truth value, as its text.
    Scalar {
        /// Without quotes and escapes.
        text: String,
        /// Whether it stands in quotes or in a block of text: then it is a text and nothing else.
        quoted: bool,
    },
    /// A list.
    List(Vec<Yaml>),
    /// Keys with values, in the order of the document.
    Map(Vec<(Yaml, Yaml)>),
}

impl Yaml {
    /// The text, if it is a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            YamlKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Whether it is nothing: an empty scalar, `~` or `null`.
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, YamlKind::Scalar { text, quoted: false } if ["", "~", "null", "Null", "NULL"].contains(&&text[..]))
    }

    /// The truth value, if it is one.
    pub fn truth(&self) -> Option<bool> {
        match self.text()? {
            "true" | "True" | "TRUE" => Some(true),
            "false" | "False" | "FALSE" => Some(false),
            _ => None,
        }
    }

    /// The elements, if it is a list.
    pub fn list(&self) -> Option<&[Yaml]> {
        match &self.kind {
            YamlKind::List(list) => Some(list),
            _ => None,
        }
    }

    /// The keys with values, if it is a map.
    pub fn map(&self) -> Option<&[(Yaml, Yaml)]> {
        match &self.kind {
            YamlKind::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The value of a key, if it is a map with this key.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        self.map()?.iter().find(|(name, _)| name.text() == Some(key)).map(|(_, value)| value)
    }

    /// What it is, for messages: "a list".
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            YamlKind::Scalar { .. } if self.is_null() => "nothing",
            YamlKind::Scalar { .. } => "a single value",
            YamlKind::List(_) => "a list",
            YamlKind::Map(_) => "a map",
        }
    }
}

/// The document of a source; nothing if it is empty.
pub fn read_yaml(source: &Source) -> Result<Option<Yaml>, Diagnostic> {
    let places = Places::new(source.text());
    let mut builder = Builder { open: Vec::new(), root: None };
    let mut parser = Parser::new_from_str(source.text());
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let at = places.byte(error.marker().index());
            Diagnostic::error(Span::point(at), format!("this is not YAML: {}", error.info()))
        })?;
        let span = places.span(span);
        builder.take(event, span)?;
    }
    Ok(builder.root)
}

/// From numbers of characters to numbers of bytes.
struct Places {
    /// Where each character begins; nothing if every character is one byte.
    starts: Option<Vec<usize>>,
    end: usize,
}

impl Places {
    fn new(text: &str) -> Self {
        let starts = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
        Self { starts, end: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        match &self.starts {
            None => character.min(self.end),
            Some(starts) => starts.get(character).copied().unwrap_or(self.end),
        }
    }

    fn span(&self, span: saphyr_parser::Span) -> Span {
        let start = self.byte(span.start.index());
        Span::new(start, self.byte(span.end.index()).max(start))
    }
}

/// A list or map that is not closed yet.
enum Open {
    List(usize, Vec<Yaml>),
    /// With the key whose value comes next.
    Map(usize, Vec<(Yaml, Yaml)>, Option<Yaml>),
}

struct Builder {
    open: Vec<Open>,
    root: Option<Yaml>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Diagnostic> {
        match event {
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
            Event::Alias(_) => Err(Diagnostic::error(span, "aliases are not read")),
            Event::Scalar(text, style, anchor, _) => {
                no_anchor(anchor, span)?;
                let quoted = style != ScalarStyle::Plain;
                self.put(Yaml { span, kind: YamlKind::Scalar { text: text.into_owned(), quoted } })
            }
            Event::SequenceStart(anchor, _) => self.enter(Open::List(span.start, Vec::new()), anchor, span),
            Event::MappingStart(anchor, _) => {
                self.enter(Open::Map(span.start, Vec::new(), None), anchor, span)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let closed = self.open.pop().expect("what ends has begun");
                let node = match closed {
                    Open::List(start, list) => {
                        Yaml { span: Span::new(start, span.end.max(start)), kind: YamlKind::List(list) }
                    }
                    Open::Map(start, map, _) => {
                        Yaml { span: Span::new(start, span.end.max(start)), kind: YamlKind::Map(map) }
                    }
                };
                self.put(node)
            }
        }
    }

    fn enter(&mut self, open: Open, anchor: usize, span: Span) -> Result<(), Diagnostic> {
        no_anchor(anchor, span)?;
        if self.open.len() == MOST_NESTING {
            return Err(Diagnostic::error(span, format!("this is nested deeper than {MOST_NESTING} levels")));
        }
        self.open.push(open);
        Ok(())
    }

    fn put(&mut self, node: Yaml) -> Result<(), Diagnostic> {
        match self.open.last_mut() {
            None if self.root.is_some() => {
                return Err(Diagnostic::error(node.span, "there is a second document; only one is read"));
            }
            None => self.root = Some(node),
            Some(Open::List(_, list)) => list.push(node),
            Some(Open::Map(_, map, key)) => match key.take() {
                Some(key) => map.push((key, node)),
                None if node.text().is_none() => {
                    return Err(Diagnostic::error(
                        node.span,
                        format!("a key is a single value, not {}", node.kind_name()),
                    ));
                }
                None => {
                    if map.iter().any(|(other, _)| other.text() == node.text()) {
                        let text = node.text().unwrap_or_default();
                        return Err(Diagnostic::error(
                            node.span,
                            format!("the key `{text}` stands here twice"),
                        ));
                    }
                    *key = Some(node);
                }
            },
        }
        Ok(())
    }
}

fn no_anchor(anchor: usize, span: Span) -> Result<(), Diagnostic> {
    if anchor == 0 { Ok(()) } else { Err(Diagnostic::error(span, "anchors are not read")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Severity;

    fn read(text: &str) -> Yaml {
        read_yaml(&Source::new("f", text)).expect("YAML").expect("not empty")
    }

    #[test]
    fn block_and_flow_give_the_same_tree() {
        let block = read("a:\n  - x\n  - 'y: z'\nb:\n  c: true\n");
        let flow = read("{a: [x, \"y: z\"], b: {c: true}}");
        for tree in [block, flow] {
            let list = tree.get("a").and_then(Yaml::list).expect("a list");
            assert_eq!(list.iter().map(|node| node.text()).collect::<Vec<_>>(), [Some("x"), Some("y: z")]);
            assert_eq!(tree.get("b").and_then(|b| b.get("c")).and_then(Yaml::truth), Some(true));
            assert_eq!(tree.get("c"), None);
        }
    }

    #[test]
    fn places_are_bytes() {
        let text = "μ: [ν, abc]\n";
        let tree = read(text);
        let list = tree.get("μ").and_then(Yaml::list).expect("a list");
        assert_eq!(&text[list[1].span.range()], "abc");
    }

    #[test]
    fn what_is_not_read_is_located() {
        let wrong = |text: &str| read_yaml(&Source::new("f", text)).expect_err("it is refused");
        assert_eq!(wrong("a: &x 1\nb: *x\n").message, "anchors are not read");
        assert!(wrong("a: [1, 2\nb: 3\n").message.starts_with("this is not YAML"));
        assert_eq!(wrong("a: 1\na: 2\n").span, Span::new(5, 6));
        assert!(wrong("--- 1\n--- 2\n").message.starts_with("there is a second document"));
        assert!(wrong(&"- ".repeat(150)).message.contains("nested"));
        assert_eq!(wrong(&"[".repeat(5000)).severity, Severity::Error);
        assert!(wrong("? [a]\n: 1\n").message.starts_with("a key is"));
        assert_eq!(read_yaml(&Source::new("f", "# nothing\n")), Ok(None));
    }
}
