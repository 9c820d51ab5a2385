//! Random terms over given variables.

use tertium_expr::{Sort, Term, Terms, Variable};
use tertium_support::Rng;

/// A random integer term of about this depth over the variables of sort Int.
pub fn random_number(rng: &mut Rng, terms: &Terms, variables: &[Variable], depth: usize) -> Term {
    let numbers: Vec<Variable> =
        variables.iter().copied().filter(|&variable| terms.sort_of(variable) == Sort::Int).collect();
    if depth == 0 || rng.chance(0.2) {
        return match numbers.is_empty() || rng.chance(0.3) {
            true => terms.integer(rng.below(9) as i64 - 4),
            false => terms.variable(*rng.pick(&numbers)),
        };
    }
    let mut inner = || random_number(rng, terms, variables, depth - 1);
    let (left, right) = (inner(), inner());
    match rng.below(6) {
        0 | 1 => terms.sum([left, right]),
        2 => terms.difference(left, right),
        3 => terms.scaled(rng.below(7) as i64 - 3, left),
        4 => terms.modulo(left, rng.between(2, 4)),
        _ => terms.divide(left, rng.between(2, 3)),
    }
}

/// A random truth value of about this depth over the variables of any sort but arrays.
pub fn random_truth(rng: &mut Rng, terms: &Terms, variables: &[Variable], depth: usize) -> Term {
    if depth == 0 {
        return random_atom(rng, terms, variables);
    }
    let parts: Vec<Term> =
        (0..rng.between(1, 3)).map(|_| random_truth(rng, terms, variables, depth - 1)).collect();
    match rng.below(4) {
        0 => terms.not(parts[0]),
        1 => terms.and(parts),
        2 => terms.or(parts),
        _ => random_atom(rng, terms, variables),
    }
}

/// A random truth value without Boolean operators.
pub fn random_atom(rng: &mut Rng, terms: &Terms, variables: &[Variable]) -> Term {
    let variable = *rng.pick(variables);
    match terms.sort_of(variable) {
        Sort::Bool => terms.variable(variable),
        sort @ Sort::Enumeration(_) => {
            let Sort::Enumeration(of) = &sort else { unreachable!("it is one") };
            let index = rng.below(of.values.len());
            let value = tertium_expr::Value::Constant { of: of.clone(), index };
            terms.equal(terms.variable(variable), terms.value(&value))
        }
        _ => {
            let (left, right) =
                (random_number(rng, terms, variables, 2), random_number(rng, terms, variables, 1));
            match rng.below(3) {
                0 => terms.equal(left, right),
                1 => terms.less(left, right),
                _ => terms.at_most(left, right),
            }
        }
    }
}
