//! The syntax tree of a file: what was written, with places, nothing resolved.
//!
//! There is one kind of expression for all of values, sets and temporal formulas; which of them may stand where is
//! checked with the types, where a misplaced one can be named.

use crate::{AssignTime, BinaryOp, UnaryOp, Value, VarKind};
use tertium_logic::{LtlBinary, LtlUnary, PathQuantifier};
use tertium_support::Span;

/// The modules of a file.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// In the order of the text.
    pub(crate) modules: Vec<Module>,
}

/// A module.
#[derive(Debug)]
pub(crate) struct Module {
    /// Its name.
    pub(crate) name: Name,
    /// Its formal parameters.
    pub(crate) parameters: Vec<Name>,
    /// What it declares, in the order of the text.
    pub(crate) items: Vec<Item>,
}

/// A name with its place.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// The name.
    pub(crate) text: String,
    /// Where it stands.
    pub(crate) span: Span,
}

/// A declaration of a module.
#[derive(Debug)]
pub(crate) enum Item {
    /// A variable or an instance of a module. The name may be a path, such as `p.0` or `p[3]`.
    Variable(VarKind, Expr, TypeTree),
    /// A definition. The name may be a path into another instance.
    Define(Expr, Expr),
    /// Symbolic constants.
    Constants(Vec<Name>),
    /// An assignment to the variable that the first expression names.
    Assign(AssignTime, Expr, Expr),
    /// A constraint.
    Constraint(ConstraintKind, Expr),
    /// `COMPASSION (p, q)`
    Compassion(Expr, Expr),
    /// The declarations of another module, here.
    Isa(Name),
    /// A property.
    Specification(SpecificationTree),
}

/// The kinds of constraints with one expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintKind {
    /// `INIT`
    Init,
    /// `INVAR`
    Invar,
    /// `TRANS`
    Trans,
    /// `FAIRNESS`, `JUSTICE`
    Justice,
}

/// A property.
#[derive(Debug)]
pub(crate) struct SpecificationTree {
    /// Its name.
    pub(crate) name: Option<Name>,
    /// The property.
    pub(crate) kind: PropertyTree,
    /// The instance whose names it uses, after `IN`.
    pub(crate) context: Option<Expr>,
    /// From the keyword to the end.
    pub(crate) span: Span,
}

/// The kinds of properties.
#[derive(Debug)]
pub(crate) enum PropertyTree {
    /// `SPEC`, `CTLSPEC`
    Ctl(Expr),
    /// `LTLSPEC`
    Ltl(Expr),
    /// `INVARSPEC`
    Invariant(Expr),
    /// `COMPUTE MIN [f, g]`
    Minimum(Expr, Expr),
    /// `COMPUTE MAX [f, g]`
    Maximum(Expr, Expr),
}

/// The type of a variable.
#[derive(Debug)]
pub(crate) enum TypeTree {
    /// `boolean`
    Boolean,
    /// `low..high`
    Range(Expr, Expr),
    /// `{a, b, 3}`
    Enumeration(Vec<Expr>, Span),
    /// `word[n]`
    Word {
        /// The number of bits.
        width: Expr,
        /// Whether it is a signed word.
        signed: bool,
    },
    /// `array low..high of T`
    Array(Expr, Expr, Box<TypeTree>),
    /// An instance of a module.
    Instance {
        /// The module.
        module: Name,
        /// The actual parameters.
        arguments: Vec<Expr>,
        /// Whether it is a process.
        process: bool,
    },
}

/// An expression.
#[derive(Debug)]
pub(crate) struct Expr {
    /// What it is.
    pub(crate) kind: ExprKind,
    /// Where it stands.
    pub(crate) span: Span,
    /// How deep it nests; bounded by the parser, so that recursion over it is safe.
    pub(crate) depth: u32,
}

/// The kinds of expressions.
#[derive(Debug)]
pub(crate) enum ExprKind {
    /// A constant, not a symbol.
    Constant(Value),
    /// A name.
    Name(String),
    /// The instance in which it stands.
    SelfInstance,
    /// `?` or `?{a, b}`: what a query asks for, over all variables or over those that are named
    Placeholder(Option<Vec<Expr>>),
    /// `a.b`
    Member(Box<Expr>, Name),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `w[high:low]`
    Bits(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `next(e)`
    Next(Box<Expr>),
    /// `!e` or `-e`
    Unary(UnaryOp, Box<Expr>),
    /// Two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A long row of operands of `&`, `|` or `+` that associates to the left.
    Chain(BinaryOp, Vec<Expr>),
    /// `case … esac` and `c ? a : b`
    Case(Vec<(Expr, Expr)>),
    /// `{a, b}` and `a union b`
    Set(Vec<Expr>),
    /// `low..high` as a set
    Range(Box<Expr>, Box<Expr>),
    /// `[a, b]`, as the body of a definition only
    Array(Vec<Expr>),
    /// A function with its arguments.
    Call(Function, Vec<Expr>),
    /// `EX f` and the like
    CtlUnary(PathQuantifier, CtlUnary, Box<Expr>),
    /// `E [f U g]`
    CtlUntil(PathQuantifier, Box<Expr>, Box<Expr>),
    /// `EBF low..high f` and the like
    CtlBounded(PathQuantifier, CtlUnary, Bounds, Box<Expr>),
    /// `E [f BU low..high g]`
    CtlBoundedUntil(PathQuantifier, Bounds, Box<Expr>, Box<Expr>),
    /// `X f` and the like
    LtlUnary(LtlUnary, Box<Expr>),
    /// `F [low, high] f` and the like
    LtlBounded(LtlUnary, Bounds, Box<Expr>),
    /// `f U g` and the like
    LtlBinary(LtlBinary, Box<Expr>, Box<Expr>),
}

/// The bounds of a bounded operator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The first step that counts.
    pub(crate) low: u32,
    /// The last step that counts.
    pub(crate) high: u32,
}

/// The CTL operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CtlUnary {
    /// `X`
    Next,
    /// `F`
    Finally,
    /// `G`
    Globally,
}

/// Functions that are written with brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    /// `bool(e)`
    ToBoolean,
    /// `word1(b)`
    ToWord1,
    /// `toint(e)`
    ToInteger,
    /// `unsigned(w)`
    ToUnsigned,
    /// `signed(w)`
    ToSigned,
    /// `extend(w, n)`
    Extend,
    /// `resize(w, n)`
    Resize,
    /// `swconst(i, n)`
    SignedConstant,
    /// `uwconst(i, n)`
    UnsignedConstant,
    /// `sizeof(w)`
    SizeOf,
    /// `count(b, …)`
    Count,
    /// `abs(i)`
    Absolute,
    /// `min(i, j)`
    Minimum,
    /// `max(i, j)`
    Maximum,
}

impl Function {
    /// The functions with their names.
    pub(crate) const ALL: [(&'static str, Function); 14] = [
        ("bool", Self::ToBoolean),
        ("word1", Self::ToWord1),
        ("toint", Self::ToInteger),
        ("unsigned", Self::ToUnsigned),
        ("signed", Self::ToSigned),
        ("extend", Self::Extend),
        ("resize", Self::Resize),
        ("swconst", Self::SignedConstant),
        ("uwconst", Self::UnsignedConstant),
        ("sizeof", Self::SizeOf),
        ("count", Self::Count),
        ("abs", Self::Absolute),
        ("min", Self::Minimum),
        ("max", Self::Maximum),
    ];

    /// How it is written.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, function)| *function == self).map_or("", |(name, _)| name)
    }
}

/// Looking at an expression.
impl Expr {
    /// Whether it names something: a variable, an instance, an element of an array.
    pub(crate) fn is_reference(&self) -> bool {
        match &self.kind {
            ExprKind::Name(_) | ExprKind::SelfInstance => true,
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => base.is_reference(),
            _ => false,
        }
    }

    /// The operands, from left to right.
    pub(crate) fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Constant(_)
            | ExprKind::Name(_)
            | ExprKind::SelfInstance
            | ExprKind::Placeholder(None) => Vec::new(),
            ExprKind::Member(e, _)
            | ExprKind::Next(e)
            | ExprKind::Unary(_, e)
            | ExprKind::CtlUnary(_, _, e)
            | ExprKind::CtlBounded(_, _, _, e)
            | ExprKind::LtlUnary(_, e)
            | ExprKind::LtlBounded(_, _, e) => vec![e],
            ExprKind::Index(e, f)
            | ExprKind::Binary(_, e, f)
            | ExprKind::Range(e, f)
            | ExprKind::CtlUntil(_, e, f)
            | ExprKind::CtlBoundedUntil(_, _, e, f)
            | ExprKind::LtlBinary(_, e, f) => vec![e, f],
            ExprKind::Bits(e, f, g) => vec![e, f, g],
            ExprKind::Chain(_, parts)
            | ExprKind::Set(parts)
            | ExprKind::Array(parts)
            | ExprKind::Placeholder(Some(parts))
            | ExprKind::Call(_, parts) => parts.iter().collect(),
            ExprKind::Case(arms) => arms.iter().flat_map(|(condition, value)| [condition, value]).collect(),
        }
    }

    /// This expression and all inside it.
    pub(crate) fn preorder(&self) -> impl Iterator<Item = &Expr> {
        let mut waiting = vec![self];
        std::iter::from_fn(move || {
            let expr = waiting.pop()?;
            waiting.extend(expr.children().into_iter().rev());
            Some(expr)
        })
    }

    /// Whether it is an operator of CTL itself.
    pub(crate) fn is_ctl(&self) -> bool {
        matches!(
            self.kind,
            ExprKind::CtlUnary(..)
                | ExprKind::CtlUntil(..)
                | ExprKind::CtlBounded(..)
                | ExprKind::CtlBoundedUntil(..)
        )
    }

    /// Whether it is an operator of LTL itself.
    pub(crate) fn is_ltl(&self) -> bool {
        matches!(self.kind, ExprKind::LtlUnary(..) | ExprKind::LtlBounded(..) | ExprKind::LtlBinary(..))
    }
}
