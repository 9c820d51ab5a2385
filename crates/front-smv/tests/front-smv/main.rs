//! The language SMV from outside: reading, complaints, meaning, encoding, against a naive interpreter.

mod common;
mod complain;
mod corpus;
mod elaborate;
mod encode;
mod interpret;
mod language;
mod listed;
mod lower;
mod random;
mod random_model;
mod validate;
