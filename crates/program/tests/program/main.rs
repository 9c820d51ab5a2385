//! Programs from outside: statements and steps against running them.

mod domains;
mod live;
mod locations;
mod statements;
mod term_system;
