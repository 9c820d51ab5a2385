//! Work on many things, shared by two threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The results of some work on all items, in their order. Two threads share the work, each taking the next item: alone at the
/// end, a long test would leave a core idle.
pub fn shared_work<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return done };
            done.push((at, work(item)));
        }
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let workers = [scope.spawn(worker), scope.spawn(worker)];
        let done = workers.map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        done.into_iter().flatten().collect()
    });
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, result)| result).collect()
}
