//! Lines that begin with `#`.

use super::scan::{Kind, next_token};

/// Whether a text has to go through a preprocessor first: it has directives other than line marks and pragmas, or lines that are
/// continued.
pub fn needs_preprocessor(text: &str) -> bool {
    let mut at = 0;
    while let Some(token) = next_token(text, at) {
        match token.kind {
            Kind::Directive if directive(&text[token.start..token.end]) == Directive::Other => return true,
            Kind::Splice => return true,
            _ => at = token.end,
        }
    }
    false
}

/// What a directive says.
#[derive(PartialEq, Eq)]
pub(super) enum Directive<'a> {
    /// The next line is this line of this file.
    Line(usize, Option<&'a str>),
    /// What stands between the brackets of `#pragma pack(…)`.
    Pack(&'a str),
    /// Nothing that matters.
    Nothing,
    /// Something for a preprocessor.
    Other,
}

/// Reads a directive.
pub(super) fn directive(line: &str) -> Directive<'_> {
    let rest = line.trim_start_matches(['#', ' ', '\t']);
    let (rest, is_line) = match rest.strip_prefix("line") {
        Some(after) if after.starts_with([' ', '\t']) => (after.trim_start(), true),
        _ => (rest, false),
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let number = rest[..digits].parse().unwrap_or(1);
        let after = rest[digits..].trim_start();
        let file = after.strip_prefix('"').and_then(|name| name.split('"').next());
        return Directive::Line(number, file);
    }
    let word: &str = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
    if let ("pragma", false, Some(after)) = (word, is_line, rest.strip_prefix("pragma"))
        && let Some(after) = after.trim_start().strip_prefix("pack")
        && let Some(list) = after.trim_start().strip_prefix('(')
    {
        return Directive::Pack(list.split(')').next().unwrap_or(""));
    }
    match word {
        "pragma" | "ident" | "sccs" | "warning" if !is_line => Directive::Nothing,
        "" if rest.trim().is_empty() => Directive::Nothing,
        _ => Directive::Other,
    }
}
