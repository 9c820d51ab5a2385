//! Threads with much stack: formulas and texts nest, and parsers go down with them.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Far more than what parsers allow nesting for.
const STACK: usize = 64 << 20;

/// Does work in a thread of its own, and waits for it. A panic goes on in the thread that waits.
pub(crate) fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    scope(|scope| {
        let thread = Builder::new().name("tertium".to_owned()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work).expect("the system can start one more thread");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
