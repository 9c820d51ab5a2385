//! From terms over finite variables to decision diagrams over the bits of these.
//!
//! A truth value becomes one diagram. A number becomes a vector of diagrams in two's complement, as wide as its values need; a
//! bit-vector or a value with a name becomes a vector of fixed width; an array becomes all of its elements. Every term is encoded
//! once. Operations obey the limits of the manager, and reaching one is a value.
//!
//! | file | holds |
//! |---|---|
//! | `circuit`, `integer` | operations on vectors of diagrams |
//! | `array` | arrays, element by element |
//! | `denotation` | what terms of any sort are, as functions of bits |
//! | `values`, `form` | the values of a finite variable and their codes; of an array, place by place |
//! | `layout` | which bits stand for which variable |
//! | `encoder`, `operate` | terms to diagrams |
//! | `order` | which variables should stand together, and which should share their bits |
//! | `order_file` | files that hold an order |
//! | `system` | what all symbolic systems are made of: limits, bits, the frame |
//! | `program`, `steps`, `together` | bounded programs to symbolic systems: the whole, the relation, the bits |

mod array;
pub mod circuit;
mod denotation;
mod encoder;
mod form;
mod integer;
mod layout;
mod operate;
mod order;
mod order_file;
mod program;
mod steps;
mod system;
mod together;
mod values;

pub use array::Array;
pub use denotation::Denotation;
pub use encoder::{EncodeError, Encoder};
pub use form::{Elements, Form};
pub use integer::Integer;
pub use layout::{Finite, Layout, Placed};
pub use order::{Classes, WIDE, arrange, interleave};
pub use order_file::{read_names, write_names};
pub use program::{EncodedProgram, MOST_ARRAY_BITS, ProgramOptions, encode_program, is_bounded, place_names};
pub use system::{conjoin, disjoin, equations, frame_of, make_bits, manager_within, order_of};
pub use values::Values;
