//! Terms in the language of SMT-LIB 2.6.
//!
//! Parts that stand in a term several times get a name by `let`, so that the text is linear in the parts. Values of enumerations are
//! their numbers.

use rustc_hash::FxHashMap;
use std::fmt::Write;
use tertium_expr::{BigInt, BitOperation, Sort, Term, TermKind, Terms, Variable};

/// A name as SMT-LIB wants it.
pub(crate) fn symbol(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let is_simple = name.chars().all(is_plain) && !name.starts_with(|c: char| c.is_ascii_digit() || c == '@');
    if is_simple && !name.is_empty() {
        return name.to_owned();
    }
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

/// The name of a variable. Globals and inputs are marked, so that none is called like an operation.
pub(crate) fn name(terms: &Terms, variable: Variable) -> String {
    let name = terms.name(variable);
    if name.contains([':', '@', '\'']) { symbol(&name) } else { symbol(&format!("${name}")) }
}

/// A sort.
pub(crate) fn sort(of: &Sort) -> String {
    match of {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int | Sort::Enumeration(_) => "Int".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array(index, element) => format!("(Array {} {})", sort(index), sort(element)),
    }
}

/// A term, with names for parts that stand in it several times.
pub(crate) fn term(terms: &Terms, root: Term) -> String {
    let order = parts(terms, root);
    let mut uses: FxHashMap<Term, usize> = FxHashMap::default();
    for &part in &order {
        if !matches!(terms.kind(part), TermKind::ForAll(..)) {
            terms.kind(part).operands().into_iter().for_each(|inner| *uses.entry(inner).or_default() += 1);
        }
    }
    let mut texts: FxHashMap<Term, String> = FxHashMap::default();
    let mut definitions = Vec::new();
    for &part in &order {
        let text = written(terms, part, &|inner| texts[&inner].clone());
        let is_named = part != root && text.len() > LONG && uses.get(&part).is_some_and(|&uses| uses > 1);
        if is_named {
            let name = format!("?{}", definitions.len());
            definitions.push((name.clone(), text));
            texts.insert(part, name);
        } else {
            texts.insert(part, text);
        }
    }
    let mut text = String::new();
    for (name, definition) in &definitions {
        let _ = write!(text, "(let (({name} {definition})) ");
    }
    text.push_str(&texts[&root]);
    text.extend(std::iter::repeat_n(')', definitions.len()));
    text
}

/// Shorter texts are repeated.
const LONG: usize = 24;

/// The parts of a term, each once, what it consists of first. Below quantifiers nothing is shared with the outside.
fn parts(terms: &Terms, root: Term) -> Vec<Term> {
    let mut order = Vec::new();
    let mut seen: FxHashMap<Term, bool> = FxHashMap::default();
    let mut open = vec![root];
    while let Some(&last) = open.last() {
        match seen.get(&last) {
            Some(true) => {
                open.pop();
            }
            Some(false) => {
                seen.insert(last, true);
                order.push(last);
                open.pop();
            }
            None => {
                seen.insert(last, false);
                if !matches!(terms.kind(last), TermKind::ForAll(..)) {
                    open.extend(terms.kind(last).operands());
                }
            }
        }
    }
    order
}

fn number(value: &BigInt) -> String {
    let text = value.to_string();
    text.strip_prefix('-').map_or_else(|| text.clone(), |digits| format!("(- {digits})"))
}

fn written(terms: &Terms, part: Term, text: &dyn Fn(Term) -> String) -> String {
    let list = |operator: &str, operands: &[Term]| {
        let operands: Vec<String> = operands.iter().map(|&operand| text(operand)).collect();
        format!("({operator} {})", operands.join(" "))
    };
    match terms.kind(part) {
        TermKind::Bool(value) => value.to_string(),
        TermKind::Int(value) => number(&value),
        TermKind::Bits(width, value) => format!("(_ bv{value} {width})"),
        TermKind::Constant(_, index) => index.to_string(),
        TermKind::Variable(variable) => name(terms, variable),
        TermKind::Not(inner) => list("not", &[inner]),
        TermKind::And(parts) => list("and", &parts),
        TermKind::Or(parts) => list("or", &parts),
        TermKind::If(condition, then, otherwise) => list("ite", &[condition, then, otherwise]),
        TermKind::Equal(left, right) => list("=", &[left, right]),
        TermKind::AtMost(form, bound) => format!("(<= {} {})", text(form), number(&bound)),
        TermKind::Exactly(form, value) => format!("(= {} {})", text(form), number(&value)),
        TermKind::Sum(constant, summands) => {
            let one = BigInt::from(1);
            let scaled = summands.iter().map(|(factor, summand)| match *factor == one {
                true => text(*summand),
                false => format!("(* {} {})", number(factor), text(*summand)),
            });
            let constant = (constant != BigInt::from(0)).then(|| number(&constant));
            let all: Vec<String> = scaled.chain(constant).collect();
            if all.len() == 1 { all[0].clone() } else { format!("(+ {})", all.join(" ")) }
        }
        TermKind::Product(factors) => list("*", &factors),
        TermKind::Divide(inner, divisor) => format!("(div {} {})", text(inner), number(&divisor)),
        TermKind::Modulo(inner, divisor) => format!("(mod {} {})", text(inner), number(&divisor)),
        TermKind::Bitwise(operation, operands) => list(&operator(operation), &operands),
        TermKind::Select(array, index) => list("select", &[array, index]),
        TermKind::Store(array, index, element) => list("store", &[array, index, element]),
        TermKind::Everywhere(_, element) => {
            format!("((as const {}) {})", sort(&terms.sort(part)), text(element))
        }
        TermKind::ForAll(variables, body) => {
            let bound = variables.iter();
            let bound = bound.map(|&own| format!("({} {})", name(terms, own), sort(&terms.sort_of(own))));
            format!("(forall ({}) {})", bound.collect::<Vec<_>>().join(" "), term(terms, body))
        }
    }
}

fn operator(operation: BitOperation) -> String {
    use BitOperation::*;
    let name = match operation {
        Add => "bvadd",
        Subtract => "bvsub",
        Multiply => "bvmul",
        DivideUnsigned => "bvudiv",
        RemainderUnsigned => "bvurem",
        DivideSigned => "bvsdiv",
        RemainderSigned => "bvsrem",
        Not => "bvnot",
        And => "bvand",
        Or => "bvor",
        Xor => "bvxor",
        ShiftLeft => "bvshl",
        ShiftRight => "bvlshr",
        ShiftRightSigned => "bvashr",
        Concatenate => "concat",
        LessUnsigned => "bvult",
        AtMostUnsigned => "bvule",
        LessSigned => "bvslt",
        AtMostSigned => "bvsle",
        Extract(high, low) => return format!("(_ extract {high} {low})"),
        ExtendZeros(more) => return format!("(_ zero_extend {more})"),
        ExtendSign(more) => return format!("(_ sign_extend {more})"),
    };
    name.to_owned()
}
