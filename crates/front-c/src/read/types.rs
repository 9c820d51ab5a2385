//! All types of a program, and what the standard says about them: sizes, promotions, conversions, compatibility.

use crate::ir::{Composite, CompositeId, DataModel, Float, Integer, Rank, Type, TypeId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tertium_support::Id;

/// No object is larger, in bytes.
const LARGEST: u64 = 1 << 40;

/// A part of a structure or union as it was declared; initialisers follow this, not the flat list of members.
#[derive(Clone, Debug)]
pub(super) enum Field {
    /// A member with a name, by its number.
    Named(usize),
    /// The fields of an anonymous structure or union.
    Anonymous {
        /// Whether it is a union.
        is_union: bool,
        /// Its fields.
        fields: Vec<Field>,
    },
}

/// All types of a program.
pub(super) struct Types {
    /// How large types are.
    pub(super) model: DataModel,
    types: IndexSet<Type, FxBuildHasher>,
    /// Structures and unions.
    pub(super) composites: Vec<Composite>,
    /// The fields of each.
    pub(super) fields: Vec<Vec<Field>>,
    /// Which levels of each member are `const`.
    pub(super) member_constness: Vec<Vec<u32>>,
}

/// An integer type by rank and sign.
pub(super) fn integer_type(model: DataModel, rank: Rank, signed: bool) -> Integer {
    let bits = match rank {
        Rank::Bool | Rank::Char => 8,
        Rank::Short => 16,
        Rank::Int => 32,
        Rank::Long => model.word() as u32 * 8,
        Rank::LongLong => 64,
        Rank::Int128 => 128,
    };
    Integer { rank, bits, signed }
}

impl Types {
    pub(super) fn new(model: DataModel) -> Self {
        Self {
            model,
            types: IndexSet::default(),
            composites: Vec::new(),
            fields: Vec::new(),
            member_constness: Vec::new(),
        }
    }

    /// The types, in order of their ids.
    pub(super) fn into_types(self) -> (Vec<Type>, Vec<Composite>) {
        (self.types.into_iter().collect(), self.composites)
    }

    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        TypeId::new(self.types.insert_full(ty).0)
    }

    pub(super) fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    pub(super) fn standard(&mut self, rank: Rank, signed: bool) -> TypeId {
        let integer = integer_type(self.model, rank, signed);
        self.intern(Type::Integer(integer))
    }

    pub(super) fn int(&mut self) -> TypeId {
        self.standard(Rank::Int, true)
    }

    pub(super) fn character(&mut self) -> TypeId {
        self.standard(Rank::Char, true)
    }

    pub(super) fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    pub(super) fn double(&mut self) -> TypeId {
        self.intern(Type::Float(Float::Double))
    }

    /// `size_t`.
    pub(super) fn size(&mut self) -> TypeId {
        let rank = if self.model == DataModel::Ilp32 { Rank::Int } else { Rank::Long };
        self.standard(rank, false)
    }

    /// `ptrdiff_t`.
    pub(super) fn difference(&mut self) -> TypeId {
        let rank = if self.model == DataModel::Ilp32 { Rank::Int } else { Rank::Long };
        self.standard(rank, true)
    }

    pub(super) fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }

    /// An array; nothing if it is too large, or its elements have no size.
    pub(super) fn array(&mut self, element: TypeId, length: Option<u64>) -> Option<TypeId> {
        let size = self.size_of(element)?;
        if let Some(length) = length {
            size.checked_mul(length).filter(|&size| size <= LARGEST)?;
        }
        Some(self.intern(Type::Array(element, length)))
    }

    pub(super) fn composite(&self, id: CompositeId) -> &Composite {
        &self.composites[id.index()]
    }

    pub(super) fn new_composite(&mut self, name: String, is_union: bool) -> CompositeId {
        self.composites.push(Composite { name, is_union, members: None, size: 0, alignment: 1 });
        self.fields.push(Vec::new());
        self.member_constness.push(Vec::new());
        CompositeId::new(self.composites.len() - 1)
    }

    /// The bytes of a type, if it is complete.
    pub(super) fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Function(..) => None,
            Type::Integer(integer) => Some(u64::from(integer.bits.div_ceil(8))),
            Type::Float(Float::Single) => Some(4),
            Type::Float(Float::Double) => Some(8),
            Type::Float(Float::Long) => Some(if self.model == DataModel::Ilp32 { 12 } else { 16 }),
            Type::Pointer(_) => Some(self.model.word()),
            Type::Array(element, length) => Some(self.size_of(*element)? * (*length)?),
            Type::Composite(id) => {
                let own = self.composite(*id);
                own.members.is_some().then_some(own.size)
            }
        }
    }

    /// What a step of a pointer to this type is; 1 for types without size, as GNU C has it.
    pub(super) fn stride(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Void | Type::Function(..) => 1,
            _ => self.size_of(id).unwrap_or(1),
        }
    }

    /// The alignment inside structures.
    pub(super) fn alignment_of(&self, id: TypeId) -> u64 {
        let most = if self.model == DataModel::Ilp32 { 4 } else { 16 };
        match self.get(id) {
            Type::Void | Type::Function(..) => 1,
            Type::Array(element, _) => self.alignment_of(*element),
            Type::Composite(id) => self.composite(*id).alignment,
            _ => self.size_of(id).unwrap_or(1).min(most),
        }
    }

    /// What `__alignof__` gives: as gcc does, larger than inside structures for numbers of eight bytes on i386.
    pub(super) fn preferred_alignment_of(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Array(element, _) => self.preferred_alignment_of(*element),
            Type::Integer(_) | Type::Float(_) if self.size_of(id) == Some(8) => 8,
            _ => self.alignment_of(id),
        }
    }

    pub(super) fn integer(&self, id: TypeId) -> Option<Integer> {
        match self.get(id) {
            Type::Integer(integer) => Some(*integer),
            _ => None,
        }
    }

    pub(super) fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub(super) fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Void)
    }

    pub(super) fn is_arithmetic(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Integer(_) | Type::Float(_))
    }

    pub(super) fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Integer(_) | Type::Float(_) | Type::Pointer(_))
    }

    pub(super) fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    pub(super) fn is_function(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Function(..))
    }

    pub(super) fn is_composite(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Composite(_))
    }

    /// The type after integer promotion. Bit-fields promote by their width, not by their rank.
    pub(super) fn promoted(&mut self, id: TypeId) -> TypeId {
        let Some(integer) = self.integer(id) else { return id };
        if integer.bits < 32 || integer.rank < Rank::Int {
            return self.int();
        }
        if integer.bits == 32
            && integer.rank > Rank::Int
            && integer_type(self.model, integer.rank, true).bits != 32
        {
            // A bit-field of 32 bits in a wider type.
            return self.standard(Rank::Int, integer.signed);
        }
        id
    }

    /// The type after the default promotions, which arguments without parameter get.
    pub(super) fn default_promoted(&mut self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Float(Float::Single) => self.double(),
            _ => self.promoted(id),
        }
    }

    /// The type that two arithmetic operands are converted to.
    pub(super) fn common(&mut self, one: TypeId, other: TypeId) -> TypeId {
        if let (Type::Float(a), Type::Float(b)) = (self.get(one).clone(), self.get(other).clone()) {
            let rank = |float| match float {
                Float::Single => 0,
                Float::Double => 1,
                Float::Long => 2,
            };
            return if rank(a) >= rank(b) { one } else { other };
        }
        if matches!(self.get(one), Type::Float(_)) {
            return one;
        }
        if matches!(self.get(other), Type::Float(_)) {
            return other;
        }
        let (one, other) = (self.promoted(one), self.promoted(other));
        let (Some(a), Some(b)) = (self.integer(one), self.integer(other)) else { return one };
        if a == b {
            return one;
        }
        let key = |integer: Integer| (integer.bits.max(32), integer.rank);
        if a.signed == b.signed {
            return if key(a) >= key(b) { one } else { other };
        }
        let (unsigned, unsigned_id, signed, signed_id) =
            if a.signed { (b, other, a, one) } else { (a, one, b, other) };
        if key(unsigned) >= key(signed) || (unsigned.rank >= signed.rank && unsigned.bits >= signed.bits) {
            unsigned_id
        } else if signed.bits > unsigned.bits {
            signed_id
        } else {
            self.standard(signed.rank, false)
        }
    }

    /// Whether two types may stand for each other in declarations of one thing.
    pub(super) fn compatible(&self, one: TypeId, other: TypeId) -> bool {
        if one == other {
            return true;
        }
        match (self.get(one), self.get(other)) {
            (Type::Pointer(a), Type::Pointer(b)) => self.compatible(*a, *b),
            (Type::Array(a, n), Type::Array(b, m)) => {
                self.compatible(*a, *b) && (n.is_none() || m.is_none() || n == m)
            }
            (Type::Function(a, of_a, more_a), Type::Function(b, of_b, more_b)) => {
                let is_open = |parameters: &[TypeId], more: bool| parameters.is_empty() && more;
                self.compatible(*a, *b)
                    && (is_open(of_a, *more_a)
                        || is_open(of_b, *more_b)
                        || (more_a == more_b
                            && of_a.len() == of_b.len()
                            && of_a.iter().zip(of_b).all(|(a, b)| self.compatible(*a, *b))))
            }
            // Enumerations are integers here, and which integers is the compiler's choice.
            (Type::Integer(a), Type::Integer(b)) => {
                a.bits == b.bits && a.rank == Rank::Int && b.rank == Rank::Int
            }
            _ => false,
        }
    }

    /// What two compatible types say together.
    pub(super) fn composed(&self, old: TypeId, new: TypeId) -> TypeId {
        match (self.get(old), self.get(new)) {
            (Type::Array(_, Some(_)), Type::Array(_, None)) => old,
            (Type::Function(_, parameters, _), Type::Function(_, others, more))
                if others.is_empty() && *more && !parameters.is_empty() =>
            {
                old
            }
            _ => new,
        }
    }

    /// A type in words for messages.
    pub(super) fn show(&self, id: TypeId) -> String {
        show_type(self.get(id), &|id| self.get(id), &|id| self.composite(id).name.clone())
    }
}

/// A type in words.
pub(crate) fn show_type<'a>(
    ty: &'a Type,
    get: &impl Fn(TypeId) -> &'a Type,
    name: &impl Fn(CompositeId) -> String,
) -> String {
    let mut parts = Vec::new();
    let mut current = ty;
    // Outside in: what pointers and arrays are of comes last.
    loop {
        match current {
            Type::Pointer(to) => {
                parts.push("*".to_owned());
                current = get(*to);
            }
            Type::Array(element, length) => {
                parts.push(length.map_or("[]".to_owned(), |length| format!("[{length}]")));
                current = get(*element);
            }
            _ => break,
        }
    }
    let mut shown = match current {
        Type::Void => "void".to_owned(),
        Type::Integer(integer) => show_integer(*integer),
        Type::Float(Float::Single) => "float".to_owned(),
        Type::Float(Float::Double) => "double".to_owned(),
        Type::Float(Float::Long) => "long double".to_owned(),
        Type::Composite(id) => name(*id),
        Type::Function(result, parameters, more) => {
            let mut list: Vec<String> =
                parameters.iter().map(|&parameter| show_type(get(parameter), get, name)).collect();
            match (list.is_empty(), more) {
                (true, false) => list.push("void".to_owned()),
                (false, true) => list.push("...".to_owned()),
                _ => {}
            }
            format!("{}({})", show_type(get(*result), get, name), list.join(", "))
        }
        Type::Pointer(_) | Type::Array(..) => unreachable!("the loop goes through these"),
    };
    for part in parts.iter().rev() {
        shown.push_str(part);
    }
    shown
}

fn show_integer(integer: Integer) -> String {
    let name = match integer.rank {
        Rank::Bool => return "_Bool".to_owned(),
        Rank::Char => "char",
        Rank::Short => "short",
        Rank::Int => "int",
        Rank::Long => "long",
        Rank::LongLong => "long long",
        Rank::Int128 => "__int128",
    };
    let sign = if integer.signed { "" } else { "unsigned " };
    let usual = [DataModel::Ilp32, DataModel::Lp64]
        .iter()
        .any(|&model| integer_type(model, integer.rank, integer.signed).bits == integer.bits);
    if usual { format!("{sign}{name}") } else { format!("{sign}{name}:{}", integer.bits) }
}
