//! The SMV language as NuSMV reads it: from text to one flat state machine, and from there to states, one by one or as
//! decision diagrams.

mod flat;

pub use flat::{
    Assign, AssignTime, Atom, BinaryOp, Define, DefineId, Expr, ExprKind, FlatModel, Specification,
    SpecificationKind, SymbolId, Type, UnaryOp, Value, VarId, VarKind, Variable,
};
