//! Which locals were certainly written: those are read without asking.
//!
//! A forward analysis of one function: a local is known where it was written on all ways since its life began.

use crate::ir::{Base, BlockId, Body, End, FunctionId, InstructionKind, LocalId, Place, Unit};
use tertium_support::Id;

/// A set of locals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct KnownLocals(Vec<u64>);

impl KnownLocals {
    pub(super) fn none(n_locals: usize) -> Self {
        Self(vec![0; n_locals.div_ceil(64)])
    }

    pub(super) fn contains(&self, local: LocalId) -> bool {
        self.0[local.index() / 64] >> (local.index() % 64) & 1 == 1
    }

    fn insert(&mut self, local: LocalId) {
        self.0[local.index() / 64] |= 1 << (local.index() % 64);
    }

    fn remove(&mut self, local: LocalId) {
        self.0[local.index() / 64] &= !(1 << (local.index() % 64));
    }

    fn written(&mut self, place: &Place) {
        if let (Base::Local(local), []) = (&place.base, place.path.as_slice()) {
            self.insert(*local);
        }
    }

    /// What is known after an instruction.
    pub(super) fn after(&mut self, kind: &InstructionKind) {
        match kind {
            InstructionKind::Assign { to, .. }
            | InstructionKind::Copy { to, .. }
            | InstructionKind::Clear(to)
            | InstructionKind::Input { to, .. }
            | InstructionKind::Call { to: Some(to), .. }
            | InstructionKind::Builtin { to: Some(to), .. } => self.written(to),
            InstructionKind::Live(local) => self.remove(*local),
            InstructionKind::Evaluate(_)
            | InstructionKind::Assume(_)
            | InstructionKind::Call { to: None, .. }
            | InstructionKind::Builtin { to: None, .. }
            | InstructionKind::Unsupported(_) => {}
        }
    }

    /// Keeps what the other has too; whether something went.
    fn meet(&mut self, other: &Self) -> bool {
        let mut is_less = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            is_less |= *own & !other != 0;
            *own &= other;
        }
        is_less
    }
}

/// What is known where the blocks of a function begin.
pub(super) fn known_at_blocks(unit: &Unit, function: FunctionId, body: &Body) -> Vec<KnownLocals> {
    let own = unit.function(function);
    let none = KnownLocals::none(own.locals.len());
    let mut entry = none.clone();
    // The arguments of the first call of main are any values.
    if function != unit.main {
        LocalId::first(own.n_parameters).for_each(|local| entry.insert(local));
    }
    let mut at: Vec<Option<KnownLocals>> = vec![None; body.blocks.len()];
    at[0] = Some(entry);
    let mut open = vec![BlockId::new(0)];
    while let Some(block) = open.pop() {
        let mut known = at[block.index()].clone().expect("control came here");
        body.blocks[block.index()].instructions.iter().for_each(|instruction| known.after(&instruction.kind));
        successors(&body.blocks[block.index()].end, |next| {
            let is_new = match &mut at[next.index()] {
                Some(before) => before.meet(&known),
                before => {
                    *before = Some(known.clone());
                    true
                }
            };
            if is_new {
                open.push(next);
            }
        });
    }
    at.into_iter().map(|known| known.unwrap_or_else(|| none.clone())).collect()
}

fn successors(end: &End, mut found: impl FnMut(BlockId)) {
    match end {
        End::Goto(target) => found(*target),
        End::Branch { then, otherwise, .. } => {
            found(*then);
            found(*otherwise);
        }
        End::Switch { cases, otherwise, .. } => {
            cases.iter().for_each(|case| found(case.1));
            found(*otherwise);
        }
        End::Return(_) | End::Exit(_) | End::Error(_) | End::Unreachable | End::Unsupported(_) => {}
    }
}
