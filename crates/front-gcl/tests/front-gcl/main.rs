//! The language of guarded commands from outside: reading, complaints, exploring, fuzz.

mod chosen;
mod documented;
mod examples;
mod exploring;
mod fuzz;
mod reading;
mod templates;
