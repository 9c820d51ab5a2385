//! Predicate abstraction of programs with procedures, by summaries \[Wei09\].
//!
//! | file | holds |
//! |---|---|
//! | `scopes` | what predicates may speak of in a procedure, and how that is said in another |
//! | `cubes` | values of predicates |
//! | `vectors` | questions to the solver, each asked once |
//! | `site`, `edges` | edges prepared for questions |
//! | `explore` | what may be reached |
//! | `paths` | ways to a node |
//! | `partial` | what must be possible besides |
//! | `proof` | what that proves |

pub(crate) mod cubes;
pub(crate) mod edges;
pub(crate) mod explore;
pub(crate) mod proof;

pub(crate) mod partial;
pub(crate) mod paths;
pub(crate) mod scopes;
mod site;
pub(crate) mod vectors;
