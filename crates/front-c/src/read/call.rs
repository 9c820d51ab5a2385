//! Calls.

use super::elaborate::{Elaborator, FunctionState, Outcome};
use super::expression::{Access, Operand};
use super::library::{self, Meaning};
use super::scope::Symbol;
use crate::ir::{
    Argument, Asking, Base, Builtin, Callee, End, Expression, ExpressionKind, Failure, Function, FunctionId,
    InstructionKind, Place, Rank, Type, TypeId,
};
use lang_c::ast;
use lang_c::span::Node;
use tertium_support::{Diagnostic, Id, Span};

impl Elaborator<'_> {
    /// A call; its result is of use only if it is wanted.
    pub(super) fn call(
        &mut self,
        call: &ast::CallExpression,
        span: Span,
        is_wanted: bool,
    ) -> Outcome<Operand> {
        let callee = self.callee(&call.callee)?;
        if let Callee::Function(function) = callee {
            let name = self.functions[function.index()].name.clone();
            if (!self.defined.contains(&name) || library::is_error(&name))
                && let Some(meaning) = library::meaning(&name)
            {
                return self.special(meaning, function, &name, call, span, is_wanted);
            }
        }
        let ty = match &callee {
            Callee::Function(function) => self.function_states[function.index()].ty,
            Callee::Pointer(pointer) => self.types.pointee(pointer.ty).expect("it was looked at"),
        };
        let (returns, parameters, more) = self.signature(ty).expect("only functions are called");
        let mark = self.draft.mark();
        let arguments = self.arguments(&call.arguments, &parameters, more, span)?;
        let callee = match callee {
            Callee::Pointer(pointer) => Callee::Pointer(self.protect(mark, pointer)),
            other => other,
        };
        self.result(returns, span, is_wanted, |to| InstructionKind::Call { callee, arguments, to })
    }

    /// Writes a call with a place for its result.
    fn result(
        &mut self,
        returns: TypeId,
        span: Span,
        is_wanted: bool,
        instruction: impl FnOnce(Option<Place>) -> InstructionKind,
    ) -> Outcome<Operand> {
        if self.types.is_void(returns) || !is_wanted {
            self.draft.emit(instruction(None), span);
            return Ok(Operand::Void(span));
        }
        self.needs_size(returns, span)?;
        let local = self.draft.temporary(returns, span);
        let place = self.local_place(local, span);
        self.draft.emit(instruction(Some(place.clone())), span);
        Ok(if self.types.is_composite(returns) {
            Operand::Place(place, Access { is_result: true, ..Access::default() })
        } else {
            self.read(place).into()
        })
    }

    /// Who is called. Unknown names become functions, as in old programs.
    fn callee(&mut self, callee: &Node<ast::Expression>) -> Outcome<Callee> {
        let span = self.span(callee.span);
        if let ast::Expression::Identifier(name) = &callee.node
            && self.scopes.find(&name.node.name).is_none()
        {
            self.uses_renamed(&name.node.name, span);
            return Ok(Callee::Function(self.implicit_function(&name.node.name, span)));
        }
        match self.operand(callee)? {
            Operand::Function(function, _) => Ok(Callee::Function(function)),
            operand => {
                let pointer = self.value_of(operand)?.expression;
                if let ExpressionKind::Function(function) = pointer.kind {
                    return Ok(Callee::Function(function));
                }
                let is_function = self.types.pointee(pointer.ty).is_some_and(|to| self.types.is_function(to));
                if !is_function {
                    let shown = self.types.show(pointer.ty);
                    return Err(self.error(span, format!("`{shown}` cannot be called")));
                }
                Ok(Callee::Pointer(pointer))
            }
        }
    }

    /// A function that is used without declaration.
    fn implicit_function(&mut self, name: &str, span: Span) -> FunctionId {
        let (parameters, returns, more) = match library::signature(name, &mut self.types) {
            Some(known) => known,
            None => (Vec::new(), self.types.int(), true),
        };
        if library::meaning(name).is_none() {
            self.warn(span, format!("the function `{name}` is used without declaration"));
        }
        let ty = self.types.intern(Type::Function(returns, parameters, more));
        let function = self.new_function(name, ty, span);
        self.function_states[function.index()].is_implicit = true;
        self.scopes.declare_in_file(name, Symbol::Function(function), span);
        function
    }

    /// A function that was not met before.
    pub(super) fn new_function(&mut self, name: &str, ty: TypeId, span: Span) -> FunctionId {
        let (returns, parameters, is_variadic) = self.signature(ty).expect("functions have such types");
        self.functions.push(Function {
            name: name.to_owned(),
            returns,
            n_parameters: parameters.len(),
            is_variadic,
            locals: Vec::new(),
            body: None,
            span,
        });
        self.function_states.push(FunctionState { ty, is_implicit: false });
        FunctionId::new(self.functions.len() - 1)
    }

    /// Arguments, converted to the types of parameters, in order.
    fn arguments(
        &mut self,
        given: &[Node<ast::Expression>],
        parameters: &[TypeId],
        more: bool,
        span: Span,
    ) -> Outcome<Vec<Argument>> {
        let is_open = parameters.is_empty() && more;
        if given.len() < parameters.len() || (given.len() > parameters.len() && !more) {
            let (expected, found) = (parameters.len(), given.len());
            let few = if found < expected { "few" } else { "many" };
            return Err(self.complain(
                Diagnostic::error(span, format!("too {few} arguments: {found} are given"))
                    .with_note(format!("the function takes {expected}")),
            ));
        }
        let mut read = Vec::new();
        for (number, argument) in given.iter().enumerate() {
            let operand = self.operand(argument)?;
            let argument = match operand {
                Operand::Place(place, _) if self.types.is_composite(place.ty) => {
                    if parameters.get(number).is_some_and(|&ty| ty != place.ty) {
                        let shown = self.types.show(parameters[number]);
                        return Err(self.error(place.span, format!("a `{shown}` is needed here")));
                    }
                    Argument::Copied(place)
                }
                operand => {
                    let value = self.value_of(operand)?.expression;
                    let value = match parameters.get(number) {
                        Some(&ty) => self.assigned(value, ty, "this argument")?,
                        None => self.default_promoted(value),
                    };
                    Argument::Value(value)
                }
            };
            read.push((argument, self.draft.mark()));
        }
        debug_assert!(is_open || read.len() >= parameters.len(), "the number was looked at");
        let mut arguments = Vec::new();
        // The last first: what is inserted for an earlier one must not move the marks of later ones.
        for (argument, mark) in read.into_iter().rev() {
            arguments.push(match argument {
                Argument::Value(value) => Argument::Value(self.protect(mark, value)),
                Argument::Copied(place) => Argument::Copied(self.protect_copy(mark, place)),
            });
        }
        arguments.reverse();
        Ok(arguments)
    }

    /// The promotions of arguments without parameter.
    pub(super) fn default_promoted(&mut self, value: Expression) -> Expression {
        let ty = self.types.default_promoted(value.ty);
        self.convert(value, ty)
    }

    /// The scalar arguments of a function with a meaning, converted to the types that it has.
    fn plain_arguments(
        &mut self,
        name: &str,
        function: FunctionId,
        call: &ast::CallExpression,
        span: Span,
    ) -> Outcome<Vec<Expression>> {
        let declared = self.signature(self.function_states[function.index()].ty);
        let known = library::signature(name, &mut self.types).map(|(parameters, _, more)| (parameters, more));
        let (parameters, more) = match (known, declared) {
            (Some(known), _) => known,
            (None, Some((_, parameters, more))) => (parameters, more),
            (None, None) => unreachable!("functions have signatures"),
        };
        let arguments = self.arguments(&call.arguments, &parameters, more, span)?;
        Ok(arguments
            .into_iter()
            .filter_map(|argument| match argument {
                Argument::Value(value) => Some(value),
                Argument::Copied(_) => None,
            })
            .collect())
    }

    /// A call of a function with a meaning.
    fn special(
        &mut self,
        meaning: Meaning,
        function: FunctionId,
        name: &str,
        call: &ast::CallExpression,
        span: Span,
        is_wanted: bool,
    ) -> Outcome<Operand> {
        let returns = self.functions[function.index()].returns;
        match meaning {
            Meaning::Error(failure) => {
                self.evaluate_all(&call.arguments)?;
                self.draft.leave(End::Error(failure), span);
                self.nothing_of(returns, span)
            }
            Meaning::Exit(exit) => {
                self.evaluate_all(&call.arguments)?;
                self.draft.leave(End::Exit(exit), span);
                self.nothing_of(returns, span)
            }
            Meaning::Unreachable => {
                self.draft.leave(End::Unreachable, span);
                self.nothing_of(returns, span)
            }
            Meaning::Nothing => {
                self.evaluate_all(&call.arguments)?;
                self.nothing_of(returns, span)
            }
            Meaning::Assume | Meaning::Assert => {
                let Some((first, rest)) = call.arguments.split_first() else {
                    return Err(self.error(span, "a condition is needed here"));
                };
                let condition = self.scalar(first)?;
                self.evaluate_all(rest)?;
                if meaning == Meaning::Assume {
                    self.draft.emit(InstructionKind::Assume(condition), span);
                } else {
                    let (good, bad) = (self.draft.new_block(), self.draft.new_block());
                    self.branch(condition, good, bad, Asking::Assertion, span);
                    self.draft.go_on(bad);
                    self.draft.end(End::Error(Failure::Assertion), span);
                    self.draft.go_on(good);
                }
                self.nothing_of(returns, span)
            }
            Meaning::Input => {
                self.evaluate_all(&call.arguments)?;
                let named = library::signature(name, &mut self.types).map(|(_, ty, _)| ty);
                let ty = if self.types.is_void(returns) { named.unwrap_or(returns) } else { returns };
                if !self.types.is_scalar(ty) {
                    return self.unsupported_of_type(span, "an input that is not a number", ty);
                }
                let local = self.draft.temporary(ty, span);
                let to = self.local_place(local, span);
                self.draft.emit(InstructionKind::Input { to: to.clone(), by: name.to_owned() }, span);
                Ok(if self.types.is_void(returns) { Operand::Void(span) } else { self.read(to).into() })
            }
            Meaning::IsConstant => {
                self.draft.unevaluated += 1;
                let values =
                    call.arguments.iter().map(|argument| self.value(argument)).collect::<Outcome<Vec<_>>>();
                self.draft.unevaluated -= 1;
                let is_constant = values?.iter().all(|value| {
                    matches!(value.expression.kind, ExpressionKind::Integer(_) | ExpressionKind::Float(_))
                });
                Ok(self.int(i128::from(is_constant), span).into())
            }
            Meaning::Computed(which) => {
                let known = library::signature(name, &mut self.types);
                let known = known.and_then(|(parameters, ..)| parameters.first().copied());
                self.computed(which, known, &call.arguments, span)
            }
            Meaning::Choose => {
                let [condition, then, otherwise] = &call.arguments[..] else {
                    return Err(self.error(span, "three arguments are needed here"));
                };
                let (value, _) = self.constant(condition, "this condition")?;
                self.operand(if value != 0 { then } else { otherwise })
            }
            Meaning::Unsupported(what) => {
                let shown = if what == "this function of the compiler" {
                    format!("`{name}`")
                } else {
                    what.to_owned()
                };
                self.evaluate_all(&call.arguments)?;
                let number = self.unsupported(span, shown);
                self.draft.emit(InstructionKind::Unsupported(number), span);
                self.nothing_of(returns, span)
            }
            Meaning::Swapped(n_bytes) => {
                let arguments = self.plain_arguments(name, function, call, span)?;
                let Some(value) = arguments.into_iter().next() else {
                    return Err(self.error(span, "an argument is needed here"));
                };
                Ok(self.swapped(value, n_bytes, span)?.into())
            }
            Meaning::Builtin(Builtin::First) => {
                let arguments = self.plain_arguments(name, function, call, span)?;
                let first = arguments.into_iter().next();
                first.map(Into::into).ok_or_else(|| self.error(span, "an argument is needed here"))
            }
            Meaning::Builtin(which) => {
                let arguments = self.plain_arguments(name, function, call, span)?;
                if which == Builtin::Print && self.may_write(name, &arguments) {
                    let number = self.unsupported(span, format!("`{name}` with `%n` or an unknown format"));
                    self.draft.emit(InstructionKind::Unsupported(number), span);
                }
                let known = library::signature(name, &mut self.types).map_or(returns, |(_, ty, _)| ty);
                let result = self.result(known, span, is_wanted, |to| InstructionKind::Builtin {
                    which,
                    arguments,
                    to,
                })?;
                match result {
                    Operand::Value(value) if self.types.is_scalar(returns) => {
                        let constness = value.constness;
                        let expression = self.convert(value.expression, returns);
                        Ok(Operand::Value(super::expression::Value { expression, constness }))
                    }
                    _ => Ok(Operand::Void(span)),
                }
            }
        }
    }

    /// Whether a function that prints may write to memory: its format has `%n`, or is not known and there are pointers to anything but
    /// characters.
    fn may_write(&self, name: &str, arguments: &[Expression]) -> bool {
        let n_before = match name.strip_prefix("__builtin_").unwrap_or(name) {
            "printf" | "vprintf" => 0,
            "fprintf" => 1,
            _ => return false,
        };
        let Some(format) = arguments.get(n_before) else { return false };
        self.format_writes(format).unwrap_or_else(|| {
            arguments[n_before + 1..].iter().any(|argument| match self.types.pointee(argument.ty) {
                Some(to) => self.types.integer(to).is_none_or(|own| own.rank != Rank::Char),
                None => false,
            })
        })
    }

    /// Whether a format has `%n`, if it is known.
    fn format_writes(&self, format: &Expression) -> Option<bool> {
        match &format.kind {
            ExpressionKind::Convert(inner) => self.format_writes(inner),
            ExpressionKind::Conditional(_, then, otherwise) => {
                Some(self.format_writes(then)? || self.format_writes(otherwise)?)
            }
            ExpressionKind::AddressOf(place) => match place.base {
                Base::Text(id) => Some(has_percent_n(&self.strings[id.index()])),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value with its bytes in the other order.
    fn swapped(&mut self, value: Expression, n_bytes: u32, span: Span) -> Outcome<Expression> {
        use ast::BinaryOperator::{BitwiseAnd, BitwiseOr, ShiftLeft, ShiftRight};
        let own = value.ty;
        let wide = self.types.standard(crate::ir::Rank::LongLong, false);
        let value = self.convert(value, wide);
        let value = self.in_temporary(value);
        let mut sum: super::expression::Value = self.integer(0, wide, span).into();
        for byte in 0..n_bytes {
            let [down, mask, up] =
                [8 * byte, 0xff, 8 * (n_bytes - 1 - byte)].map(|n| self.int(i128::from(n), span));
            let part = self.arithmetic(&ShiftRight, value.clone().into(), down.into(), span)?;
            let part = self.arithmetic(&BitwiseAnd, part, mask.into(), span)?;
            let part = self.arithmetic(&ShiftLeft, part, up.into(), span)?;
            sum = self.arithmetic(&BitwiseOr, sum, part, span)?;
        }
        Ok(self.convert(sum.expression, own))
    }

    fn evaluate_all(&mut self, expressions: &[Node<ast::Expression>]) -> Outcome<()> {
        expressions.iter().try_for_each(|expression| self.discard(expression))
    }

    /// The result of something that gives none.
    fn nothing_of(&mut self, ty: TypeId, span: Span) -> Outcome<Operand> {
        if self.types.is_scalar(ty) {
            let zero = self.int(0, span);
            return Ok(self.convert(zero, ty).into());
        }
        if self.types.size_of(ty).is_none() {
            return Ok(Operand::Void(span));
        }
        let local = self.draft.temporary(ty, span);
        Ok(Operand::Place(self.local_place(local, span), Access { is_result: true, ..Access::default() }))
    }
}

/// Whether a format asks for the number of characters so far. Where the beginning of the text is skipped, `%%n` may be read as `%n`.
fn has_percent_n(format: &[u8]) -> bool {
    let between = |byte: &u8| b"0123456789 +-#'.*$hljztLqI".contains(byte);
    let percent = format.iter().enumerate().filter(|&(_, &byte)| byte == b'%');
    percent.into_iter().any(|(at, _)| format[at + 1..].iter().find(|byte| !between(byte)) == Some(&b'n'))
}
