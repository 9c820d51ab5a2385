//! The parser: `lang-c`, which goes down the text recursively, in a thread with as much stack as the text takes.

use super::prepare::Prepared;
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use tertium_support::{Diagnostic, ReadError, Span};

/// The stack for a text that is not deep.
const BASE: usize = 16 << 20;
/// The stack for each level.
const LEVEL: usize = if cfg!(debug_assertions) { 96 << 10 } else { 24 << 10 };

/// Runs something with stack enough for a text. The stack is only touched as far as it is needed.
pub(super) fn with_stack<T: Send>(
    prepared: &Prepared,
    run: impl FnOnce() -> Result<T, ReadError> + Send,
) -> Result<T, ReadError> {
    let size = BASE + prepared.depth * LEVEL;
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("reader of C".to_owned()).stack_size(size);
        match builder.spawn_scoped(scope, run) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => {
                let found =
                    Diagnostic::error(Span::point(0), "there is not memory enough to read this program");
                Err(ReadError::Faulty(vec![found.with_note("it is nested deeply")]))
            }
        }
    })
}

/// The tree of a text.
pub(super) fn parse(prepared: &Prepared) -> Result<TranslationUnit, ReadError> {
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    match parse_preprocessed(&config, prepared.text.clone()) {
        Ok(parsed) => Ok(parsed.unit),
        Err(error) => Err(ReadError::Faulty(vec![complaint(prepared, &error)])),
    }
}

/// What the parser did not like, in words.
fn complaint(prepared: &Prepared, error: &SyntaxError) -> Diagnostic {
    let text = &prepared.text;
    let mut at = error.offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let rest = text[at..].trim_start();
    let start = text.len() - rest.len();
    let length = super::scan::next_token(rest, 0).map_or(0, |token| token.end);
    let span = prepared.span(lang_c::span::Span::span(start, start + length));
    let mut expected: Vec<String> = error
        .expected
        .iter()
        .filter_map(|expected| match *expected {
            "[_a-zA-Z]" | "identifier" => Some("a name".to_owned()),
            "<typedef_name>" => Some("a type".to_owned()),
            "" | "#" | "\n" => None,
            class if class.starts_with('[') && class.len() > 1 => None,
            other => Some(format!("`{other}`")),
        })
        .collect();
    expected.sort();
    expected.dedup();
    if rest.is_empty() {
        let end = prepared.original(text.len());
        return Diagnostic::error(Span::point(end), "the text ends too early");
    }
    let found = Diagnostic::error(span, format!("`{}` cannot stand here", &rest[..length]));
    match expected.as_slice() {
        [] => found,
        few if few.len() <= 6 => found.with_note(format!("expected {}", few.join(" or "))),
        _ => found,
    }
}
