//! Formulas without constants that can be seen to be superfluous.
//!
//! Only laws that hold at every state of every system are used, deadlocks and fairness included: `EF true` is not `true` where
//! no fair path begins, so it stays.

use crate::{Formula, FormulaKind, PathOperator, PathQuantifier};

/// The formula with constants folded.
pub fn fold_constants(formula: &Formula) -> Formula {
    let kind = match &formula.kind {
        FormulaKind::Not(f) => not(fold_constants(f)),
        FormulaKind::And(parts) => chain(parts, true),
        FormulaKind::Or(parts) => chain(parts, false),
        FormulaKind::Implies(f, g) => match (fold_constants(f), fold_constants(g)) {
            (f, _) if f.kind == FormulaKind::False => FormulaKind::True,
            (_, g) if g.kind == FormulaKind::True => FormulaKind::True,
            (f, g) if f.kind == FormulaKind::True => g.kind,
            (f, g) if g.kind == FormulaKind::False => not(f),
            (f, g) => FormulaKind::Implies(Box::new(f), Box::new(g)),
        },
        FormulaKind::Iff(f, g) => match (fold_constants(f), fold_constants(g)) {
            (f, g) | (g, f) if f.kind == FormulaKind::True => g.kind,
            (f, g) | (g, f) if f.kind == FormulaKind::False => not(g),
            (f, g) => FormulaKind::Iff(Box::new(f), Box::new(g)),
        },
        FormulaKind::Path(quantifier, operator) => path(*quantifier, operator),
        FormulaKind::Modal(quantifier, regular, f) => match (quantifier, fold_constants(f)) {
            (PathQuantifier::All, f) if f.kind == FormulaKind::True => FormulaKind::True,
            (PathQuantifier::Some, f) if f.kind == FormulaKind::False => FormulaKind::False,
            (quantifier, f) => FormulaKind::Modal(*quantifier, regular.clone(), Box::new(f)),
        },
        FormulaKind::Fixpoint(sign, name, f) => {
            let f = fold_constants(f);
            let is_variable =
                |part: &Formula| matches!(&part.kind, FormulaKind::Variable(own) if own == name);
            let is_used = f.preorder().any(is_variable);
            match is_used {
                true => FormulaKind::Fixpoint(*sign, name.clone(), Box::new(f)),
                false => f.kind,
            }
        }
        other => other.clone(),
    };
    Formula { kind, span: formula.span }
}

fn not(formula: Formula) -> FormulaKind {
    match formula.kind {
        FormulaKind::True => FormulaKind::False,
        FormulaKind::False => FormulaKind::True,
        _ => FormulaKind::Not(Box::new(formula)),
    }
}

fn chain(parts: &[Formula], conjunction: bool) -> FormulaKind {
    let (neutral, absorbing) = if conjunction {
        (FormulaKind::True, FormulaKind::False)
    } else {
        (FormulaKind::False, FormulaKind::True)
    };
    let mut kept: Vec<Formula> = parts.iter().map(fold_constants).collect();
    if kept.iter().any(|part| part.kind == absorbing) {
        return absorbing;
    }
    kept.retain(|part| part.kind != neutral);
    match kept.len() {
        0 => neutral,
        1 => kept.remove(0).kind,
        _ if conjunction => FormulaKind::And(kept),
        _ => FormulaKind::Or(kept),
    }
}

fn path(quantifier: PathQuantifier, operator: &PathOperator) -> FormulaKind {
    use PathOperator::{Finally, Globally, Next, Release, Until, WeakUntil};
    let fold = |f: &Formula| Box::new(fold_constants(f));
    let operator = match operator {
        Next(f) => Next(fold(f)),
        Finally(f) => Finally(fold(f)),
        Globally(f) => Globally(fold(f)),
        Until(f, g) => Until(fold(f), fold(g)),
        WeakUntil(f, g) => WeakUntil(fold(f), fold(g)),
        Release(f, g) => Release(fold(f), fold(g)),
    };
    let decisive = match &operator {
        Next(f) | Finally(f) | Globally(f) => f,
        Until(_, g) | WeakUntil(_, g) | Release(_, g) => g,
    };
    // The last operand alone can decide: with `true` there, every path satisfies the operator, whether there is a path or
    // not; with `false` none does, but for weak until, which can do without its second operand.
    match (quantifier, &decisive.kind) {
        (PathQuantifier::All, FormulaKind::True) => FormulaKind::True,
        (PathQuantifier::Some, FormulaKind::False) if !matches!(operator, WeakUntil(..)) => {
            FormulaKind::False
        }
        _ => FormulaKind::Path(quantifier, operator),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use tertium_support::Source;

    #[test]
    fn constants_go_where_no_system_can_tell_the_difference() {
        let fold = |text: &str| fold_constants(&parse(&Source::new("test", text)).unwrap()).to_string();
        assert_eq!(fold("AG (red || false)"), "AG red");
        assert_eq!(fold("AG (p => AF true) && q"), "q");
        assert_eq!(fold("AG (p => false)"), "AG !p");
        assert_eq!(fold("(true <=> p) || !(false <=> q)"), "p || !!q");
        assert_eq!(fold("E[p U false] || A[p W true]"), "true");
        assert_eq!(fold("nu X. [a](<b>false || [c*]X || false) && <d>true"), "nu X. [a][c*]X && <d>true");
        assert_eq!(fold("mu X. p || (<a>X && false)"), "p");
        for kept in ["EF true", "AG false", "AF false", "EG true", "A[p U false]", "E[p W false]"] {
            assert_eq!(fold(kept), kept);
        }
    }
}
