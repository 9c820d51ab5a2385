//! A program as text, for people and for tests. It is not read back.
//!
//! One line per instruction, one paragraph per block. Conversions are written as casts, so that what the reader found can be seen.

use super::{
    Argument, Base, BinaryOperator, BlockId, Callee, End, Exit, Expression, ExpressionKind, Failure,
    Function, Instruction, InstructionKind, Place, Step, Type, TypeId, UnaryOperator, Unit,
};
use crate::read::show_type;
use std::fmt::{self, Display, Formatter};
use tertium_support::Id;

impl Unit {
    /// A type in words.
    pub fn show_type(&self, ty: TypeId) -> String {
        show_type(self.ty(ty), &|id| self.ty(id), &|id| self.composite(id).name.clone())
    }

    /// A function as text.
    pub fn show_function(&self, function: &Function) -> String {
        let mut out = String::new();
        let show = Show { unit: self, function: Some(function) };
        show.function(function, &mut out);
        out
    }

    /// An expression inside a function as text.
    pub fn show_expression(&self, function: &Function, expression: &Expression) -> String {
        Show { unit: self, function: Some(function) }.expression(expression)
    }

    /// A place inside a function as text.
    pub fn show_place(&self, function: &Function, place: &Place) -> String {
        Show { unit: self, function: Some(function) }.place(place)
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let show = Show { unit: self, function: None };
        for (index, object) in self.globals.iter().enumerate() {
            let is_external = self.external.contains(&Id::new(index));
            let external = if is_external { "external " } else { "" };
            writeln!(f, "{external}{} {}", self.show_type(object.ty), object.name)?;
        }
        for initial in &self.initial {
            writeln!(f, "{} = {}", show.place(&initial.to), show.expression(&initial.value))?;
        }
        for function in self.functions.iter().filter(|function| function.body.is_some()) {
            f.write_str(&self.show_function(function))?;
        }
        Ok(())
    }
}

struct Show<'a> {
    unit: &'a Unit,
    function: Option<&'a Function>,
}

impl Show<'_> {
    fn function(&self, function: &Function, out: &mut String) {
        let parameters = function.locals.iter().take(function.n_parameters);
        let parameters: Vec<String> =
            parameters.map(|local| format!("{} {}", self.unit.show_type(local.ty), local.name)).collect();
        out.push_str(&format!(
            "{} {}({})\n",
            self.unit.show_type(function.returns),
            function.name,
            parameters.join(", ")
        ));
        for local in function.locals.iter().skip(function.n_parameters) {
            out.push_str(&format!("  {} {}\n", self.unit.show_type(local.ty), local.name));
        }
        let Some(body) = &function.body else { return };
        for (index, block) in body.blocks.iter().enumerate() {
            let id = BlockId::new(index);
            let names: Vec<&str> = body
                .labels
                .iter()
                .filter(|&(_, block)| *block == id)
                .map(|(name, _)| name.as_str())
                .collect();
            let names = if names.is_empty() { String::new() } else { format!(" {}", names.join(" ")) };
            let head = if block.is_loop_head { " loop" } else { "" };
            out.push_str(&format!("{index}:{names}{head}\n"));
            for instruction in &block.instructions {
                out.push_str(&format!("  {}\n", self.instruction(instruction)));
            }
            out.push_str(&format!("  {}\n", self.end(&block.end)));
        }
    }

    fn instruction(&self, instruction: &Instruction) -> String {
        let to =
            |to: &Option<Place>| to.as_ref().map_or(String::new(), |to| format!("{} = ", self.place(to)));
        match &instruction.kind {
            InstructionKind::Assign { to, value } => {
                format!("{} = {}", self.place(to), self.expression(value))
            }
            InstructionKind::Copy { to, from } => format!("{} = copy {}", self.place(to), self.place(from)),
            InstructionKind::Clear(place) => format!("clear {}", self.place(place)),
            InstructionKind::Input { to, by } => format!("{} = {by}()", self.place(to)),
            InstructionKind::Evaluate(value) => format!("evaluate {}", self.expression(value)),
            InstructionKind::Live(local) => format!("live {}", self.local(local.index())),
            InstructionKind::Assume(value) => format!("assume {}", self.expression(value)),
            InstructionKind::Call { callee, arguments, to: target } => {
                let callee = match callee {
                    Callee::Function(function) => self.unit.function(*function).name.clone(),
                    Callee::Pointer(pointer) => format!("*{}", self.expression(pointer)),
                };
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.argument(argument)).collect();
                format!("{}{callee}({})", to(target), arguments.join(", "))
            }
            InstructionKind::Builtin { which, arguments, to: target } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|argument| self.expression(argument)).collect();
                format!("{}{which:?}({})", to(target), arguments.join(", "))
            }
            InstructionKind::Unsupported(number) => self.unsupported(*number),
        }
    }

    fn unsupported(&self, number: usize) -> String {
        format!("unsupported: {}", self.unit.unsupported[number].what)
    }

    fn argument(&self, argument: &Argument) -> String {
        match argument {
            Argument::Value(value) => self.expression(value),
            Argument::Copied(place) => format!("copy {}", self.place(place)),
        }
    }

    fn end(&self, end: &End) -> String {
        match end {
            End::Goto(block) => format!("goto {}", block.index()),
            End::Branch { condition, then, otherwise, .. } => {
                format!("if {} goto {} else {}", self.expression(condition), then.index(), otherwise.index())
            }
            End::Switch { value, cases, otherwise } => {
                let cases: Vec<String> =
                    cases.iter().map(|(value, block)| format!("{value}: {}", block.index())).collect();
                format!(
                    "switch {} {{{}}} else {}",
                    self.expression(value),
                    cases.join(", "),
                    otherwise.index()
                )
            }
            End::Return(None) => "return".to_owned(),
            End::Return(Some(argument)) => format!("return {}", self.argument(argument)),
            End::Exit(Exit::Exit) => "exit".to_owned(),
            End::Exit(Exit::Abort) => "abort".to_owned(),
            End::Error(Failure::ErrorCall) => "error".to_owned(),
            End::Error(Failure::Assertion) => "assertion fails".to_owned(),
            End::Unreachable => "unreachable".to_owned(),
            End::Unsupported(number) => self.unsupported(*number),
        }
    }

    fn local(&self, index: usize) -> String {
        match self.function {
            Some(function) => function.locals[index].name.clone(),
            None => format!(".{index}"),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut ty = None;
        let mut shown = match &place.base {
            Base::Global(global) => {
                let object = &self.unit.globals[global.index()];
                ty = Some(object.ty);
                object.name.clone()
            }
            Base::Local(local) => {
                ty = self.function.map(|function| function.locals[local.index()].ty);
                self.local(local.index())
            }
            Base::Pointer(pointer) => {
                if let Type::Pointer(to) = self.unit.ty(pointer.ty) {
                    ty = Some(*to);
                }
                format!("*{}", self.expression(pointer))
            }
            Base::Text(string) => {
                let bytes = &self.unit.strings[string.index()];
                let text = String::from_utf8_lossy(bytes.strip_suffix(&[0]).unwrap_or(bytes)).into_owned();
                return format!("{text:?}{}", self.path(&place.path, None));
            }
        };
        if matches!(place.base, Base::Pointer(_)) && !place.path.is_empty() {
            shown = format!("({shown})");
        }
        shown + &self.path(&place.path, ty)
    }

    fn path(&self, path: &[Step], mut ty: Option<TypeId>) -> String {
        let mut shown = String::new();
        for step in path {
            match step {
                Step::Member(number) => {
                    let member = match ty.map(|ty| self.unit.ty(ty)) {
                        Some(Type::Composite(id)) => {
                            self.unit.composite(*id).members.as_ref().and_then(|members| members.get(*number))
                        }
                        _ => None,
                    };
                    match member {
                        Some(member) => shown.push_str(&format!(".{}", member.name)),
                        None => shown.push_str(&format!(".{number}")),
                    }
                    ty = member.map(|member| member.ty);
                }
                Step::Element(index) => {
                    shown.push_str(&format!("[{}]", self.expression(index)));
                    ty = match ty.map(|ty| self.unit.ty(ty)) {
                        Some(Type::Array(element, _)) => Some(*element),
                        _ => None,
                    };
                }
            }
        }
        shown
    }

    fn expression(&self, expression: &Expression) -> String {
        match &expression.kind {
            ExpressionKind::Integer(value) => value.to_string(),
            ExpressionKind::Float(value) => format!("{value:?}"),
            ExpressionKind::Read(place) => self.place(place),
            ExpressionKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExpressionKind::Function(function) => self.unit.function(*function).name.clone(),
            ExpressionKind::Unary(operator, operand) => {
                let sign = match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Not => "!",
                };
                format!("{sign}{}", self.expression(operand))
            }
            ExpressionKind::Binary(operator, one, other) => {
                format!("({} {} {})", self.expression(one), sign(*operator), self.expression(other))
            }
            ExpressionKind::Offset(pointer, index, _) => {
                format!("({} + {})", self.expression(pointer), self.expression(index))
            }
            ExpressionKind::Distance(one, other, _) => {
                format!("({} - {})", self.expression(one), self.expression(other))
            }
            ExpressionKind::Convert(operand) => {
                format!("({}){}", self.unit.show_type(expression.ty), self.expression(operand))
            }
            ExpressionKind::Conditional(one, two, three) => {
                format!("({} ? {} : {})", self.expression(one), self.expression(two), self.expression(three))
            }
            ExpressionKind::Unsupported(number) => format!("<{}>", self.unsupported(*number)),
        }
    }
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::AtMost => "<=",
        BinaryOperator::LogicalAnd => "&&",
        BinaryOperator::LogicalOr => "||",
    }
}
