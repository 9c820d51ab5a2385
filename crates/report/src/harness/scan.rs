//! Which functions a C text uses, declares and defines, by its tokens alone.
//!
//! It knows words, parentheses and braces, comments, literals and directives. That is enough to see whether a function has a body:
//! outside of all braces, its name, parameters in parentheses, and a brace before the next semicolon of the same level (between them
//! stand attributes, or the parameters of older C). Macros are not expanded: a body that a macro makes is not seen.

use std::collections::BTreeMap;
use std::ops::Range;

/// What a text does with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Whether it is declared, or defined.
    pub(super) declared: bool,
    /// The bytes of its body with the braces.
    pub(super) body: Option<Range<usize>>,
}

/// Every function that is called, declared or defined, with what is known of it.
pub(super) fn functions(text: &str) -> BTreeMap<&str, Found> {
    let tokens = tokens(text);
    let mut found: BTreeMap<&str, Found> = BTreeMap::new();
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            word if is_name(word) && tokens.get(at + 1).is_some_and(|next| next.text == "(") => {
                let entry = found.entry(word).or_default();
                entry.declared |= is_declaration(&tokens[..at]);
                if depth == 0
                    && let Some(body) = body(&tokens, at + 1)
                {
                    entry.declared = true;
                    entry.body.get_or_insert(body);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether what stands before a name with parentheses is a type: then it is declared here and not called.
fn is_declaration(before: &[Token<'_>]) -> bool {
    const NO_TYPES: [&str; 8] = ["return", "else", "do", "case", "goto", "sizeof", "typeof", "defined"];
    let stars = before.iter().rev().take_while(|token| token.text == "*").count();
    let Some(last) = before.len().checked_sub(stars + 1) else { return false };
    if !is_name(before[last].text) || NO_TYPES.contains(&before[last].text) {
        return false;
    }
    // `a * f()` multiplies, unless a statement begins with it.
    let front = last.checked_sub(1).map(|at| before[at].text);
    stars == 0 || front.is_none_or(|text| matches!(text, ";" | "{" | "}") || is_name(text))
}

/// The body behind the parameters that begin at a token.
fn body(tokens: &[Token<'_>], open: usize) -> Option<Range<usize>> {
    let after = closing(tokens, open)? + 1;
    // Attributes, or declarations of parameters as in older C, which end with semicolons and begin with a word.
    let mut at = after;
    loop {
        match tokens.get(at)?.text {
            "{" => break,
            "(" => at = closing(tokens, at)? + 1,
            "=" | "," if at == after => return None,
            ";" if at == after || tokens[after].text.starts_with("__") => return None,
            "}" | "=" => return None,
            _ => at += 1,
        }
        // Older C has no more than the parameters here; a definition of something else would follow a semicolon at once.
        if at > after + 200 {
            return None;
        }
    }
    let end = closing(tokens, at)?;
    Some(tokens[at].at..tokens[end].at + 1)
}

/// The token that closes what is opened here.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (offset, token) in tokens[open..].iter().enumerate() {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(open + offset);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

#[derive(Clone, Copy, Debug)]
struct Token<'t> {
    at: usize,
    text: &'t str,
}

/// Names, numbers and single characters; without blanks, comments, literals and directives.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        match byte {
            b'\n' => {
                is_line_start = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + 2 + end + 2);
                continue;
            }
            b'#' if is_line_start => at = line_end(bytes, at),
            b'"' | b'\'' => at = literal_end(bytes, at),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                while at < bytes.len() && (bytes[at] == b'_' || bytes[at].is_ascii_alphanumeric()) {
                    at += 1;
                }
                tokens.push(Token { at: start, text: &text[start..at] });
            }
            byte if byte.is_ascii() => {
                at += 1;
                tokens.push(Token { at: start, text: &text[start..at] });
            }
            _ => at += 1,
        }
        is_line_start = false;
    }
    tokens
}

/// The end of a line that may go on after a backslash.
fn line_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// One past the quote that ends a literal, or the end of the line.
fn literal_end(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_found_where_they_are() {
        let text = "extern int input(void);\nvoid stop() { if (1) { ; } }\nint *p(int a, int b);\n\
                    int old(a, b) int a; char b; { return a * input(); }\n\
                    void gone(void) __attribute__((noreturn));\n\
                    int f(void) { return sizeof(int) + g(2) * h(3); } // k() { }\n\
                    #define m() { \\\n }\nchar *t = \"q() {\"; int (*r)(void) = { 0 };\n";
        let found = functions(text);
        let body = |name: &str| found[name].body.clone().map(|body| &text[body]);
        assert_eq!(body("stop"), Some("{ if (1) { ; } }"));
        assert_eq!(body("old"), Some("{ return a * input(); }"));
        assert_eq!(body("f"), Some("{ return sizeof(int) + g(2) * h(3); }"));
        let none: Vec<&str> =
            ["input", "p", "gone", "g", "h"].into_iter().filter(|name| body(name).is_some()).collect();
        assert_eq!(none, Vec::<&str>::new());
        let declared = |name: &str| found[name].declared;
        assert!(declared("input") && declared("p") && declared("gone") && declared("stop"));
        assert!(!declared("g") && !declared("h"));
        assert!(!found.contains_key("k") && !found.contains_key("m") && !found.contains_key("q"));
    }

    #[test]
    fn odd_texts_end() {
        for text in ["", "f(", "f() {", "\"", "'\\", "/*", "// \\", "#", "f() int", "é f() { é }", "))}}"] {
            functions(text);
        }
    }
}
