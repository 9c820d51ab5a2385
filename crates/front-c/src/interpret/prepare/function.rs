//! Code for functions: blocks, instructions, and where control goes.

use super::super::code::{ABSOLUTE, BuiltinSite, Delivery, Note, Op, Passed, Question, Ranges, Reg, Site};
use super::super::code::{Stored, Table};
use super::super::scalar::Scalar;
use super::expressions::{Item, Label, Use};
use super::known::{KnownLocals, known_at_blocks};
use super::{Builder, Home, notes};
use crate::ir::{Argument, Asking, Block, BlockId, Body, Callee, End, Function, FunctionId, Instruction};
use crate::ir::{Expression, InstructionKind, LocalId, Place, Undefined, Unit};
use std::sync::Arc;
use tertium_support::{Id, Span};

/// How many computed indices of one assignment are kept for the observer.
pub(super) const KEPT: Reg = 2;

/// Makes the code of one function.
pub(super) struct FunctionBuilder<'b, 'u> {
    pub(super) builder: &'b mut Builder<'u>,
    pub(super) function: FunctionId,
    pub(super) n_locals: Reg,
    /// The first temporary that is free, and the most that were taken.
    pub(super) next: Reg,
    most: Reg,
    /// What was computed and not yet used.
    pub(super) items: Vec<Item>,
    /// The registers with the indices of the place that is assigned to.
    pub(super) indices: Vec<Option<Reg>>,
    pub(super) n_kept: Reg,
    /// Where labels are; the first are those of the blocks.
    labels: Vec<u32>,
    /// Where the code begins, and where the last label is.
    start: usize,
    first_note: usize,
    last_label: usize,
    /// Which locals are certainly written here.
    known: KnownLocals,
}

impl<'b, 'u> FunctionBuilder<'b, 'u> {
    fn new(builder: &'b mut Builder<'u>, function: FunctionId, n_locals: usize, n_blocks: usize) -> Self {
        let (n_locals, start) = (n_locals as Reg, builder.code.ops.len());
        let (first, first_note) = (n_locals + KEPT, builder.code.notes.len());
        Self {
            builder,
            function,
            n_locals,
            next: first,
            most: first,
            items: Vec::new(),
            indices: Vec::new(),
            n_kept: 0,
            labels: vec![u32::MAX; n_blocks],
            start,
            first_note,
            last_label: start,
            known: KnownLocals::none(n_locals as usize),
        }
    }

    /// Code for the body of a function: where it begins, and how many registers it takes.
    pub(super) fn body(builder: &'b mut Builder<'u>, function: FunctionId, body: &'u Body) -> (u32, u32) {
        let n_locals = builder.unit.function(function).locals.len();
        let known = known_at_blocks(builder.unit, function, body);
        let mut this = Self::new(builder, function, n_locals, body.blocks.len());
        for ((id, block), known) in BlockId::first(body.blocks.len()).zip(&body.blocks).zip(known) {
            this.known = known;
            this.bind(Label(id.raw()));
            this.block(id, block);
        }
        this.resolve();
        (this.start as u32, this.most)
    }

    /// Code for the initial values of globals.
    pub(super) fn initial(builder: &'b mut Builder<'u>) -> (u32, u32) {
        let unit = builder.unit;
        let mut this = Self::new(builder, unit.main, 0, 0);
        for initial in &unit.initial {
            this.assign(&initial.to, &initial.value, initial.to.span);
            this.clear();
        }
        this.emit(Op::Return, Span::default());
        this.resolve();
        (this.start as u32, this.most)
    }

    pub(super) fn unit(&self) -> &'u Unit {
        self.builder.unit
    }

    pub(super) fn function(&self) -> &'u Function {
        self.builder.unit.function(self.function)
    }

    /// Where a local is.
    pub(super) fn home(&self, local: LocalId) -> Home {
        if self.builder.in_memory[self.function.index()][local.index()] {
            Home::Memory(local.raw())
        } else {
            Home::Register(local.raw())
        }
    }

    pub(super) fn is_known(&self, local: LocalId) -> bool {
        self.known.contains(local)
    }

    pub(super) fn is_temporary(&self, register: Reg) -> bool {
        register & ABSOLUTE == 0 && register >= self.n_locals + KEPT
    }

    pub(super) fn temporary(&mut self) -> Reg {
        self.next += 1;
        self.most = self.most.max(self.next);
        self.next - 1
    }

    pub(super) fn emit(&mut self, op: Op, span: Span) {
        let code = &mut self.builder.code;
        code.ops.push(op);
        code.spans.push(span);
        code.note_of.push(0);
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        Label(self.labels.len() as u32 - 1)
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.last_label = self.builder.code.ops.len();
        self.labels[label.0 as usize] = self.last_label as u32;
    }

    /// Puts places of the code for labels.
    fn resolve(&mut self) {
        let labels = &self.labels;
        let code = &mut self.builder.code;
        for op in &mut code.ops[self.start..] {
            match op {
                Op::Jump { target } => *target = labels[*target as usize],
                Op::Branch { then, otherwise, .. }
                | Op::BranchEqual { then, otherwise, .. }
                | Op::BranchLess { then, otherwise, .. }
                | Op::BranchAtMost { then, otherwise, .. } => {
                    *then = labels[*then as usize];
                    *otherwise = labels[*otherwise as usize];
                }
                Op::Switch { table, .. } => {
                    let targets = code.tables[*table as usize].targets();
                    targets.for_each(|target| *target = labels[*target as usize]);
                }
                _ => {}
            }
        }
        for note in &mut code.notes[self.first_note..] {
            if let Note::Branched { then, .. } = note {
                *then = labels[*then as usize];
            }
        }
    }

    /// All temporaries are free again.
    fn clear(&mut self) {
        self.items.clear();
        self.indices.clear();
        self.n_kept = 0;
        self.next = self.n_locals + KEPT;
    }

    fn block(&mut self, id: BlockId, block: &'u Block) {
        for instruction in &block.instructions {
            self.instruction(instruction);
            self.known.after(&instruction.kind);
            self.clear();
        }
        self.end(id, block);
        self.clear();
    }

    fn instruction(&mut self, instruction: &'u Instruction) {
        let span = instruction.span;
        match &instruction.kind {
            InstructionKind::Assign { to, value } => self.assign(to, value, span),
            InstructionKind::Copy { to, from } => {
                let (target, source) = (self.place(to, Use::Access), self.place(from, Use::Access));
                let size = self.unit().size_of(to.ty).unwrap_or(0);
                let bytes = self.ranges(target.offset, source.offset, size);
                self.emit(Op::Copy { to: target.register, from: source.register, bytes }, span);
            }
            InstructionKind::Clear(place) => self.clear_place(place, span),
            InstructionKind::Input { to, by } => {
                let Some(scalar) = self.scalar(to.ty) else { return };
                let item = self.place(to, Use::Target);
                let value = if item.is_memory { self.temporary() } else { item.register };
                self.builder.code.questions.push(Question { by: Arc::from(by.as_str()), scalar });
                let question = self.builder.code.questions.len() as u32 - 1;
                self.emit(Op::Ask { to: value, question }, span);
                self.put(to, item, value, scalar, span);
            }
            InstructionKind::Evaluate(value) => {
                self.value(value);
            }
            InstructionKind::Live(local) => match self.home(*local) {
                Home::Register(to) => self.emit(Op::Forget { to }, span),
                Home::Memory(at) => self.emit(Op::Renew { at }, span),
            },
            InstructionKind::Assume(value) => {
                self.value(value);
                let a = self.pop_condition(value).register;
                self.emit(Op::Assume { a }, span);
            }
            InstructionKind::Call { callee, arguments, to } => {
                self.call(callee, arguments, to.as_ref(), span)
            }
            InstructionKind::Builtin { which, arguments, to } => {
                let delivery = self.delivery(to.as_ref());
                let arguments = arguments.iter().map(|argument| self.scalar_argument(argument)).collect();
                let gives = to.as_ref().and_then(|to| self.scalar(to.ty)).unwrap_or(Scalar::Pointer);
                let site = BuiltinSite { which: *which, arguments, to: delivery, gives };
                self.builder.code.builtins.push(site);
                self.emit(Op::Builtin { site: self.builder.code.builtins.len() as u32 - 1 }, span);
                self.note_delivery(to.as_ref(), delivery);
            }
            InstructionKind::Unsupported(which) => self.emit(Op::Unsupported(*which as u32), span),
        }
    }

    fn scalar_argument(&mut self, argument: &'u Expression) -> (Reg, Scalar) {
        let scalar = self.scalar(argument.ty).unwrap_or(Scalar::Pointer);
        (self.value(argument), scalar)
    }

    fn ranges(&mut self, to: u64, from: u64, size: u64) -> u32 {
        self.builder.code.copies.push(Ranges { to, from, size });
        self.builder.code.copies.len() as u32 - 1
    }

    fn clear_place(&mut self, place: &'u Place, span: Span) {
        let item = self.place(place, Use::Access);
        if !item.is_memory {
            let from = self.builder.constant(0);
            return self.emit(Op::Move { to: item.register, from }, span);
        }
        let size = self.unit().size_of(place.ty).unwrap_or(0);
        let bytes = self.ranges(item.offset, 0, size);
        self.emit(Op::Clear { pointer: item.register, bytes }, span);
    }

    fn assign(&mut self, to: &'u Place, value: &'u Expression, span: Span) {
        let Some(scalar) = self.scalar(to.ty) else {
            return self.emit(Op::Undefined(Undefined::Unreachable), span);
        };
        let item = self.place(to, Use::Target);
        let value = self.value(value);
        self.put(to, item, value, scalar, span);
    }

    /// Writes the value in a register to a place.
    fn put(&mut self, to: &'u Place, item: Item, value: Reg, scalar: Scalar, span: Span) {
        let stored = if item.is_memory {
            let access = self.access(to, scalar, item.offset);
            let number = self.access_number(access);
            self.emit(Op::Store { pointer: item.register, from: value, access: number }, span);
            Stored::Memory(item.register, access)
        } else {
            self.move_to(item.register, value, span);
            Stored::Register(item.register)
        };
        self.note_assignment(to, stored, scalar);
    }

    fn note_assignment(&mut self, to: &'u Place, value: Stored, scalar: Scalar) {
        if self.builder.code.ops.len() == self.start {
            return;
        }
        if let Some(place) = notes::place(self, to) {
            self.note(Note::Assigned { place, value, scalar });
        }
    }

    /// The note of the last instruction.
    fn note(&mut self, note: Note) {
        let code = &mut self.builder.code;
        code.notes.push(note);
        *code.note_of.last_mut().expect("an instruction was made") = code.notes.len() as u32 - 1;
    }

    /// Moves a value; what was computed just before for this alone is computed in place.
    fn move_to(&mut self, to: Reg, from: Reg, span: Span) {
        if to == from {
            return;
        }
        let is_joined = self.last_label == self.builder.code.ops.len();
        if !is_joined
            && self.is_temporary(from)
            && let Some(result) = self.builder.code.ops[self.start..].last_mut().and_then(Op::result)
            && *result == from
        {
            *result = to;
            return;
        }
        self.emit(Op::Move { to, from }, span);
    }

    fn call(&mut self, callee: &'u Callee, arguments: &'u [Argument], to: Option<&'u Place>, span: Span) {
        let delivery = self.delivery(to);
        let pointer = match callee {
            Callee::Function(_) => None,
            Callee::Pointer(pointer) => Some(self.value(pointer)),
        };
        let arguments = arguments.iter().map(|argument| self.argument(argument)).collect();
        let function = match callee {
            Callee::Function(function) => Some(*function),
            Callee::Pointer(_) => None,
        };
        self.builder.code.sites.push(Site { function, arguments, to: delivery });
        let site = self.builder.code.sites.len() as u32 - 1;
        let op = match pointer {
            Some(pointer) => Op::CallPointer { pointer, site },
            None => Op::Call { site },
        };
        self.emit(op, span);
        self.note_delivery(to, delivery);
    }

    fn argument(&mut self, argument: &'u Argument) -> Passed {
        match argument {
            Argument::Value(value) => {
                let (register, scalar) = self.scalar_argument(value);
                Passed::Value(register, scalar, self.unit().size_of(value.ty).unwrap_or(0) as u32)
            }
            Argument::Copied(place) => {
                let item = self.place(place, Use::Access);
                let size = self.unit().size_of(place.ty).unwrap_or(0);
                Passed::Copied { pointer: item.register, offset: item.offset, size }
            }
        }
    }

    fn delivery(&mut self, to: Option<&'u Place>) -> Delivery {
        let Some(to) = to else { return Delivery::Nowhere };
        let item = self.place(to, Use::Target);
        match (item.is_memory, self.scalar(to.ty)) {
            (false, _) => Delivery::Register(item.register),
            (true, Some(scalar)) => {
                Delivery::Store { pointer: item.register, access: self.access(to, scalar, item.offset) }
            }
            (true, None) => {
                let size = self.unit().size_of(to.ty).unwrap_or(0);
                Delivery::Copy { pointer: item.register, offset: item.offset, size }
            }
        }
    }

    fn note_delivery(&mut self, to: Option<&'u Place>, delivery: Delivery) {
        let Some((to, scalar)) = to.and_then(|to| Some((to, self.scalar(to.ty)?))) else { return };
        let stored = match delivery {
            Delivery::Register(register) => Stored::Register(register),
            Delivery::Store { pointer, access } => Stored::Memory(pointer, access),
            Delivery::Nowhere | Delivery::Copy { .. } => return,
        };
        self.note_assignment(to, stored, scalar);
    }

    fn end(&mut self, id: BlockId, block: &'u Block) {
        let span = block.span;
        match &block.end {
            End::Goto(target) if target.index() == id.index() + 1 => {}
            End::Goto(target) => self.emit(Op::Jump { target: target.raw() }, span),
            End::Branch { condition, then, otherwise, asks } => {
                self.branch(condition, then.raw(), otherwise.raw(), *asks, span);
            }
            End::Switch { value, cases, otherwise } => {
                let a = self.value(value);
                self.builder.code.tables.push(table(cases, *otherwise));
                let table = self.builder.code.tables.len() as u32 - 1;
                self.emit(Op::Switch { a, table }, span);
            }
            End::Return(None) => self.emit(Op::Return, span),
            End::Return(Some(Argument::Value(value))) => {
                let a = self.value(value);
                self.emit(Op::ReturnValue { a }, span);
            }
            End::Return(Some(Argument::Copied(place))) => {
                let item = self.place(place, Use::Access);
                let size = self.unit().size_of(place.ty).unwrap_or(0);
                let bytes = self.ranges(item.offset, 0, size);
                self.emit(Op::ReturnCopy { pointer: item.register, bytes }, span);
            }
            End::Exit(how) => self.emit(Op::Exit(*how), span),
            End::Error(failure) => self.emit(Op::Fail(*failure), span),
            End::Unreachable => self.emit(Op::Undefined(Undefined::Unreachable), span),
            End::Unsupported(which) => self.emit(Op::Unsupported(*which as u32), span),
        }
    }

    fn branch(&mut self, condition: &'u Expression, then: u32, otherwise: u32, asks: Asking, span: Span) {
        self.value(condition);
        let a = self.pop_condition(condition).register;
        let is_joined = self.last_label == self.builder.code.ops.len();
        let last = self.builder.code.ops[self.start..].last().copied().filter(|_| !is_joined);
        let fused = match last {
            _ if !self.is_temporary(a) => None,
            Some(Op::Equal { to, a: left, b }) if to == a => {
                Some(Op::BranchEqual { a: left, b, then, otherwise })
            }
            Some(Op::NotEqual { to, a: left, b }) if to == a => {
                Some(Op::BranchEqual { a: left, b, then: otherwise, otherwise: then })
            }
            Some(Op::Less { to, a: left, b }) if to == a => {
                Some(Op::BranchLess { a: left, b, then, otherwise })
            }
            Some(Op::AtMost { to, a: left, b }) if to == a => {
                Some(Op::BranchAtMost { a: left, b, then, otherwise })
            }
            Some(Op::Not { to, a: of }) if to == a => {
                Some(Op::Branch { a: of, then: otherwise, otherwise: then })
            }
            Some(Op::Truth { to, a: of }) if to == a => Some(Op::Branch { a: of, then, otherwise }),
            _ => None,
        };
        if fused.is_some() {
            let code = &mut self.builder.code;
            code.ops.pop();
            code.spans.pop();
            code.note_of.pop();
        }
        self.emit(fused.unwrap_or(Op::Branch { a, then, otherwise }), span);
        self.note(Note::Branched { asks, then });
    }
}

fn table(cases: &[(i128, BlockId)], otherwise: BlockId) -> Table {
    let mut cases: Vec<(i128, u32)> = cases.iter().map(|&(value, to)| (value, to.raw())).collect();
    cases.sort_unstable();
    let otherwise = otherwise.raw();
    if let (Some(&(least, _)), Some(&(most, _))) = (cases.first(), cases.last())
        && let Some(range) = most.checked_sub(least).filter(|&range| range < 4 * cases.len() as i128 + 16)
    {
        let mut targets = vec![otherwise; range as usize + 1];
        cases.iter().for_each(|&(value, to)| targets[(value - least) as usize] = to);
        return Table::Dense { least, targets, otherwise };
    }
    Table::Sparse { cases, otherwise }
}
