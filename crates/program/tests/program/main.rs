//! Programs from outside: statements and steps against running them.

mod domains;
mod inline;
mod live;
mod locations;
mod pl;
mod statements;
mod term_system;
