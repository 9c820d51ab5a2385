//! Which locals are read later on before they are written.
//!
//! Backward over the blocks of a function, with one bit for each local. Locals that pointers can reach, and those with parts, are
//! always live. Gives up, with everything live, if blocks times locals are too many.

use super::calls::{operands, reverse_postorder_of, successors};
use crate::ir::{
    Argument, Base, Block, BlockId, Body, Callee, End, Expression, ExpressionKind, Function, Instruction,
    InstructionKind, LocalId, Place, Step,
};
use std::collections::BTreeSet;
use tertium_support::{Id, StopReason, Ticker};

/// So many words are spent on sets at most.
const MOST_WORDS: usize = 1 << 23;

/// What is live in a function.
#[derive(Debug, Default)]
pub(super) struct Live {
    /// By block, where it begins; nothing if everything counts as live.
    at: Option<Vec<Vec<u64>>>,
    /// Locals without address; all others are always live.
    plain: Vec<bool>,
    /// Those whose value may be read although nothing was written since they began to live.
    pub(super) read_first: BTreeSet<LocalId>,
}

impl Live {
    /// Finds what is live in a function.
    pub(super) fn find(function: &Function, ticker: &mut Ticker<'_>) -> Result<Self, StopReason> {
        let plain: Vec<bool> = function.locals.iter().map(|local| !local.has_address).collect();
        let mut found = Self { at: None, plain, read_first: BTreeSet::new() };
        let Some(body) = &function.body else { return Ok(found) };
        let n_words = function.locals.len().div_ceil(64);
        if n_words.saturating_mul(body.blocks.len()) <= MOST_WORDS {
            found.at = Some(found.sets(body, n_words, ticker)?);
        }
        found.find_read_first(body);
        Ok(found)
    }

    /// Whether a local is live where a block begins.
    pub(super) fn is_live(&self, block: BlockId, local: LocalId) -> bool {
        let Some(at) = &self.at else { return true };
        !self.plain[local.index()] || has(&at[block.index()], local)
    }

    /// Whether a local is live before an instruction of a block, as far as a short look shows; true if it would take a long one.
    pub(super) fn is_live_before(&self, block: &Block, instruction: usize, local: LocalId) -> bool {
        const MOST: usize = 24;
        let rest = &block.instructions[instruction.min(block.instructions.len())..];
        if !self.plain[local.index()] || self.at.is_none() || rest.len() > MOST {
            return true;
        }
        let mut is_read = false;
        let mut look = |own: LocalId| is_read |= own == local;
        rest.iter().for_each(|instruction| reads(instruction, &mut look));
        end_reads(&block.end, &mut look);
        is_read || successors(&block.end).into_iter().any(|to| self.is_live(to, local))
    }

    fn sets(
        &self,
        body: &Body,
        n_words: usize,
        ticker: &mut Ticker<'_>,
    ) -> Result<Vec<Vec<u64>>, StopReason> {
        let mut at = vec![vec![0u64; n_words]; body.blocks.len()];
        let order: Vec<BlockId> = reverse_postorder_of(body).into_iter().rev().collect();
        loop {
            let mut has_changed = false;
            for &id in &order {
                let block = &body.blocks[id.index()];
                ticker.tick(block.instructions.len() + n_words)?;
                let live = self.through(block, &at, &mut |_, _| {});
                has_changed |= live != at[id.index()];
                at[id.index()] = live;
            }
            if !has_changed {
                return Ok(at);
            }
        }
    }

    /// What is live where a block begins; `seen` gets each instruction with what is live after it.
    fn through(
        &self,
        block: &Block,
        at: &[Vec<u64>],
        seen: &mut dyn FnMut(&Instruction, &[u64]),
    ) -> Vec<u64> {
        let mut live = vec![0u64; at.first().map_or(0, Vec::len)];
        for to in successors(&block.end) {
            live.iter_mut().zip(&at[to.index()]).for_each(|(own, more)| *own |= more);
        }
        end_reads(&block.end, &mut |local| add(&mut live, local));
        for instruction in block.instructions.iter().rev() {
            seen(instruction, &live);
            if let Some(local) = written(instruction) {
                live[local.index() / 64] &= !(1 << (local.index() % 64));
            }
            reads(instruction, &mut |local| add(&mut live, local));
        }
        live
    }

    fn find_read_first(&mut self, body: &Body) {
        let lives = body.blocks.iter().flat_map(|block| &block.instructions);
        let begun = lives.filter_map(|instruction| match instruction.kind {
            InstructionKind::Live(local) => Some(local),
            _ => None,
        });
        let mut first: BTreeSet<LocalId> = begun.filter(|local| !self.plain[local.index()]).collect();
        let all = body.blocks.iter().flat_map(|block| &block.instructions);
        match &self.at {
            None => {
                first.extend(all.filter_map(|instruction| match instruction.kind {
                    InstructionKind::Live(local) => Some(local),
                    _ => None,
                }));
            }
            Some(at) => {
                for block in &body.blocks {
                    self.through(block, at, &mut |instruction, live| {
                        if let InstructionKind::Live(local) = instruction.kind
                            && has(live, local)
                        {
                            first.insert(local);
                        }
                    });
                }
            }
        }
        self.read_first = first;
    }
}

fn has(set: &[u64], local: LocalId) -> bool {
    set.get(local.index() / 64).is_some_and(|word| word >> (local.index() % 64) & 1 == 1)
}

fn add(set: &mut [u64], local: LocalId) {
    set[local.index() / 64] |= 1 << (local.index() % 64);
}

/// The local that an instruction gives a new value to, or ends the value of.
fn written(instruction: &Instruction) -> Option<LocalId> {
    let place = match &instruction.kind {
        InstructionKind::Live(local) => return Some(*local),
        InstructionKind::Assign { to, .. }
        | InstructionKind::Copy { to, .. }
        | InstructionKind::Input { to, .. } => to,
        InstructionKind::Clear(place) => place,
        InstructionKind::Call { to, .. } | InstructionKind::Builtin { to, .. } => to.as_ref()?,
        InstructionKind::Evaluate(_) | InstructionKind::Assume(_) | InstructionKind::Unsupported(_) => {
            return None;
        }
    };
    match place.base {
        Base::Local(local) if place.path.is_empty() => Some(local),
        _ => None,
    }
}

fn reads(instruction: &Instruction, visit: &mut impl FnMut(LocalId)) {
    match &instruction.kind {
        InstructionKind::Assign { to, value } => {
            target(to, visit);
            expression(value, visit);
        }
        InstructionKind::Copy { to, from } => {
            target(to, visit);
            place(from, visit);
        }
        InstructionKind::Clear(to) | InstructionKind::Input { to, .. } => target(to, visit),
        InstructionKind::Evaluate(value) | InstructionKind::Assume(value) => expression(value, visit),
        InstructionKind::Live(_) | InstructionKind::Unsupported(_) => {}
        InstructionKind::Call { callee, arguments, to } => {
            if let Callee::Pointer(pointer) = callee {
                expression(pointer, visit);
            }
            arguments.iter().for_each(|own| argument(own, visit));
            to.iter().for_each(|to| target(to, visit));
        }
        InstructionKind::Builtin { arguments, to, .. } => {
            arguments.iter().for_each(|own| expression(own, visit));
            to.iter().for_each(|to| target(to, visit));
        }
    }
}

fn end_reads(end: &End, visit: &mut impl FnMut(LocalId)) {
    match end {
        End::Branch { condition, .. } => expression(condition, visit),
        End::Switch { value, .. } => expression(value, visit),
        End::Return(Some(own)) => argument(own, visit),
        _ => {}
    }
}

fn argument(argument: &Argument, visit: &mut impl FnMut(LocalId)) {
    match argument {
        Argument::Value(value) => expression(value, visit),
        Argument::Copied(own) => place(own, visit),
    }
}

/// What is read to find a place, which itself is read if only a part of it is written.
fn target(to: &Place, visit: &mut impl FnMut(LocalId)) {
    if !(to.path.is_empty() && matches!(to.base, Base::Local(_))) {
        place(to, visit);
    }
}

fn place(own: &Place, visit: &mut impl FnMut(LocalId)) {
    match &own.base {
        Base::Local(local) => visit(*local),
        Base::Pointer(pointer) => expression(pointer, visit),
        Base::Global(_) | Base::Text(_) => {}
    }
    for step in &own.path {
        if let Step::Element(index) = step {
            expression(index, visit);
        }
    }
}

fn expression(own: &Expression, visit: &mut impl FnMut(LocalId)) {
    let mut open = vec![own];
    while let Some(own) = open.pop() {
        if let ExpressionKind::Read(place) | ExpressionKind::AddressOf(place) = &own.kind
            && let Base::Local(local) = place.base
        {
            visit(local);
        }
        open.extend(operands(own));
    }
}
