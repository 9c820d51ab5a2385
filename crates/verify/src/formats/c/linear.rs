//! Formulas of linear time about programs in C, as formulas of branching time that say the same.
//!
//! That is so for the deterministic ones \[Mai00\]: at each place it is known from the state alone which part of the formula counts. A
//! run that is blocked refutes one where its states do, whatever came after them.

use tertium_logic::{Formula, FormulaKind, Ltl, LtlBinary, LtlKind, LtlUnary, PathOperator, PathQuantifier};

/// The word before formulas of linear time.
pub(super) const LINEAR: &str = "LTLSPEC";

/// What is said about others.
pub(super) const NOT_DETERMINISTIC: &str =
    "formulas of linear time are answered for programs in C if one of branching time says the same";

/// The operators as property files write them, in the usual notation. Texts in quotation marks stay as they are, and so do places.
pub(super) fn in_letters(text: &str) -> String {
    let words = [("<==>", " <-> "), ("==>", " -> "), ("[]", " G "), ("<>", " F "), ("AP(", "(")];
    let mut found = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if next == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            found.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let inside_name = found.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let fits = |word: &str| rest.starts_with(word) && !(inside_name && word == "AP(");
        match words.iter().find(|(word, _)| fits(word)) {
            Some((word, letters)) => {
                found.push_str(letters);
                rest = &rest[word.len()..];
            }
            None => {
                found.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    found
}

/// The formula of branching time that says the same; nothing if the formula is not deterministic.
pub(super) fn branching(formula: &Ltl) -> Option<Formula> {
    translate(formula, true)
}

/// What a formula, or its negation, says of all paths.
fn translate(formula: &Ltl, positive: bool) -> Option<Formula> {
    if let Some(state) = of_state(formula) {
        return Some(if positive { state } else { state.negated() });
    }
    let on_all = |operator: PathOperator| {
        Some(Formula { kind: FormulaKind::Path(PathQuantifier::All, operator), span: formula.span })
    };
    match &formula.kind {
        LtlKind::Unary(operator, inner) => match (operator, positive) {
            (LtlUnary::Not, _) => translate(inner, !positive),
            (LtlUnary::Next, _) => on_all(PathOperator::Next(Box::new(translate(inner, positive)?))),
            (LtlUnary::Globally, true) | (LtlUnary::Finally, false) => {
                on_all(PathOperator::Globally(Box::new(translate(inner, positive)?)))
            }
            (LtlUnary::Finally, true) | (LtlUnary::Globally, false) => {
                let inner = eventual(inner, positive)?;
                on_all(PathOperator::Finally(Box::new(inner)))
            }
            _ => None,
        },
        LtlKind::Binary(operator, left, right) => match (operator, positive) {
            (LtlBinary::And, true) | (LtlBinary::Or, false) => {
                Some(Formula::all(vec![translate(left, positive)?, translate(right, positive)?]))
            }
            (LtlBinary::Implies, false) => {
                Some(Formula::all(vec![translate(left, true)?, translate(right, false)?]))
            }
            (LtlBinary::Or, true) | (LtlBinary::And, false) => {
                either(formula, (left, positive), (right, positive))
            }
            (LtlBinary::Implies, true) => either(formula, (left, false), (right, true)),
            // `f U g` with `g` of the state: before `g` holds for the first time, only `f` counts.
            (LtlBinary::Until, true) | (LtlBinary::Releases, false) => {
                let goal = signed(of_state(right)?, positive);
                let before = translate(left, positive)?;
                on_all(PathOperator::Until(Box::new(before), Box::new(goal)))
            }
            (LtlBinary::Releases, true) | (LtlBinary::Until, false) => {
                let end = signed(of_state(left)?, positive);
                let kept = translate(right, positive)?;
                on_all(PathOperator::Release(Box::new(end), Box::new(kept)))
            }
            _ => None,
        },
        LtlKind::True | LtlKind::False | LtlKind::Proposition(_) => None,
    }
}

/// One of two: it is known from the state which, or both are to hold some time.
fn either(whole: &Ltl, left: (&Ltl, bool), right: (&Ltl, bool)) -> Option<Formula> {
    for (state, other) in [(left, right), (right, left)] {
        if let Some(found) = of_state(state.0) {
            return Some(Formula::any(vec![signed(found, state.1), translate(other.0, other.1)?]));
        }
    }
    let goals = vec![reached(left.0, left.1)?, reached(right.0, right.1)?];
    let operator = PathOperator::Finally(Box::new(Formula::any(goals)));
    Some(Formula { kind: FormulaKind::Path(PathQuantifier::All, operator), span: whole.span })
}

/// What is to hold some time where this formula, or its negation, says that something is; nothing if it says something else.
fn reached(formula: &Ltl, positive: bool) -> Option<Formula> {
    match (&formula.kind, positive) {
        (LtlKind::Unary(LtlUnary::Not, inner), _) => reached(inner, !positive),
        (LtlKind::Unary(LtlUnary::Finally, inner), true)
        | (LtlKind::Unary(LtlUnary::Globally, inner), false) => eventual(inner, positive),
        (LtlKind::Binary(LtlBinary::Or, left, right), true)
        | (LtlKind::Binary(LtlBinary::And, left, right), false) => {
            Some(Formula::any(vec![reached(left, positive)?, reached(right, positive)?]))
        }
        (LtlKind::Binary(LtlBinary::Implies, left, right), true) => {
            Some(Formula::any(vec![reached(left, false)?, reached(right, true)?]))
        }
        _ => None,
    }
}

/// The state that is to be reached where this is to hold some time.
fn eventual(formula: &Ltl, positive: bool) -> Option<Formula> {
    match of_state(formula) {
        Some(state) => Some(signed(state, positive)),
        None => reached(formula, positive),
    }
}

fn signed(formula: Formula, positive: bool) -> Formula {
    if positive { formula } else { formula.negated() }
}

/// A formula that speaks of the state alone.
fn of_state(formula: &Ltl) -> Option<Formula> {
    let kind = match &formula.kind {
        LtlKind::True => FormulaKind::True,
        LtlKind::False => FormulaKind::False,
        LtlKind::Proposition(name) => FormulaKind::Proposition(name.clone()),
        LtlKind::Unary(LtlUnary::Not, inner) => FormulaKind::Not(Box::new(of_state(inner)?)),
        LtlKind::Binary(operator, left, right) => {
            let (left, right) = (of_state(left)?, of_state(right)?);
            match operator {
                LtlBinary::And => FormulaKind::And(vec![left, right]),
                LtlBinary::Or => FormulaKind::Or(vec![left, right]),
                LtlBinary::Xor => {
                    FormulaKind::Not(Box::new(FormulaKind::Iff(Box::new(left), Box::new(right)).into()))
                }
                LtlBinary::Implies => FormulaKind::Implies(Box::new(left), Box::new(right)),
                LtlBinary::Iff => FormulaKind::Iff(Box::new(left), Box::new(right)),
                _ => return None,
            }
        }
        LtlKind::Unary(..) => return None,
    };
    Some(Formula { kind, span: formula.span })
}
