//! Text to terms: the expressions of all our own languages.
//!
//! In two steps, so that the languages around can read expressions before all names are declared: [`Expression`] is the
//! tree as written, with places; [`Expression::lower`] finds the names and checks the sorts. Loosest first, the
//! operators are `c ? a : b`, `forall x: int. e`, `forall i in 1..n: e` and `exists`; `<->`; `->` (to the right);
//! `||`; `&&`; `= != < <= > >=` and `in`; `+ -`; `* / mod`; `!` and `-`; `a[i]`.
//!
//! ```text
//! primary   ::= number | width 'd number | true | false | name | name "(" expression, … ")" | "(" expression ")"
//!             | process "[" expression "]" "." name
//! each      ::= ("forall" | "exists") (name, … "in" low..high | condition), … ":" expression
//! members   ::= x in low..high | x in { e, … }
//! functions ::= min max abs odd even   store(a, i, e)  everywhere(sort, e)
//!             | bvadd … as in SMT-LIB, extract(high, low, e), zero_extend(n, e), …
//! sort      ::= int | bool | bits(n) | array(sort, sort) | the name of an enumeration
//! ```

mod lower;
mod read;
mod token;

pub use read::{
    Expression, ExpressionKind, Indices, Infix, Members, read, read_comparison, read_each, read_guard,
    read_operand,
};
pub use token::name_length;

use crate::{Sort, Term, Terms, Value};
use num_bigint::BigInt;
use tertium_support::{Diagnostic, Diagnostics, Source, Span};

/// A read in one of several processes, by an index that is no constant.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The number of the process.
    pub index: Term,
    /// The numbers that there are, ascending.
    pub numbers: Vec<BigInt>,
    /// The case distinction between them.
    pub value: Term,
    /// How long that is as text, about.
    pub length: usize,
}

/// What names mean.
pub trait Scope {
    /// The variable or constant of this name.
    fn term(&self, name: &str) -> Option<Term>;
    /// The enumeration of this name.
    fn sort(&self, name: &str) -> Option<Sort>;
    /// All names of terms, for suggestions.
    fn names(&self) -> Vec<String>;
    /// What a name means in each process that has an index, by the index, ascending.
    fn copies(&self, process: &str, name: &str) -> Vec<(BigInt, Term)> {
        let _ = (process, name);
        Vec::new()
    }
    /// The value of a read in a process that is not there, given what is read in the first that is.
    fn elsewhere(&self, terms: &Terms, first: Term) -> Term {
        terms.value(&Value::default_of(&terms.sort(first)))
    }
    /// How long a term is as text, about.
    fn length(&self, terms: &Terms, term: Term) -> usize {
        terms.length_of(term, &|_| 1)
    }
    /// What such a read becomes.
    fn chosen(&self, terms: &Terms, chosen: Chosen) -> Term {
        let _ = terms;
        chosen.value
    }
    /// Notes that a quantifier over indices is written out for one more combination of them, at this cost. Whether that is not too
    /// much.
    fn expands(&self, cost: usize) -> bool {
        let _ = cost;
        true
    }
}

/// Reads a whole text as one expression.
pub fn parse(terms: &Terms, scope: &dyn Scope, source: &Source) -> Result<Term, Diagnostics> {
    let (expression, end) = read(source.text(), 0).map_err(|mistake| vec![*mistake])?;
    let rest = source.text()[end..].trim_start();
    if !rest.is_empty() {
        let at = source.text().len() - rest.len();
        let found = rest.split_whitespace().next().unwrap_or(rest);
        return Err(vec![Diagnostic::error(
            Span::new(at, at + found.len()),
            format!("expected an operator or the end, found `{found}`"),
        )]);
    }
    expression.lower(terms, scope)
}
