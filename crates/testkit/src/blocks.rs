//! Two families of programs made of blocks, one after the other, on which reduced semantics proves more than standard
//! semantics \[Wei09, Fig. 5.5\].
//!
//! Each block works on a variable of its own. What a block leaves open about its variable, the next one never needs: but standard semantics
//! carries it along, and knows nothing of a monomial that leaves it open.

use std::fmt::Write;

/// Which program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockProgram {
    /// A conditional as one step and a loop in each block, and a loop at the end: two locations per block.
    Loops,
    /// Nested choices in each block, one location per branch and per assignment: nine per block.
    Choices,
}

/// Where a program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockStart {
    /// All variables are at most 0.
    NotPositive,
    /// All variables are above 0.
    Positive,
}

impl BlockProgram {
    /// The program with this many blocks, at least one, in the guarded-command language.
    pub fn text(self, n: usize, start: BlockStart) -> String {
        let mut text = format!("control pc: 0..{} = 0;\n", self.end(n));
        let variables: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        let relation = match start {
            BlockStart::NotPositive => "<=",
            BlockStart::Positive => ">",
        };
        let _ = writeln!(text, "var {}: int;", variables.join(", "));
        for (i, x) in variables.iter().enumerate() {
            let _ = writeln!(text, "init {x} {relation} 0;");
            match self {
                Self::Loops => loop_block(&mut text, 2 * i, x),
                Self::Choices => choice_block(&mut text, 9 * i, x),
            }
        }
        if self == Self::Loops {
            let (at, x) = (2 * n, &variables[n - 1]);
            let _ = writeln!(text, "[spin] pc = {at} && {x} <= 0 -> {x} := {x} - 1;");
            let _ = writeln!(text, "[end] pc = {at} && {x} > 0 -> pc := {};", at + 1);
        }
        let _ = writeln!(text, "[stay] pc = {} -> skip;", self.end(n));
        text
    }

    /// The predicates to look at it through, as a list to be read.
    pub fn predicates(self, n: usize) -> String {
        let of = |i| match self {
            Self::Loops => format!("x{i} > 0;\nodd(x{i});\n"),
            Self::Choices => format!("x{i} > 0;\n"),
        };
        (0..n).map(of).collect()
    }

    /// The location of the loop at the end, of the program with loops.
    pub fn last_loop(n: usize) -> usize {
        2 * n
    }

    /// The last location.
    pub fn end(self, n: usize) -> usize {
        match self {
            Self::Loops => 2 * n + 1,
            Self::Choices => 9 * n,
        }
    }
}

fn loop_block(text: &mut String, at: usize, x: &str) {
    let (head, out) = (at + 1, at + 2);
    let _ = writeln!(
        text,
        "[first] pc = {at} -> pc := {head}, {x} := {x} > 5 ? {x} + 1 : {x} > 0 ? {x} + 2 : {x} - 2;"
    );
    let _ = writeln!(text, "[odd] pc = {head} && {x} > 0 && odd({x}) -> {x} := -1;");
    let _ = writeln!(text, "[even] pc = {head} && {x} > 0 && even({x}) -> {x} := {x} + 1;");
    let _ = writeln!(text, "[leave] pc = {head} && {x} <= 0 -> pc := {out};");
}

fn choice_block(text: &mut String, at: usize, x: &str) {
    let place = |offset: usize| at + offset;
    for (offset, target) in [(0, 1), (0, 5), (2, 3), (2, 4)] {
        let _ = writeln!(text, "[choose] pc = {} -> pc := {};", place(offset), place(target));
    }
    let square = format!("{x} * {x} - 10");
    let sum = format!("{x} + 1");
    for (offset, value, target) in [(1, &sum, 2), (3, &sum, 6), (4, &square, 6), (5, &square, 6)] {
        let _ = writeln!(text, "[assign] pc = {} -> pc := {}, {x} := {value};", place(offset), place(target));
    }
    let _ = writeln!(text, "[then] pc = {} && {x} > 0 -> pc := {};", place(6), place(7));
    let _ = writeln!(text, "[else] pc = {} && {x} <= 0 -> pc := {};", place(6), place(8));
    let _ = writeln!(text, "[assign] pc = {} -> pc := {}, {x} := {x} + 1;", place(7), place(9));
    let _ = writeln!(text, "[assign] pc = {} -> pc := {}, {x} := {x} - 1;", place(8), place(9));
}

/// The properties of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockProperty {
    /// The loop at the end can be reached.
    ReachesLoop,
    /// The end can be avoided for ever.
    NeverEnds,
    /// The end can be avoided for ever with some variable above 0 all the time.
    NeverEndsPositive,
    /// The end can be reached.
    ReachesEnd,
}

impl BlockProperty {
    /// The program that the source asks it of.
    pub fn program(self) -> BlockProgram {
        match self {
            Self::ReachesEnd => BlockProgram::Choices,
            _ => BlockProgram::Loops,
        }
    }

    /// The property of the program with this many blocks.
    pub fn text(self, n: usize) -> String {
        let end = self.program().end(n);
        match self {
            Self::ReachesLoop => format!("EF pc = {}", BlockProgram::last_loop(n)),
            Self::NeverEnds => format!("EG pc != {end}"),
            Self::NeverEndsPositive => {
                let positive: Vec<String> = (0..n).map(|i| format!("x{i} > 0")).collect();
                format!("EG (pc != {end} && ({}))", positive.join(" || "))
            }
            Self::ReachesEnd => format!("EF pc = {end}"),
        }
    }
}
