//! CTL with values in a finite distributive lattice, on classical systems: χCTL \[GC03\], \[Bob09\], from its equations.
//!
//! The system and its steps are ordinary; propositions have values in a lattice. A formula then has a value at each state:
//! conjunction is meet, disjunction is join, `EX f` is the join of the values of f over all steps, and the other operators are
//! their fixpoint equations. Over {false, true} this is CTL. Over a lattice of answers, one evaluation gives the answers to many
//! questions at once. Vacuity and queries rest on this; the tests here are of the theory.
//!
//! Negation, implication and equivalence need a De Morgan lattice; the quantifier `A` does not: it is `E` in the lattice upside down.
//! Systems need not be total: the join over no steps is bottom. With justice, quantifiers range over fair paths.

mod approximation;
mod ctl;
mod explicit;
mod semantics;
mod values;

use explicit::{KripkeStructure, evaluate_explicitly};
use values::{LatticeError, Values};
