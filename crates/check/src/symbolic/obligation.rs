//! A formula of linear time as a list of smaller ones, each of which must hold.
//!
//! A conjunction holds on all paths iff both sides do, and so does `G (f & g)` iff `G f` and `G g` do. Moreover `G f` holds on
//! all paths from initial states iff f holds on all paths from reachable states, if f has no past: the rest of a fair path
//! is a fair path, and in front of a fair path from a reachable state there may stand any way to it. Small obligations have small
//! tableaus, and one from reachable states needs no variable that waits for the place where f fails.

use tertium_logic::{Ltl, LtlBinary, LtlKind, LtlUnary};

/// What must hold on all fair paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Obligation {
    /// The formula. If it has to hold from reachable states, it has no past.
    pub(crate) formula: Ltl,
    /// Where the paths begin.
    pub(crate) from: From,
}

/// Where paths begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum From {
    /// In every initial state.
    Initial,
    /// In every reachable state.
    Reachable,
}

/// Obligations that hold together iff the formula holds on all fair paths from initial states.
pub(crate) fn obligations(formula: &Ltl) -> Vec<Obligation> {
    let mut found = Vec::new();
    collect(formula, true, From::Initial, &mut found);
    found
}

/// Collects what the formula, or its negation if `sign` is false, asks for.
fn collect(formula: &Ltl, sign: bool, from: From, found: &mut Vec<Obligation>) {
    match (&formula.kind, sign) {
        (LtlKind::Unary(LtlUnary::Not, f), _) => collect(f, !sign, from, found),
        (LtlKind::Binary(LtlBinary::And, f, g), true) | (LtlKind::Binary(LtlBinary::Or, f, g), false) => {
            collect(f, sign, from, found);
            collect(g, sign, from, found);
        }
        (LtlKind::Binary(LtlBinary::Implies, f, g), false) => {
            collect(f, true, from, found);
            collect(g, false, from, found);
        }
        (LtlKind::Unary(LtlUnary::Globally, f), true) | (LtlKind::Unary(LtlUnary::Finally, f), false)
            if from == From::Initial || formula.past_depth() == 0 =>
        {
            collect(f, sign, From::Reachable, found);
        }
        _ => {
            let formula = if sign { formula.clone() } else { formula.clone().negated() };
            found.push(match from {
                // What is past depends on the way to the reachable state.
                From::Reachable if formula.past_depth() > 0 => {
                    Obligation { formula: Ltl::unary(LtlUnary::Globally, formula), from: From::Initial }
                }
                _ => Obligation { formula, from },
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tertium_logic::parse_ltl;
    use tertium_support::Source;

    /// The obligations as text, those from reachable states after `R:`.
    fn check(text: &str, expected: &[&str]) {
        let formula = parse_ltl(&Source::new("test", text)).unwrap();
        let found: Vec<String> = obligations(&formula)
            .iter()
            .map(|obligation| match obligation.from {
                From::Initial => obligation.formula.to_string(),
                From::Reachable => format!("R: {}", obligation.formula),
            })
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn conjunctions_come_apart() {
        check("a & F b & c U d", &["a", "F b", "c U d"]);
        check("!(a | !F b | (c -> d))", &["!a", "F b", "c", "!d"]);
        check("a -> b", &["a -> b"]);
    }

    #[test]
    fn always_is_asked_of_reachable_states() {
        check("G (a & (b -> F c)) & G F d", &["R: a", "R: b -> F c", "R: F d"]);
        check("G G !F a", &["R: !a"]);
        check("!F (a & X b)", &["R: !(a & X b)"]);
    }

    #[test]
    fn what_looks_back_starts_at_the_beginning() {
        check("G (a -> O b) & O a", &["G (a -> O b)", "O a"]);
        check("G (a & Y b)", &["R: a", "G Y b"]);
        check("G G (a -> Y b)", &["G G (a -> Y b)"]);
        check("G (a & G (b & O c))", &["R: a", "G G (b & O c)"]);
    }
}
