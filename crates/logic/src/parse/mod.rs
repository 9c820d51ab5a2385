//! The parser: one concrete syntax for the mu-calculus, as mCRL2 writes it without data, and CTL.
//!
//! Recursive descent with one token of lookahead (two in the few places that say so). The grammar stands in
//! docs/formats/formulas.md. State formulas are read in `state`, what stands inside modalities in `regular`, atoms of a
//! language around in `atom`, and what is known but refused in `refuse`. `file` cuts files into formulas.
//! Formulas of linear time have an entry of their own, in `linear`.
//!
//! Mistakes do not stop the parser: a missing operand stands as `true`, a missing bracket skips to its partner, so
//! that several mistakes are reported at once. The tree is given out only if there was none.

mod atom;
mod file;
mod linear;
mod query;
mod refuse;
mod regular;
mod state;

pub use file::{FiledFormula, formulas_of};
pub use linear::{parse_ltl, parse_ltl_with_atoms};
pub use query::{Query, parse_query, parse_query_with_atoms};

use crate::token::{TokenKind, Tokens};
use crate::wellformed::{check_nesting, check_well_formed};
use crate::{Formula, FormulaKind};
use tertium_support::{Cursor, Diagnostic, Diagnostics, Source, Span};

/// How deep brackets and prefix operators may nest: the parser recurses on them, and has to stay within the two
/// megabytes of stack that a thread has, also without optimisation.
const BRACKET_LIMIT: usize = 256;
/// How deep formulas may nest, abbreviations counted as what they stand for. Whatever walks formulas may recurse.
const NESTING_LIMIT: usize = 500;
/// After this many mistakes the rest of the text is not looked at.
const MISTAKE_LIMIT: usize = 20;

/// Reads a formula. It is closed and monotone: every variable stands below an even number of negations inside its
/// fixpoint. Otherwise gives everything that is wrong, located, at least one error.
pub fn parse(source: &Source) -> Result<Formula, Diagnostics> {
    let whole = Span::new(0, source.text().len());
    parse_with_atoms(source, whole, &|_, _| None)
}

/// Reads the formula that stands in a part of a text, where propositions can also be atoms of the language around, such as `x > 3`.
///
/// Wherever an operand begins, `atoms` is asked with the text up to the end of the part and the place: if an atom begins there, where
/// does it end? The atom becomes the proposition with its text. Variables of fixpoints and words of the logic are not asked for.
pub fn parse_with_atoms(source: &Source, part: Span, atoms: &Atoms<'_>) -> Result<Formula, Diagnostics> {
    let mut parser = Parser::new(&source.text()[..part.end], part.start, atoms);
    let formula = parser.whole();
    finish(parser, formula)
}

/// Gives the formula out if nothing is wrong with it.
fn finish(mut parser: Parser<'_>, formula: Formula) -> Result<Formula, Diagnostics> {
    parser.report_stray_variables();
    if !parser.cursor.complaints.is_empty() {
        return Err(parser.cursor.complaints.into_list());
    }
    // In this order: the second check may recurse.
    check_nesting(&formula, NESTING_LIMIT).map_err(|mistake| vec![mistake])?;
    check_well_formed(&formula)?;
    Ok(formula)
}

/// Says where the atom ends that begins at a place of a text, if one does.
pub type Atoms<'a> = dyn Fn(&str, usize) -> Option<usize> + 'a;

/// A variable and where it is bound.
#[derive(Clone, Copy)]
struct Binder<'a> {
    name: &'a str,
    span: Span,
}

struct Parser<'a> {
    cursor: Cursor<'a, Tokens>,
    atoms: &'a Atoms<'a>,
    /// The binders around the current place, outermost first.
    scope: Vec<Binder<'a>>,
    /// All binders seen, in order.
    binders: Vec<Binder<'a>>,
    /// Names, not quoted, that no binder was around.
    free: Vec<Binder<'a>>,
    /// In queries: what is known about the placeholder.
    placeholder: Option<query::Draft>,
    /// Too many mistakes or too deep: the parser runs to its end without looking at the rest.
    abandoned: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, start: usize, atoms: &'a Atoms<'a>) -> Self {
        Self {
            cursor: Cursor::new(text, start, MISTAKE_LIMIT),
            atoms,
            scope: Vec::new(),
            binders: Vec::new(),
            free: Vec::new(),
            placeholder: None,
            abandoned: false,
        }
    }

    /// A formula and nothing else.
    fn whole(&mut self) -> Formula {
        if self.cursor.kind() == TokenKind::End {
            self.report(Diagnostic::error(self.cursor.span(), "expected a formula, found nothing"));
        }
        let formula = self.formula();
        self.nothing_more(TokenKind::End, "an operator or the end of the formula");
        formula
    }

    fn at_word(&self, word: &str) -> bool {
        self.cursor.is_at(TokenKind::Name, word)
    }

    /// Runs `inside` one level deeper, or gives up if that is too deep.
    fn nested<T>(&mut self, at: Span, otherwise: T, inside: impl FnOnce(&mut Self) -> T) -> T {
        if !self.cursor.enter(BRACKET_LIMIT) {
            self.report(too_deep(at, BRACKET_LIMIT, "brackets and prefix operators"));
            self.abandon();
            return otherwise;
        }
        let result = inside(self);
        self.cursor.leave();
        result
    }

    fn report(&mut self, mistake: Diagnostic) {
        // A second complaint about the same place is a consequence of the first.
        let last = self.cursor.complaints.last();
        if self.abandoned || last.is_some_and(|last| last.span.start == mistake.span.start) {
            return;
        }
        self.cursor.complaints.push(mistake);
        if self.cursor.complaints.is_full() {
            self.abandon();
        }
    }

    fn abandon(&mut self) {
        self.abandoned = true;
        self.cursor.give_up();
    }

    /// Reads the closing bracket that belongs to `open`, or complains and skips to it.
    fn close(&mut self, close: TokenKind, open: Span, expected: &str) {
        if self.cursor.eat(close) {
            return;
        }
        let mistake = self.cursor.expected(expected).with_related(open, "the bracket opened here");
        self.report(mistake);
        self.skip_to(|kind| kind == close);
        if !self.cursor.eat(close) && self.cursor.kind() == TokenKind::End {
            // Everything up to the end stood inside; that it ends too early is said already.
            self.abandon();
        }
    }

    /// Skips to a token of this kind outside of inner brackets, to a closing bracket of someone else, to a
    /// semicolon, or to the end.
    fn skip_to(&mut self, wanted: impl Fn(TokenKind) -> bool) {
        let mut open = 0usize;
        loop {
            let kind = self.cursor.kind();
            match kind {
                TokenKind::End | TokenKind::Semicolon => return,
                _ if open == 0 && wanted(kind) => return,
                TokenKind::OpenParen | TokenKind::OpenBracket | TokenKind::OpenAngle => open += 1,
                TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::CloseAngle if open == 0 => {
                    return;
                }
                TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::CloseAngle => open -= 1,
                _ => {}
            }
            self.cursor.bump();
        }
    }

    /// A free name that is bound elsewhere is hardly meant as a proposition.
    fn report_stray_variables(&mut self) {
        for stray in std::mem::take(&mut self.free) {
            if let Some(binder) = self.binders.iter().find(|binder| binder.name == stray.name) {
                let name = stray.name;
                let mistake = Diagnostic::error(stray.span, format!("the variable `{name}` is free here"))
                    .with_related(binder.span, format!("`{name}` is bound here, for this fixpoint only"))
                    .with_note(format!("a proposition of this name is written in quotes: \"{name}\""));
                self.report(mistake);
            }
        }
    }
}

/// The complaint about a formula that nests deeper than the limit on levels of this kind.
pub(crate) fn too_deep(span: Span, limit: usize, levels: &str) -> Diagnostic {
    Diagnostic::error(span, "the formula is nested too deeply")
        .with_note(format!("at most {limit} levels of {levels}"))
        .with_note("chains of `&&`, `||` and `+` count as one level, however long")
}

/// Stands where an operand is missing; never leaves the parser.
fn missing(at: Span) -> Formula {
    Formula { kind: FormulaKind::True, span: at }
}
