//! Names and sorts: the tree of an expression to a term.

use super::{Chosen, Expression, ExpressionKind, Indices, Infix, Members, Scope};
use crate::{BitOperation, Sort, Term, Terms};
use num_bigint::BigInt;
use num_traits::Zero;
use std::sync::Arc;
use tertium_support::{Diagnostic, Diagnostics, Span, nearest_names};

impl Expression {
    /// The term, or everything that is wrong with names and sorts.
    pub fn lower(&self, terms: &Terms, scope: &dyn Scope) -> Result<Term, Diagnostics> {
        let mut lowering = Lowering { terms, scope, bound: Vec::new(), mistakes: Vec::new() };
        match lowering.term(self) {
            Some(term) if lowering.mistakes.is_empty() => Ok(term),
            _ => Err(lowering.mistakes),
        }
    }

    /// The term, which has to be of this sort.
    pub fn lower_to(&self, terms: &Terms, scope: &dyn Scope, sort: &Sort) -> Result<Term, Diagnostics> {
        let term = self.lower(terms, scope)?;
        match terms.sort(term) {
            found if found == *sort => Ok(term),
            found => Err(vec![wrong_sort(self.span, sort, &found)]),
        }
    }

    /// The sort that an expression names.
    pub fn lower_sort(&self, scope: &dyn Scope) -> Result<Sort, Box<Diagnostic>> {
        let number = |expression: &Expression| match &expression.kind {
            ExpressionKind::Number(digits) => digits.parse::<u32>().ok(),
            _ => None,
        };
        match &self.kind {
            ExpressionKind::Name(name) if name == "int" => Ok(Sort::Int),
            ExpressionKind::Name(name) if name == "bool" => Ok(Sort::Bool),
            ExpressionKind::Name(name) => scope.sort(name).ok_or_else(|| {
                let mistake = Diagnostic::error(self.span, format!("there is no sort `{name}`"));
                Box::new(
                    mistake.with_note("sorts are int, bool, bits(n), array(index, element) and enumerations"),
                )
            }),
            ExpressionKind::Call(name, operands) => match (name.as_str(), &operands[..]) {
                ("bits", [width]) => match number(width).filter(|width| (1..=128).contains(width)) {
                    Some(width) => Ok(Sort::Bits(width)),
                    None => Err(Box::new(Diagnostic::error(width.span, "bit-vectors have 1 to 128 bits"))),
                },
                ("array", [index, element]) => {
                    Ok(Sort::array(index.lower_sort(scope)?, element.lower_sort(scope)?))
                }
                _ => Err(no_sort(self.span)),
            },
            _ => Err(no_sort(self.span)),
        }
    }
}

fn no_sort(span: Span) -> Box<Diagnostic> {
    let mistake = Diagnostic::error(span, "this is no sort");
    Box::new(mistake.with_note("sorts are int, bool, bits(n), array(index, element) and enumerations"))
}

fn wrong_sort(span: Span, wanted: &Sort, found: &Sort) -> Diagnostic {
    Diagnostic::error(span, format!("this is of sort {found}, but {wanted} is expected"))
}

fn too_many_instances(span: Span) -> Diagnostic {
    Diagnostic::error(
        span,
        "quantifiers and chosen processes up to here have too many instances to be written out",
    )
    .with_note("a quantifier stands for what it says of each combination of its indices")
}

struct Lowering<'a> {
    terms: &'a Terms,
    scope: &'a dyn Scope,
    /// Quantified variables around, innermost last.
    bound: Vec<(String, Term)>,
    mistakes: Diagnostics,
}

impl Lowering<'_> {
    fn fail<T>(&mut self, mistake: Diagnostic) -> Option<T> {
        self.mistakes.push(mistake);
        None
    }

    fn of_sort(&mut self, expression: &Expression, sort: &Sort) -> Option<Term> {
        let term = self.term(expression)?;
        match self.terms.sort(term) {
            found if found == *sort => Some(term),
            found => self.fail(wrong_sort(expression.span, sort, &found)),
        }
    }

    /// Both operands, each with its own complaints.
    fn both(&mut self, left: &Expression, right: &Expression, sort: &Sort) -> Option<(Term, Term)> {
        let (left, right) = (self.of_sort(left, sort), self.of_sort(right, sort));
        left.zip(right)
    }

    fn term(&mut self, expression: &Expression) -> Option<Term> {
        match &expression.kind {
            ExpressionKind::Bool(value) => Some(self.terms.boolean(*value)),
            ExpressionKind::Number(digits) => {
                let number: BigInt = digits.parse().expect("digits are a number");
                Some(self.terms.integer(number))
            }
            ExpressionKind::Bits(width, value) => self.bits(expression.span, width, value),
            ExpressionKind::Name(name) => self.name(expression.span, name),
            ExpressionKind::Call(name, operands) => self.call(expression.span, name, operands),
            ExpressionKind::Not(inner) => {
                let inner = self.of_sort(inner, &Sort::Bool)?;
                Some(self.terms.not(inner))
            }
            ExpressionKind::Minus(inner) => {
                let inner = self.of_sort(inner, &Sort::Int)?;
                Some(self.terms.scaled(-1, inner))
            }
            ExpressionKind::Infix(infix, left, right) => self.infix(expression.span, *infix, left, right),
            ExpressionKind::In(element, members) => self.member(element, members),
            ExpressionKind::If(condition, then, otherwise) => {
                let condition = self.of_sort(condition, &Sort::Bool);
                let first = self.term(then);
                let second = first.and_then(|first| self.of_sort(otherwise, &self.terms.sort(first)));
                Some(self.terms.ite(condition?, first?, second?))
            }
            ExpressionKind::Select(array, index) => {
                let term = self.term(array)?;
                match self.terms.sort(term) {
                    Sort::Array(indices, _) => {
                        let index = self.of_sort(index, &indices)?;
                        Some(self.terms.select(term, index))
                    }
                    found => {
                        let message = format!("only arrays have elements; this is of sort {found}");
                        self.fail(Diagnostic::error(array.span, message))
                    }
                }
            }
            ExpressionKind::Member(process, index, name) => {
                self.member_of(expression.span, process, index, name)
            }
            ExpressionKind::Quantified(universal, variables, body) => {
                self.quantified(*universal, variables, body)
            }
            ExpressionKind::Each(universal, indices, body) => {
                let mut parts = Vec::new();
                let outside = self.bound.len();
                let complete = self.each(expression.span, indices, 0, *universal, body, &mut parts);
                self.bound.truncate(outside);
                complete?;
                Some(if *universal { self.terms.and(parts) } else { self.terms.or(parts) })
            }
        }
    }

    fn bits(&mut self, span: Span, width: &str, value: &str) -> Option<Term> {
        let Some(width) = width.parse::<u32>().ok().filter(|width| (1..=128).contains(width)) else {
            return self.fail(Diagnostic::error(span, "bit-vectors have 1 to 128 bits"));
        };
        match value.parse::<u128>() {
            Ok(value) if value <= crate::bits::mask(width) => Some(self.terms.bits(width, value)),
            _ => self.fail(Diagnostic::error(span, format!("this number does not fit in {width} bits"))),
        }
    }

    fn name(&mut self, span: Span, name: &str) -> Option<Term> {
        if let Some((_, term)) = self.bound.iter().rev().find(|(bound, _)| bound == name) {
            return Some(*term);
        }
        if let Some(term) = self.scope.term(name) {
            return Some(term);
        }
        let names = self.scope.names();
        let mut mistake = Diagnostic::error(span, format!("there is no variable or constant `{name}`"));
        let near = nearest_names(name, names.iter().map(String::as_str));
        if !near.is_empty() {
            mistake = mistake.with_note(format!("similar names: `{}`", near.join("`, `")));
        }
        self.fail(mistake)
    }

    fn infix(&mut self, span: Span, infix: Infix, left: &Expression, right: &Expression) -> Option<Term> {
        let terms = self.terms;
        match infix {
            Infix::Or | Infix::And => {
                let parts = self.chain(&[infix], left, infix, right, &Sort::Bool)?;
                let parts = parts.into_iter().map(|(_, part)| part);
                Some(if infix == Infix::Or { terms.or(parts) } else { terms.and(parts) })
            }
            Infix::Iff | Infix::Implies => {
                let (left, right) = self.both(left, right, &Sort::Bool)?;
                Some(if infix == Infix::Iff { terms.equal(left, right) } else { terms.implies(left, right) })
            }
            Infix::Equal | Infix::NotEqual => {
                let first = self.term(left);
                let second = self.term(right);
                let (first, second) = first.zip(second)?;
                let (wanted, found) = (terms.sort(first), terms.sort(second));
                if wanted != found {
                    let message = format!("a term of sort {wanted} is compared with one of sort {found}");
                    return self.fail(Diagnostic::error(span, message));
                }
                let equal = terms.equal(first, second);
                Some(if infix == Infix::Equal { equal } else { terms.not(equal) })
            }
            Infix::Less | Infix::AtMost | Infix::Greater | Infix::AtLeast => {
                let (left, right) = self.both(left, right, &Sort::Int)?;
                Some(match infix {
                    Infix::Less => terms.less(left, right),
                    Infix::AtMost => terms.at_most(left, right),
                    Infix::Greater => terms.less(right, left),
                    _ => terms.at_most(right, left),
                })
            }
            Infix::Plus | Infix::Minus => {
                let parts = self.chain(&[Infix::Plus, Infix::Minus], left, infix, right, &Sort::Int)?;
                let signed = parts.into_iter().map(|(sign, part)| match sign {
                    Infix::Minus => terms.scaled(-1, part),
                    _ => part,
                });
                Some(terms.sum(signed.collect::<Vec<_>>()))
            }
            Infix::Times => {
                let (left, right) = self.both(left, right, &Sort::Int)?;
                Some(terms.product(left, right))
            }
            Infix::Divide | Infix::Modulo => {
                let (left, divisor) = self.both(left, right, &Sort::Int)?;
                let constant = terms.as_value(divisor).and_then(|value| value.as_int().cloned());
                match constant {
                    None => self.fail(
                        Diagnostic::error(right.span, "the divisor has to be a constant")
                            .with_note("division by variables is not supported"),
                    ),
                    Some(divisor) if divisor.is_zero() => {
                        self.fail(Diagnostic::error(right.span, "nothing can be divided by zero"))
                    }
                    Some(divisor) if infix == Infix::Divide => Some(terms.divide(left, divisor)),
                    Some(divisor) => Some(terms.modulo(left, divisor)),
                }
            }
        }
    }

    /// The operands of `left last right` where `left` may go on with these operators, each with the operator before it. Such
    /// chains can be long: they are not walked by recursion, and their terms are made at once.
    fn chain(
        &mut self,
        operators: &[Infix],
        mut left: &Expression,
        last: Infix,
        right: &Expression,
        sort: &Sort,
    ) -> Option<Vec<(Infix, Term)>> {
        let mut operands = vec![(last, right)];
        while let ExpressionKind::Infix(infix, before, operand) = &left.kind
            && operators.contains(infix)
        {
            operands.push((*infix, operand));
            left = before;
        }
        operands.push((operators[0], left));
        // All are looked at, so that all mistakes are found.
        let parts: Vec<Option<(Infix, Term)>> = operands
            .into_iter()
            .rev()
            .map(|(infix, operand)| self.of_sort(operand, sort).map(|part| (infix, part)))
            .collect();
        parts.into_iter().collect()
    }

    fn member(&mut self, element: &Expression, members: &Members) -> Option<Term> {
        let terms = self.terms;
        match members {
            Members::Range(low, high) => {
                let element = self.of_sort(element, &Sort::Int);
                let (low, high) = self.both(low, high, &Sort::Int)?;
                let element = element?;
                Some(terms.and([terms.at_most(low, element), terms.at_most(element, high)]))
            }
            Members::Set(members) => {
                let element = self.term(element)?;
                let sort = terms.sort(element);
                let members: Vec<Option<Term>> =
                    members.iter().map(|member| self.of_sort(member, &sort)).collect();
                let members: Option<Vec<Term>> = members.into_iter().collect();
                Some(terms.or(members?.into_iter().map(|member| terms.equal(element, member))))
            }
        }
    }

    fn quantified(
        &mut self,
        universal: bool,
        variables: &[(String, Expression)],
        body: &Expression,
    ) -> Option<Term> {
        let outside = self.bound.len();
        let mut declared = Vec::new();
        for (name, sort) in variables {
            match sort.lower_sort(self.scope) {
                Ok(sort) => {
                    let variable = self.terms.declare(name, &sort);
                    declared.push(variable);
                    self.bound.push((name.clone(), self.terms.variable(variable)));
                }
                Err(mistake) => self.mistakes.push(*mistake),
            }
        }
        let body = self.of_sort(body, &Sort::Bool);
        self.bound.truncate(outside);
        let body = body?;
        Some(if universal { self.terms.for_all(declared, body) } else { self.terms.exists(declared, body) })
    }

    /// What a name means in the process with an index: a case distinction, unless the index is a constant.
    fn member_of(&mut self, span: Span, process: &str, index: &Expression, name: &str) -> Option<Term> {
        let terms = self.terms;
        let index = self.of_sort(index, &Sort::Int)?;
        if let Some(number) = terms.as_value(index) {
            return self.name(span, &format!("{process}[{number}].{name}"));
        }
        let copies = self.scope.copies(process, name);
        let Some(&(_, first)) = copies.first() else {
            return self.fail(Diagnostic::error(span, format!("no process `{process}[…]` has `{name}`")));
        };
        let sort = terms.sort(first);
        if let Some((number, other)) = copies.iter().find(|(_, other)| terms.sort(*other) != sort) {
            let message = format!(
                "`{name}` is of sort {sort} in `{process}[{}]` and of sort {} in `{process}[{number}]`",
                copies[0].0,
                terms.sort(*other)
            );
            return self.fail(
                Diagnostic::error(span, message)
                    .with_note("a process that is chosen by a variable has the same sorts as all others"),
            );
        }
        // Each number is compared with the index, of truth values twice.
        let length = copies.len().saturating_mul(2 * self.scope.length(terms, index).saturating_add(1));
        if !self.scope.expands(length) {
            return self.fail(too_many_instances(span));
        }
        let elsewhere = self.scope.elsewhere(terms, first);
        let value = copies.iter().rev().fold(elsewhere, |others, (number, own)| {
            terms.ite(terms.equal(index, terms.integer(number.clone())), *own, others)
        });
        let numbers = copies.into_iter().map(|(number, _)| number).collect();
        Some(self.scope.chosen(terms, Chosen { index, numbers, value, length }))
    }

    /// The value of an expression that has to be a constant number.
    fn number(&mut self, expression: &Expression, why: &str) -> Option<BigInt> {
        let term = self.of_sort(expression, &Sort::Int)?;
        let number = self.terms.as_value(term).and_then(|value| value.as_int().cloned());
        if number.is_none() {
            self.mistakes.push(Diagnostic::error(expression.span, why).with_note(
                "constants, indices of processes and names of quantifiers are constant; variables are not",
            ));
        }
        number
    }

    /// What a quantifier over indices says for each combination of them, from the index `at` on. Where a condition is constantly false,
    /// the rest is not looked at: names in it need not be there.
    fn each(
        &mut self,
        span: Span,
        indices: &Indices,
        at: usize,
        universal: bool,
        body: &Expression,
        parts: &mut Vec<Term>,
    ) -> Option<()> {
        let Some((name, low, high)) = indices.names.get(at) else {
            return self.instance(span, indices, universal, body, parts);
        };
        let why = "the range of an index is constant";
        let (low, high) = (self.number(low, why)?, self.number(high, why)?);
        let mut number = low;
        while number <= high {
            if !self.scope.expands(1) {
                return self.fail(too_many_instances(span));
            }
            self.bound.push((name.clone(), self.terms.integer(number.clone())));
            let complete = self.each(span, indices, at + 1, universal, body, parts);
            self.bound.pop();
            complete?;
            number += 1;
        }
        Some(())
    }

    /// What a quantifier says for the indices that are bound now.
    fn instance(
        &mut self,
        span: Span,
        indices: &Indices,
        universal: bool,
        body: &Expression,
        parts: &mut Vec<Term>,
    ) -> Option<()> {
        if !self.scope.expands(1 + body.span.range().len() / 8) {
            return self.fail(too_many_instances(span));
        }
        let mut conditions = Vec::new();
        for condition in &indices.conditions {
            let condition = self.of_sort(condition, &Sort::Bool)?;
            if condition == self.terms.boolean(false) {
                return Some(());
            }
            conditions.push(condition);
        }
        let said = self.of_sort(body, &Sort::Bool)?;
        let condition = self.terms.and(conditions);
        parts.push(match universal {
            true => self.terms.implies(condition, said),
            false => self.terms.and([condition, said]),
        });
        Some(())
    }

    fn call(&mut self, span: Span, name: &str, operands: &[Expression]) -> Option<Term> {
        let terms = self.terms;
        match (name, operands) {
            ("min" | "max", [left, right]) => {
                let (left, right) = self.both(left, right, &Sort::Int)?;
                let below = terms.at_most(left, right);
                Some(if name == "min" {
                    terms.ite(below, left, right)
                } else {
                    terms.ite(below, right, left)
                })
            }
            ("abs", [number]) => {
                let number = self.of_sort(number, &Sort::Int)?;
                let natural = terms.at_most(terms.integer(0), number);
                Some(terms.ite(natural, number, terms.scaled(-1, number)))
            }
            ("odd" | "even", [number]) => {
                let number = self.of_sort(number, &Sort::Int)?;
                let remainder = i32::from(name == "odd");
                Some(terms.equal(terms.modulo(number, 2), terms.integer(remainder)))
            }
            ("store", [array, index, element]) => {
                let term = self.term(array)?;
                match terms.sort(term) {
                    Sort::Array(indices, elements) => {
                        let index = self.of_sort(index, &indices);
                        let element = self.of_sort(element, &elements);
                        Some(terms.store(term, index?, element?))
                    }
                    found => {
                        let message = format!("only arrays have elements; this is of sort {found}");
                        self.fail(Diagnostic::error(array.span, message))
                    }
                }
            }
            ("everywhere", [index, element]) => {
                let index = match index.lower_sort(self.scope) {
                    Ok(sort) => sort,
                    Err(mistake) => return self.fail(*mistake),
                };
                let element = self.term(element)?;
                Some(terms.everywhere(Arc::new(index), element))
            }
            _ => self.bit_operation(span, name, operands),
        }
    }

    fn bit_operation(&mut self, span: Span, name: &str, operands: &[Expression]) -> Option<Term> {
        let number = |at: usize| match operands.get(at).map(|operand| &operand.kind) {
            Some(ExpressionKind::Number(digits)) => digits.parse::<u32>().ok(),
            _ => None,
        };
        let named =
            BitOperation::NAMED.iter().find(|(_, other)| *other == name).map(|&(operation, _)| operation);
        let (operation, numbers) = match (name, named) {
            (_, Some(operation)) => (Some(operation), 0),
            ("extract", _) => (number(0).zip(number(1)).map(|(h, l)| BitOperation::Extract(h, l)), 2),
            ("zero_extend", _) => (number(0).map(BitOperation::ExtendZeros), 1),
            ("sign_extend", _) => (number(0).map(BitOperation::ExtendSign), 1),
            _ => {
                let mistake =
                    Diagnostic::error(span, format!("there is no function `{name}` of this many operands"));
                return self.fail(mistake.with_note(
                    "functions are min, max, abs, odd, even, store, everywhere, and those of bit-vectors in SMT-LIB",
                ));
            }
        };
        let operation = operation.filter(|operation| operands.len() == numbers + operation.arity());
        let Some(operation) = operation else {
            let message = format!("`{name}` does not take these operands");
            return self.fail(Diagnostic::error(span, message));
        };
        let lowered: Vec<Option<Term>> =
            operands[numbers..].iter().map(|operand| self.term(operand)).collect();
        let lowered: Vec<Term> = lowered.into_iter().collect::<Option<_>>()?;
        let widths: Option<Vec<u32>> = lowered
            .iter()
            .map(|&operand| match self.terms.sort(operand) {
                Sort::Bits(width) => Some(width),
                _ => None,
            })
            .collect();
        match widths.and_then(|widths| operation.width(&widths)) {
            Some(_) => Some(self.terms.bitwise(operation, &lowered)),
            None => {
                let sorts: Vec<String> =
                    lowered.iter().map(|&operand| self.terms.sort(operand).to_string()).collect();
                let message = format!("`{name}` does not take operands of sort {}", sorts.join(" and "));
                self.fail(Diagnostic::error(span, message))
            }
        }
    }
}
