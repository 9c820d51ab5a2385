//! Work beside other work, in a thread of its own where there is room for one.
//!
//! Where the system gives no thread, as with little address space, the work is done at once by whoever asked for it: it takes longer,
//! and nothing else is different.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Work that was begun.
#[derive(Debug)]
pub enum Beside<'s, T> {
    /// In a thread.
    Thread(ScopedJoinHandle<'s, T>),
    /// It is done already.
    Done(T),
}

/// Begins work in a thread, or does it.
pub fn beside<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> Beside<'s, T> {
    // A thread that is not there takes the work with it, unless that lies where both can reach it.
    let slot = Arc::new(Mutex::new(Some(work)));
    let own = Arc::clone(&slot);
    match Builder::new().spawn_scoped(scope, move || take(&own)()) {
        Ok(thread) => Beside::Thread(thread),
        Err(_) => Beside::Done(take(&slot)()),
    }
}

fn take<F>(slot: &Mutex<Option<F>>) -> F {
    slot.lock().unwrap_or_else(PoisonError::into_inner).take().expect("the work is taken once")
}

impl<T> Beside<'_, T> {
    /// Waits for the result. A panic of the thread goes on here.
    pub fn join(self) -> T {
        match self {
            Self::Done(result) => result,
            Self::Thread(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_the_same_in_a_thread_and_without_one() {
        let numbers = [1, 2, 3];
        std::thread::scope(|scope| {
            let sum = beside(scope, || numbers.iter().sum::<i32>());
            assert_eq!((sum.join(), Beside::Done(6).join()), (6, 6));
        });
    }
}
