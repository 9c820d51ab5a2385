//! Intervals of variables at each block, for the whole program.
//!
//! Only scalars that no pointer reaches are followed. Within a function the analysis knows where control is, with widening where blocks
//! come by again and two rounds of narrowing; conditions of branches count. Of parameters, results and globals it knows one interval for
//! all calls, found by going round all functions until nothing changes. Whoever has no entry in an [`Env`] has the interval that is known
//! of it everywhere, [`Ranges::usual`].
//!
//! What is found holds of every run without undefined behaviour. It decides where a wrap is written and where a guard is enough, so
//! a solver never relies on it alone. Gives up, with the intervals of types, after a number of steps that is linear in the program.

use super::calls::{Calls, reverse_postorder_of, successors};
use super::interval::Interval;
use super::layout::{Content, Key, Layout, ObjectId, ObjectKind, SlotId};
use super::options::IntegerModel;
use crate::ir::{
    Argument, Base, BinaryOperator, BlockId, Body, Callee, End, Expression, ExpressionKind, FunctionId,
    Instruction, InstructionKind, Integer, LocalId, Place, Step, Type, UnaryOperator, Unit,
};
use std::collections::{BTreeMap, BTreeSet};
use tertium_support::{Id, StopReason, Ticker};

/// Where values are narrower than usual.
pub(super) type Env = BTreeMap<SlotId, Interval>;

/// A block is joined so often before its intervals are widened.
const JOINS: usize = 3;
/// One interval of the whole program grows so often before it becomes that of the type.
const GROWTHS: usize = 4;
/// So often all functions are gone through.
const ROUNDS: usize = 12;

/// Intervals of the whole program.
#[derive(Debug)]
pub(super) struct Ranges<'a> {
    pub(super) unit: &'a Unit,
    pub(super) integers: IntegerModel,
    /// Of parameters, results and globals; nothing for those that never get a value, with how often it grew.
    everywhere: BTreeMap<SlotId, (Interval, usize)>,
    /// By function and block; nothing where control never comes.
    at: BTreeMap<FunctionId, Vec<Option<Env>>>,
    /// Whether nothing is known.
    gave_up: bool,
}

impl<'a> Ranges<'a> {
    /// Nothing is known yet.
    pub(super) fn unknown(unit: &'a Unit, integers: IntegerModel) -> Self {
        Self { unit, integers, everywhere: BTreeMap::new(), at: BTreeMap::new(), gave_up: true }
    }

    /// Analyses a program.
    pub(super) fn find(
        unit: &'a Unit,
        integers: IntegerModel,
        layout: &Layout,
        calls: &Calls,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, StopReason> {
        let mut found = Self::unknown(unit, integers);
        if integers == IntegerModel::Mathematical {
            return Ok(found);
        }
        found.gave_up = false;
        found.start(layout, calls);
        let size: usize = calls.functions.iter().map(|&id| size_of(unit, id)).sum();
        let mut budget = 200_000 + 200 * size;
        for _ in 0..ROUNDS {
            let before = found.everywhere.clone();
            for &id in &calls.functions {
                ticker.tick(size_of(unit, id))?;
                if found.function(layout, id, &mut budget).is_none() {
                    return Ok(Self::unknown(unit, integers));
                }
            }
            if found.everywhere == before {
                return Ok(found);
            }
        }
        Ok(Self::unknown(unit, integers))
    }

    /// Initial values of globals; parameters of main, and of what pointers may call.
    fn start(&mut self, layout: &Layout, calls: &Calls) {
        let unit = self.unit;
        for (number, slot) in layout.slots().iter().enumerate() {
            let id = SlotId::new(number);
            if let ObjectKind::Global(global) = layout.of(slot.object).kind
                && self.is_followed(layout, id)
            {
                let all = if unit.external.contains(&global) {
                    self.of_slot(layout, id)
                } else {
                    Interval::only(0)
                };
                self.everywhere.insert(id, (all, 0));
            }
        }
        for initial in &unit.initial {
            let value = self.value(&Env::new(), layout, FunctionId::from_raw(0), &initial.value);
            if let Some(slot) = self.followed(layout, FunctionId::from_raw(0), &initial.to) {
                let is_zero = self.everywhere.get(&slot).is_some_and(|(old, _)| old.value() == Some(0));
                // The first value takes the place of zero.
                let all = if is_zero { value } else { value.join(self.usual(layout, slot)) };
                self.everywhere.insert(slot, (all, 0));
            }
        }
        for &id in calls.pointed.iter().chain([&unit.main]) {
            for number in 0..unit.function(id).n_parameters {
                self.open(layout, ObjectKind::Local(id, LocalId::new(number)));
            }
        }
    }

    /// Any value may come here.
    fn open(&mut self, layout: &Layout, kind: ObjectKind) {
        let Some(object) = layout.object(kind) else { return };
        for slot in layout.below(object, &[]) {
            if self.is_followed(layout, slot) {
                self.everywhere.insert(slot, (self.of_slot(layout, slot), GROWTHS));
            }
        }
    }

    /// Whether an interval is known of a slot.
    pub(super) fn is_followed(&self, layout: &Layout, slot: SlotId) -> bool {
        let own = layout.slot(slot);
        let has_address = match layout.of(own.object).kind {
            ObjectKind::Global(id) => self.unit.globals[id.index()].has_address,
            ObjectKind::Local(function, id) => self.unit.function(function).locals[id.index()].has_address,
            ObjectKind::Result(_) => false,
            ObjectKind::Text(_) | ObjectKind::Site(..) => true,
        };
        !has_address && own.plain_integer().is_some()
    }

    /// The values of a type.
    pub(super) fn of_type(&self, ty: Integer) -> Interval {
        match self.integers {
            IntegerModel::Mathematical if ty.rank != crate::ir::Rank::Bool => Interval::ALL,
            _ => Interval::of(ty),
        }
    }

    fn of_slot(&self, layout: &Layout, slot: SlotId) -> Interval {
        match layout.slot(slot).content {
            Content::Integer(ty) => self.of_type(ty),
            Content::Pointer | Content::Unknown => Interval::ALL,
        }
    }

    /// The values that a slot has anywhere.
    pub(super) fn usual(&self, layout: &Layout, slot: SlotId) -> Interval {
        match self.everywhere.get(&slot) {
            Some((all, _)) if !matches!(layout.of(layout.slot(slot).object).kind, ObjectKind::Local(..)) => {
                *all
            }
            _ => self.of_slot(layout, slot),
        }
    }

    /// The values of a slot here.
    pub(super) fn get(&self, env: &Env, layout: &Layout, slot: SlotId) -> Interval {
        env.get(&slot).copied().unwrap_or_else(|| self.usual(layout, slot))
    }

    /// What is known where a block begins; nothing if control never comes there.
    pub(super) fn at(&self, function: FunctionId, block: BlockId) -> Option<Env> {
        if self.gave_up {
            return Some(Env::new());
        }
        self.at.get(&function)?.get(block.index())?.clone()
    }

    /// What is known where a function begins.
    fn at_entry(&self, layout: &Layout, function: FunctionId) -> Option<Env> {
        let mut env = Env::new();
        for number in 0..self.unit.function(function).n_parameters {
            let object = layout.object(ObjectKind::Local(function, LocalId::new(number)))?;
            for slot in layout.below(object, &[]).into_iter().filter(|&slot| self.is_followed(layout, slot)) {
                env.insert(slot, self.everywhere.get(&slot)?.0);
            }
        }
        Some(env)
    }

    /// Forgets what a call may change: globals.
    pub(super) fn forget_globals(&self, layout: &Layout, env: &mut Env) {
        let is_global =
            |slot: &SlotId| matches!(layout.of(layout.slot(*slot).object).kind, ObjectKind::Global(_));
        env.retain(|slot, _| !is_global(slot));
    }

    /// The slot of a place without pointers and elements, if an interval is known of it.
    pub(super) fn followed(&self, layout: &Layout, function: FunctionId, place: &Place) -> Option<SlotId> {
        let (object, path) = direct(layout, function, place)?;
        layout.find(object, &path).filter(|&slot| self.is_followed(layout, slot))
    }

    /// Forgets all that is known of an object or a part of it.
    pub(super) fn forget(&self, layout: &Layout, function: FunctionId, env: &mut Env, place: &Place) {
        if let Some((object, path)) = direct(layout, function, place) {
            layout.below(object, &path).iter().for_each(|slot| {
                env.remove(slot);
            });
        }
    }

    /// Analyses one function; nothing if the budget is used up.
    fn function(&mut self, layout: &Layout, id: FunctionId, budget: &mut usize) -> Option<()> {
        let Some(body) = &self.unit.function(id).body else { return Some(()) };
        let Some(start) = self.at_entry(layout, id) else { return Some(()) };
        let n = body.blocks.len();
        let order = reverse_postorder_of(body);
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(at, block)| place[block.index()] = at);
        let mut at: Vec<Option<Env>> = vec![None; n];
        let mut joins = vec![0usize; n];
        at[0] = Some(start.clone());
        let mut open = BTreeSet::from([0usize]);
        while let Some(next) = open.pop_first() {
            let block = order[next];
            let env = at[block.index()].clone().unwrap_or_default();
            *budget = budget.checked_sub(env.len() + body.blocks[block.index()].instructions.len() + 1)?;
            for (to, env) in self.leaving(layout, id, body, block, env) {
                *budget = budget.checked_sub(env.len() + 1)?;
                let slot = &mut at[to.index()];
                let joined = match slot {
                    None => env,
                    Some(old) => {
                        let joined = self.join(layout, old, &env);
                        if joined == *old {
                            continue;
                        }
                        joins[to.index()] += 1;
                        if joins[to.index()] > JOINS { self.widen(layout, old, joined) } else { joined }
                    }
                };
                *slot = Some(joined);
                open.insert(place[to.index()]);
            }
        }
        for _ in 0..2 {
            let mut next: Vec<Option<Env>> = vec![None; n];
            next[0] = Some(start.clone());
            for &block in &order {
                let Some(env) = at[block.index()].clone() else { continue };
                *budget =
                    budget.checked_sub(env.len() + body.blocks[block.index()].instructions.len() + 1)?;
                for (to, env) in self.leaving(layout, id, body, block, env) {
                    let slot = &mut next[to.index()];
                    *slot = Some(match slot {
                        None => env,
                        Some(old) => self.join(layout, old, &env),
                    });
                }
            }
            at = next;
        }
        for &block in &order {
            if let Some(env) = at[block.index()].clone() {
                self.commit(layout, id, body, block, env);
            }
        }
        self.at.insert(id, at);
        Some(())
    }

    /// Where control goes from a block, with what is known there.
    fn leaving(
        &self,
        layout: &Layout,
        function: FunctionId,
        body: &Body,
        block: BlockId,
        mut env: Env,
    ) -> Vec<(BlockId, Env)> {
        let own = &body.blocks[block.index()];
        for instruction in &own.instructions {
            if !self.instruction(layout, function, &mut env, instruction) {
                return Vec::new();
            }
        }
        match &own.end {
            End::Branch { condition, then, otherwise, .. } => {
                let branch = |to: BlockId, holds: bool| {
                    let mut env = env.clone();
                    self.refine(layout, function, &mut env, condition, holds).then_some((to, env))
                };
                branch(*then, true).into_iter().chain(branch(*otherwise, false)).collect()
            }
            End::Switch { value, cases, otherwise } => {
                let case = |&(number, to): &(i128, BlockId)| {
                    let mut env = env.clone();
                    let only = Interval::only(number);
                    self.restrict(layout, function, &mut env, value, only).then_some((to, env))
                };
                let cases = cases.iter().filter_map(case).collect::<Vec<_>>();
                cases.into_iter().chain([(*otherwise, env.clone())]).collect()
            }
            end => successors(end).into_iter().map(|to| (to, env.clone())).collect(),
        }
    }

    /// What is known after an instruction; false if control does not go on.
    fn instruction(
        &self,
        layout: &Layout,
        function: FunctionId,
        env: &mut Env,
        instruction: &Instruction,
    ) -> bool {
        match &instruction.kind {
            InstructionKind::Assign { to, value } => {
                let interval = self.value(env, layout, function, value);
                if let Some(slot) = self.followed(layout, function, to) {
                    env.insert(slot, interval.meet(self.of_slot(layout, slot)));
                } else {
                    self.forget(layout, function, env, to);
                }
            }
            InstructionKind::Copy { to: place, .. }
            | InstructionKind::Clear(place)
            | InstructionKind::Builtin { to: Some(place), .. } => self.forget(layout, function, env, place),
            InstructionKind::Input { to, .. } => {
                if let Some(slot) = self.followed(layout, function, to) {
                    env.insert(slot, self.of_slot(layout, slot));
                }
            }
            InstructionKind::Live(local) => {
                if let Some(object) = layout.object(ObjectKind::Local(function, *local)) {
                    layout.below(object, &[]).iter().for_each(|slot| {
                        env.remove(slot);
                    });
                }
            }
            InstructionKind::Assume(condition) => return self.refine(layout, function, env, condition, true),
            InstructionKind::Call { callee, to, .. } => {
                self.forget_globals(layout, env);
                let result = match callee {
                    Callee::Function(id) => layout.object(ObjectKind::Result(*id)),
                    Callee::Pointer(_) => None,
                };
                if let Some(place) = to {
                    self.forget(layout, function, env, place);
                    if let (Some(slot), Some(result)) = (self.followed(layout, function, place), result) {
                        let known = layout.find(result, &[]).and_then(|own| self.everywhere.get(&own));
                        let Some((known, _)) = known else { return false };
                        env.insert(slot, known.meet(self.of_slot(layout, slot)));
                    }
                }
            }
            InstructionKind::Builtin { to: None, .. }
            | InstructionKind::Evaluate(_)
            | InstructionKind::Unsupported(_) => {}
        }
        true
    }

    /// Notes what a block gives to parameters, results and globals.
    fn commit(&mut self, layout: &Layout, function: FunctionId, body: &Body, block: BlockId, mut env: Env) {
        let own = &body.blocks[block.index()];
        for instruction in &own.instructions {
            match &instruction.kind {
                InstructionKind::Call { callee: Callee::Function(callee), arguments, .. } => {
                    for (number, argument) in arguments.iter().enumerate() {
                        self.pass(
                            layout,
                            function,
                            &env,
                            ObjectKind::Local(*callee, LocalId::new(number)),
                            argument,
                        );
                    }
                    for number in arguments.len()..self.unit.function(*callee).n_parameters {
                        self.open(layout, ObjectKind::Local(*callee, LocalId::new(number)));
                    }
                }
                InstructionKind::Copy { to, .. } | InstructionKind::Clear(to) => {
                    if let Some((object, path)) = direct(layout, function, to) {
                        for slot in layout.below(object, &path) {
                            self.grow(layout, slot, self.of_slot(layout, slot));
                        }
                    }
                }
                _ => {}
            }
            if !self.instruction(layout, function, &mut env, instruction) {
                return;
            }
            let written = match &instruction.kind {
                InstructionKind::Assign { to, .. } | InstructionKind::Input { to, .. } => Some(to),
                InstructionKind::Call { to, .. } | InstructionKind::Builtin { to, .. } => to.as_ref(),
                _ => None,
            };
            if let Some(slot) = written.and_then(|to| self.followed(layout, function, to)) {
                let value = env.get(&slot).copied().unwrap_or_else(|| self.of_slot(layout, slot));
                self.grow(layout, slot, value);
            }
        }
        match &own.end {
            End::Return(Some(argument)) => {
                self.pass(layout, function, &env, ObjectKind::Result(function), argument);
            }
            // The result may be taken as long as nobody looks at it.
            End::Return(None) => self.open(layout, ObjectKind::Result(function)),
            _ => {}
        }
    }

    fn pass(
        &mut self,
        layout: &Layout,
        function: FunctionId,
        env: &Env,
        to: ObjectKind,
        argument: &Argument,
    ) {
        let Some(object) = layout.object(to) else { return };
        match argument {
            Argument::Value(value) => {
                let interval = self.value(env, layout, function, value);
                if let Some(slot) = layout.find(object, &[]) {
                    let interval = interval.meet(self.of_slot(layout, slot));
                    self.grow(layout, slot, interval);
                }
            }
            Argument::Copied(_) => {
                for slot in layout.below(object, &[]) {
                    self.grow(layout, slot, self.of_slot(layout, slot));
                }
            }
        }
    }

    /// A slot may have these values, too.
    fn grow(&mut self, layout: &Layout, slot: SlotId, by: Interval) {
        let all = self.of_slot(layout, slot);
        match self.everywhere.get_mut(&slot) {
            None => {
                self.everywhere.insert(slot, (by, 0));
            }
            Some((old, growths)) if !by.is_within(*old) => {
                *growths += 1;
                *old = if *growths > GROWTHS { all } else { old.join(by) };
            }
            Some(_) => {}
        }
    }

    fn join(&self, layout: &Layout, one: &Env, other: &Env) -> Env {
        let keys: BTreeSet<SlotId> = one.keys().chain(other.keys()).copied().collect();
        let joined = |slot: SlotId| {
            let both = self.get(one, layout, slot).join(self.get(other, layout, slot));
            (both != self.usual(layout, slot)).then_some((slot, both))
        };
        keys.into_iter().filter_map(joined).collect()
    }

    /// What grew has no bound there but that of its type.
    fn widen(&self, layout: &Layout, old: &Env, new: Env) -> Env {
        let widened = |(slot, interval): (SlotId, Interval)| {
            let (before, all) = (self.get(old, layout, slot), self.of_slot(layout, slot));
            let low = if interval.low == before.low { interval.low } else { all.low };
            let high = if interval.high == before.high { interval.high } else { all.high };
            (slot, Interval { low, high })
        };
        new.into_iter().map(widened).collect()
    }

    /// The values of an expression of integer type; all for others.
    pub(super) fn value(
        &self,
        env: &Env,
        layout: &Layout,
        function: FunctionId,
        expression: &Expression,
    ) -> Interval {
        let Type::Integer(ty) = *self.unit.ty(expression.ty) else { return Interval::ALL };
        let all = self.of_type(ty);
        let value = |inner: &Expression| self.value(env, layout, function, inner);
        match &expression.kind {
            // Great numbers of 128 bits are kept as negative ones.
            ExpressionKind::Integer(number) if *number < 0 && !ty.signed => all,
            ExpressionKind::Integer(number) => Interval::only(*number).meet(all),
            ExpressionKind::Read(place) => match self.followed(layout, function, place) {
                Some(slot) => self.get(env, layout, slot).meet(all),
                None => all,
            },
            ExpressionKind::Unary(UnaryOperator::Not, _) => Interval::BIT,
            ExpressionKind::Unary(operator, inner) => self.fit(unary(*operator, value(inner)), ty, ty.signed),
            ExpressionKind::Binary(operator, left, right) => {
                if !matches!(self.unit.ty(left.ty), Type::Integer(_)) {
                    return if is_truth(*operator) { Interval::BIT } else { all };
                }
                let ends = ty.signed && *operator != BinaryOperator::ShiftLeft;
                self.fit(binary(*operator, value(left), value(right)), ty, ends)
            }
            ExpressionKind::Convert(inner) if matches!(self.unit.ty(inner.ty), Type::Integer(_)) => {
                self.fit(value(inner), ty, false)
            }
            ExpressionKind::Conditional(condition, then, otherwise) => {
                let branch = |inner: &Expression, holds: bool| {
                    let mut env = env.clone();
                    let is_possible = self.refine(layout, function, &mut env, condition, holds);
                    is_possible.then(|| self.value(&env, layout, function, inner))
                };
                let both = branch(then, true).into_iter().chain(branch(otherwise, false));
                both.reduce(Interval::join).unwrap_or(all)
            }
            _ => all,
        }
    }

    /// The values that are left of these in a type, where a run ends for want of room, or where the value wraps and may be any.
    fn fit(&self, exact: Interval, ty: Integer, ends: bool) -> Interval {
        let all = self.of_type(ty);
        match exact.is_within(all) {
            true => exact,
            false if ends && !exact.meet(all).is_empty() => exact.meet(all),
            false => all,
        }
    }

    /// Learns from a condition that it holds, or does not; false if that cannot be.
    pub(super) fn refine(
        &self,
        layout: &Layout,
        function: FunctionId,
        env: &mut Env,
        condition: &Expression,
        holds: bool,
    ) -> bool {
        use BinaryOperator::*;
        match &condition.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => {
                self.refine(layout, function, env, inner, !holds)
            }
            ExpressionKind::Binary(LogicalAnd, left, right) if holds => {
                self.refine(layout, function, env, left, true)
                    && self.refine(layout, function, env, right, true)
            }
            ExpressionKind::Binary(LogicalOr, left, right) if !holds => {
                self.refine(layout, function, env, left, false)
                    && self.refine(layout, function, env, right, false)
            }
            ExpressionKind::Binary(operator @ (Equal | NotEqual | Less | AtMost), left, right) => {
                if !matches!(self.unit.ty(left.ty), Type::Integer(_)) {
                    return true;
                }
                let zero = matches!(right.kind, ExpressionKind::Integer(0));
                if zero && matches!(operator, Equal | NotEqual) {
                    return self.refine(layout, function, env, left, holds == (*operator == NotEqual));
                }
                let (one, other) =
                    (self.value(env, layout, function, left), self.value(env, layout, function, right));
                let (one, other) = compared(*operator, holds, one, other);
                self.restrict(layout, function, env, left, one)
                    && self.restrict(layout, function, env, right, other)
            }
            ExpressionKind::Integer(number) => (*number != 0) == holds,
            ExpressionKind::Convert(inner) if self.keeps(layout, function, env, condition, inner) => {
                self.refine(layout, function, env, inner, holds)
            }
            _ if matches!(self.unit.ty(condition.ty), Type::Integer(_)) => {
                let own = self.value(env, layout, function, condition);
                let left = if holds { own.without(0) } else { own.meet(Interval::only(0)) };
                self.restrict(layout, function, env, condition, left)
            }
            _ => true,
        }
    }

    /// Whether a conversion leaves the value as it is.
    fn keeps(
        &self,
        layout: &Layout,
        function: FunctionId,
        env: &Env,
        conversion: &Expression,
        inner: &Expression,
    ) -> bool {
        let (Type::Integer(to), Type::Integer(_)) = (self.unit.ty(conversion.ty), self.unit.ty(inner.ty))
        else {
            return false;
        };
        self.value(env, layout, function, inner).is_within(self.of_type(*to))
    }

    /// Learns that the value of an expression is in an interval; false if that cannot be.
    fn restrict(
        &self,
        layout: &Layout,
        function: FunctionId,
        env: &mut Env,
        expression: &Expression,
        to: Interval,
    ) -> bool {
        let left = self.value(env, layout, function, expression).meet(to);
        if left.is_empty() {
            return false;
        }
        match &expression.kind {
            ExpressionKind::Read(place) => {
                if let Some(slot) = self.followed(layout, function, place) {
                    env.insert(slot, left);
                }
                true
            }
            ExpressionKind::Convert(inner) if self.keeps(layout, function, env, expression, inner) => {
                self.restrict(layout, function, env, inner, left)
            }
            _ => true,
        }
    }
}

/// Where a place is, if it is a part of a variable: elements are not told apart.
pub(super) fn direct(layout: &Layout, function: FunctionId, place: &Place) -> Option<(ObjectId, Vec<Key>)> {
    let kind = match place.base {
        Base::Global(id) => ObjectKind::Global(id),
        Base::Local(id) => ObjectKind::Local(function, id),
        Base::Text(id) => ObjectKind::Text(id),
        Base::Pointer(_) => return None,
    };
    let key = |step: &Step| match step {
        Step::Member(number) => Key::Member(*number),
        Step::Element(_) => Key::Any,
    };
    Some((layout.object(kind)?, place.path.iter().map(key).collect()))
}

/// What is left of the values of two operands if a comparison holds, or does not.
pub(super) fn compared(
    operator: BinaryOperator,
    holds: bool,
    one: Interval,
    other: Interval,
) -> (Interval, Interval) {
    let above = |low: Option<i128>, more: i128| Interval {
        low: low.and_then(|low| low.checked_add(more)),
        high: None,
    };
    let below = |high: Option<i128>, less: i128| Interval {
        low: None,
        high: high.and_then(|high| high.checked_sub(less)),
    };
    match (operator, holds) {
        (BinaryOperator::Equal, true) | (BinaryOperator::NotEqual, false) => {
            (one.meet(other), one.meet(other))
        }
        (BinaryOperator::Equal, false) | (BinaryOperator::NotEqual, true) => {
            let without =
                |own: Interval, from: Interval| own.value().map_or(from, |value| from.without(value));
            (without(other, one), without(one, other))
        }
        (BinaryOperator::Less, true) => (one.meet(below(other.high, 1)), other.meet(above(one.low, 1))),
        (BinaryOperator::Less, false) => (one.meet(above(other.low, 0)), other.meet(below(one.high, 0))),
        (BinaryOperator::AtMost, true) => (one.meet(below(other.high, 0)), other.meet(above(one.low, 0))),
        (BinaryOperator::AtMost, false) => (one.meet(above(other.low, 1)), other.meet(below(one.high, 1))),
        _ => (one, other),
    }
}

/// Whether an operator gives 0 or 1.
pub(super) fn is_truth(operator: BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(operator, Equal | NotEqual | Less | AtMost | LogicalAnd | LogicalOr)
}

/// The values of an operator among mathematical integers.
pub(super) fn unary(operator: UnaryOperator, value: Interval) -> Interval {
    match operator {
        UnaryOperator::Negate => value.negate(),
        UnaryOperator::Complement => value.negate().subtract(Interval::only(1)),
        UnaryOperator::Not => Interval::BIT,
    }
}

/// The values of an operator among mathematical integers.
pub(super) fn binary(operator: BinaryOperator, left: Interval, right: Interval) -> Interval {
    use BinaryOperator::*;
    match operator {
        Add => left.add(right),
        Subtract => left.subtract(right),
        Multiply => left.multiply(right),
        Divide => left.divide(right),
        Remainder => left.remainder(right),
        And => left.and(right),
        Or | Xor => left.or(right),
        ShiftLeft => left.shift_left(right),
        ShiftRight => left.shift_right(right),
        _ => Interval::BIT,
    }
}

fn size_of(unit: &Unit, function: FunctionId) -> usize {
    let blocks = unit.function(function).body.iter().flat_map(|body| &body.blocks);
    blocks.map(|block| 1 + block.instructions.len() + successors(&block.end).len()).sum()
}
