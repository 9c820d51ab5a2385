//! What stands in `__attribute__((…))`, as far as it changes what a program does.

use super::scan::next_token;

/// Attributes that change what a program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    /// Members without padding.
    Packed,
    /// At least this alignment; the largest if there is no number, nothing known if it is not a number.
    Aligned(Option<u64>),
    /// An integer type by its size in bytes.
    Mode(u64),
    /// Something that is not supported.
    Other(String),
}

/// What the list in `__attribute__((list))` asks for, as far as it matters.
pub(super) fn attributes_in(content: &str) -> Vec<Attribute> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = next_token(content, at) {
        at = token.end;
        let word = content[token.start..token.end].trim_matches('_');
        let argument = || {
            let after = content[token.end..].trim_start().strip_prefix('(')?;
            Some(after[..after.find(')')?].trim().trim_matches('_'))
        };
        match word {
            "packed" => found.push(Attribute::Packed),
            "aligned" => found.push(Attribute::Aligned(match argument() {
                None => Some(16),
                Some(number) => number.parse().ok().filter(|&n: &u64| n.is_power_of_two() && n <= 1 << 20),
            })),
            "mode" => match argument() {
                Some("QI") => found.push(Attribute::Mode(1)),
                Some("HI") => found.push(Attribute::Mode(2)),
                Some("SI") => found.push(Attribute::Mode(4)),
                Some("DI") => found.push(Attribute::Mode(8)),
                Some("word" | "pointer") => found.push(Attribute::Mode(0)),
                _ => found.push(Attribute::Other("the attribute `mode`".to_owned())),
            },
            "vector_size" | "cleanup" | "constructor" | "destructor" | "alias" | "ifunc" => {
                found.push(Attribute::Other(format!("the attribute `{word}`")));
            }
            _ => {}
        }
    }
    found
}
