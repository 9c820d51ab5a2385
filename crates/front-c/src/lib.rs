//! Programs in C: reader, interpreter, and the lowering to programs with procedures.
//!
//! | file | holds |
//! |---|---|
//! | `c_expression` | terms as expressions of C |
//! | `ir` | programs after names, types and conversions are resolved |
//! | `read` | text to such programs, or everything that is wrong, located |
//! | `interpret` | single runs, with values from outside and an observer |
//! | `lower` | programs as graphs of terms |

pub mod c_expression;
pub mod interpret;
pub mod ir;
pub mod lower;
mod read;

pub use read::{ReadOptions, needs_preprocessor, read};
