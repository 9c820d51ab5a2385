//! Types of generated programs: what the standard does with operands of integer types.

use tertium_front_c::ir::DataModel;
use tertium_support::Rng;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Int {
    pub(super) name: &'static str,
    pub(super) rank: u8,
    pub(super) bits: u32,
    pub(super) signed: bool,
}

pub(super) const INT: Int = Int { name: "int", rank: 3, bits: 32, signed: true };
pub(super) const UNSIGNED: Int = Int { name: "unsigned int", rank: 3, bits: 32, signed: false };
pub(super) const BOOL: Int = Int { name: "_Bool", rank: 0, bits: 1, signed: false };
pub(super) const BYTE: Int = Int { name: "unsigned char", rank: 1, bits: 8, signed: false };

/// All integer types of a data model.
pub(super) fn all(model: DataModel) -> Vec<Int> {
    let long = 8 * model.word() as u32;
    let int = |name, rank, bits, signed| Int { name, rank, bits, signed };
    vec![
        BOOL,
        int("char", 1, 8, true),
        int("signed char", 1, 8, true),
        BYTE,
        int("short", 2, 16, true),
        int("unsigned short", 2, 16, false),
        INT,
        INT,
        UNSIGNED,
        UNSIGNED,
        int("long", 4, long, true),
        int("unsigned long", 4, long, false),
        int("long long", 5, 64, true),
        int("unsigned long long", 5, 64, false),
    ]
}

impl Int {
    /// The type after the integer promotions.
    pub(super) fn promoted(self) -> Self {
        if self.rank < 3 || self.rank == 3 && self.bits < 32 { INT } else { self }
    }

    /// The unsigned type of the same rank.
    pub(super) fn unsigned(self) -> Self {
        let name = match self.name {
            "int" => "unsigned int",
            "long" => "unsigned long",
            "long long" => "unsigned long long",
            other => other,
        };
        Self { name, signed: false, ..self }
    }

    /// The type of an operation on both, after the usual conversions.
    pub(super) fn with(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        let (high, low) = if a.rank >= b.rank { (a, b) } else { (b, a) };
        match (high.signed, low.signed) {
            (true, true) | (false, _) => high,
            (true, false) if high.rank == low.rank => low,
            (true, false) if high.bits > low.bits => high,
            (true, false) => high.unsigned(),
        }
    }

    /// A constant of the type, or one that fits into it: often at its ends.
    pub(super) fn constant(self, rng: &mut Rng) -> String {
        let bits = self.bits;
        let any = match rng.below(6) {
            0 => 0,
            1 => 1 + rng.below(9) as u64,
            2 => 1 << rng.below(bits as usize),
            3 => u64::MAX,
            4 => (1 << (bits - 1)) - 1,
            _ => rng.bits(),
        };
        let value = any & (u64::MAX >> (64 - bits));
        let suffix = match (self.rank, self.signed) {
            (4, true) => "L",
            (4, false) => "UL",
            (5, true) => "LL",
            (5, false) => "ULL",
            (3, false) => "U",
            _ => "",
        };
        if self.signed && value >> (bits - 1) == 1 {
            // The least value has no literal of its own.
            let less = (!value & (u64::MAX >> (64 - bits))).min((1 << (bits - 1)) - 1);
            return format!("(-{less}{suffix} - 1)");
        }
        if rng.chance(0.3) { format!("{value:#x}{suffix}") } else { format!("{value}{suffix}") }
    }
}

/// A type of an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ty {
    Int(Int),
    /// `double`, or `float`.
    Float(&'static str),
    Array(Box<Ty>, usize),
    /// A structure or union by its number.
    Struct(usize),
    /// A pointer to the first of so many elements.
    Pointer(Box<Ty>, usize),
}

/// A member of a structure.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) ty: Ty,
    pub(super) width: Option<u32>,
}

/// A structure or union. All members of a union can be read at any time.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub(super) name: String,
    pub(super) is_union: bool,
    pub(super) fields: Vec<Field>,
}

/// An object that can be named.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) ty: Ty,
    /// Loop counters are only read.
    pub(super) is_constant: bool,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Sig {
    pub(super) name: String,
    pub(super) returns: Option<Ty>,
    pub(super) parameters: Vec<Ty>,
    /// Whether it touches nothing but its locals.
    pub(super) is_pure: bool,
    /// Whether its first parameter bounds the depth of its recursion.
    pub(super) is_recursive: bool,
    /// How many statements a call may do.
    pub(super) cost: u64,
}
