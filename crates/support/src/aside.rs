//! Work done aside: by a process of its own, for code of others that may end the process it is in.

use crate::{Context, StopReason};
use std::fmt::Debug;

/// Somebody who answers texts in processes of their own.
pub trait Aside: Debug + Send + Sync {
    /// Sends a question to a new process, and waits for what it says: nothing if it breaks down, or if there can be none.
    ///
    /// # Errors
    ///
    /// The limit that was reached meanwhile; the process is ended then.
    fn ask(&self, context: &Context, question: &str) -> Result<Option<String>, StopReason>;
}
