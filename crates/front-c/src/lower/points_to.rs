//! What pointers may point to: for each slot that holds pointers a set of [`Pointee`]s, whatever the order of instructions \[And94\].
//!
//! Goes over all assignments of pointers until no set grows. Objects whose addresses become numbers, go to functions without bodies, or
//! are used as something else than what they are, have *escaped*: an unknown pointer may point to them, and to nothing else of the
//! program. Sound for runs without undefined behaviour.
//!
//! What several procedures see of a local is global in the graph, which is right as long as its function is active once at a time; a
//! local of a recursive function that others see, and what is allocated several times, is *many* objects, and not followed.

use super::calls::{Calls, expressions, operands, places};
use super::layout::{Content, Key, Layout, ObjectId, ObjectKind, SlotId};
use super::pointees::{Pointee, PointeeId, Pointees, into_elements, seen_as, type_at, walked};
use crate::ir::{
    Argument, Base, Builtin, Callee, End, Expression, ExpressionKind, FunctionId, InstructionKind, LocalId,
    Place, Rank, Type, TypeId, Unit,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use tertium_support::{Id, StopReason, Ticker};

/// So often all assignments are gone through.
const ROUNDS: usize = 60;

/// What pointers may point to.
#[derive(Debug, Default)]
pub(super) struct PointsTo {
    pointees: Vec<Pointee>,
    ids: FxHashMap<Pointee, PointeeId>,
    /// By slot.
    held: Vec<Pointees>,
    /// What unknown pointers may point to.
    escaped: BTreeSet<PointeeId>,
    /// Pointees that are no elements, and that something was added to a pointer to.
    shifted: BTreeSet<PointeeId>,
    pointed: BTreeSet<ObjectId>,
    shared: BTreeSet<ObjectId>,
    many: BTreeSet<ObjectId>,
    has_grown: bool,
}

/// The program, while sets grow.
struct Analysis<'a> {
    unit: &'a Unit,
    calls: &'a Calls,
    layout: &'a Layout,
    found: PointsTo,
}

impl PointsTo {
    /// Analyses a program. Adds objects for what is allocated and for string literals to the layout.
    pub(super) fn find(
        unit: &Unit,
        calls: &Calls,
        layout: &mut Layout,
        ticker: &mut Ticker<'_>,
    ) -> Result<Self, StopReason> {
        let many = super::sites::add_objects(unit, calls, layout);
        let found = Self { many, held: vec![Pointees::default(); layout.slots().len()], ..Self::default() };
        let mut analysis = Analysis { unit, calls, layout, found };
        let mut rounds = 0;
        loop {
            analysis.found.has_grown = false;
            analysis.round(ticker)?;
            rounds += 1;
            if !analysis.found.has_grown {
                break;
            }
            if rounds == ROUNDS {
                analysis.give_up();
                break;
            }
        }
        analysis.find_shared();
        Ok(analysis.found)
    }

    /// The greatest number of a pointee; beyond there is one more, for all that is outside of the program.
    pub(super) fn n_pointees(&self) -> usize {
        self.pointees.len() + 1
    }

    /// A pointee by its number.
    pub(super) fn pointee(&self, id: PointeeId) -> &Pointee {
        &self.pointees[id.index()]
    }

    /// The id of a pointee, if any pointer may point to it.
    pub(super) fn id_of(&self, pointee: &Pointee) -> Option<PointeeId> {
        self.ids.get(pointee).copied()
    }

    /// Whether a pointer in a slot may point to an element of an array.
    pub(super) fn has_index(&self, slot: SlotId) -> bool {
        let held = &self.held[slot.index()];
        held.is_unknown || held.ids.iter().any(|id| self.is_indexed(*id))
    }

    /// Whether pointers to this have an index.
    pub(super) fn is_indexed(&self, id: PointeeId) -> bool {
        let has_elements = match self.pointee(id) {
            Pointee::Place(_, path) => path.contains(&Key::Any),
            Pointee::Function(_) => false,
        };
        has_elements || self.shifted.contains(&id)
    }

    /// Whether an object is seen by several procedures, and so is global.
    pub(super) fn is_shared(&self, object: ObjectId) -> bool {
        self.shared.contains(&object)
    }

    /// Whether a pointer may reach an object.
    pub(super) fn is_pointed(&self, object: ObjectId) -> bool {
        self.pointed.contains(&object)
    }

    /// Whether an object may be there several times at once, so that it is not followed.
    pub(super) fn is_many(&self, object: ObjectId) -> bool {
        self.many.contains(&object)
    }

    /// The functions that are pointees.
    pub(super) fn functions(&self) -> Vec<(PointeeId, FunctionId)> {
        let function = |(number, own): (usize, &Pointee)| match own {
            Pointee::Function(id) => Some((PointeeId::new(number), *id)),
            Pointee::Place(..) => None,
        };
        self.pointees.iter().enumerate().filter_map(function).collect()
    }

    /// The slots that an unknown pointer, or code outside of the program, may reach.
    pub(super) fn escaped_slots(&self, layout: &Layout) -> Vec<SlotId> {
        let objects = self.escaped.iter().filter_map(|id| match self.pointee(*id) {
            Pointee::Place(object, _) => Some(*object),
            Pointee::Function(_) => None,
        });
        let objects: BTreeSet<ObjectId> = objects.collect();
        objects.into_iter().flat_map(|object| layout.below(object, &[])).collect()
    }

    /// The functions that unknown pointers, or code outside of the program, may reach.
    pub(super) fn escaped_functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.escaped.iter().filter_map(|id| match self.pointee(*id) {
            Pointee::Function(function) => Some(*function),
            Pointee::Place(..) => None,
        })
    }

    /// What pointees are called, by number from 1.
    pub(super) fn names(&self, layout: &Layout, unit: &Unit) -> Vec<String> {
        let name = |own: &Pointee| match own {
            Pointee::Function(id) => unit.function(*id).name.clone(),
            Pointee::Place(object, path) => super::memory::name_of_path(unit, layout, *object, path),
        };
        self.pointees.iter().map(name).collect()
    }

    /// Where a place may be, as far as that is known.
    pub(super) fn places(
        &self,
        unit: &Unit,
        layout: &Layout,
        function: FunctionId,
        place: &Place,
    ) -> Vec<(ObjectId, Vec<Key>)> {
        let evaluation = Evaluation { unit, layout, points_to: self, function };
        evaluation.targets(place, &mut Seen::default()).places
    }

    /// What the values of an expression of pointer type may be, in a function.
    pub(super) fn of(
        &self,
        unit: &Unit,
        layout: &Layout,
        function: FunctionId,
        expression: &Expression,
    ) -> Pointees {
        let mut seen = Seen::default();
        // Whatever is seen here was seen by the analysis, too.
        Evaluation { unit, layout, points_to: self, function }.value(expression, &mut seen)
    }
}

/// What an evaluation comes across: what escapes, what a pointer was moved in, and new pointees.
#[derive(Debug, Default)]
struct Seen {
    escaped: Pointees,
    shifted: BTreeSet<PointeeId>,
    new: Vec<Pointee>,
}

/// Where a place may be.
#[derive(Debug, Default)]
struct Targets {
    places: Vec<(ObjectId, Vec<Key>)>,
    is_unknown: bool,
}

/// Values of expressions as long as sets are as they are.
struct Evaluation<'a> {
    unit: &'a Unit,
    layout: &'a Layout,
    points_to: &'a PointsTo,
    function: FunctionId,
}

impl Evaluation<'_> {
    fn value(&self, expression: &Expression, seen: &mut Seen) -> Pointees {
        match &expression.kind {
            ExpressionKind::Integer(0) => Pointees::default(),
            ExpressionKind::Read(place) => self.read(place, seen),
            ExpressionKind::AddressOf(place) => {
                let targets = self.targets(place, seen);
                let mut found = Pointees { is_unknown: targets.is_unknown, ..Pointees::default() };
                for (object, path) in targets.places {
                    self.add(Pointee::Place(object, path), &mut found, seen);
                }
                found
            }
            ExpressionKind::Function(id) => {
                let mut found = Pointees::default();
                self.add(Pointee::Function(*id), &mut found, seen);
                found
            }
            ExpressionKind::Offset(pointer, _, size) => {
                let own = self.value(pointer, seen);
                self.moved(&own, *size, seen)
            }
            // A number that was made of a pointer is one again; others are not known.
            ExpressionKind::Convert(inner) => match constant(inner) {
                Some(0) => Pointees::default(),
                _ => self.value(inner, seen),
            },
            ExpressionKind::Conditional(_, then, otherwise) => {
                let mut found = self.value(then, seen);
                found.add(&self.value(otherwise, seen));
                found
            }
            _ => Pointees::unknown(),
        }
    }

    fn add(&self, pointee: Pointee, to: &mut Pointees, seen: &mut Seen) {
        match self.points_to.id_of(&pointee) {
            Some(id) => {
                to.ids.insert(id);
            }
            None => seen.new.push(pointee),
        }
    }

    /// Pointers after something was added to them.
    fn moved(&self, own: &Pointees, size: u64, seen: &mut Seen) -> Pointees {
        let mut found = Pointees { is_unknown: own.is_unknown, ..Pointees::default() };
        for &id in &own.ids {
            if is_movable(self.unit, self.layout, self.points_to.pointee(id), size) {
                found.ids.insert(id);
                seen.shifted.insert(id);
            } else {
                found.is_unknown = true;
                seen.escaped.ids.insert(id);
            }
        }
        found
    }

    fn read(&self, place: &Place, seen: &mut Seen) -> Pointees {
        let targets = self.targets(place, seen);
        let mut found = Pointees { is_unknown: targets.is_unknown, ..Pointees::default() };
        for (object, path) in targets.places {
            match self.layout.find(object, &path) {
                Some(slot) if self.layout.slot(slot).content == Content::Pointer => {
                    found.add(&self.points_to.held[slot.index()]);
                }
                _ => found.is_unknown = true,
            }
        }
        found
    }

    fn targets(&self, place: &Place, seen: &mut Seen) -> Targets {
        let mut found = Targets::default();
        let direct = |kind: ObjectKind| self.layout.object(kind);
        let object = match &place.base {
            Base::Global(id) => direct(ObjectKind::Global(*id)),
            Base::Local(id) => direct(ObjectKind::Local(self.function, *id)),
            Base::Text(id) => {
                found.is_unknown = direct(ObjectKind::Text(*id)).is_none();
                found.places.extend(direct(ObjectKind::Text(*id)).map(|object| (object, vec![Key::Any])));
                return found;
            }
            Base::Pointer(pointer) => {
                let Type::Pointer(wanted) = *self.unit.ty(pointer.ty) else {
                    found.is_unknown = true;
                    return found;
                };
                let own = self.value(pointer, seen);
                found.is_unknown = own.is_unknown;
                for id in own.ids {
                    let Pointee::Place(object, path) = self.points_to.pointee(id) else { continue };
                    let seen_here = seen_as(self.unit, self.layout, *object, path, wanted);
                    match seen_here.and_then(|(path, _)| walked(self.unit, path, wanted, &place.path)) {
                        Some(path) => found.places.push((*object, path)),
                        None => {
                            found.is_unknown = true;
                            seen.escaped.ids.insert(id);
                        }
                    }
                }
                return found;
            }
        };
        let place = object.and_then(|object| {
            let ty = self.layout.of(object).ty;
            let mut path = Vec::new();
            into_elements(self.unit, &mut path, ty);
            Some((object, walked(self.unit, path, ty, &place.path)?))
        });
        match place {
            Some(place) => found.places.push(place),
            None => found.is_unknown = true,
        }
        found
    }
}

/// Whether adding to a pointer moves it by elements of the last array on the way, or by the object itself, if it is in no array.
pub(super) fn is_movable(unit: &Unit, layout: &Layout, pointee: &Pointee, size: u64) -> bool {
    let Pointee::Place(object, path) = pointee else { return false };
    let own = type_at(unit, layout, *object, path).and_then(|ty| unit.size_of(ty));
    let is_contiguous = {
        let n_last = path.iter().rev().take_while(|&&key| key == Key::Any).count();
        path.iter().filter(|&&key| key == Key::Any).count() == n_last
    };
    is_contiguous && own.is_some_and(|own| own > 0 && size > 0 && size.is_multiple_of(own))
}

/// The value of an expression that is a constant behind conversions.
fn constant(expression: &Expression) -> Option<i128> {
    match &expression.kind {
        ExpressionKind::Integer(number) => Some(*number),
        ExpressionKind::Convert(inner) => constant(inner),
        _ => None,
    }
}

impl Analysis<'_> {
    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.unit.ty(ty), Type::Pointer(_))
    }

    /// The value of an expression; notes what is seen on the way.
    fn value(&mut self, function: FunctionId, expression: &Expression) -> Pointees {
        self.evaluate(function, |evaluation, seen| evaluation.value(expression, seen))
    }

    fn targets(&mut self, function: FunctionId, place: &Place) -> Targets {
        self.evaluate(function, |evaluation, seen| evaluation.targets(place, seen))
    }

    fn evaluate<T>(&mut self, function: FunctionId, of: impl Fn(&Evaluation<'_>, &mut Seen) -> T) -> T {
        loop {
            let mut seen = Seen::default();
            let (unit, layout) = (self.unit, self.layout);
            let evaluation = Evaluation { unit, layout, points_to: &self.found, function };
            let result = of(&evaluation, &mut seen);
            let is_known = seen.new.is_empty();
            for pointee in seen.new {
                self.number(pointee);
            }
            let before = self.found.shifted.len();
            self.found.shifted.extend(seen.shifted);
            self.found.has_grown |= self.found.shifted.len() != before;
            self.escape(&seen.escaped);
            if is_known {
                return result;
            }
        }
    }

    fn number(&mut self, pointee: Pointee) {
        if self.found.ids.contains_key(&pointee) {
            return;
        }
        let id = PointeeId::new(self.found.pointees.len());
        if let Pointee::Place(object, _) = &pointee {
            self.found.pointed.insert(*object);
        }
        self.found.pointees.push(pointee.clone());
        self.found.ids.insert(pointee, id);
        self.found.has_grown = true;
    }

    /// These may be reached by unknown pointers from now on, and so may be what they hold.
    fn escape(&mut self, what: &Pointees) {
        let mut open: Vec<PointeeId> = what.ids.iter().copied().collect();
        while let Some(id) = open.pop() {
            if !self.found.escaped.insert(id) {
                continue;
            }
            self.found.has_grown = true;
            self.open_object(id, &mut open);
        }
    }

    /// Pointers in an object that has escaped may be anything, and what they point to has escaped.
    fn open_object(&mut self, id: PointeeId, open: &mut Vec<PointeeId>) {
        let Pointee::Place(object, _) = self.found.pointee(id).clone() else { return };
        for slot in self.layout.below(object, &[]) {
            if self.layout.slot(slot).content == Content::Pointer {
                self.found.held[slot.index()].is_unknown = true;
                open.extend(&self.found.held[slot.index()].ids);
            }
        }
    }

    /// A slot may hold these.
    fn hold(&mut self, slot: SlotId, what: &Pointees) {
        if self.layout.slot(slot).content != Content::Pointer {
            return self.escape(what);
        }
        self.found.has_grown |= self.found.held[slot.index()].add(what);
    }

    /// A place may hold these.
    fn assign(&mut self, function: FunctionId, place: &Place, what: &Pointees) {
        let targets = self.targets(function, place);
        if targets.is_unknown {
            self.escape(what);
        }
        for (object, path) in targets.places {
            match self.layout.find(object, &path) {
                Some(slot) => self.hold(slot, what),
                None => self.escape(what),
            }
        }
    }

    /// The parts of a place hold what those of another do.
    fn copy(&mut self, to: &Targets, from: &Targets) {
        for (source, source_path) in &from.places {
            for slot in self.layout.below(*source, source_path) {
                let held = self.found.held[slot.index()].clone();
                if held == Pointees::default() {
                    continue;
                }
                let part = &self.layout.slot(slot).path[source_path.len()..];
                if to.is_unknown {
                    self.escape(&held);
                }
                for (target, path) in &to.places {
                    match self.layout.find(*target, &[path, part].concat()) {
                        Some(slot) => self.hold(slot, &held),
                        None => self.escape(&held),
                    }
                }
            }
        }
        if from.is_unknown {
            self.fill(to, &Pointees::unknown());
        }
    }

    /// All pointers in a place may be these.
    fn fill(&mut self, to: &Targets, what: &Pointees) {
        for (target, path) in &to.places {
            for slot in self.layout.below(*target, path) {
                if self.layout.slot(slot).content == Content::Pointer {
                    self.hold(slot, what);
                }
            }
        }
    }

    fn object(&self, kind: ObjectKind) -> Targets {
        let object = self.layout.object(kind);
        let place = |object| {
            let mut path = Vec::new();
            into_elements(self.unit, &mut path, self.layout.of(object).ty);
            (object, path)
        };
        Targets { places: object.map(place).into_iter().collect(), is_unknown: object.is_none() }
    }

    fn round(&mut self, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let (unit, calls) = (self.unit, self.calls);
        for initial in &unit.initial {
            if self.is_pointer(initial.value.ty) {
                let value = self.value(unit.main, &initial.value);
                self.assign(unit.main, &initial.to, &value);
            }
            for pointer in self.made_numbers(vec![&initial.value]) {
                let value = self.value(unit.main, pointer);
                self.escape(&value);
            }
        }
        for id in &unit.external {
            let targets = self.object(ObjectKind::Global(*id));
            self.fill(&targets, &Pointees::unknown());
        }
        for number in 0..unit.function(unit.main).n_parameters {
            let targets = self.object(ObjectKind::Local(unit.main, LocalId::new(number)));
            self.fill(&targets, &Pointees::unknown());
        }
        for &id in &calls.functions {
            self.function(id, ticker)?;
        }
        // What was put into an escaped object since it escaped has escaped.
        let mut open = Vec::new();
        for id in self.found.escaped.clone() {
            self.open_object(id, &mut open);
        }
        let what = Pointees { ids: open.into_iter().collect(), is_unknown: false };
        self.escape(&what);
        Ok(())
    }

    fn function(&mut self, id: FunctionId, ticker: &mut Ticker<'_>) -> Result<(), StopReason> {
        let function = self.unit.function(id);
        // Uses as something else, and addresses that become numbers.
        let mut through = Vec::new();
        places(function, &mut |place| {
            if matches!(place.base, Base::Pointer(_)) {
                through.push(place);
            }
        });
        for place in through {
            ticker.tick(2)?;
            self.targets(id, place);
        }
        let mut open: Vec<&Expression> = Vec::new();
        expressions(function, &mut |expression| open.push(expression));
        ticker.tick(open.len())?;
        for pointer in self.made_numbers(open) {
            let value = self.value(id, pointer);
            self.escape(&value);
        }
        let Some(body) = &function.body else { return Ok(()) };
        for (at, block) in body.blocks.iter().enumerate() {
            for (number, instruction) in block.instructions.iter().enumerate() {
                ticker.tick(2)?;
                self.instruction(id, (at, number), &instruction.kind);
            }
            if let End::Return(Some(argument)) = &block.end {
                self.pass(id, ObjectKind::Result(id), argument);
            }
        }
        Ok(())
    }

    /// The pointers in expressions that become numbers.
    fn made_numbers<'e>(&self, mut open: Vec<&'e Expression>) -> Vec<&'e Expression> {
        let mut numbers: Vec<&Expression> = Vec::new();
        while let Some(expression) = open.pop() {
            if let Some(operands) = self.as_pointers(expression) {
                open.extend(operands);
                continue;
            }
            if let ExpressionKind::Convert(inner) = &expression.kind
                && self.is_pointer(inner.ty)
                && !self.is_pointer(expression.ty)
                && !matches!(self.unit.ty(expression.ty), Type::Integer(own) if own.rank == Rank::Bool)
            {
                numbers.push(inner);
            }
            open.extend(operands(expression));
        }
        numbers
    }

    /// The pointers that an expression uses as pointers although they are converted to numbers on the way: it compares them with each other
    /// or with constants, or makes pointers of them again. Compared with another number, a pointer becomes known as that number.
    fn as_pointers<'e>(&self, expression: &'e Expression) -> Option<Vec<&'e Expression>> {
        let unconverted = |mut own: &'e Expression| {
            while let ExpressionKind::Convert(inner) = &own.kind {
                if self.is_pointer(own.ty) {
                    break;
                }
                own = inner;
            }
            own
        };
        match &expression.kind {
            ExpressionKind::Binary(operator, left, right) if super::ranges::is_truth(*operator) => {
                let both = [unconverted(left), unconverted(right)];
                let is_told = |own: &&Expression| {
                    self.is_pointer(own.ty) || matches!(own.kind, ExpressionKind::Integer(_))
                };
                let is_some = both.iter().any(|own| self.is_pointer(own.ty));
                (is_some && both.iter().all(is_told)).then(|| both.to_vec())
            }
            ExpressionKind::Unary(crate::ir::UnaryOperator::Not, inner) => {
                let own = unconverted(inner);
                self.is_pointer(own.ty).then(|| vec![own])
            }
            ExpressionKind::Convert(inner)
                if self.is_pointer(expression.ty) && !self.is_pointer(inner.ty) =>
            {
                let own = unconverted(inner);
                self.is_pointer(own.ty).then(|| vec![own])
            }
            _ => None,
        }
    }

    fn instruction(&mut self, id: FunctionId, at: (usize, usize), kind: &InstructionKind) {
        match kind {
            InstructionKind::Assign { to, value } => {
                if self.is_pointer(value.ty) {
                    let value = self.value(id, value);
                    self.assign(id, to, &value);
                }
            }
            InstructionKind::Copy { to, from } => {
                let (to, from) = (self.targets(id, to), self.targets(id, from));
                self.copy(&to, &from);
            }
            InstructionKind::Input { to, .. } => {
                if self.is_pointer(to.ty) {
                    self.assign(id, to, &Pointees::unknown());
                }
            }
            InstructionKind::Call { callee, arguments, to } => match callee {
                Callee::Function(callee) => self.call(id, *callee, arguments, to.as_ref()),
                Callee::Pointer(_) => {
                    for callee in self.calls.pointed.clone() {
                        self.call(id, callee, arguments, to.as_ref());
                    }
                }
            },
            InstructionKind::Builtin { which, arguments, to } => {
                self.builtin(id, at, *which, arguments, to.as_ref())
            }
            InstructionKind::Clear(_)
            | InstructionKind::Evaluate(_)
            | InstructionKind::Live(_)
            | InstructionKind::Assume(_)
            | InstructionKind::Unsupported(_) => {}
        }
    }

    fn call(&mut self, id: FunctionId, callee: FunctionId, arguments: &[Argument], to: Option<&Place>) {
        let own = self.unit.function(callee);
        if own.body.is_none() {
            for argument in arguments {
                match argument {
                    Argument::Value(value) if self.is_pointer(value.ty) => {
                        let value = self.value(id, value);
                        self.escape(&value);
                    }
                    Argument::Value(_) => {}
                    Argument::Copied(place) => {
                        let from = self.targets(id, place);
                        self.copy(&Targets { is_unknown: true, ..Targets::default() }, &from);
                    }
                }
            }
            if let Some(place) = to {
                let targets = self.targets(id, place);
                self.fill(&targets, &Pointees::unknown());
            }
            return;
        }
        for (number, argument) in arguments.iter().enumerate() {
            if number < own.n_parameters {
                self.pass(id, ObjectKind::Local(callee, LocalId::new(number)), argument);
            }
        }
        if let Some(place) = to {
            let (to, from) = (self.targets(id, place), self.object(ObjectKind::Result(callee)));
            self.copy(&to, &from);
        }
    }

    fn pass(&mut self, id: FunctionId, to: ObjectKind, argument: &Argument) {
        let targets = self.object(to);
        match argument {
            Argument::Value(value) if self.is_pointer(value.ty) => {
                let value = self.value(id, value);
                self.fill(&targets, &value);
            }
            Argument::Value(_) => {}
            Argument::Copied(place) => {
                let from = self.targets(id, place);
                self.copy(&targets, &from);
            }
        }
    }

    fn builtin(
        &mut self,
        id: FunctionId,
        (block, number): (usize, usize),
        which: Builtin,
        arguments: &[Expression],
        to: Option<&Place>,
    ) {
        let mut given = Pointees::default();
        match which {
            Builtin::Allocate | Builtin::AllocateCleared | Builtin::AllocateLocal | Builtin::Reallocate => {
                let object = self.layout.object(ObjectKind::Site(id, block, number));
                match object.and_then(|object| super::sites::first_of(self.unit, self.layout, object)) {
                    Some(pointee) => {
                        self.number(pointee.clone());
                        given.ids.extend(self.found.id_of(&pointee));
                    }
                    None => given.is_unknown = true,
                }
            }
            Builtin::First | Builtin::Fill | Builtin::CopyBytes | Builtin::CopyText => {
                if let Some(first) = arguments.first().filter(|first| self.is_pointer(first.ty)) {
                    given = self.value(id, first);
                }
            }
            Builtin::Free
            | Builtin::Print
            | Builtin::CompareBytes
            | Builtin::Length
            | Builtin::CompareTexts => {}
        }
        // Bytes that are copied may be those of pointers.
        if matches!(which, Builtin::CopyBytes | Builtin::Reallocate) {
            for argument in arguments.iter().take(2) {
                if self.is_pointer(argument.ty) {
                    let value = self.value(id, argument);
                    self.escape(&value);
                }
            }
        }
        if let Some(place) = to
            && self.is_pointer(place.ty)
        {
            self.assign(id, place, &given);
        }
    }

    /// Everything may point everywhere.
    fn give_up(&mut self) {
        let all = PointeeId::first(self.found.pointees.len()).collect();
        self.found.held.iter_mut().for_each(|held| held.is_unknown = true);
        self.escape(&Pointees { ids: all, is_unknown: true });
    }

    /// Finds which locals others see.
    fn find_shared(&mut self) {
        let is_local = |object: ObjectId| match self.layout.of(object).kind {
            ObjectKind::Local(function, local) => Some((function, local)),
            _ => None,
        };
        let object_of = |id: PointeeId| match self.found.pointee(id) {
            Pointee::Place(object, _) => Some(*object),
            Pointee::Function(_) => None,
        };
        let mut shared: BTreeSet<ObjectId> =
            self.found.escaped.iter().filter_map(|&id| object_of(id)).collect();
        loop {
            let before = shared.len();
            for (number, held) in self.found.held.iter().enumerate() {
                let holder = self.layout.slot(SlotId::new(number)).object;
                for object in held.ids.iter().filter_map(|&id| object_of(id)) {
                    let Some((function, _)) = is_local(object) else { continue };
                    let is_own = is_local(holder).is_some_and(|(other, local)| {
                        other == function && local.index() >= self.unit.function(function).n_parameters
                    });
                    if !is_own || shared.contains(&holder) {
                        shared.insert(object);
                    }
                }
            }
            if shared.len() == before {
                break;
            }
        }
        for object in shared {
            if let Some((function, _)) = is_local(object) {
                self.found.shared.insert(object);
                if self.calls.recursive.contains(&function) {
                    self.found.many.insert(object);
                }
            }
        }
    }
}
