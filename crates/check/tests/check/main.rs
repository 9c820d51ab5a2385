//! The checkers from outside: games, partial systems, lattices and symbolic systems, against examples and naive twins.

mod agreement;
mod evidence;
mod foundations;
mod game_few;
mod game_pgsolver;
mod game_solver;
mod godefroid;
mod instances;
mod lattice;
mod partial_laws;
mod ranked;
mod reduced_examples;
mod settle;
mod symbolic_ctl;
mod symbolic_ltl;
mod symbolic_oracle;
mod symbolic_paths;
mod thorough_enumeration;
