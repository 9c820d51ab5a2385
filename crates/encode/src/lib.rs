//! Terms over finite variables, and what is made of them, as decision diagrams.
//!
//! | folder | holds |
//! |---|---|
//! | `diagrams` | terms to decision diagrams; programs and systems of terms to symbolic systems |

#![forbid(unsafe_code)]

pub mod diagrams;
