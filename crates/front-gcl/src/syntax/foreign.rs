//! Words of other languages, and what is written here instead.
//!
//! They can be names of variables; only where one stands that cannot stand there is it taken for a word of another language.

/// What to write instead of a word that begins an item in another language.
pub(super) fn instead_of_item(word: &str) -> Option<&'static str> {
    Some(match word {
        "proctype" | "active" | "module" | "MODULE" | "thread" | "agent" => {
            "a process is written `process p { … }`, and several alike `process p[i in 1..N] { … }`; all of them run from the beginning"
        }
        "int" | "bool" | "bit" | "byte" | "short" | "nat" | "boolean" | "Int" | "Nat" | "unsigned"
        | "pid" | "mtype" | "VAR" | "variable" | "variables" | "VARIABLE" | "VARIABLES" | "global"
        | "local" | "let" => {
            "variables are declared with their type behind them: `var x: int = 0;`, `var n: 0..255;`, `var b: bool;`"
        }
        "fairness" | "FAIRNESS" | "JUSTICE" | "COMPASSION" | "justice" | "compassion" | "fair" | "weak"
        | "strong" => {
            "guarded commands have no fairness yet: write it into a property, `LTLSPEC G F taken -> G (asked -> F given)`"
        }
        "chan" | "channel" => {
            "there are no channels: an array and two counters make a buffer, `var box: array 0..3 of 0..9; var first, n: 0..4 = 0;`"
        }
        "do" | "if" | "while" | "od" | "fi" | "for" | "goto" | "atomic" | "d_step" | "loop" | "begin"
        | "end" | "when" => {
            "a step is a command, `[name] guard -> x := e, y := f;`; where control is, a variable says: `control pc: { a, b } = a;`"
        }
        "assert" | "INVARSPEC" | "INVAR" | "always" | "safety" => {
            "what holds everywhere is `invariant name: e;`"
        }
        "SPEC" | "CTLSPEC" | "LTLSPEC" | "ltl" | "ctl" | "LTL" | "CTL" | "never" | "spec" | "temporal" => {
            "a formula is `property name: AG (p => AF q);`, and one of linear time `property name: LTLSPEC G (p -> F q);`"
        }
        "#define" | "define" | "DEFINE" | "macro" | "formula" => {
            "a number is named by `const N = 3;`, a condition for properties by `prop p = e;`"
        }
        "type" | "typedef" | "datatype" => "named values are `enum colour = { red, green };`",
        "INIT" | "initially" => "where it begins is said by `init e;`, and by values: `var x: int = 0;`",
        "TRANS" | "ASSIGN" | "next" | "action" | "transition" | "rule" => {
            "a step is a command, `[name] guard -> x := e, y := f;`"
        }
        _ => return None,
    })
}

/// What to write instead of a word that is a type in another language.
pub(crate) fn instead_of_type(word: &str) -> Option<&'static str> {
    Some(match word {
        "nat" | "Nat" | "natural" | "uint" | "unsigned" => {
            "a number that is never negative has a range, `0..100`, or is an `int` with `init x >= 0;`: there are no bounds on one side"
        }
        "integer" | "Int" | "Integer" | "number" | "long" => {
            "a number without bounds is an `int`, one with bounds a range: `0..7`"
        }
        "byte" | "short" | "char" | "word" => "a byte is a range, `0..255`, or eight bits, `bits(8)`",
        "bit" | "boolean" | "Bool" | "Boolean" | "BOOLEAN" => {
            "a truth value is a `bool`, a number of one bit `0..1`"
        }
        "real" | "float" | "double" | "rational" | "string" => {
            "there are numbers without a fraction, truth values, bits, names and arrays"
        }
        "mtype" | "enum" => {
            "named values are written in place, `{ red, green }`, or declared before: `enum colour = { red, green };`"
        }
        "chan" | "channel" | "queue" | "list" | "set" | "record" | "struct" => {
            "arrays with counters take the place of channels, queues and sets: `array 0..3 of 0..9`, `array 0..3 of bool`"
        }
        "clock" => "time is a number that commands count: `var t: int = 0;`",
        _ => return None,
    })
}

/// What to write instead of a word that stands behind the arrow of a command.
pub(super) fn instead_of_update(word: &str) -> Option<&'static str> {
    Some(match word {
        "if" => "a choice by a condition is `x := c ? a : b`, or two commands with guards",
        "goto" => "where control is, a variable says: `pc := wait`",
        "assert" => "what holds everywhere is `invariant name: e;`, outside of commands",
        "send" | "recv" | "receive" => "there are no channels: an array and two counters make a buffer",
        _ => return None,
    })
}
