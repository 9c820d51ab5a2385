//! A function while it is read: blocks that are not finished, and the locals so far.
//!
//! [`Draft::finish`] leaves out what cannot be reached, and blocks that do nothing.

use crate::ir::{
    Argument, Block, BlockId, Body, End, Instruction, InstructionKind, LocalId, Object, Place, TypeId,
};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use tertium_support::{Id, Span};

/// A block that may not have an end yet.
#[derive(Default)]
pub(super) struct Open {
    pub(super) instructions: Vec<Instruction>,
    pub(super) end: Option<End>,
    pub(super) span: Span,
    pub(super) is_loop_head: bool,
    pub(super) loop_at: Option<Span>,
    /// Whether a label of the program is here.
    pub(super) is_labelled: bool,
    /// When the reader came here first; blocks of the result are in this order, which is that of the text.
    order: usize,
}

/// A label of the program.
pub(super) struct Label {
    pub(super) block: BlockId,
    /// Where it stands.
    pub(super) defined: Option<Span>,
    /// Where it is used first.
    pub(super) used: Option<Span>,
}

/// Where `break` and `continue` go.
pub(super) struct Jump {
    pub(super) to_break: BlockId,
    pub(super) to_continue: Option<BlockId>,
}

/// A `switch` while its body is read.
pub(super) struct Switch {
    pub(super) ty: TypeId,
    /// First and last value, where control goes, where it stands.
    pub(super) cases: Vec<(i128, i128, BlockId, Span)>,
    pub(super) default: Option<(BlockId, Span)>,
}

/// A function while it is read.
#[derive(Default)]
pub(super) struct Draft {
    /// Its name; empty outside of functions.
    pub(super) name: String,
    /// What it returns; nothing outside of functions.
    pub(super) returns: Option<TypeId>,
    pub(super) locals: Vec<Object>,
    pub(super) blocks: Vec<Open>,
    pub(super) current: usize,
    pub(super) labels: BTreeMap<String, Label>,
    pub(super) jumps: Vec<Jump>,
    pub(super) switches: Vec<Switch>,
    n_temporaries: usize,
    n_entered: usize,
    /// More than zero inside of operands that are not evaluated: nothing is written then.
    pub(super) unevaluated: usize,
    /// Whether something was to be written outside of functions.
    pub(super) has_effects: bool,
    /// Names whose address is taken somewhere in the function.
    pub(super) address_taken: FxHashSet<String>,
    /// Expressions that write instructions, and those that are so deep that they have to, by address in the tree.
    pub(super) impure: FxHashSet<usize>,
    pub(super) too_deep: FxHashSet<usize>,
}

/// A point between two instructions.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) block: usize,
    pub(super) index: usize,
    pub(super) n_blocks: usize,
}

impl Draft {
    /// A function with an empty first block.
    pub(super) fn new(name: &str, returns: Option<TypeId>) -> Self {
        Self { name: name.to_owned(), returns, blocks: vec![Open::default()], ..Self::default() }
    }

    pub(super) fn is_outside(&self) -> bool {
        self.returns.is_none()
    }

    pub(super) fn emit(&mut self, kind: InstructionKind, span: Span) {
        if self.unevaluated > 0 {
            return;
        }
        if self.is_outside() {
            self.has_effects = true;
        }
        self.blocks[self.current].instructions.push(Instruction { kind, span });
    }

    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Open::default());
        BlockId::new(self.blocks.len() - 1)
    }

    /// Says that the loop of a statement begins each round at a block.
    pub(super) fn head_of(&mut self, block: BlockId, span: Span) {
        let own = &mut self.blocks[block.index()];
        (own.is_loop_head, own.loop_at) = (true, Some(span));
    }

    /// Ends the current block, unless it has an end.
    pub(super) fn end(&mut self, end: End, span: Span) {
        if self.unevaluated > 0 {
            return;
        }
        if self.is_outside() {
            self.has_effects = true;
        }
        let block = &mut self.blocks[self.current];
        if block.end.is_none() {
            block.end = Some(end);
            block.span = span;
        }
    }

    /// Ends the current block, and goes on where nothing comes by yet.
    pub(super) fn leave(&mut self, end: End, span: Span) {
        self.end(end, span);
        let next = self.new_block();
        self.go_on(next);
    }

    /// Goes on in a block.
    pub(super) fn go_on(&mut self, block: BlockId) {
        if self.unevaluated > 0 {
            return;
        }
        self.current = block.index();
        if self.blocks[self.current].order == 0 && self.current > 0 {
            self.n_entered += 1;
            self.blocks[self.current].order = self.n_entered;
        }
    }

    pub(super) fn add_local(&mut self, name: String, ty: TypeId, span: Span) -> LocalId {
        self.locals.push(Object { name, ty, span, has_address: false });
        LocalId::new(self.locals.len() - 1)
    }

    /// A local that is written once, before it is read.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        let name = format!(".{}", self.n_temporaries);
        self.n_temporaries += 1;
        self.add_local(name, ty, span)
    }

    pub(super) fn is_temporary(&self, local: LocalId) -> bool {
        self.locals[local.index()].name.starts_with('.')
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            block: self.current,
            index: self.blocks[self.current].instructions.len(),
            n_blocks: self.blocks.len(),
        }
    }

    /// The label with this name, made if it is new.
    pub(super) fn label(&mut self, name: &str) -> &mut Label {
        if !self.labels.contains_key(name) {
            let block = self.new_block();
            self.blocks[block.index()].is_labelled = true;
            self.labels.insert(name.to_owned(), Label { block, defined: None, used: None });
        }
        self.labels.get_mut(name).expect("it was just made")
    }

    /// If the last instruction wrote this temporary, it writes another place instead, or nothing.
    pub(super) fn retarget(&mut self, temporary: LocalId, place: Option<Place>) -> bool {
        if self.unevaluated > 0 || !self.is_temporary(temporary) {
            return false;
        }
        let Some(last) = self.blocks[self.current].instructions.last_mut() else { return false };
        let is_it = |to: &Place| {
            to.path.is_empty() && matches!(to.base, crate::ir::Base::Local(local) if local == temporary)
        };
        match &mut last.kind {
            InstructionKind::Call { to: to @ Some(_), .. }
            | InstructionKind::Builtin { to: to @ Some(_), .. }
                if to.as_ref().is_some_and(is_it) =>
            {
                *to = place;
            }
            InstructionKind::Input { to, .. } if is_it(to) => match place {
                Some(place) => *to = place,
                // An input that nobody uses is still asked for.
                None => return false,
            },
            _ => return false,
        }
        if temporary.index() + 1 == self.locals.len() {
            self.locals.pop();
        }
        true
    }

    /// The finished body.
    pub(super) fn finish(&mut self, end: Span) -> Body {
        let blocks = std::mem::take(&mut self.blocks);
        let forward = forwarding(&blocks);
        let is_reached = reached(&blocks, &forward);
        let mut kept: Vec<usize> = (0..blocks.len()).filter(|&index| is_reached[index]).collect();
        kept.sort_by_key(|&index| blocks[index].order);
        let mut number = vec![None; blocks.len()];
        for (new, &old) in kept.iter().enumerate() {
            number[old] = Some(BlockId::new(new));
        }
        let renamed =
            |block: BlockId| number[forward[block.index()]].expect("targets of reached blocks are reached");
        let labels = std::mem::take(&mut self.labels);
        let labels: Vec<(String, Label)> =
            labels.into_iter().filter(|(_, label)| is_reached[label.block.index()]).collect();
        let place = |(_, label): &(String, Label)| Some((renamed(label.block), label.defined?));
        let label_spans = labels.iter().filter_map(place).collect();
        let labels = labels.into_iter().map(|(name, label)| (name, renamed(label.block))).collect();
        let mut blocks = blocks;
        let blocks = kept
            .into_iter()
            .map(|index| {
                let block = std::mem::take(&mut blocks[index]);
                let mut end = block.end.expect("all blocks that are reached were ended");
                for_targets(&mut end, |target| *target = renamed(*target));
                Block {
                    instructions: block.instructions,
                    end,
                    span: block.span,
                    is_loop_head: block.is_loop_head,
                    loop_at: block.loop_at,
                }
            })
            .collect();
        Body { blocks, labels, label_spans, end }
    }
}

/// Does something with all targets of an end.
fn for_targets(end: &mut End, mut act: impl FnMut(&mut BlockId)) {
    match end {
        End::Goto(target) => act(target),
        End::Branch { then, otherwise, .. } => {
            act(then);
            act(otherwise);
        }
        End::Switch { cases, otherwise, .. } => {
            cases.iter_mut().for_each(|(_, target)| act(target));
            act(otherwise);
        }
        End::Return(_) | End::Exit(_) | End::Error(_) | End::Unreachable | End::Unsupported(_) => {}
    }
}

/// Where control really goes that goes to a block: past blocks that do nothing.
fn forwarding(blocks: &[Open]) -> Vec<usize> {
    let next = |index: usize| {
        let block = &blocks[index];
        match block.end {
            Some(End::Goto(target))
                if block.instructions.is_empty()
                    && !block.is_loop_head
                    && !block.is_labelled
                    && index > 0 =>
            {
                Some(target.index())
            }
            _ => None,
        }
    };
    let mut forward: Vec<Option<usize>> = vec![None; blocks.len()];
    for start in 0..blocks.len() {
        let mut way = Vec::new();
        let mut at = start;
        let last = loop {
            if let Some(known) = forward[at] {
                break known;
            }
            // A circle of blocks that do nothing stays as it is.
            forward[at] = Some(at);
            way.push(at);
            match next(at) {
                Some(target) => at = target,
                None => break at,
            }
        };
        way.into_iter().for_each(|block| forward[block] = Some(last));
    }
    forward.into_iter().map(|block| block.expect("all were visited")).collect()
}

fn reached(blocks: &[Open], forward: &[usize]) -> Vec<bool> {
    let mut is_reached = vec![false; blocks.len()];
    let mut waiting = vec![0];
    is_reached[0] = true;
    while let Some(index) = waiting.pop() {
        let Some(end) = &blocks[index].end else { continue };
        for_targets(&mut end.clone(), |target| {
            let target = forward[target.index()];
            if !std::mem::replace(&mut is_reached[target], true) {
                waiting.push(target);
            }
        });
    }
    is_reached
}

/// What an instruction passes to a call, for later looks at it.
pub(super) fn arguments_mut(kind: &mut InstructionKind) -> Option<&mut Vec<Argument>> {
    match kind {
        InstructionKind::Call { arguments, .. } => Some(arguments),
        _ => None,
    }
}
