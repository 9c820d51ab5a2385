//! Sorted terms over Booleans, mathematical integers, bit-vectors, arrays and enumerations.
//!
//! A [`Term`] is an id in a [`Terms`] store, which keeps every term once: equal terms have equal ids, and comparing, hashing and
//! copying terms costs nothing. The constructors bring terms to a normal form on the way: constants are computed, sums are linear
//! combinations in a fixed order, and every comparison of integers is `p <= k` or `p = k` or the negation of one, where p has no
//! constant part, coprime coefficients and a positive first one. So `x < 5`, `!(x >= 5)` and `2*x <= 9` are one term, which is what keeps
//! sets of predicates small.
//!
//! | file | holds |
//! |---|---|
//! | `sort`, `value`, `term` | sorts, values, and the kinds of terms |
//! | `store` | the store, variables |
//! | `boolean`, `arithmetic`, `bits`, `array` | the constructors, by sort |
//! | `evaluate`, `substitute`, `rewrite`, `eliminate`, `transplant`, `walk` | what is done with terms |
//! | `print`, `parse` | text; what is printed parses back to the same term |

mod arithmetic;
mod array;
mod bits;
mod boolean;
mod eliminate;
mod evaluate;
mod parse;
mod print;
mod rewrite;
mod sort;
mod store;
mod substitute;
mod term;
mod transplant;
mod value;
mod walk;

pub use evaluate::{EvaluationError, evaluate};
pub use num_bigint::BigInt;
pub use parse::{
    Chosen, Expression, ExpressionKind, Indices, Infix, Members, Scope, name_length, parse, read,
    read_comparison, read_each, read_guard, read_operand,
};
pub use print::Printed;
pub use sort::{Enumeration, Sort};
pub use store::Terms;
pub use substitute::Substitution;
pub use term::{BitOperation, Term, TermKind, Variable};
pub use transplant::Transplant;
pub use value::Value;
