//! A whole program: globals, functions, and what functions do.

use super::{Composite, CompositeId, DataModel, Expression, Origins, Place, Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};
use tertium_support::{Span, define_id};

define_id!(
    /// An object that lives as long as the program.
    GlobalId
);

define_id!(
    /// A local of a function: parameter, declared variable or temporary.
    LocalId
);

define_id!(
    /// A function.
    FunctionId
);

define_id!(
    /// A string literal.
    StringId
);

define_id!(
    /// A basic block of a function.
    BlockId
);

/// An object with a name.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name. Of a temporary it begins with a dot, which no name of the program does.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
    /// Whether `&` is applied to it somewhere, or it is an array that is used other than by indexing in place: it can be reached
    /// through pointers.
    pub has_address: bool,
}

/// What is written into a part of a global before the program begins; all else is zero.
#[derive(Clone, Debug)]
pub struct Initial {
    /// The part.
    pub to: Place,
    /// A constant or an address.
    pub value: Expression,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it returns.
    pub returns: TypeId,
    /// How many of its first locals are parameters.
    pub n_parameters: usize,
    /// Whether there may be more arguments.
    pub is_variadic: bool,
    /// Parameters, then everything else.
    pub locals: Vec<Object>,
    /// What it does; nothing if there is no definition.
    pub body: Option<Body>,
    /// Where it is defined, or declared.
    pub span: Span,
}

/// What a function does.
#[derive(Clone, Debug)]
pub struct Body {
    /// The blocks; the first is where it begins. All can be reached from there.
    pub blocks: Vec<Block>,
    /// The labels of the program, by block.
    pub labels: BTreeMap<String, BlockId>,
    /// Where these stand, without the colon.
    pub label_spans: BTreeMap<BlockId, Span>,
    /// Where the body ends.
    pub end: Span,
}

/// Instructions one after the other, and where control goes then.
#[derive(Clone, Debug)]
pub struct Block {
    /// In order.
    pub instructions: Vec<Instruction>,
    /// Where control goes then.
    pub end: End,
    /// Where the end stands.
    pub span: Span,
    /// Whether a loop of the program begins each round here.
    pub is_loop_head: bool,
    /// The statement of that loop.
    pub loop_at: Option<Span>,
}

/// An instruction with its place.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub kind: InstructionKind,
    /// Where it stands.
    pub span: Span,
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum InstructionKind {
    /// Writes a value of scalar type. Places are found before the value is computed.
    Assign {
        /// Where to.
        to: Place,
        /// What.
        value: Expression,
    },
    /// Copies a structure, union or array of the same type.
    Copy {
        /// Where to.
        to: Place,
        /// What is copied.
        from: Place,
    },
    /// Fills a place with zeros, for initialisers that leave something out.
    Clear(Place),
    /// Writes a value from outside: any of the type.
    Input {
        /// Where to; of scalar type.
        to: Place,
        /// The function that asks for it: `__VERIFIER_nondet_int`.
        by: String,
    },
    /// Computes a value for nothing but undefined behaviour on the way.
    Evaluate(Expression),
    /// The life of a local begins: its value is any. Also each time control comes by again.
    Live(LocalId),
    /// Goes on only where the value is not zero (`__VERIFIER_assume`).
    Assume(Expression),
    /// Calls a function.
    Call {
        /// Which.
        callee: Callee,
        /// Converted to the types of parameters; what variadic functions get beyond these after the default promotions.
        arguments: Vec<Argument>,
        /// Where the result goes; nothing if it is dropped.
        to: Option<Place>,
    },
    /// What a library function does.
    Builtin {
        /// Which.
        which: Builtin,
        /// Its arguments.
        arguments: Vec<Expression>,
        /// Where the result goes; nothing if it is dropped.
        to: Option<Place>,
    },
    /// Something that is not supported is done; [`Unit::unsupported`] says what.
    Unsupported(usize),
}

/// Who is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by its name. It may have no body: then its result is any value, and what it does is not known.
    Function(FunctionId),
    /// The function that a pointer points to.
    Pointer(Expression),
}

/// What is passed.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A scalar.
    Value(Expression),
    /// A structure or union, by copy.
    Copied(Place),
}

/// Library functions with a meaning of their own. All others are functions without bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `malloc(size)`, which does not fail; what it gives is not initialised.
    Allocate,
    /// `calloc(n, size)`.
    AllocateCleared,
    /// `realloc(pointer, size)`.
    Reallocate,
    /// `alloca(size)`, and arrays of variable length: freed when the function returns.
    AllocateLocal,
    /// `free(pointer)`.
    Free,
    /// `memset(pointer, byte, size)`.
    Fill,
    /// `memcpy(to, from, size)` and `memmove`.
    CopyBytes,
    /// `memcmp(one, other, size)`.
    CompareBytes,
    /// `strlen(text)`.
    Length,
    /// `strcmp(one, other)`.
    CompareTexts,
    /// `strcpy(to, from)`.
    CopyText,
    /// `printf`, `puts` and their kin: arguments are evaluated, nothing happens, the result is any value.
    Print,
    /// `__builtin_expect(value, _)` and the like: gives the first argument.
    First,
}

/// Where control goes.
#[derive(Clone, Debug)]
pub enum End {
    /// On.
    Goto(BlockId),
    /// To one of two blocks.
    Branch {
        /// Of scalar type.
        condition: Expression,
        /// Where it is not zero.
        then: BlockId,
        /// Where it is zero.
        otherwise: BlockId,
        /// The statement that asks, as the user sees it.
        asks: Asking,
    },
    /// To the block of the value, else to the last.
    Switch {
        /// Of integer type.
        value: Expression,
        /// Distinct values of that type.
        cases: Vec<(i128, BlockId)>,
        /// For all others.
        otherwise: BlockId,
    },
    /// To the caller, with a value: scalars, or a structure that is copied; nothing if there is none.
    Return(Option<Argument>),
    /// The program ends: `exit`, `abort`, `_Exit`, or the end of main.
    Exit(Exit),
    /// The error function is called, or an assertion fails.
    Error(Failure),
    /// Control cannot come here; undefined if it does (`__builtin_unreachable`).
    Unreachable,
    /// Something that is not supported is done; [`Unit::unsupported`] says what.
    Unsupported(usize),
}

/// What asks for a condition. Witnesses speak of the first three only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// An `if`, with where the statement begins.
    If(Span),
    /// A loop, with where the statement begins.
    Loop(Span),
    /// `?:`, `&&`, `||` with side effects inside.
    Operator,
    /// An assertion.
    Assertion,
}

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By `exit`, `_Exit` and their kin.
    Exit,
    /// By `abort`.
    Abort,
}

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// `reach_error` or `__VERIFIER_error` is called, whether it has a body or not.
    ErrorCall,
    /// An assertion fails: `assert` as a function, `__assert_fail`, `__assert_rtn`.
    Assertion,
}

/// What undefined behaviour ends a run. The names are those that the report shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undefined {
    /// The result of signed arithmetic has no room.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// A shift by a negative count or by the width or more; or a left shift of a signed value that is negative or loses bits, if asked for.
    Shift,
    /// An access through the null pointer.
    NullAccess,
    /// An access outside of an object.
    OutOfBounds,
    /// An access to an object whose life has ended.
    DeadAccess,
    /// `free` of what was not allocated, or twice.
    InvalidFree,
    /// Arithmetic on or comparison of pointers that leaves the object or mixes objects.
    PointerArithmetic,
    /// A function is called through a pointer to none, or to one of another type.
    InvalidCall,
    /// A function without return value is used as if it had one.
    MissingReturn,
    /// A conversion from a floating number that has no room.
    FloatConversion,
    /// Control comes to a place that promises it does not.
    Unreachable,
}

/// Something that is not supported.
#[derive(Clone, Debug)]
pub struct UnsupportedConstruct {
    /// What it is: "inline assembly".
    pub what: String,
    /// Where it stands.
    pub span: Span,
}

/// A program, checked: everything has a type, names are resolved, conversions are written out.
#[derive(Clone, Debug)]
pub struct Unit {
    /// How large types are.
    pub data_model: DataModel,
    /// All types.
    pub types: Vec<Type>,
    /// All structures and unions.
    pub composites: Vec<Composite>,
    /// All objects that live as long as the program, static locals among them.
    pub globals: Vec<Object>,
    /// What is in globals where it is not zero, in order. External ones without definition have any value, see `external`.
    pub initial: Vec<Initial>,
    /// Globals that are only declared: their values are any.
    pub external: Vec<GlobalId>,
    /// All functions, with bodies or without.
    pub functions: Vec<Function>,
    /// String literals, with the zero at the end.
    pub strings: Vec<Vec<u8>>,
    /// Where the program begins; `main` with parameters gets any values.
    pub main: FunctionId,
    /// What was met and is not supported, each place once.
    pub unsupported: Vec<UnsupportedConstruct>,
    /// The labels of the program, also where control never comes: `L` and `f.L`.
    pub labels: BTreeSet<String>,
    /// Where the lines of the text come from. All spans speak of the text that was read.
    pub origins: Origins,
}

impl Unit {
    /// A type.
    pub fn ty(&self, id: TypeId) -> &Type {
        use tertium_support::Id;
        &self.types[id.index()]
    }

    /// A structure or union.
    pub fn composite(&self, id: CompositeId) -> &Composite {
        use tertium_support::Id;
        &self.composites[id.index()]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        use tertium_support::Id;
        &self.functions[id.index()]
    }

    /// How many bytes a type has: nothing if it is incomplete, or a function.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.ty(id) {
            Type::Void | Type::Function(..) => None,
            Type::Integer(integer) => Some(u64::from(integer.bits.div_ceil(8))),
            Type::Float(super::Float::Single) => Some(4),
            Type::Float(super::Float::Double) => Some(8),
            Type::Float(super::Float::Long) => Some(match self.data_model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            }),
            Type::Pointer(_) => Some(self.data_model.word()),
            Type::Array(element, length) => Some(self.size_of(*element)? * (*length)?),
            Type::Composite(id) => {
                let own = self.composite(*id);
                own.members.is_some().then_some(own.size)
            }
        }
    }
}
