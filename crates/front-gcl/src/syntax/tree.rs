//! Items as written, with places.

use crate::PropertyKind;
use tertium_expr::Expression;
use tertium_support::Span;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// What a file or a process is made of.
#[derive(Debug)]
pub(crate) enum Item {
    /// `const N = 3;`
    Const(Named),
    /// `enum loc = { idle, wait };`
    Enum(EnumTree),
    /// `control …;` and `var …;`
    Variables(Declaration),
    /// `init e;`
    Init(Expression),
    /// `prop p = e;`
    Prop(Named),
    /// `[a] g -> …;`
    Command(CommandTree),
    /// `process p { … }`
    Process(ProcessTree),
    /// `property`, `invariant` and `reach`
    Property(PropertyTree),
}

/// A name for an expression.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: Name,
    pub(crate) value: Expression,
}

/// An enumeration.
#[derive(Debug)]
pub(crate) struct EnumTree {
    pub(crate) name: Name,
    pub(crate) values: Vec<Name>,
}

/// Variables of one type.
#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) control: bool,
    pub(crate) names: Vec<Name>,
    pub(crate) kind: TypeTree,
    pub(crate) kind_span: Span,
    pub(crate) initial: Option<Expression>,
}

/// A type.
#[derive(Debug)]
pub(crate) enum TypeTree {
    Int,
    Bool,
    Range(Expression, Expression),
    /// `bits(n)`
    Bits(Expression),
    Named(Name),
    Values(Vec<Name>),
    /// `array index of element`
    Array(Box<TypeTree>, Box<TypeTree>),
}

/// A command: any of the alternatives where the guard holds.
#[derive(Debug)]
pub(crate) struct CommandTree {
    pub(crate) action: Option<Name>,
    pub(crate) guard: Expression,
    pub(crate) alternatives: Vec<Alternative>,
    pub(crate) span: Span,
}

/// Simultaneous assignments; `skip` is none.
pub(crate) type Alternative = Vec<Assignment>;

/// `x := …`, or `a[i] := …`, or `p[i].x := …`
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) target: Name,
    /// If the target is a process: which one, and what in it.
    pub(crate) member: Option<(Expression, Name)>,
    /// Which element of an array, from the outermost index.
    pub(crate) indices: Vec<Expression>,
    pub(crate) value: ValueTree,
    pub(crate) span: Span,
}

/// What is assigned.
#[derive(Debug)]
pub(crate) enum ValueTree {
    Expression(Expression),
    /// `input`, or `input low..high`
    Input(Option<(Expression, Expression)>),
}

/// A process with its own names.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    pub(crate) name: Name,
    /// Which numbers there is such a process for, if it is a template.
    pub(crate) index: Option<IndexTree>,
    pub(crate) items: Vec<Item>,
    pub(crate) span: Span,
}

/// `i in low..high`
#[derive(Debug)]
pub(crate) struct IndexTree {
    pub(crate) name: Name,
    pub(crate) low: Expression,
    pub(crate) high: Expression,
}

/// A property that is still to be read.
#[derive(Debug)]
pub(crate) struct PropertyTree {
    pub(crate) kind: PropertyKind,
    pub(crate) label: Option<Name>,
    /// Where the formula stands.
    pub(crate) formula: Span,
    pub(crate) span: Span,
}
