//! Checkers on symbolic systems: sets of states are decision diagrams.
//!
//! [`SymbolicChecker`] answers questions about one [`tertium_system::SymbolicModel`]: CTL with justice, linear time,
//! invariants, lengths of paths. What it finds out (reachable states, fair states, the sets of sub-formulas) is kept for
//! the next question. Every path in the evidence follows steps of the relation one by one.
//!
//! Deadlocks: CTL operators are their fixpoint equations, so a state without steps satisfies every `AX f` and no `EX f`, hence
//! every `AF f` and no `EG f`. With justice, quantifiers range over fair paths, which are infinite.

mod certificate;
mod checker;
mod clear;
mod ctl;
mod diagram_sets;
mod fair;
mod instance;
mod invariant;
mod ltl;
mod monomials;
mod normal;
mod obligation;
mod outcome;
mod path;
mod quantity;
mod reach;
mod shorten;
mod staying;
mod switches;
mod tableau;
mod term;
mod universe;

pub use certificate::InductiveSet;
pub use checker::{Options, SymbolicChecker};
pub use fair::{Fairness, Hull, fair_hull, fair_lasso};
pub use ltl::check_ltl;
pub use monomials::{MonomialChecker, MonomialLabelling, MonomialOutcome};
pub use outcome::{
    Codes, Refusal, SymbolicAssumption, SymbolicClaim, SymbolicError, SymbolicEvidence, SymbolicOutcome,
    SymbolicTrace,
};
pub use quantity::{Quantity, QuantityOutcome};
pub use reach::{Reachable, Search};
