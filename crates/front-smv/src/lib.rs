//! The SMV language as NuSMV reads it: from text to one flat state machine, and from there to states, one by one or as
//! decision diagrams.

mod elaborate;
mod flat;
mod print;
mod syntax;

pub use elaborate::{read, read_property};
pub use flat::{
    Assign, AssignTime, Atom, BinaryOp, Define, DefineId, Expr, ExprKind, FlatModel, Specification,
    SpecificationKind, SymbolId, Type, UnaryOp, Value, VarId, VarKind, Variable,
};
pub use print::{formula_text, ltl_text};
