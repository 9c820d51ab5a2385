//! The SMV language as NuSMV reads it: from text to one flat state machine, and from there to states, one by one or as
//! decision diagrams.

mod claim;
mod completion;
mod elaborate;
mod encode;
mod flat;
mod interpret;
mod lasso;
mod lower;
mod order;
mod outline;
mod pack;
mod print;
mod reads;
mod space;
mod syntax;
mod tree;
mod validate;

pub use claim::{Assumptions, CtlClaim, CtlPath, CtlSupport, validate_claim};
pub use completion::Completion;
pub use elaborate::{Query, read, read_property, read_query, read_within};
pub use encode::{
    EncodeError, EncodeOptions, Encoded, SharedCone, cone_of_influence, cone_of_query, encode,
    encode_lowered, share_cones,
};
pub use flat::{
    Assign, AssignTime, Atom, BinaryOp, Define, DefineId, Expr, ExprKind, FlatModel, Specification,
    SpecificationKind, SymbolId, Type, UnaryOp, Value, VarId, VarKind, Variable,
};
pub use interpret::{
    Fault, FaultKind, Given, Halt, Input, Interpreter, Judgement, Obstacle, Place, State, value_from_text,
    value_text,
};
pub use lower::{Lowered, ProgramError, Values, lower, lower_part};
pub use order::{VariableOrder, order_variables, read_order, write_order};
pub use outline::Outline;
pub use print::{formula_text, ltl_text};
pub use space::{SmvScratch, SmvSpace, SmvSteps};
pub use tree::{CtlTree, Evidence, validate_evidence};
pub use validate::{
    Fairness, Refusal, Trace, holds_on, validate_fairness, validate_path, validate_refutation,
};
