//! A C program together with its inputs as one text: compiled and run, it reaches the error, and its exit status says so.
//!
//! The text is the program, almost as it is, with a few lines before it and definitions after it:
//!
//! - Functions that ask for values (`__VERIFIER_nondet_int`) give those of the list, in the order of the calls. What cannot be
//!   answered, because the list is at its end or another function is called than in the run, ends with the status [`NO_INPUT`].
//! - Error functions without definition end with [`REACHED`]. Into those with one, a call that does so is put at the beginning of the
//!   body; likewise at labels, if they are what is asked for.
//! - Where a failing assertion is what is asked for, it ends with [`REACHED`] too; else it does what it always does.
//! - `__VERIFIER_assume` with a false condition ends with [`ASSUMED`].
//! - All else is as in the program. A program that ends with one of these statuses by itself ends with 1 here, so the status never lies.
//!
//! Our definitions have names of their own in C and the names of the program in the object file. So they need not agree with the
//! declarations of the program, which may use its own types, or leave them out. This is how GCC and Clang do it, on ELF systems.
//!
//! | file | holds |
//! |---|---|
//! | `scan` | which functions a text uses, declares and defines |
//! | `write` | the text |

mod scan;
mod write;

pub use write::harness;

/// The status with which a harness ends where the error is reached.
pub const REACHED: i32 = 107;
/// The status where an input is asked for that the run does not have.
pub const NO_INPUT: i32 = 108;
/// The status where an assumption of the program does not hold.
pub const ASSUMED: i32 = 109;

/// A program with the inputs of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harness<'a> {
    /// The name of the file, for messages of compilers and debuggers.
    pub file_name: &'a str,
    /// The text, as the user has it.
    pub program: &'a str,
    /// The property, for the comment at the top.
    pub property: &'a str,
    /// Whether it is to be compiled with `-m32`.
    pub is_32_bit: bool,
    /// The values, in the order in which the run asks for them.
    pub inputs: Vec<HarnessInput>,
    /// What is the error.
    pub errors: Vec<HarnessError>,
    /// Functions that neither the program nor the library of the system defines. They do nothing and give zero, if no input is for them.
    pub missing: Vec<String>,
}

/// A value from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarnessInput {
    /// Who asks.
    pub by: AskedBy,
    /// The value, as an expression of C: see [`integer_literal`].
    pub literal: String,
}

/// Who asks for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedBy {
    /// A call of this function. It may be one of `__VERIFIER_nondet_*`, or one that the program only declares.
    Call(String),
    /// A variable that is read before it is written. Its declaration gets the value; this is the byte after its name there.
    Variable(usize),
    /// A parameter of `main` with this name. It gets the value where the body begins.
    Parameter(String),
    /// An array that is read before it is written, always with this value. Its declaration gives it to all of so many elements; this is
    /// the byte after the declarator there.
    Elements(usize, u64),
}

/// What is the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HarnessError {
    /// A function is called: `reach_error`.
    Call {
        /// Its name.
        function: String,
        /// The bytes of its body with the braces, if somebody knows; else the body is looked for.
        body: Option<std::ops::Range<usize>>,
    },
    /// An assertion fails.
    Assertion,
    /// Control comes to this byte, at the beginning of a statement behind a label.
    Place(usize),
}

impl HarnessError {
    /// The call of a function.
    pub fn call(function: &str) -> Self {
        Self::Call { function: function.to_owned(), body: None }
    }
}

/// A literal of C with this value, for all types up to 64 bits. Larger values are put together from halves.
pub fn integer_literal(value: i128) -> String {
    const SMALLEST: i128 = i64::MIN as i128;
    const INT: std::ops::RangeInclusive<i128> = -(i32::MAX as i128)..=i32::MAX as i128;
    match value {
        value if INT.contains(&value) => value.to_string(),
        SMALLEST => "(-9223372036854775807LL - 1)".to_owned(),
        value if i64::try_from(value).is_ok() => format!("{value}LL"),
        value if u64::try_from(value).is_ok() => format!("{value}ULL"),
        value => {
            let bits = value as u128;
            let (high, low) = ((bits >> 64) as u64, bits as u64);
            format!("(((__int128){high}ULL << 64) | {low}ULL)")
        }
    }
}
