//! PL, the small language with procedures of the thesis \[Wei09, §4.3\], as text: for fixtures and examples.
//!
//! ```text
//! program   ::= ("global" variables ";")* procedure+                          the first procedure is main; nobody calls it
//! procedure ::= name "(" [variables] ")" [":" names] block                    parameters, and the variables that are returned
//! block     ::= "{" statement* "}"
//! statement ::= (label ":")* (atomic | compound)
//! atomic    ::= "skip" ";" | "assume" "(" e ")" ";"
//!             | "var" variables ";" | "kill" names ";"                        variables come into scope with any value, and leave it
//!             | names ":=" e, … ";"                                           all at once
//!             | [names ":="] name "(" e, … ")" ";"                            a call; results that are not taken are dropped
//!             | "(" scope "->" scope ")" atomic                               with the variables before and after written out
//! compound  ::= "if" "(" e ")" block ["else" block] | "while" "(" e ")" block
//!             | "either" block ("or" block)*                                  any of them, the parallel bar of the thesis
//! variables ::= name [":" values], …     values ::= "int" | "bool" | number ".." number     without values: "int"
//! scope     ::= "{" [names] "}"          names  ::= name, …          e: an expression of tertium_expr
//! ```
//!
//! Comments go from `//` to the end of the line. Integers are mathematical. An assignment, an argument or a result outside of a
//! range blocks; a result has to fit where it goes. Every statement has a [type](RelationType) by the rules of Table 4.1. Scopes
//! need not be written out: a statement is extended to the variables in scope. At the end of a procedure, variables that are not
//! returned leave their scope. Globals are an addition to the thesis: they are in no scope.
//!
//! A label names the place before its statement, as `label` and as `procedure.label`.

mod atomic;
mod lower;
mod reader;
mod tree;
mod types;

pub use tree::{Declaration, Name, ProcedureTree, Statement, StatementKind, Tree, Written};
pub use types::{IllTyped, Names, RelationType, Typing};

use crate::Icfg;
use tertium_support::{Context, ReadError, Source};

/// Reads the tree of a text. It prints as text that reads back.
pub fn read_tree(context: &Context, source: &Source) -> Result<Tree, ReadError> {
    let (tree, complaints) = reader::read_tree(context, source.text()).map_err(ReadError::Stopped)?;
    if complaints.is_empty() { Ok(tree) } else { Err(ReadError::Faulty(complaints)) }
}

/// Reads a program.
pub fn read(context: &Context, source: &Source) -> Result<Icfg, ReadError> {
    let tree = read_tree(context, source)?;
    let (icfg, mut complaints) = lower::lower(&tree);
    if complaints.is_empty() {
        return Ok(icfg);
    }
    complaints.sort_by_key(|complaint| complaint.span);
    Err(ReadError::Faulty(complaints))
}
