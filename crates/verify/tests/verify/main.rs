//! The middle from outside: formats, engines, scheduling.

mod toy;
