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
    /// Another name for something that has one: `alias`, `ifunc`, `weakref`, with the word.
    Alias(String),
    /// The name of the assembler: `__asm__("name")` behind a declarator. Nothing if it is not just letters.
    Name(Option<String>),
    /// A function runs when the life of the variable ends.
    Cleanup,
    /// A function runs before `main`, or after it, as the word says.
    Runs(String),
    /// Something that is not supported.
    Other(String),
}

impl Attribute {
    /// Whether it says something of what is declared, and nothing of a structure that stands before it.
    pub(super) fn is_of_declared(&self) -> bool {
        matches!(self, Self::Alias(_) | Self::Name(_) | Self::Cleanup | Self::Runs(_))
    }
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
            "alias" | "ifunc" | "weakref" => found.push(Attribute::Alias(word.to_owned())),
            "cleanup" => found.push(Attribute::Cleanup),
            "constructor" | "destructor" => found.push(Attribute::Runs(word.to_owned())),
            "vector_size" => {
                found.push(Attribute::Other(format!("the attribute `{word}`")));
            }
            _ => {}
        }
    }
    found
}
