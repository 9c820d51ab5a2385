//! Parts of terms replaced by a rule.

use crate::{Term, TermKind, Terms};
use rustc_hash::FxHashMap;

impl Terms {
    /// The term with each part replaced by what a rule gives for it, the innermost first: the rule sees parts whose own parts are replaced
    /// already. What is below quantifiers stays. Costs one call of the rule for each part.
    pub fn rewritten(&self, term: Term, rule: &mut dyn FnMut(Term) -> Option<Term>) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        let mut open = vec![term];
        while let Some(&last) = open.last() {
            if done.contains_key(&last) {
                open.pop();
                continue;
            }
            let kind = self.kind(last);
            let operands = if matches!(kind, TermKind::ForAll(..)) { Vec::new() } else { kind.operands() };
            let before = open.len();
            open.extend(operands.iter().filter(|operand| !done.contains_key(operand)));
            if open.len() > before {
                continue;
            }
            let replaced: Vec<Term> = operands.iter().map(|operand| done[operand]).collect();
            let rebuilt = if replaced == operands { last } else { self.rebuild(&kind, &replaced) };
            done.insert(last, rule(rebuilt).unwrap_or(rebuilt));
            open.pop();
        }
        done[&term]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    #[test]
    fn parts_are_replaced_from_the_inside() {
        let terms = Terms::new();
        let variable = |name| terms.variable(terms.declare(name, &Sort::Int));
        let (x, y) = (variable("x"), variable("y"));
        let low = terms.at_most(x, terms.integer(0));
        let choice = terms.ite(low, terms.sum([x, terms.integer(8)]), x);
        let whole = terms.equal(terms.modulo(terms.sum([choice, y]), 8), terms.integer(3));
        let mut seen = 0;
        let rewritten = terms.rewritten(whole, &mut |part| {
            seen += 1;
            (part == choice).then_some(x)
        });
        let expected = terms.equal(terms.modulo(terms.sum([x, y]), 8), terms.integer(3));
        assert_eq!(rewritten, expected);
        assert!(seen < 12);
        assert_eq!(terms.rewritten(whole, &mut |_| None), whole);
    }
}
