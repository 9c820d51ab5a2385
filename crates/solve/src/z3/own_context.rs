//! A context of Z3 for one solver.
//!
//! What Z3 answers depends on the history of its context: numbers of terms and fresh names decide the order in which it looks at things.
//! The binding has one context for each thread, so solvers there would depend on each other. Here each has its own, and the same
//! questions have the same answers whatever was asked of others.
//!
//! The binding lets only what can go to another thread into a closure that runs in a given context, and Z3's objects cannot. They
//! pass through [`HANDED`], which is full during that step only: nothing is kept there.

use std::alloc::{Layout, handle_alloc_error};
use std::any::Any;
use std::cell::Cell;
use z3::{Config, Context, set_global_param, with_z3_config, with_z3_context};

thread_local! {
    /// What is handed into a closure or out of it.
    static HANDED: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
    /// Whether the context that the binding makes for a thread belongs to a solver. It is there in any case, and as good as any other,
    /// so the first solver of a thread has it.
    static IS_TAKEN: Cell<bool> = const { Cell::new(false) };
}

fn hand<T: 'static>(what: T) {
    let before = HANDED.replace(Some(Box::new(what)));
    assert!(before.is_none(), "one thing is handed at a time");
}

fn take<T: 'static>() -> T {
    let what = HANDED.take().and_then(|what| what.downcast().ok());
    *what.expect("what was handed is taken at once")
}

/// What a context takes at first, and some more.
const ROOM: usize = 32 << 20;

/// Ends the process as any allocation that fails does, if there is no room for a context: the binding would call that a bug of ours.
fn make_room() {
    if Vec::<u8>::new().try_reserve_exact(ROOM).is_err() {
        handle_alloc_error(Layout::new::<[u8; ROOM]>());
    }
}

/// A context that nobody else uses.
pub(super) struct OwnContext(Context);

impl OwnContext {
    /// A new one.
    pub(super) fn new() -> Self {
        make_room();
        // A solver of Z3 is two: one for single questions, made of tactics, and one for questions in scopes, the only one that we
        // ask. The tactics for unknown logics take four fifths of the time that a context takes; this one takes none. The setting
        // is the library's own, always the same, and concerns no answer.
        set_global_param("tactic.default_tactic", "smt");
        if !IS_TAKEN.replace(true) {
            return Self(Context::thread_local());
        }
        with_z3_config(&Config::new(), || hand(Context::thread_local()));
        Self(take())
    }

    /// Works on `what`, which lives in this context, so that everything that is made lives here too.
    pub(super) fn inside<T: 'static>(&self, what: T, work: impl FnOnce(&mut T) + Send + Sync) -> T {
        hand(what);
        with_z3_context(&self.0, || {
            let mut what: T = take();
            work(&mut what);
            hand(what);
        });
        take()
    }
}
