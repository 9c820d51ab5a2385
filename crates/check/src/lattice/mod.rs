//! CTL with values in a finite distributive lattice, on classical systems: χCTL \[GC03\], \[Bob09\].
//!
//! The system and its steps are ordinary; propositions have values in a lattice. A formula then has a value at each state:
//! conjunction is meet, disjunction is join, `EX f` is the join of the values of f over all steps, and the other operators are
//! their fixpoint equations. Over {false, true} this is CTL. Over a lattice of answers, one run gives the answers to many
//! questions at once: which replacements keep a formula true, which propositions solve a query.
//!
//! Three ways to the same function, from the obvious to the fast: [`evaluate_explicitly`], value by value;
//! [`MultiTerminal`], on diagrams whose leaves are values; [`Coded`], on ordinary diagrams of the relation of states and
//! join-irreducible elements. Which is used where, and why, stands in decision 005.
//!
//! Formulas are those of CTL, and modalities of one step of any kind. Lattice constants are named propositions with the same
//! value everywhere. Negation, implication and equivalence need a De Morgan lattice; the quantifier `A` does not: it is `E` in the lattice upside down. Systems
//! need not be total: the join over no steps is bottom, so a state without steps has bottom for every `EX f` and `EG f`, and top
//! for every `AX f` and `AF f`. With justice, quantifiers range over fair paths, as in [`crate::symbolic`].

mod coded;
mod explicit;
mod irreducibles;
mod multi_terminal;
mod positive;
mod semantics;
mod values;

pub use coded::Coded;
pub use explicit::{KripkeStructure, evaluate_explicitly};
pub use irreducibles::Irreducibles;
pub use multi_terminal::MultiTerminal;
pub use values::{LatticeError, Valuation, Values};
