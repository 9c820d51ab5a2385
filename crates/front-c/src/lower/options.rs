//! What the lowering is asked for, and what it gives.

use super::layout::Key;
pub use crate::interpret::IntegerModel;
use crate::ir::{BlockId, FunctionId, GlobalId, LocalId, StringId, Undefined};
use std::collections::{BTreeMap, BTreeSet};
use tertium_expr::{Term, Variable};
use tertium_program::{EdgeId, Icfg, PointId, ProcedureId};
use tertium_support::Span;

/// How much one edge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Granularity {
    /// All that lies between two branch points, labels, calls and loop heads, unless it becomes too large.
    #[default]
    Blocks,
    /// One instruction: every state between two of them is a state of the graph.
    Instructions,
}

/// What the lowering is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LowerOptions {
    /// What integers are.
    pub integers: IntegerModel,
    /// How much one edge does.
    pub granularity: Granularity,
}

/// Where the value of an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputOrigin {
    /// The program asks for it by a call of this function.
    Call {
        /// `__VERIFIER_nondet_int`.
        by: String,
        /// Where.
        span: Span,
    },
    /// A variable that lives from here on without a value.
    Uninitialised {
        /// Whose it is.
        function: FunctionId,
        /// Which.
        local: LocalId,
    },
    /// Memory that was allocated here and has no value yet.
    Allocated(Span),
    /// The quotient of two terms over the state before the step and its inputs, towards zero. The guard says so.
    Quotient(Term, Term),
    /// The remainder of that division, with the sign of the first. The guard says so.
    Remainder(Term, Term),
    /// A term over the state before the step and its inputs, as a bit-vector. The guard says so.
    Bits(Term),
    /// It stands for something that is not followed. The edge is not exact.
    Approximation,
}

/// What lies behind a variable of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The object that it is a part of.
    pub object: Meant,
    /// The way to the part: numbers of members; nothing stands for an element of an array, whichever.
    pub path: Vec<Option<usize>>,
    /// Which part of the value.
    pub part: Part,
}

/// What object a variable of the graph is a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meant {
    /// A global.
    Global(GlobalId),
    /// A local.
    Local(FunctionId, LocalId),
    /// What a function returns.
    Result(FunctionId),
    /// A string literal.
    Text(StringId),
    /// What is allocated in a function.
    Allocated(FunctionId),
}

/// What part of a value a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An integer, or all elements of an array of them.
    Value,
    /// An integer: the element of an array with this number.
    Element(u64),
    /// The number of what a pointer points to; 0 for null. See [`Lowered::pointees`].
    Pointee,
    /// Which element of it.
    Index,
}

impl Meaning {
    pub(super) fn path_of(keys: &[Key]) -> Vec<Option<usize>> {
        let step = |key: &Key| match key {
            Key::Member(number) => Some(*number),
            Key::Any => None,
        };
        keys.iter().map(step).collect()
    }
}

/// What verdicts rely on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// A run with undefined behaviour of this kind ends there.
    Ends(Undefined),
    /// A function without body may give any value, and write to whatever its arguments or those of calls before it lead to; and to
    /// nothing else, nor does it call functions of the program.
    MissingBody(String),
    /// In this function integers are of this kind.
    Integers(String, Representation),
}

/// How integers are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Representation {
    /// Integers with ranges.
    Ranges,
    /// Integers without bounds.
    Unbounded,
    /// Bit-vectors.
    Bits,
}

/// Something that is not followed as C has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Construct {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub what: String,
}

/// Why a run of the graph may be none of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// This function is called here and has no body.
    MissingBody {
        /// Its name.
        name: String,
        /// Where it is called.
        span: Span,
    },
    /// This is not followed exactly.
    Construct(Construct),
}

impl Doubt {
    /// Where it arises.
    pub fn span(&self) -> Span {
        match self {
            Self::MissingBody { span, .. } | Self::Construct(Construct { span, .. }) => *span,
        }
    }
}

/// A program in C as a graph.
#[derive(Debug)]
pub struct Lowered {
    /// The graph. Its labels name `reach_error`, `assert`, `unsupported`, `exit`, `abort`, and the labels of the program.
    pub icfg: Icfg,
    /// Where inputs come from.
    pub inputs: BTreeMap<Variable, InputOrigin>,
    /// What lies behind variables; those that only the graph has are not here.
    pub meanings: BTreeMap<Variable, Meaning>,
    /// What pointers point to, by number from 1, as text: `x`, `a[]`, `s.next`.
    pub pointees: Vec<String>,
    /// What every verdict relies on, in order, each once.
    pub assumptions: BTreeSet<Assumption>,
    /// By edge, what the program does there that is not followed exactly, in the order in which it is done. An edge that is not exact
    /// has a doubt; one that has a doubt may be exact, where what is not followed changes nothing that the graph knows.
    pub doubts: BTreeMap<EdgeId, Vec<Doubt>>,
    /// What is not supported, with the point where control comes to it.
    pub unsupported: Vec<(PointId, Construct)>,
    /// The functions, by procedure; nothing for a start that only the graph has.
    pub functions: BTreeMap<ProcedureId, FunctionId>,
    /// The blocks that begin at points.
    pub blocks: BTreeMap<PointId, BlockId>,
}
