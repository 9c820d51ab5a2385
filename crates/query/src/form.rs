//! What the form of a query says about its solutions.
//!
//! If all occurrences of the placeholder are positive, weaker formulas of solutions are solutions; if all are negative, stronger
//! ones are. A positive query that distributes over disjunction, φ\[α ∨ β\] = φ\[α\] ∨ φ\[β\], has no strongest solutions but
//! combinations of values (or `false`) at each state \[Bob09\]. Deciding that is EXPTIME-complete; the grammar here is enough for it,
//! not necessary. It is the dual of one for conjunction \[SV03\].

use tertium_logic::{Formula, FormulaKind, PathOperator, PathQuantifier, Polarity, occurrences};

/// How the truth of a query depends on what stands for its placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Weaker formulas make it true more often.
    Growing,
    /// Stronger formulas make it true more often.
    Shrinking,
    /// Neither is known.
    Neither,
}

/// How the truth of a formula depends on a proposition.
pub fn direction(formula: &Formula, placeholder: &str) -> Direction {
    let all = occurrences(formula);
    let own = all.iter().filter(|occurrence| is_placeholder(occurrence.formula, placeholder));
    let polarities: Vec<Polarity> = own.map(|occurrence| occurrence.polarity).collect();
    if polarities.iter().all(|&polarity| polarity == Polarity::Positive) {
        Direction::Growing
    } else if polarities.iter().all(|&polarity| polarity == Polarity::Negative) {
        Direction::Shrinking
    } else {
        Direction::Neither
    }
}

/// Whether the form of the formula shows that it distributes over disjunctions in the place of the placeholder:
/// γ ::= ? | θ ∧ γ | θ ∨ γ | γ ∨ γ | EX γ | EF γ | E\[θ U γ\], where θ is without placeholder.
pub fn distributes_over_disjunction(formula: &Formula, placeholder: &str) -> bool {
    let free = |formula: &Formula| !formula.preorder().any(|part| is_placeholder(part, placeholder));
    let own = |formula: &Formula| distributes_over_disjunction(formula, placeholder);
    match &formula.kind {
        FormulaKind::Proposition(name) => name == placeholder,
        FormulaKind::And(parts) => {
            parts.iter().filter(|part| !free(part)).count() == 1
                && parts.iter().all(|part| free(part) || own(part))
        }
        FormulaKind::Or(parts) => {
            parts.iter().any(|part| !free(part)) && parts.iter().all(|part| free(part) || own(part))
        }
        FormulaKind::Path(PathQuantifier::Some, PathOperator::Next(f) | PathOperator::Finally(f)) => own(f),
        FormulaKind::Path(PathQuantifier::Some, PathOperator::Until(f, g)) => free(f) && own(g),
        _ => false,
    }
}

fn is_placeholder(formula: &Formula, placeholder: &str) -> bool {
    matches!(&formula.kind, FormulaKind::Proposition(name) if name == placeholder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_logic::parse;
    use tertium_support::Source;

    fn formula(text: &str) -> Formula {
        parse(&Source::new("<formula>", text)).expect(text)
    }

    #[test]
    fn the_direction_follows_the_polarity_of_all_occurrences() {
        for (text, expected) in [
            ("EF AG q", Direction::Growing),
            ("AF !q", Direction::Shrinking),
            ("!EF (p && q)", Direction::Shrinking),
            ("EF (q && AX q)", Direction::Growing),
            ("EF (q && AX !q)", Direction::Neither),
            ("AG (p <=> q)", Direction::Neither),
            ("AG (q => EF p)", Direction::Shrinking),
        ] {
            assert_eq!(direction(&formula(text), "q"), expected, "{text}");
        }
    }

    #[test]
    fn the_grammar_accepts_what_distributes_and_nothing_below_a_universal_quantifier() {
        for yes in ["q", "EF q", "EX EF (p && q)", "E[p U (q || p || EX q)]", "EF (AG p && q)"] {
            assert!(distributes_over_disjunction(&formula(yes), "q"), "{yes}");
        }
        for no in ["AF q", "EF AG q", "EG q", "EF (q && EX q)", "!q", "E[q U p]", "p", "EF p", "p => q"] {
            assert!(!distributes_over_disjunction(&formula(no), "q"), "{no}");
        }
    }
}
