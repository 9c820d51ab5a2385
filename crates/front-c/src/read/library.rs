//! Functions with a meaning of their own: the conventions of verification tasks, and a part of the C library.
//!
//! A body in the program overrides what is said here, but for the error functions, which are known by name.

use super::compiler::{Computed, computed};
use super::types::Types;
use crate::ir::{Builtin, Exit, Failure, Rank, TypeId};

/// What a function without body means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The program fails.
    Error(Failure),
    /// Goes on only if its argument is not zero.
    Assume,
    /// Fails if its argument is zero.
    Assert,
    /// The program ends.
    Exit(Exit),
    /// Any value of its type.
    Input,
    /// What [`Builtin`] says.
    Builtin(Builtin),
    /// Control does not come here.
    Unreachable,
    /// Whether its argument is constant.
    IsConstant,
    /// Its argument, with this many bytes in the other order.
    Swapped(u32),
    /// What a function of the compiler computes.
    Computed(Computed),
    /// The second or the third argument, as the first says, which is constant.
    Choose,
    /// Nothing happens.
    Nothing,
    /// This is not supported.
    Unsupported(&'static str),
}

/// How the names of functions begin that give any value, if they have no body.
const INPUTS: [&str; 2] = ["__VERIFIER_nondet_", "nondet_"];

/// Functions that fail, even if they have a body.
pub(super) fn is_error(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// What the name of a function without body means, if it means something here.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    use Meaning as M;
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    Some(match name {
        _ if is_error(name) => M::Error(Failure::ErrorCall),
        "__VERIFIER_assume" | "__CPROVER_assume" | "__builtin_assume" => M::Assume,
        "__VERIFIER_assert" | "__CPROVER_assert" | "assert" => M::Assert,
        "__assert_fail"
        | "__assert_rtn"
        | "__assert_perror_fail"
        | "__assert"
        | "_assert"
        | "__assert_func" => M::Error(Failure::Assertion),
        "__VERIFIER_nondet_memory" => M::Unsupported("`__VERIFIER_nondet_memory`"),
        _ if INPUTS.iter().any(|prefix| name.starts_with(prefix)) => M::Input,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => M::Nothing,
        "__builtin_unreachable" => M::Unreachable,
        "__builtin_constant_p" => M::IsConstant,
        "__builtin_bswap16" => M::Swapped(2),
        "__builtin_bswap32" => M::Swapped(4),
        "__builtin_bswap64" => M::Swapped(8),
        "__builtin_choose_expr" => M::Choose,
        _ if computed(name).is_some() => return computed(name).map(M::Computed),
        "__builtin_trap" => M::Exit(Exit::Abort),
        "__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy" | "va_start" | "va_end"
        | "va_copy" => M::Unsupported("variable arguments"),
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "_longjmp" => {
            M::Unsupported("jumps between functions")
        }
        "pthread_create" | "thrd_create" => M::Unsupported("threads"),
        "fork" | "vfork" => M::Unsupported("processes"),
        _ => {
            return library(short).or_else(|| {
                name.starts_with("__builtin_").then_some(M::Unsupported("this function of the compiler"))
            });
        }
    })
}

fn library(name: &str) -> Option<Meaning> {
    use Meaning as M;
    Some(match name {
        "abort" => M::Exit(Exit::Abort),
        "exit" | "_exit" | "_Exit" | "quick_exit" => M::Exit(Exit::Exit),
        "malloc" => M::Builtin(Builtin::Allocate),
        "calloc" => M::Builtin(Builtin::AllocateCleared),
        "realloc" => M::Builtin(Builtin::Reallocate),
        "alloca" | "__alloca" => M::Builtin(Builtin::AllocateLocal),
        "free" | "cfree" => M::Builtin(Builtin::Free),
        "memset" => M::Builtin(Builtin::Fill),
        "memcpy" | "memmove" => M::Builtin(Builtin::CopyBytes),
        "memcmp" => M::Builtin(Builtin::CompareBytes),
        "strlen" => M::Builtin(Builtin::Length),
        "strcmp" => M::Builtin(Builtin::CompareTexts),
        "strcpy" => M::Builtin(Builtin::CopyText),
        "printf" | "puts" | "putchar" | "fprintf" | "fputs" | "fputc" | "putc" | "vprintf" | "perror"
        | "fflush" => M::Builtin(Builtin::Print),
        "abs" | "labs" | "llabs" => M::Computed(Computed::Absolute),
        "expect" | "expect_with_probability" => M::Builtin(Builtin::First),
        _ => return None,
    })
}

/// The type of a library function that is used without declaration, as compilers know it: parameters and result. The last parameter is
/// followed by more if the third part says so.
pub(super) fn signature(name: &str, types: &mut Types) -> Option<(Vec<TypeId>, TypeId, bool)> {
    let short = name.strip_prefix("__builtin_").unwrap_or(name);
    let shape = match short {
        "abort" | "unreachable" | "trap" => "v",
        "bswap16" => "ss",
        "bswap32" => "uu",
        "bswap64" => "ww",
        "exit" | "_exit" | "_Exit" => "vi",
        "malloc" | "alloca" | "__alloca" => "pz",
        "calloc" => "pzz",
        "realloc" => "ppz",
        "free" => "vp",
        "memset" => "ppiz",
        "memcpy" | "memmove" => "pppz",
        "memcmp" => "ippz",
        "strlen" => "zp",
        "strcmp" => "ipp",
        "strcpy" => "ppp",
        "expect" => "lll",
        "abs" => "ii",
        "labs" => "ll",
        "llabs" => "qq",
        "popcount" | "parity" | "clz" | "ctz" if short != name => "iu",
        "popcountl" | "parityl" | "clzl" | "ctzl" if short != name => "im",
        "popcountll" | "parityll" | "clzll" | "ctzll" if short != name => "iw",
        "ffs" if short != name => "ii",
        "ffsl" if short != name => "il",
        "ffsll" if short != name => "iq",
        "printf" => "ip.",
        "puts" => "ip",
        "putchar" => "ii",
        _ if name == "__VERIFIER_assume" => "vi",
        _ if super::library::is_error(name) => "v",
        _ => return input_type(name, types).map(|ty| (Vec::new(), ty, false)),
    };
    let mut parts = Vec::new();
    for letter in shape.chars().filter(|&letter| letter != '.') {
        parts.push(match letter {
            'v' => types.void(),
            'p' => {
                let void = types.void();
                types.pointer(void)
            }
            'z' => types.size(),
            'l' => types.standard(Rank::Long, true),
            'm' => types.standard(Rank::Long, false),
            'q' => types.standard(Rank::LongLong, true),
            's' => types.standard(Rank::Short, false),
            'u' => types.standard(Rank::Int, false),
            'w' => types.standard(Rank::LongLong, false),
            _ => types.int(),
        });
    }
    let result = parts.remove(0);
    Some((parts, result, shape.ends_with('.')))
}

/// The type of `__VERIFIER_nondet_X()` and `nondet_X()` by its name.
fn input_type(name: &str, types: &mut Types) -> Option<TypeId> {
    let (rank, signed) = match INPUTS.iter().find_map(|prefix| name.strip_prefix(prefix))? {
        "bool" | "_Bool" => (Rank::Bool, false),
        "char" | "schar" => (Rank::Char, true),
        "uchar" | "unsigned_char" | "u8" => (Rank::Char, false),
        "short" => (Rank::Short, true),
        "ushort" | "u16" => (Rank::Short, false),
        "int" => (Rank::Int, true),
        "uint" | "unsigned" | "unsigned_int" | "u32" => (Rank::Int, false),
        "long" | "time_t" | "clock_t" => (Rank::Long, true),
        "ulong" | "sector_t" | "pthread_t" => (Rank::Long, false),
        "longlong" | "loff_t" => (Rank::LongLong, true),
        "ulonglong" => (Rank::LongLong, false),
        "int128" => (Rank::Int128, true),
        "uint128" => (Rank::Int128, false),
        "size_t" => return Some(types.size()),
        "float" => return Some(types.intern(crate::ir::Type::Float(crate::ir::Float::Single))),
        "double" => return Some(types.double()),
        "charp" | "pchar" => {
            let character = types.character();
            return Some(types.pointer(character));
        }
        "pointer" => {
            let void = types.void();
            return Some(types.pointer(void));
        }
        _ => (Rank::Int, true),
    };
    Some(types.standard(rank, signed))
}
