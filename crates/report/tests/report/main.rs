//! Reports from outside: random outcomes are shown.

mod random_outcomes;
