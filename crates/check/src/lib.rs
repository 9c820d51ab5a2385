//! Checkers: what holds of a system, decided by games and fixpoints, with evidence that separate code validates.

pub mod game;
