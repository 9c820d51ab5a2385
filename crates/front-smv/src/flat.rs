//! The flat model: one state machine, without modules, arrays or parameters.
//!
//! This is what the front end promises to everybody behind it. All names are resolved, all expressions are typed, every
//! specification stands once per instance of its module. The interpreter gives it its meaning; the encoding and the
//! validator are held against that.
//!
//! Processes: if the text has any, there is one more input variable, `_process_selector_`, whose values are the names of the
//! processes (`main` among them). `running` is a comparison with it. A next assignment made inside a process holds
//! in steps where that process runs; a variable that is assigned in some process and by none that runs keeps its value. Justice
//! constraints may read inputs, hence they are about steps: infinitely many steps must satisfy each.

use tertium_logic::{Formula, Ltl};
use tertium_support::{Interner, Source, Span, define_id};

define_id!(
    /// A variable of the flat model.
    VarId
);

define_id!(
    /// A definition of the flat model.
    DefineId
);

define_id!(
    /// A symbolic constant.
    SymbolId
);

/// A flat model.
#[derive(Clone, Debug)]
pub struct FlatModel {
    /// The text it was made from; spans point into it.
    pub source: Source,
    /// The symbolic constants.
    pub symbols: Interner<SymbolId>,
    /// The variables, elements of arrays one by one, in the order of their declarations.
    pub variables: Vec<Variable>,
    /// The definitions; a definition uses only earlier ones.
    pub defines: Vec<Define>,
    /// The assignments. No variable has two for the same time and process, and no cycle of current values exists.
    pub assigns: Vec<Assign>,
    /// Boolean constraints on the first state.
    pub init: Vec<Expr>,
    /// Boolean constraints on every state.
    pub invar: Vec<Expr>,
    /// Boolean constraints on every step; they may use `next` and inputs.
    pub trans: Vec<Expr>,
    /// Justice: infinitely many steps satisfy each.
    pub justice: Vec<Expr>,
    /// Compassion: infinitely many of the first only with infinitely many of the second.
    pub compassion: Vec<(Expr, Expr)>,
    /// The input variable that says which process runs, if there are processes.
    pub selector: Option<VarId>,
    /// What is to be checked: CTL first, then LTL, invariants and lengths, and within a kind instance by instance, those inside
    /// before the one around them, in the order of the text.
    pub specifications: Vec<Specification>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name with the path of instances, such as `p.x` or `a[3]`.
    pub name: String,
    /// When it may change.
    pub kind: VarKind,
    /// Its values.
    pub ty: Type,
    /// Its declaration.
    pub span: Span,
}

/// When a variable may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarKind {
    /// With every step.
    State,
    /// It belongs to the steps, not to the states.
    Input,
    /// Never after the first state.
    Frozen,
}

/// The type of a variable or an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Two truth values.
    Boolean,
    /// The integers from the first to the second; of an expression, bounds on its value.
    Range(i64, i64),
    /// The listed constants: symbols, integers, or both; no two are equal.
    Enumeration(Vec<Value>),
    /// Bit vectors of 1 to 64 bits.
    Word {
        /// How many bits.
        width: u32,
        /// Whether they are read in two's complement.
        signed: bool,
    },
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A symbol.
    Symbol(SymbolId),
    /// A bit vector; bits above the width are zero.
    Word {
        /// The bits.
        bits: u64,
        /// How many there are.
        width: u32,
        /// Whether they are read in two's complement.
        signed: bool,
    },
}

/// A definition.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name with the path of instances.
    pub name: String,
    /// What it stands for. It has no `next`.
    pub body: Expr,
}

/// An assignment.
#[derive(Clone, Debug)]
pub struct Assign {
    /// The variable.
    pub target: VarId,
    /// Which of its values.
    pub time: AssignTime,
    /// One of these values is taken; a value outside the type of the variable is an error that the interpreter reports.
    pub value: Expr,
    /// For next values: the process in which it stands, if there are processes.
    pub process: Option<SymbolId>,
    /// Where it stands.
    pub span: Span,
}

/// Which value an assignment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignTime {
    /// `init(x) :=`
    Init,
    /// `x :=`
    Current,
    /// `next(x) :=`
    Next,
}

/// A typed expression. Where a set is written, the expression stands for any of its elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its values.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A constant.
    Constant(Value),
    /// The value of a variable.
    Variable(VarId),
    /// The value of a definition.
    Define(DefineId),
    /// The value of the operand in the next state. The operand has no `next` and no inputs.
    Next(Box<Expr>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands of fitting types.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The value beside the first condition that holds. The type checker has seen to it that one always does, or reports
    /// it; the interpreter treats a state where none does as an error.
    Case(Vec<(Expr, Expr)>),
    /// Any of these: set literals, unions, ranges of integers written as sets.
    Set(Vec<Expr>),
    /// The bits from the first down to the second.
    Bits(Box<Expr>, u32, u32),
    /// The number of operands that hold.
    Count(Vec<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Negation of a truth value, or of every bit.
    Not,
    /// Minus, of integers or words.
    Minus,
    /// `bool`: an integer is not 0, a word of one bit is 1.
    ToBoolean,
    /// `word1`: a truth value as a word of one bit.
    ToWord1,
    /// `toint`: a truth value or a word as an integer.
    ToInteger,
    /// `unsigned`: the same bits, read as they are. The type says the width.
    ToUnsigned,
    /// `signed`: the same bits, read in two's complement.
    ToSigned,
    /// `extend` or `resize`, `swconst`, `uwconst`: to the width and sign of the type of the expression.
    Resize,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Conjunction, of truth values or bit by bit.
    And,
    /// Disjunction, of truth values or bit by bit.
    Or,
    /// Exclusive disjunction.
    Xor,
    /// Equivalence.
    Xnor,
    /// Implication.
    Implies,
    /// Equality of values of any type.
    Equal,
    /// Its negation.
    NotEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
    /// Sum; words wrap.
    Add,
    /// Difference; words wrap.
    Subtract,
    /// Product; words wrap.
    Multiply,
    /// Quotient, towards zero. Division by zero is an error that the interpreter reports.
    Divide,
    /// Remainder: `a = b * (a / b) + a mod b`.
    Modulo,
    /// Word shifted to higher bits; the right operand is an integer or an unsigned word.
    ShiftLeft,
    /// Word shifted to lower bits; signed words keep their sign.
    ShiftRight,
    /// The bits of the left above those of the right.
    Concatenate,
    /// Whether every value of the left is one of the right.
    In,
}

/// A proposition of a specification.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The name under which the formula speaks of it: the expression as text.
    pub name: String,
    /// A Boolean expression without `next`; in LTL it may read inputs.
    pub expr: Expr,
}

/// Something to be checked.
#[derive(Clone, Debug)]
pub struct Specification {
    /// Its name, if it was given one.
    pub name: Option<String>,
    /// The instance in which it stands; empty in `main`.
    pub instance: String,
    /// The property.
    pub kind: SpecificationKind,
    /// The propositions of the property.
    pub atoms: Vec<Atom>,
    /// The property as text, names with their instances.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of properties.
#[derive(Clone, Debug)]
pub enum SpecificationKind {
    /// `SPEC`, `CTLSPEC`: at every initial state.
    Ctl(Formula),
    /// `LTLSPEC`: on every fair path from an initial state.
    Ltl(Ltl),
    /// `INVARSPEC`: in every reachable state; the formula has no temporal operator.
    Invariant(Formula),
    /// `COMPUTE MIN [f, g]`: the length of a shortest path from a reachable state with f to one with g.
    ComputeMinimum(Formula, Formula),
    /// `COMPUTE MAX [f, g]`: the length of a longest such path that has g only at its end.
    ComputeMaximum(Formula, Formula),
}
