//! Programs with procedures over finitely many abstract states, 4-valued: what *may* happen, and what *must* be possible.
//!
//! An abstract state stands for concrete states at one control point. Who abstracts a program fills a [`PartialProgram`];
//! the systems on demand ([`crate::demand`]) solve it. A finite concrete program is one with equal `may` and `must`.
//!
//! **Transitions.** An [`Alternatives`] says where a state leads. Each concrete transition from a concrete state of the
//! source ends in one of the `may` targets. Each `must` alternative is a set of targets (a hyper-transition of a GKMTS
//! \[Wei09, Def. 2.9\]): from *every* concrete state of the source *some* concrete transition ends in one of them. With
//! minterms as states, a reduced must pre-image (red_U) is one with all such sets; the plain one has singletons only.
//!
//! **Calls.** A call is not a transition. It is taken apart, at a [`Site`]:
//! - *Entering*: a state of the caller leads to an entry state of the callee, and something of the caller is kept
//!   meanwhile. What is kept is a *frame*: a class of pairs (caller, callee at its entry) that is all the return needs.
//!   For a concrete program it is the variables of the caller that the call does not assign.
//! - *Result*: each exit state of the callee belongs to one class of exit states, which is all that the return needs.
//!   For a concrete program it is the values of globals and of the results that are taken.
//! - *Return*: a frame and a result lead to states at the return point. A `must` alternative says: for all concrete
//!   pairs of the frame, and all concrete exit states of the result that the callee can reach from this entry, the state
//!   after the return is in one of the targets.
//!
//! Each exit and each pair may be a class of its own; larger classes are only cheaper. Between entering and return lies
//! the summary of the callee, which the solver finds. Locals that are arbitrary at the entry are a choice of entry states.
//!
//! **Ends.** A state without transitions and without enterings ends paths, as the exit of main does.
//!
//! Invariants: states at an exit have no transitions; the sides of one [`Alternatives`] need not be related.

use std::collections::BTreeMap;
use tertium_program::{EdgeId, PointId, ProcedureId};
use tertium_support::{Id, define_id};

define_id!(
    /// An abstract state. It knows its control point.
    StateId
);

define_id!(
    /// An edge that calls, in a partial program.
    SiteId
);

define_id!(
    /// What is kept of caller and entry during a call, at one site.
    FrameId
);

define_id!(
    /// What a call gives back, at one site.
    ResultId
);

/// One of the two approximations of a partial program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Fewer runs than there are: what is found here is there.
    Must,
    /// More runs than there are: what is not found here is not there.
    May,
}

/// Where something may lead, and ways that must be possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternatives<T> {
    may: Vec<T>,
    must: Vec<Box<[T]>>,
}

impl<T> Default for Alternatives<T> {
    fn default() -> Self {
        Self { may: Vec::new(), must: Vec::new() }
    }
}

impl<T> Alternatives<T> {
    /// The ways on one side. A way is a set of targets: one of them is reached, and one cannot choose which.
    pub fn on(&self, side: Side) -> impl Iterator<Item = &[T]> {
        let (may, must) = match side {
            Side::May => (self.may.as_slice(), &[][..]),
            Side::Must => (&[][..], self.must.as_slice()),
        };
        may.iter().map(std::slice::from_ref).chain(must.iter().map(|way| &way[..]))
    }

    /// Adds what may happen.
    pub fn add_may(&mut self, target: T) {
        self.may.push(target);
    }

    /// Adds a set of targets one of which must be possible. An empty set says nothing that could be used, and is dropped.
    pub fn add_must(&mut self, targets: impl Into<Box<[T]>>) {
        let targets = targets.into();
        if !targets.is_empty() {
            self.must.push(targets);
        }
    }
}

impl<T: Clone> Alternatives<T> {
    /// Adds what happens in just this way: it may, and it must be possible.
    pub fn add_exact(&mut self, target: T) {
        self.may.push(target.clone());
        self.must.push(Box::new([target]));
    }
}

/// A transition inside of a procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Along which edge.
    pub edge: EdgeId,
    /// To which state.
    pub target: StateId,
}

/// A way into a callee.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entering {
    /// Where.
    pub site: SiteId,
    /// What is kept meanwhile.
    pub frame: FrameId,
    /// Where the callee begins.
    pub entry: StateId,
}

/// An abstract state.
#[derive(Clone, Debug)]
pub struct State {
    /// Where control is.
    pub point: PointId,
    /// In which procedure that is.
    pub procedure: ProcedureId,
    /// Where its steps lead.
    pub moves: Alternatives<Move>,
    /// Where its calls lead.
    pub enterings: Alternatives<Entering>,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Site {
    /// The edge that calls.
    pub edge: EdgeId,
    /// What is called.
    pub callee: ProcedureId,
    /// What each exit state of the callee gives back; nothing if it is not said: then that exit never returns here.
    results: BTreeMap<StateId, ResultId>,
    returns: BTreeMap<(FrameId, ResultId), Alternatives<StateId>>,
    n_frames: usize,
    n_results: usize,
}

impl Site {
    /// What an exit state of the callee gives back here.
    pub fn result(&self, exit: StateId) -> Option<ResultId> {
        self.results.get(&exit).copied()
    }

    /// Where calls with this frame lead when they give back this result.
    pub fn returns(&self, frame: FrameId, result: ResultId) -> Option<&Alternatives<StateId>> {
        self.returns.get(&(frame, result))
    }

    /// All that is said of returns.
    pub fn all_returns(&self) -> impl Iterator<Item = (FrameId, ResultId, &Alternatives<StateId>)> {
        self.returns.iter().map(|(&(frame, result), after)| (frame, result, after))
    }

    /// What exit states give back.
    pub fn results(&self) -> impl Iterator<Item = (StateId, ResultId)> {
        self.results.iter().map(|(&exit, &result)| (exit, result))
    }

    /// A new frame.
    pub fn add_frame(&mut self) -> FrameId {
        self.n_frames += 1;
        FrameId::new(self.n_frames - 1)
    }

    /// A new result.
    pub fn add_result(&mut self) -> ResultId {
        self.n_results += 1;
        ResultId::new(self.n_results - 1)
    }

    /// Says what an exit state of the callee gives back.
    pub fn set_result(&mut self, exit: StateId, result: ResultId) {
        self.results.insert(exit, result);
    }

    /// Where calls with this frame lead when they give back this result, to be filled.
    pub fn returns_mut(&mut self, frame: FrameId, result: ResultId) -> &mut Alternatives<StateId> {
        self.returns.entry((frame, result)).or_default()
    }
}

/// A program with procedures over finitely many abstract states.
#[derive(Clone, Debug)]
pub struct PartialProgram {
    states: Vec<State>,
    sites: Vec<Site>,
    exits: BTreeMap<ProcedureId, Vec<StateId>>,
    /// The states that the program begins in: a `may` of all of them, and sets such that it begins in one of each `must`.
    pub initial: Alternatives<StateId>,
}

impl Default for PartialProgram {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialProgram {
    /// A program without states.
    pub fn new() -> Self {
        let initial = Alternatives::default();
        Self { states: Vec::new(), sites: Vec::new(), exits: BTreeMap::new(), initial }
    }

    /// Adds a state at a point inside of a procedure, or at its entry.
    pub fn add_state(&mut self, procedure: ProcedureId, point: PointId) -> StateId {
        let (moves, enterings) = (Alternatives::default(), Alternatives::default());
        self.states.push(State { point, procedure, moves, enterings });
        StateId::new(self.states.len() - 1)
    }

    /// Adds a state at the exit of a procedure.
    pub fn add_exit(&mut self, procedure: ProcedureId, point: PointId) -> StateId {
        let exit = self.add_state(procedure, point);
        self.exits.entry(procedure).or_default().push(exit);
        exit
    }

    /// Adds an edge that calls.
    pub fn add_site(&mut self, edge: EdgeId, callee: ProcedureId) -> SiteId {
        let (results, returns) = (BTreeMap::new(), BTreeMap::new());
        self.sites.push(Site { edge, callee, results, returns, n_frames: 0, n_results: 0 });
        SiteId::new(self.sites.len() - 1)
    }

    /// All states, by id.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// One state.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// One state, to say where it leads.
    pub fn state_mut(&mut self, id: StateId) -> &mut State {
        &mut self.states[id.index()]
    }

    /// All calls, by id.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// One call.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.index()]
    }

    /// One call, to say where it leads.
    pub fn site_mut(&mut self, id: SiteId) -> &mut Site {
        &mut self.sites[id.index()]
    }

    /// The states at the exit of a procedure.
    pub fn exits(&self, procedure: ProcedureId) -> &[StateId] {
        self.exits.get(&procedure).map_or(&[], Vec::as_slice)
    }
}

/// Which states are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// States some concrete states of which may be asked for.
    pub may: Vec<StateId>,
    /// States all concrete states of which are asked for.
    pub must: Vec<StateId>,
}

impl Goal {
    /// All states at a point.
    pub fn at(program: &PartialProgram, points: &[PointId]) -> Self {
        let all = StateId::first(program.states().len());
        let may: Vec<_> = all.filter(|&id| points.contains(&program.state(id).point)).collect();
        Self { must: may.clone(), may }
    }

    /// What is asked for on one side.
    pub fn on(&self, side: Side) -> &[StateId] {
        match side {
            Side::May => &self.may,
            Side::Must => &self.must,
        }
    }
}
