//! Parity games: who wins from where, and how.
//!
//! A play moves along edges; the owner of the current vertex picks the edge. Whoever cannot move loses. An infinite
//! play is won by [`Player::Even`] iff the highest priority seen infinitely often is even (max-parity). Every vertex
//! is won by exactly one player, by a strategy that looks at the current vertex only.
//!
//! [`solve()`] works on any [`Arena`]: an explicit [`ParityGame`] or one whose edges are computed on demand;
//! [`solve_regions`] tells only who wins, for less memory.
//! [`check_solution`] validates what it says with code of its own, and [`naive_regions`] is the slow twin of the tests.

mod arena;
mod attraction;
mod components;
mod decomposition;
mod explicit;
pub mod families;
mod frontier;
mod naive;
mod pgsolver;
mod promotion;
mod solution;
mod solve;
mod tangles;
mod validate;
mod vertex_sets;
mod wrong_cycle;
mod zielonka;

pub use arena::{Arena, Player, Successors, VertexId};
pub use explicit::ParityGame;
pub use naive::naive_regions;
pub use pgsolver::{PgFile, read_pgsolver, write_pgsolver, write_solution};
pub use solution::{Regions, Solution};
pub use solve::{Method, solve, solve_by, solve_regions};
pub use validate::{Flaw, check_solution};
