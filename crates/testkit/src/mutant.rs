//! Models that were changed a little: numbers, operators, names, lines. Whether the result is a model is for its reader to say.
//!
//! Most changes keep a model well-formed: an operator becomes another of its kind, a name another of the text. So what is changed reaches
//! the engines, where random text would end in the parser.

use tertium_support::Rng;

/// Words and operators that can stand for each other.
const KINDS: [&[&str]; 12] = [
    &["AG", "EF", "AF", "EG", "AX", "EX"],
    &["mu", "nu"],
    &["true", "false"],
    &["TRUE", "FALSE"],
    &["may", "must", "both"],
    &["G", "F", "X"],
    &["<", "<=", ">", ">=", "=", "!="],
    &["&&", "||"],
    &["&", "|"],
    &["+", "-", "*"],
    &["=>", "<=>"],
    &["property", "invariant", "reach"],
];

/// The text with some changes, one to three.
pub fn mutated(rng: &mut Rng, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..rng.between(1, 3) {
        text = if rng.chance(0.15) { changed_line(rng, &text) } else { changed_token(rng, &text) };
    }
    text
}

/// A line is left out, or stands twice.
fn changed_line(rng: &mut Rng, text: &str) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_empty() {
        return String::new();
    }
    let at = rng.below(lines.len());
    if rng.chance(0.5) {
        lines.remove(at);
    } else {
        lines.insert(rng.below(lines.len()), lines[at]);
    }
    lines.concat()
}

/// A number, an operator or a name becomes another.
fn changed_token(rng: &mut Rng, text: &str) -> String {
    let mut tokens = tokens(text);
    let names: Vec<&str> = tokens.iter().copied().filter(|token| is_word(token)).collect();
    let can_change: Vec<usize> =
        (0..tokens.len()).filter(|&at| is_word(tokens[at]) || kind(tokens[at]).is_some()).collect();
    if can_change.is_empty() {
        return text.to_owned();
    }
    let at = can_change[rng.below(can_change.len())];
    let number = tokens[at].parse::<i64>().ok();
    let other = match (kind(tokens[at]), number) {
        (Some(kind), _) => (*rng.pick(kind)).to_owned(),
        (None, Some(number)) => {
            let near =
                [number.saturating_add(1), number.saturating_sub(1).max(0), 0, 1, number.saturating_mul(2)];
            rng.pick(&near).to_string()
        }
        (None, None) => (*rng.pick(&names)).to_owned(),
    };
    tokens[at] = &other;
    tokens.concat()
}

fn kind(token: &str) -> Option<&'static [&'static str]> {
    KINDS.into_iter().find(|kind| kind.contains(&token))
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Words, the operators of [`KINDS`] and of assignments, and single characters; together they are the text.
fn tokens(text: &str) -> Vec<&str> {
    const OTHERS: [&str; 5] = [":=", "->", "<->", "..", "--"];
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let operators =
            KINDS.into_iter().flatten().copied().chain(OTHERS).filter(|own| rest.starts_with(*own));
        let length = match operators.map(str::len).max() {
            _ if word > 0 => word,
            Some(length) => length,
            None => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        tokens.push(token);
        rest = behind;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_make_the_text_again() {
        let text = "[a] x <= 10 && y1 -> x := x + 1; // ä\nproperty AG (x=1 => y);\n";
        let found = tokens(text);
        assert_eq!(found.concat(), text);
        for token in ["<=", "10", "&&", "y1", "->", ":=", "AG", "=>"] {
            assert!(found.contains(&token), "{token} is not in {found:?}");
        }
    }

    #[test]
    fn mutants_differ_and_are_the_same_every_time() {
        let text = "var x: 0..3 = 0;\n[up] x < 3 -> x := x + 1;\n";
        let draw = |seed| mutated(&mut Rng::seeded(seed), text);
        assert_eq!(draw(7), draw(7));
        assert!((0..20).map(draw).filter(|mutant| mutant != text).count() > 10);
        assert_eq!(mutated(&mut Rng::seeded(1), ""), "");
    }
}
