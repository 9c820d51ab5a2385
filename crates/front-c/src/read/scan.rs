//! Tokens of C as the pass before the parser sees them: it needs no more than where they end and what kind they are.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword or a name.
    Word,
    /// A number.
    Number,
    /// A character constant or a string literal, with its prefix.
    Text,
    /// An operator or a bracket.
    Sign,
    /// A comment.
    Comment,
    /// A line that begins with `#`.
    Directive,
    /// A backslash before the end of a line.
    Splice,
    /// Something that ends with the text or the line, though it must not.
    Unfinished(&'static str),
    /// A character that C does not use.
    Strange,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanned {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The first token at or after an offset; nothing at the end.
pub(super) fn next_token(text: &str, from: usize) -> Option<Scanned> {
    let bytes = text.as_bytes();
    let mut start = from;
    while bytes.get(start).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == 0x0b) {
        start += 1;
    }
    let rest = &bytes[start.min(bytes.len())..];
    let first = *rest.first()?;
    let (kind, length) = match first {
        b'/' if rest.get(1) == Some(&b'/') => (Kind::Comment, line_length(rest)),
        b'/' if rest.get(1) == Some(&b'*') => match text[start + 2..].find("*/") {
            Some(length) => (Kind::Comment, length + 4),
            None => (Kind::Unfinished("this comment"), rest.len()),
        },
        b'#' if is_first_of_line(bytes, start) => (Kind::Directive, line_length(rest)),
        b'\\' if rest.get(1) == Some(&b'\n') => (Kind::Splice, 2),
        b'"' | b'\'' => quoted(rest, 0),
        b'L' | b'u' | b'U' if prefix_length(rest).is_some() => quoted(rest, prefix_length(rest).unwrap_or(0)),
        b'0'..=b'9' => (Kind::Number, number_length(rest)),
        b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => (Kind::Number, number_length(rest)),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => (Kind::Word, word_length(rest)),
        _ if first.is_ascii_punctuation() && !matches!(first, b'#' | b'@' | b'`' | b'\\') => {
            (Kind::Sign, sign_length(rest))
        }
        _ => (Kind::Strange, text[start..].chars().next().map_or(1, char::len_utf8)),
    };
    Some(Scanned { kind, start, end: start + length })
}

/// The length of a line; those whose end has a backslash before it go on.
fn line_length(rest: &[u8]) -> usize {
    let mut at = 0;
    while at < rest.len() && (rest[at] != b'\n' || (at > 0 && rest[at - 1] == b'\\')) {
        at += 1;
    }
    at
}

fn is_first_of_line(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    before.is_none_or(|&byte| byte == b'\n')
}

/// The length of the prefix of a literal.
fn prefix_length(rest: &[u8]) -> Option<usize> {
    let length = if rest.starts_with(b"u8") { 2 } else { 1 };
    matches!(rest.get(length), Some(b'"' | b'\'')).then_some(length)
}

fn quoted(rest: &[u8], prefix: usize) -> (Kind, usize) {
    let quote = rest[prefix];
    let mut at = prefix + 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\n' => break,
            b'\\' if rest.get(at + 1) == Some(&b'\n') => return (Kind::Splice, at + 2),
            b'\\' => at += 2,
            _ if byte == quote => return (Kind::Text, at + 1),
            _ => at += 1,
        }
    }
    let what = if quote == b'"' { "this string" } else { "this character" };
    // The whole line is shown, as far as it holds whole characters.
    (Kind::Unfinished(what), at.min(line_length(rest)))
}

fn number_length(rest: &[u8]) -> usize {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        let is_sign = matches!(byte, b'+' | b'-') && matches!(rest[at - 1], b'e' | b'E' | b'p' | b'P');
        let is_hexadecimal = rest.starts_with(b"0x") || rest.starts_with(b"0X");
        let is_exponent = is_sign && (!is_hexadecimal || matches!(rest[at - 1], b'p' | b'P'));
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || is_exponent) {
            break;
        }
        // `1...5` is a range.
        if byte == b'.' && rest[at..].starts_with(b"...") {
            break;
        }
        at += 1;
    }
    at
}

fn word_length(rest: &[u8]) -> usize {
    rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')).count()
}

fn sign_length(rest: &[u8]) -> usize {
    const LONG: [&[u8]; 22] = [
        b"...", b"<<=", b">>=", b"->", b"++", b"--", b"<<", b">>", b"<=", b">=", b"==", b"!=", b"&&", b"||",
        b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
    ];
    LONG.iter().find(|sign| rest.starts_with(sign)).map_or(1, |sign| sign.len())
}

/// Whether a word is reserved.
pub(super) fn is_keyword(word: &str) -> bool {
    const STATEMENTS: [&str; 14] = [
        "break",
        "case",
        "continue",
        "default",
        "do",
        "else",
        "for",
        "goto",
        "if",
        "return",
        "sizeof",
        "switch",
        "while",
        "_Static_assert",
    ];
    const MORE: [&str; 12] = [
        "_Alignof",
        "_Generic",
        "__alignof__",
        "__alignof",
        "__typeof__",
        "__typeof",
        "typeof",
        "_Alignas",
        "__extension__",
        "__attribute__",
        "__asm__",
        "asm",
    ];
    STATEMENTS.contains(&word) || MORE.contains(&word) || is_type_word(word)
}

/// Whether a word begins a declaration, other than the name of a type.
pub(super) fn is_type_word(word: &str) -> bool {
    const WORDS: [&str; 38] = [
        "auto",
        "char",
        "const",
        "double",
        "enum",
        "extern",
        "float",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "short",
        "signed",
        "static",
        "struct",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "_Bool",
        "_Complex",
        "__signed__",
        "__signed",
        "__const",
        "__int128",
        "__int128_t",
        "__uint128_t",
        "__inline",
        "__inline__",
        "__complex__",
        "_Float128",
        "_Float64",
        "_Float32",
        "__float128",
        "__CPROVER_bool",
        "__builtin_va_list",
    ];
    WORDS.contains(&word)
}
