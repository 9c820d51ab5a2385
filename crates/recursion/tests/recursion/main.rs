//! Programs with procedures: semantics and the systems on demand, proofs and refutations, hints of Spacer, refinement; against explicit
//! enumeration.

mod abstractions;
mod build;
mod explicit;
mod fixtures;
mod growth;
mod horn;
mod in_c;
mod partial_twin;
mod pl_fixtures;
mod printed;
mod random_programs;
mod refine;
mod searches;
mod suggesting;
mod thesis;
mod traces;
mod twins;
mod validator;
mod values;
