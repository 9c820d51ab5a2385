//! Values that show every combination of truth values, found without a solver.
//!
//! Comparisons of one integer with numbers cut the integers into intervals on which none of them changes. The bounds
//! with their neighbours meet all intervals, zero the only one if there are no bounds. Cost: one evaluation for each of
//! these.

use std::collections::BTreeSet;
use tertium_expr::{BigInt, Sort, Term, TermKind, Terms, Value, Variable};

/// Values of a variable that meet all combinations of truth values that these terms can have, the smallest first; the
/// terms mention no other variable. Nothing if they are no combinations of comparisons with numbers.
pub(crate) fn values_of_all_intervals(terms: &Terms, variable: Variable, of: &[Term]) -> Option<Vec<Value>> {
    match terms.sort_of(variable) {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::Enumeration(of) => {
            Some((0..of.values.len()).map(|index| Value::Constant { of: of.clone(), index }).collect())
        }
        Sort::Int => {
            let x = terms.variable(variable);
            let mut numbers = BTreeSet::from([BigInt::from(0)]);
            for &term in of {
                if terms.sort(term) != Sort::Bool {
                    return None;
                }
                for atom in terms.atoms_of(term) {
                    match terms.kind(atom) {
                        TermKind::AtMost(form, bound) | TermKind::Exactly(form, bound) if form == x => {
                            numbers.extend([&bound - 1, &bound + 1]);
                            numbers.insert(bound);
                        }
                        _ => return None,
                    }
                }
            }
            let mut numbers: Vec<BigInt> = numbers.into_iter().collect();
            numbers.sort_by_key(|number| (number.magnitude().clone(), number.clone()));
            Some(numbers.into_iter().map(Value::Int).collect())
        }
        Sort::Bits(_) | Sort::Array(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::values_of_all_intervals;
    use std::collections::BTreeSet;
    use tertium_expr::{Sort, Terms, Value, evaluate};

    #[test]
    fn the_values_meet_all_intervals() {
        let terms = Terms::new();
        let x = terms.declare("x", &Sort::Int);
        let number = terms.variable(x);
        let parts = [
            terms.less(number, terms.integer(7)),
            terms.equal(terms.scaled(2, number), terms.integer(-8)),
            terms.not(terms.at_most(terms.integer(3), number)),
        ];
        let at = |value: &Value| parts.map(|part| evaluate(&terms, part, &|_| Some(value.clone())));
        let found: Vec<_> =
            values_of_all_intervals(&terms, x, &parts).expect("comparisons").iter().map(at).collect();
        let distinct = |rows: &[[_; 3]]| rows.iter().map(|row| format!("{row:?}")).collect::<BTreeSet<_>>();
        let all: Vec<_> = (-50..50).map(|n| at(&Value::int(n))).collect();
        assert_eq!(distinct(&found), distinct(&all));
        let odd = terms.equal(terms.modulo(number, 2), terms.integer(1));
        assert_eq!(values_of_all_intervals(&terms, x, &[odd]), None);
    }
}
