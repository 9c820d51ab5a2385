//! Expressions as values, conditions as terms.

use super::Lowering;
use super::arithmetic::NoRoom;
use super::interval::Interval;
use super::options::InputOrigin;
use super::ranges::{compared, is_truth};
use super::state::State;
use super::value::{Number, Pointer, Value};
use crate::ir::{
    BinaryOperator, Expression, ExpressionKind, Integer, Rank, Type, TypeId, UnaryOperator, Undefined,
};
use tertium_expr::Term;
use tertium_program::{Domain, Input};
use tertium_support::Span;

impl Lowering<'_> {
    /// The path goes on only where this holds; all else is undefined behaviour of this kind.
    pub(super) fn demand(&mut self, state: &mut State, condition: Term, undefined: Undefined) {
        if self.icfg.terms.as_bool(condition) != Some(true) {
            self.assumed(undefined);
        }
        state.demand(&self.icfg.terms, condition);
    }

    /// A new input.
    pub(super) fn input(
        &mut self,
        state: &mut State,
        name: &str,
        domain: Domain,
        origin: InputOrigin,
    ) -> Term {
        let variable = self.icfg.terms.fresh(&format!("{name}_in"), &domain.sort());
        if origin == InputOrigin::Approximation {
            state.is_approximate = true;
        }
        self.inputs.insert(variable, origin);
        state.inputs.push(Input { variable, domain });
        self.icfg.terms.variable(variable)
    }

    /// Says that something is not followed; its value is not known.
    pub(super) fn not_followed(&self, state: &mut State, what: &str, span: Span) -> Value {
        self.approximate(state, what, span);
        Value::Unknown
    }

    /// A value as a number; any if it is not known.
    pub(super) fn number(&mut self, state: &mut State, value: Value, ty: Integer) -> Number {
        let terms = &self.icfg.terms;
        match value {
            Value::Number(number) => number,
            Value::Truth(holds) => {
                let term = terms.ite(holds, terms.integer(1), terms.integer(0));
                let interval = match terms.as_bool(holds) {
                    Some(holds) => Interval::only(i128::from(holds)),
                    None => Interval::BIT,
                };
                Number::new(term, interval, interval)
            }
            Value::Bits(bits) => self.bits_to_number(bits, ty),
            Value::Pointer(_) | Value::Unknown => {
                let all = self.interval_of(ty);
                let term = self.input(state, "unknown", self.domain_of(ty), InputOrigin::Approximation);
                Number::new(term, all, all)
            }
        }
    }

    /// A value as a pointer; any if it is not known.
    pub(super) fn pointer(&mut self, state: &mut State, value: Value) -> Pointer {
        match value {
            Value::Pointer(pointer) => pointer,
            Value::Number(number) if number.local.value() == Some(0) => self.null(),
            _ => {
                let domain = Domain::Range(0.into(), self.points_to.n_pointees().into());
                let code = self.input(state, "unknown", domain, InputOrigin::Approximation);
                let index = self.input(state, "unknown", Domain::Int, InputOrigin::Approximation);
                Pointer { code, index }
            }
        }
    }

    /// The null pointer.
    pub(super) fn null(&self) -> Pointer {
        let zero = self.icfg.terms.integer(0);
        Pointer { code: zero, index: zero }
    }

    /// Where a value is not zero.
    pub(super) fn truth(&mut self, state: &mut State, value: Value) -> Term {
        let terms = &self.icfg.terms;
        match value {
            Value::Truth(holds) => holds,
            Value::Number(number) if !number.local.has(0) => terms.boolean(true),
            Value::Number(number) => terms.not(terms.equal(number.term, terms.integer(0))),
            Value::Pointer(pointer) => terms.not(terms.equal(pointer.code, terms.integer(0))),
            Value::Bits(bits) => terms.not(terms.equal(bits, self.zero_of(&terms.sort(bits)))),
            Value::Unknown => self.input(state, "unknown", Domain::Bool, InputOrigin::Approximation),
        }
    }

    /// Where an expression is not zero.
    pub(super) fn condition(&mut self, state: &mut State, expression: &Expression) -> Term {
        match &expression.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => {
                let inner = self.condition(state, inner);
                self.icfg.terms.not(inner)
            }
            ExpressionKind::Binary(BinaryOperator::LogicalAnd, left, right) => {
                let left_holds = self.condition(state, left);
                let right =
                    self.under(state, left, left_holds, true, |this, state| this.condition(state, right));
                self.icfg.terms.and([left_holds, right])
            }
            ExpressionKind::Binary(BinaryOperator::LogicalOr, left, right) => {
                let left_holds = self.condition(state, left);
                let fails = self.icfg.terms.not(left_holds);
                let right = self.under(state, left, fails, false, |this, state| this.condition(state, right));
                self.icfg.terms.or([left_holds, right])
            }
            ExpressionKind::Binary(operator, left, right) if is_truth(*operator) => {
                self.comparison(state, *operator, left, right)
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                let holds = self.condition(state, condition);
                let fails = self.icfg.terms.not(holds);
                let then =
                    self.under(state, condition, holds, true, |this, state| this.condition(state, then));
                let otherwise = self
                    .under(state, condition, fails, false, |this, state| this.condition(state, otherwise));
                self.icfg.terms.ite(holds, then, otherwise)
            }
            _ => {
                let value = self.value(state, expression);
                self.truth(state, value)
            }
        }
    }

    /// Evaluates something where a condition holds, which is `holds` of an expression.
    fn under<T>(
        &mut self,
        state: &mut State,
        condition: &Expression,
        is_so: Term,
        holds: bool,
        evaluate: impl FnOnce(&mut Self, &mut State) -> T,
    ) -> T {
        let before = (state.local.clone(), state.flow.clone());
        state.enter(is_so);
        self.learn(state, condition, holds);
        let result = evaluate(self, state);
        state.leave();
        (state.local, state.flow) = before;
        result
    }

    /// Notes what a condition says of intervals.
    pub(super) fn learn(&self, state: &mut State, condition: &Expression, holds: bool) {
        self.plain.refine(self.layout, self.function, &mut state.local, condition, holds);
        self.known.refine(self.layout, self.function, &mut state.flow, condition, holds);
    }

    fn comparison(
        &mut self,
        state: &mut State,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
    ) -> Term {
        let (one, other) = (self.value(state, left), self.value(state, right));
        let terms = &self.icfg.terms;
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let negated = |term: Term| if operator == BinaryOperator::NotEqual { terms.not(term) } else { term };
        match (one, other) {
            (Value::Truth(one), Value::Truth(other)) if is_equality => negated(terms.equal(one, other)),
            (Value::Truth(holds), Value::Number(number)) | (Value::Number(number), Value::Truth(holds))
                if is_equality && number.local.value().is_some() =>
            {
                negated(match number.local.value() {
                    Some(1) => holds,
                    Some(0) => terms.not(holds),
                    _ => terms.boolean(false),
                })
            }
            (Value::Unknown, _) | (_, Value::Unknown) => {
                if matches!(self.unit.ty(left.ty), Type::Float(_)) {
                    let (start, end) =
                        (left.span.start.min(right.span.start), left.span.end.max(right.span.end));
                    self.approximate(state, "a comparison of floating numbers", Span::new(start, end));
                }
                self.truth(state, Value::Unknown)
            }
            // As numbers, pointers into different objects have an order, which is not known.
            (Value::Pointer(_), _) | (_, Value::Pointer(_))
                if !is_equality && matches!(self.unit.ty(left.ty), Type::Integer(_)) =>
            {
                self.approximate(state, "an order of pointers as numbers", left.span);
                self.truth(state, Value::Unknown)
            }
            (Value::Pointer(one), other) => {
                let other = self.pointer(state, other);
                self.compare_pointers(state, operator, (left, one), (right, other))
            }
            (one, Value::Pointer(other)) => {
                let one = self.pointer(state, one);
                self.compare_pointers(state, operator, (left, one), (right, other))
            }
            (one, other) => {
                let Type::Integer(ty) = *self.unit.ty(left.ty) else {
                    return self.truth(state, Value::Unknown);
                };
                if matches!(one, Value::Bits(_)) || matches!(other, Value::Bits(_)) {
                    let (one, other) = (self.as_bits(state, one, ty), self.as_bits(state, other, ty));
                    return self.compare_bits(operator, one, other, ty);
                }
                let (one, other) = (self.number(state, one, ty), self.number(state, other, ty));
                self.compare_numbers(operator, one, other)
            }
        }
    }

    fn compare_numbers(&self, operator: BinaryOperator, one: Number, other: Number) -> Term {
        let terms = &self.icfg.terms;
        // Intervals that the step itself vouches for may decide it.
        for holds in [true, false] {
            let (left, right) = compared(operator, !holds, one.local, other.local);
            if left.is_empty() || right.is_empty() {
                return terms.boolean(holds);
            }
        }
        match operator {
            BinaryOperator::Equal => terms.equal(one.term, other.term),
            BinaryOperator::NotEqual => terms.not(terms.equal(one.term, other.term)),
            BinaryOperator::Less => terms.less(one.term, other.term),
            _ => terms.at_most(one.term, other.term),
        }
    }

    /// The value of an expression. What is undefined ends the path.
    pub(super) fn value(&mut self, state: &mut State, expression: &Expression) -> Value {
        let ty = self.unit.ty(expression.ty).clone();
        match (&expression.kind, ty) {
            (ExpressionKind::Integer(0), Type::Pointer(_)) => Value::Pointer(self.null()),
            (ExpressionKind::Integer(number), Type::Integer(ty)) => Value::Number(self.constant(*number, ty)),
            (ExpressionKind::Integer(_), _) => {
                self.not_followed(state, "a pointer from a number", expression.span)
            }
            (ExpressionKind::Float(_), _) => Value::Unknown,
            (ExpressionKind::Read(place), _) => self.read(state, place),
            (ExpressionKind::AddressOf(place), _) => self.address(state, place),
            (ExpressionKind::Function(id), _) => self.address_of_function(*id),
            (ExpressionKind::Unary(UnaryOperator::Not, _), _) => {
                Value::Truth(self.condition(state, expression))
            }
            (ExpressionKind::Binary(operator, ..), _) if is_truth(*operator) => {
                Value::Truth(self.condition(state, expression))
            }
            (ExpressionKind::Unary(operator, inner), Type::Integer(ty)) => {
                let value = self.value(state, inner);
                if let Value::Bits(bits) = value {
                    return Value::Bits(self.unary_on_bits(state, *operator, bits, ty));
                }
                let number = self.number(state, value, ty);
                Value::Number(self.unary(state, *operator, number, ty))
            }
            (ExpressionKind::Binary(operator, left, right), Type::Integer(ty)) => {
                let (one, other) = (self.value(state, left), self.value(state, right));
                let Type::Integer(right_ty) = *self.unit.ty(right.ty) else { return Value::Unknown };
                if matches!(one, Value::Bits(_)) || matches!(other, Value::Bits(_)) {
                    let (one, other) = (self.as_bits(state, one, ty), self.as_bits(state, other, right_ty));
                    let found = self.binary_on_bits(state, *operator, (one, other), ty, right_ty);
                    return found.map_or(Value::Unknown, Value::Bits);
                }
                let (one, other) = (self.number(state, one, ty), self.number(state, other, right_ty));
                match self.binary(state, *operator, one, other, ty) {
                    Some(number) => Value::Number(number),
                    None => self.by_bits(state, expression, (one, other), ty, right_ty),
                }
            }
            // Floating numbers: operands are evaluated for what is undefined in them.
            (ExpressionKind::Unary(_, inner), _) => {
                self.value(state, inner);
                Value::Unknown
            }
            (ExpressionKind::Binary(_, left, right), _) => {
                self.value(state, left);
                self.value(state, right);
                Value::Unknown
            }
            (ExpressionKind::Offset(pointer, by, size), _) => {
                self.offset(state, expression, pointer, by, *size)
            }
            (ExpressionKind::Distance(left, right, size), Type::Integer(ty)) => {
                self.distance(state, expression.span, (left, right), *size, ty)
            }
            (ExpressionKind::Distance(..), _) => Value::Unknown,
            (ExpressionKind::Convert(inner), _) => {
                let value = self.value(state, inner);
                self.converted(state, value, inner.ty, expression.ty, expression.span)
            }
            (ExpressionKind::Conditional(condition, then, otherwise), _) => {
                let holds = self.condition(state, condition);
                let fails = self.icfg.terms.not(holds);
                let then = self.under(state, condition, holds, true, |this, state| this.value(state, then));
                let otherwise =
                    self.under(state, condition, fails, false, |this, state| this.value(state, otherwise));
                self.either(state, holds, then, otherwise, expression.ty)
            }
            (ExpressionKind::Unsupported(number), _) => {
                let (what, span) = match self.unit.unsupported.get(*number) {
                    Some(own) => (own.what.clone(), own.span),
                    None => ("something unsupported".to_owned(), expression.span),
                };
                self.not_followed(state, &what, span)
            }
        }
    }

    /// Integers cannot say what an operator does: the class of its operands should be bit-vectors. If there is none, only the operands
    /// become bit-vectors.
    fn by_bits(
        &mut self,
        state: &mut State,
        expression: &Expression,
        (one, other): (Number, Number),
        ty: Integer,
        right_ty: Integer,
    ) -> Value {
        let ExpressionKind::Binary(operator, ..) = expression.kind else { return Value::Unknown };
        if self.options.integers == super::IntegerModel::Mathematical {
            return self.not_followed(state, "an operation on bits", expression.span);
        }
        let class = self.classes.of(self.unit, self.layout, self.points_to, self.function, expression);
        if let Some(class) = class.filter(|class| !self.bits.contains(class)) {
            self.wanted.insert(class);
            return Value::Unknown;
        }
        let one = self.as_bits(state, Value::Number(one), ty);
        let other = self.as_bits(state, Value::Number(other), right_ty);
        let found = self.binary_on_bits(state, operator, (one, other), ty, right_ty);
        found.map_or(Value::Unknown, Value::Bits)
    }

    /// The first value where a condition holds, else the second.
    pub(super) fn either(
        &mut self,
        state: &mut State,
        holds: Term,
        one: Value,
        other: Value,
        ty: TypeId,
    ) -> Value {
        match self.icfg.terms.as_bool(holds) {
            Some(true) => return one,
            Some(false) => return other,
            None => {}
        }
        match (one, other) {
            (Value::Unknown, _) | (_, Value::Unknown) => Value::Unknown,
            (Value::Truth(one), Value::Truth(other)) => Value::Truth(self.icfg.terms.ite(holds, one, other)),
            (Value::Bits(one), other) => {
                let Type::Integer(ty) = *self.unit.ty(ty) else { return Value::Unknown };
                let other = self.as_bits(state, other, ty);
                Value::Bits(self.icfg.terms.ite(holds, one, other))
            }
            (one, Value::Bits(other)) => {
                let Type::Integer(ty) = *self.unit.ty(ty) else { return Value::Unknown };
                let one = self.as_bits(state, one, ty);
                Value::Bits(self.icfg.terms.ite(holds, one, other))
            }
            (Value::Pointer(one), other) => {
                let other = self.pointer(state, other);
                Value::Pointer(self.either_pointer(holds, one, other))
            }
            (one, Value::Pointer(other)) => {
                let one = self.pointer(state, one);
                Value::Pointer(self.either_pointer(holds, one, other))
            }
            (one, other) => {
                let Type::Integer(ty) = *self.unit.ty(ty) else { return Value::Unknown };
                let (one, other) = (self.number(state, one, ty), self.number(state, other, ty));
                let term = self.icfg.terms.ite(holds, one.term, other.term);
                Value::Number(Number::with(term, one, other, Interval::join))
            }
        }
    }

    pub(super) fn either_pointer(&self, holds: Term, one: Pointer, other: Pointer) -> Pointer {
        let terms = &self.icfg.terms;
        Pointer {
            code: terms.ite(holds, one.code, other.code),
            index: terms.ite(holds, one.index, other.index),
        }
    }

    /// A value of one type as one of another.
    pub(super) fn converted(
        &mut self,
        state: &mut State,
        value: Value,
        from: TypeId,
        to: TypeId,
        span: Span,
    ) -> Value {
        match (self.unit.ty(from).clone(), self.unit.ty(to).clone()) {
            (_, Type::Integer(ty)) if ty.rank == Rank::Bool => Value::Truth(self.truth(state, value)),
            (Type::Integer(from), Type::Integer(to)) => match value {
                Value::Truth(_) if !(to.signed && to.bits == 1) => value,
                Value::Unknown => value,
                Value::Pointer(_) if to.bits >= from.bits => value,
                Value::Bits(bits) => Value::Bits(self.resized(bits, to.bits, from.signed)),
                value => {
                    let number = self.number(state, value, from);
                    Value::Number(self.fit(state, number, to, NoRoom::Wraps))
                }
            },
            (Type::Pointer(_), Type::Pointer(_)) => value,
            (Type::Integer(_), Type::Pointer(_)) => match value {
                Value::Number(number) if number.local.value() == Some(0) => Value::Pointer(self.null()),
                Value::Pointer(_) => value,
                _ => self.not_followed(state, "a pointer from a number", span),
            },
            // A number that was a pointer is known as one until it is stored or counted with.
            (Type::Pointer(_), Type::Integer(ty))
                if u64::from(ty.bits) >= 8 * self.unit.data_model.word() =>
            {
                value
            }
            (Type::Pointer(_), Type::Integer(_)) => self.not_followed(state, "a number from a pointer", span),
            (Type::Float(_), Type::Integer(_)) => {
                self.assumed(Undefined::FloatConversion);
                self.not_followed(state, "a number from a floating number", span)
            }
            _ => Value::Unknown,
        }
    }

    /// A value of a type that is read from or written to memory as one of another type of the same size.
    pub(super) fn seen_as(&mut self, state: &mut State, value: Value, from: TypeId, to: TypeId) -> Value {
        if from == to {
            return value;
        }
        match (self.unit.ty(from), self.unit.ty(to)) {
            (Type::Integer(_), Type::Integer(ty)) if ty.rank != Rank::Bool => {
                self.converted(state, value, from, to, Span::default())
            }
            (Type::Pointer(_), Type::Pointer(_)) => value,
            _ => Value::Unknown,
        }
    }
}
