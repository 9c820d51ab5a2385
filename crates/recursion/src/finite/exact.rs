//! A finite program as a partial program: may and must are the same. States have the same numbers.
//!
//! A frame is the values of the caller's variables that the call does not assign; a result is the values of globals and
//! of what is assigned. Both are shared by all states that agree on them, so returns are as many as the states after them.

use super::FiniteProgram;
use crate::demand::{Entering, FrameId, Move, PartialProgram, StateId};
use rustc_hash::FxHashMap;
use tertium_program::{Action, EdgeId, PointId};
use tertium_support::Id;

impl FiniteProgram<'_> {
    /// The same program for the systems on demand.
    pub fn exact(&self) -> PartialProgram {
        let mut program = PartialProgram::new();
        for (point, of) in PointId::first(self.icfg().points().len()).zip(self.icfg().points()) {
            let is_exit = self.icfg().procedure(of.procedure).exit == point;
            for _ in self.states_at(point) {
                if is_exit {
                    program.add_exit(of.procedure, point);
                } else {
                    program.add_state(of.procedure, point);
                }
            }
        }
        for state in 0..self.n_states() {
            for &(edge, target) in self.steps(state) {
                let target = StateId::new(target);
                program.state_mut(StateId::new(state)).moves.add_exact(Move { edge, target });
            }
        }
        for (id, edge) in EdgeId::first(self.icfg().edges().len()).zip(self.icfg().edges()) {
            if let Action::Call(_) = edge.action {
                self.add_call(&mut program, id);
            }
        }
        self.initial().for_each(|state| program.initial.add_exact(StateId::new(state)));
        program
    }

    fn add_call(&self, program: &mut PartialProgram, id: EdgeId) {
        let edge = self.icfg().edge(id);
        let Action::Call(call) = &edge.action else { unreachable!("the edge is a call") };
        let caller = self.icfg().point(edge.source).procedure;
        let site = program.add_site(id, call.callee);
        // Of each frame one state of the caller: they all come back to the same states.
        let mut frames: FxHashMap<Vec<usize>, (FrameId, usize)> = FxHashMap::default();
        for state in self.states_at(edge.source) {
            let own = self.calls(state).iter().find(|(other, _)| *other == id);
            let Some((_, entries)) = own else { continue };
            let kept = self.kept(state, call);
            let (frame, _) =
                *frames.entry(kept).or_insert_with(|| (program.site_mut(site).add_frame(), state));
            for &entry in entries {
                let entering = Entering { site, frame, entry: StateId::new(entry) };
                program.state_mut(StateId::new(state)).enterings.add_exact(entering);
            }
        }
        let mut results = FxHashMap::default();
        for exit in self.states_at(self.icfg().procedure(call.callee).exit) {
            let Some(given) = self.given(caller, exit, call) else { continue };
            let own = program.site_mut(site);
            let result = *results.entry(given).or_insert_with(|| {
                let result = own.add_result();
                for &(frame, state) in frames.values() {
                    if let Some(after) = self.after_return(state, id, exit) {
                        own.returns_mut(frame, result).add_exact(StateId::new(after));
                    }
                }
                result
            });
            own.set_result(StateId::new(exit), result);
        }
    }
}
