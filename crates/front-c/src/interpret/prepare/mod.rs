//! Preparing a program: where its objects are, and flat code for its functions.
//!
//! Nothing here follows the depth of expressions: they are walked with a stack of tasks, see `expressions`.

mod expressions;
mod function;
mod known;
mod notes;

use super::Unfit;
use super::code::{ABSOLUTE, Code, Parameter, Reg, Routine, Shape};
use super::ending::IntegerModel;
use super::inputs::Holder;
use super::memory::{Kind, Memory};
use super::scalar::{Pointer, Scalar, UNKNOWN};
use crate::ir::{
    Argument, Base, Callee, End, Expression, ExpressionKind, Function, FunctionId, InstructionKind,
};
use crate::ir::{GlobalId, LocalId, Object, Place, Step, TypeId, Unit};
use function::FunctionBuilder;
use rustc_hash::FxHashMap;
use tertium_support::Id;

/// Where an object is.
#[derive(Clone, Copy, Debug)]
enum Home {
    Register(Reg),
    /// A register with the pointer to it.
    Memory(Reg),
}

/// A prepared program, and its memory before it begins.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) code: Code,
    pub(super) absolute: Vec<i128>,
    pub(super) memory: Memory,
    /// The code that writes the initial values, to be run once.
    pub(super) initial: u32,
    pub(super) n_registers: u32,
}

/// What is made for a program.
struct Builder<'u> {
    unit: &'u Unit,
    model: IntegerModel,
    code: Code,
    /// What absolute registers hold when the program begins.
    absolute: Vec<i128>,
    constants: FxHashMap<i128, Reg>,
    globals: Vec<Home>,
    texts: Vec<Reg>,
    /// By function: which locals are in memory.
    in_memory: Vec<Vec<bool>>,
}

/// Prepares a program.
pub(super) fn prepare(unit: &Unit, model: IntegerModel) -> Result<Prepared, Unfit> {
    let (globals_in_memory, in_memory) = objects_in_memory(unit);
    let mut memory = Memory::new(unit.data_model.word(), unit.functions.len());
    let mut builder = Builder {
        unit,
        model,
        code: Code {
            notes: vec![super::code::Note::Branched { asks: crate::ir::Asking::Operator, then: 0 }],
            ..Code::default()
        },
        absolute: Vec::new(),
        constants: FxHashMap::default(),
        globals: Vec::new(),
        texts: Vec::new(),
        in_memory,
    };
    for (id, object) in GlobalId::first(unit.globals.len()).zip(&unit.globals) {
        let is_external = unit.external.contains(&id);
        let home = if globals_in_memory[id.index()] {
            let is_foreign = is_external && unit.size_of(object.ty).is_none();
            let kind = if is_foreign { Kind::Foreign } else { Kind::Held(Holder::Global(id)) };
            let pointer = memory.allocate(kind, builder.size(object)?, !is_external);
            let pointer = pointer.map_err(|_| Unfit::TooLarge(object.span))?;
            Home::Memory(builder.constant(pointer.pack()))
        } else {
            builder.absolute.push(if is_external { UNKNOWN } else { 0 });
            Home::Register(ABSOLUTE | (builder.absolute.len() - 1) as Reg)
        };
        builder.globals.push(home);
    }
    for text in &unit.strings {
        let pointer = memory.allocate(Kind::Text, text.len() as u64, true);
        let pointer = pointer.map_err(|_| Unfit::TooLarge(Default::default()))?;
        memory.write_text(pointer, text);
        let register = builder.constant(pointer.pack());
        builder.texts.push(register);
    }
    for function in FunctionId::first(unit.functions.len()) {
        let routine = builder.routine(function)?;
        builder.code.routines.push(routine);
    }
    let (initial, n_registers) = FunctionBuilder::initial(&mut builder);
    let Builder { code, absolute, .. } = builder;
    Ok(Prepared { code, absolute, memory, initial, n_registers })
}

impl<'u> Builder<'u> {
    fn routine(&mut self, id: FunctionId) -> Result<Routine, Unfit> {
        let function: &'u Function = self.unit.function(id);
        let is_in_memory = &self.in_memory[id.index()];
        let mut in_memory = Vec::new();
        for (local, object) in LocalId::first(function.locals.len()).zip(&function.locals) {
            if is_in_memory[local.index()] && function.body.is_some() {
                in_memory.push((local, self.size(object)?));
            }
        }
        let parameters = function.locals.iter().take(function.n_parameters).zip(is_in_memory);
        let parameters = parameters
            .map(|(object, &is_in_memory)| Parameter { shape: self.shape(object.ty), is_in_memory })
            .collect();
        let returns = self.shape(function.returns);
        let (entry, n_registers) = match &function.body {
            Some(body) => {
                let (entry, n_registers) = FunctionBuilder::body(self, id, body);
                (Some(entry), n_registers)
            }
            None => (None, 0),
        };
        let n_locals = function.locals.len() as u32;
        let is_variadic = function.is_variadic;
        Ok(Routine { entry, n_registers, n_locals, parameters, is_variadic, in_memory, returns })
    }

    fn shape(&self, ty: TypeId) -> Shape {
        let size = self.unit.size_of(ty).unwrap_or(0);
        match Scalar::of(self.unit, ty) {
            Some(scalar) => Shape::Scalar(scalar, size as u32),
            None if size == 0 => Shape::Nothing,
            None => Shape::Bytes(size),
        }
    }

    /// The bytes of an object; incomplete ones have none.
    fn size(&self, object: &Object) -> Result<u64, Unfit> {
        let size = self.unit.size_of(object.ty).unwrap_or(0);
        if size > 1 << 40 { Err(Unfit::TooLarge(object.span)) } else { Ok(size) }
    }

    /// The absolute register that holds a value.
    fn constant(&mut self, value: i128) -> Reg {
        let absolute = &mut self.absolute;
        *self.constants.entry(value).or_insert_with(|| {
            absolute.push(value);
            ABSOLUTE | (absolute.len() - 1) as Reg
        })
    }
}

/// Which globals, and which locals of each function, cannot be registers: no scalars, or somebody takes their address or a part.
fn objects_in_memory(unit: &Unit) -> (Vec<bool>, Vec<Vec<bool>>) {
    let is_large = |object: &Object| !Scalar::of(unit, object.ty).is_some_and(Scalar::fits_register);
    let mut globals: Vec<bool> = unit.globals.iter().map(is_large).collect();
    let mut all_locals = Vec::new();
    for function in &unit.functions {
        let mut locals: Vec<bool> = function.locals.iter().map(is_large).collect();
        let mut seen = |place: &Place, is_whole: bool| {
            let is_part = !is_whole || !place.path.is_empty();
            match place.base {
                Base::Global(id) => globals[id.index()] |= is_part,
                Base::Local(id) => locals[id.index()] |= is_part,
                Base::Pointer(_) | Base::Text(_) => {}
            }
        };
        for block in function.body.iter().flat_map(|body| &body.blocks) {
            for instruction in &block.instructions {
                walk_instruction(&instruction.kind, &mut seen);
            }
            walk_end(&block.end, &mut seen);
        }
        all_locals.push(locals);
    }
    let mut seen = |place: &Place, is_whole: bool| {
        if let Base::Global(id) = place.base {
            globals[id.index()] |= !is_whole || !place.path.is_empty();
        }
    };
    for initial in &unit.initial {
        walk([Part::Place(&initial.to, true), Part::Value(&initial.value)], &mut seen);
    }
    (globals, all_locals)
}

/// Something to walk through: places with whether they are read or written as a whole scalar.
enum Part<'u> {
    Place(&'u Place, bool),
    Value(&'u Expression),
}

/// Shows all places in some expressions, with a stack of its own.
fn walk<'u>(parts: impl IntoIterator<Item = Part<'u>>, seen: &mut impl FnMut(&Place, bool)) {
    let mut open: Vec<Part<'u>> = parts.into_iter().collect();
    while let Some(part) = open.pop() {
        match part {
            Part::Place(place, is_whole) => {
                seen(place, is_whole);
                if let Base::Pointer(pointer) = &place.base {
                    open.push(Part::Value(pointer));
                }
                open.extend(place.path.iter().filter_map(|step| match step {
                    Step::Element(index) => Some(Part::Value(index)),
                    Step::Member(_) => None,
                }));
            }
            Part::Value(expression) => match &expression.kind {
                ExpressionKind::Integer(_)
                | ExpressionKind::Float(_)
                | ExpressionKind::Function(_)
                | ExpressionKind::Unsupported(_) => {}
                ExpressionKind::Read(place) => open.push(Part::Place(place, true)),
                ExpressionKind::AddressOf(place) => open.push(Part::Place(place, false)),
                ExpressionKind::Unary(_, a) | ExpressionKind::Convert(a) => open.push(Part::Value(a)),
                ExpressionKind::Binary(_, a, b)
                | ExpressionKind::Offset(a, b, _)
                | ExpressionKind::Distance(a, b, _) => open.extend([Part::Value(a), Part::Value(b)]),
                ExpressionKind::Conditional(a, b, c) => {
                    open.extend([Part::Value(a), Part::Value(b), Part::Value(c)]);
                }
            },
        }
    }
}

fn walk_argument<'u>(argument: &'u Argument) -> Part<'u> {
    match argument {
        Argument::Value(value) => Part::Value(value),
        Argument::Copied(place) => Part::Place(place, true),
    }
}

fn walk_instruction(kind: &InstructionKind, seen: &mut impl FnMut(&Place, bool)) {
    match kind {
        InstructionKind::Assign { to, value } => walk([Part::Place(to, true), Part::Value(value)], seen),
        InstructionKind::Copy { to, from } => walk([Part::Place(to, false), Part::Place(from, false)], seen),
        InstructionKind::Clear(place) => walk([Part::Place(place, true)], seen),
        InstructionKind::Input { to, .. } => walk([Part::Place(to, true)], seen),
        InstructionKind::Evaluate(value) | InstructionKind::Assume(value) => walk([Part::Value(value)], seen),
        InstructionKind::Live(_) | InstructionKind::Unsupported(_) => {}
        InstructionKind::Call { callee, arguments, to } => {
            walk(to.iter().map(|to| Part::Place(to, true)), seen);
            if let Callee::Pointer(pointer) = callee {
                walk([Part::Value(pointer)], seen);
            }
            walk(arguments.iter().map(walk_argument), seen);
        }
        InstructionKind::Builtin { arguments, to, .. } => {
            walk(to.iter().map(|to| Part::Place(to, true)), seen);
            walk(arguments.iter().map(Part::Value), seen);
        }
    }
}

fn walk_end(end: &End, seen: &mut impl FnMut(&Place, bool)) {
    match end {
        End::Branch { condition, .. } => walk([Part::Value(condition)], seen),
        End::Switch { value, .. } => walk([Part::Value(value)], seen),
        End::Return(Some(argument)) => walk([walk_argument(argument)], seen),
        End::Goto(_)
        | End::Return(None)
        | End::Exit(_)
        | End::Error(_)
        | End::Unreachable
        | End::Unsupported(_) => {}
    }
}

/// A pointer to a function, as a value.
fn function_pointer(function: FunctionId) -> i128 {
    Pointer::function(function).pack()
}
