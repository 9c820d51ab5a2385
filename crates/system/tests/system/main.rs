//! Partial systems, relations between them and their text formats, from outside.

mod format;
mod partial_examples;
mod partial_laws;
mod relation;
