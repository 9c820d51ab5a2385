//! Concrete search with abstract matching, and refinement of under-approximations \[PPV07\].
//!
//! The program is run on concrete states, but states are remembered by what predicates say of them: everything visited
//! is really reachable, so every error that is found is one. For each step a solver is asked whether the predicates
//! lost something. If they did not anywhere, what was visited is bisimilar to the program and proves what was not
//! found; otherwise the failed questions give new predicates, and the search begins anew.
//!
//! **The one rule about the solver**: where it gives up, an implication counts as not valid. Then there are more
//! predicates than needed, and no verdict turns round.
//!
//! | file | holds |
//! |---|---|
//! | `written`, `precision` | predicates, and what states are matched by |
//! | `checks` | implications, asked as seldom as possible and counted |
//! | `inputs`, `transition` | what becomes of inputs, and commands taken apart into transitions |
//! | `initial` | where a search begins |
//! | `choose`, `intervals` | inputs chosen at a state, one for each key that they lead to |
//! | `view` | what a round sees of packed states |
//! | `round`, `naive` | one search with fixed predicates, and its oracle |
//! | `exactness`, `covering` | what it lost, at transitions with one successor and at others |
//! | `initial_precision`, `refinement`, `answer` | rounds until an error or exactness |
//! | `seen` | where propositions were seen |
//! | `branch`, `suite` | tests from what was visited |

mod answer;
mod branch;
mod checks;
mod choose;
mod covering;
mod exactness;
mod initial;
mod initial_precision;
mod inputs;
mod intervals;
mod naive;
mod precision;
mod refinement;
mod round;
mod seen;
mod suite;
#[cfg(test)]
mod threads;
mod transition;
mod view;
mod written;

pub use answer::{Answer, Ending, Iteration, Reason};
pub use branch::{Branch, branches};
pub use checks::{Accounting, CheckSettings, Checks, Counted};
pub use exactness::{LossSettings, Losses, losses};
pub use initial_precision::{Start, starting_predicates};
pub use inputs::{InputSettings, Inputs};
pub use naive::{NaiveRound, NaiveVisit, search_naively};
pub use precision::{Identity, Key, Precision, Predicate, Scope};
pub use refinement::{Settings, search_with_refinement};
pub use round::{Edge, Round, RoundSettings, search_once};
pub use seen::Seen;
pub use suite::{Cover, Coverage, Suite, Test, suite};
pub use tertium_explore::Order;
pub use transition::{Machine, TransitionId};
pub use view::Matching;
pub use written::Written;
