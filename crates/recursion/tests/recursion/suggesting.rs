//! Contexts in which Spacer may work: in this process, since what tests ask it is known to end well.

use tertium_solve::answer_aside;
use tertium_support::{Aside, Context, StopReason};

#[derive(Debug)]
struct Here;

impl Aside for Here {
    fn ask(&self, _: &Context, question: &str) -> Result<Option<String>, StopReason> {
        Ok(answer_aside(question))
    }
}

/// A context with somebody who answers questions about Horn clauses.
pub(crate) fn suggesting() -> Context {
    Context::default().with_aside(Some(std::sync::Arc::new(Here)))
}
