//! Programs from outside: statements and steps against running them.

mod statements;
mod term_system;
