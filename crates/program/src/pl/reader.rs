//! PL from text to a tree. A mistake costs the statement it stands in; reading goes on after its `;`.

use super::tree::{Declaration, Name, ProcedureTree, Statement, StatementKind, Tree, Written};
use crate::Domain;
use std::collections::BTreeSet;
use tertium_expr::{BigInt, name_length, read, read_operand};
use tertium_support::{
    Complaints, Context, Cursor, Diagnostic, Diagnostics, Lexer, Span, StopReason, Symbols, Token,
    skip_blanks,
};

/// After this many complaints the rest of a text is not looked at.
const MOST_COMPLAINTS: usize = 50;
/// How deep statements may nest: reading recurses on them.
const NESTING_LIMIT: usize = 100;

const RESERVED: [&str; 18] = [
    "skip", "assume", "var", "kill", "if", "else", "while", "either", "or", "global", "int", "bool", "true",
    "false", "in", "mod", "forall", "exists",
];

type Reading<T> = Result<T, Box<Diagnostic>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenKind {
    Word,
    Symbol,
    End,
}

const SYMBOLS: Symbols<TokenKind> =
    Symbols::new(&[(":=", TokenKind::Symbol), ("->", TokenKind::Symbol), ("..", TokenKind::Symbol)]);

/// Comments go from `//` to the end of the line.
#[derive(Debug)]
struct Tokens;

impl Lexer for Tokens {
    type Kind = TokenKind;
    const END: TokenKind = TokenKind::End;

    fn token(text: &str, at: usize, _: &mut Complaints) -> Token<TokenKind> {
        let at = skip_blanks(text, at, char::is_whitespace, &["//"]);
        let rest = &text[at..];
        let (kind, length) = match (name_length(rest), rest.chars().next()) {
            (0, None) => (TokenKind::End, 0),
            (0, Some(first)) => SYMBOLS.find(rest).unwrap_or((TokenKind::Symbol, first.len_utf8())),
            (length, _) => (TokenKind::Word, length),
        };
        Token { kind, span: Span::new(at, at + length) }
    }
}

/// The tree of a text, as far as it could be read, and what is wrong with the rest.
pub(super) fn read_tree(context: &Context, text: &str) -> Result<(Tree, Diagnostics), StopReason> {
    let cursor = Cursor::new(text, 0, MOST_COMPLAINTS).watched(context, "reading");
    let mut reader = Reader { cursor, procedures: procedures_of(text) };
    let mut tree = Tree::default();
    while !reader.cursor.is_at_end() && !reader.cursor.complaints.is_full() {
        if let Err(mistake) = reader.item(&mut tree) {
            reader.cursor.complaints.push(*mistake);
            // Where a procedure ends is not known: what follows would be complained about without reason.
            break;
        }
    }
    reader.cursor.check()?;
    Ok((tree, reader.cursor.complaints.into_list()))
}

/// The names of all procedures: those outside of braces that brackets follow.
fn procedures_of(text: &str) -> BTreeSet<&str> {
    let cursor: Cursor<'_, Tokens> = Cursor::new(text, 0, 0);
    let (mut depth, mut last, mut names) = (0usize, None, BTreeSet::new());
    for token in cursor.ahead() {
        match (token.kind, &text[token.span.range()]) {
            (TokenKind::Symbol, "{") => depth += 1,
            (TokenKind::Symbol, "}") => depth = depth.saturating_sub(1),
            (TokenKind::Symbol, "(") if depth == 0 => names.extend(last),
            _ => {}
        }
        last = (token.kind == TokenKind::Word).then(|| &text[token.span.range()]);
    }
    names
}

struct Reader<'a> {
    cursor: Cursor<'a, Tokens>,
    procedures: BTreeSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn at_symbol(&self, symbol: &str) -> bool {
        self.cursor.is_at(TokenKind::Symbol, symbol)
    }

    fn eat_symbol(&mut self, symbol: &str) -> bool {
        let found = self.at_symbol(symbol);
        if found {
            self.cursor.bump();
        }
        found
    }

    fn require_symbol(&mut self, symbol: &str) -> Reading<()> {
        if self.eat_symbol(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.cursor.is_at(TokenKind::Word, word);
        if found {
            self.cursor.bump();
        }
        found
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        Box::new(self.cursor.expected(what))
    }

    fn name(&mut self, what: &str) -> Reading<Name> {
        if self.cursor.kind() != TokenKind::Word || RESERVED.contains(&self.cursor.word()) {
            return Err(self.expected(what));
        }
        let token = self.cursor.bump();
        Ok(Name { text: self.cursor.text_of(token.span).to_owned(), span: token.span })
    }

    fn names(&mut self) -> Reading<Vec<Name>> {
        let mut names = vec![self.name("the name of a variable")?];
        while self.eat_symbol(",") {
            names.push(self.name("the name of a variable")?);
        }
        Ok(names)
    }

    fn expression(&mut self) -> Reading<Written> {
        let start = self.cursor.start();
        let (expression, end) = read(self.cursor.text(), start)?;
        self.cursor.seek(end);
        Ok(Written { expression, text: self.cursor.text()[start..end].to_owned() })
    }

    /// Expressions up to a closing bracket.
    fn arguments(&mut self) -> Reading<Vec<Written>> {
        let mut arguments = Vec::new();
        if !self.at_symbol(")") {
            arguments.push(self.expression()?);
            while self.eat_symbol(",") {
                arguments.push(self.expression()?);
            }
        }
        self.require_symbol(")")?;
        Ok(arguments)
    }

    fn condition(&mut self) -> Reading<Written> {
        self.require_symbol("(")?;
        let condition = self.expression()?;
        self.require_symbol(")")?;
        Ok(condition)
    }

    fn bound(&mut self) -> Reading<BigInt> {
        let start = self.cursor.start();
        let (_, end) = read_operand(self.cursor.text(), start)?;
        let text: String = self.cursor.text()[start..end].split_whitespace().collect();
        let number = text.parse().map_err(|_| {
            Box::new(Diagnostic::error(Span::new(start, end), "a range has numbers as bounds"))
        })?;
        self.cursor.seek(end);
        Ok(number)
    }

    fn declaration(&mut self) -> Reading<Declaration> {
        let name = self.name("the name of a variable")?;
        if !self.eat_symbol(":") || self.eat_word("int") {
            return Ok(Declaration { name, domain: Domain::Int });
        }
        if self.eat_word("bool") {
            return Ok(Declaration { name, domain: Domain::Bool });
        }
        let start = self.cursor.start();
        let low = self.bound()?;
        self.require_symbol("..")?;
        let high = self.bound()?;
        if low > high {
            let message = format!("`{}` has no values", name.text);
            return Err(Box::new(Diagnostic::error(self.cursor.since(start), message)));
        }
        Ok(Declaration { name, domain: Domain::Range(low, high) })
    }

    fn declarations(&mut self) -> Reading<Vec<Declaration>> {
        let mut declarations = vec![self.declaration()?];
        while self.eat_symbol(",") {
            declarations.push(self.declaration()?);
        }
        Ok(declarations)
    }

    fn item(&mut self, tree: &mut Tree) -> Reading<()> {
        if self.eat_word("global") {
            tree.globals.extend(self.declarations()?);
            return self.require_symbol(";");
        }
        let name = self.name("`global` or the name of a procedure")?;
        self.require_symbol("(")?;
        let formals = if self.at_symbol(")") { Vec::new() } else { self.declarations()? };
        self.require_symbol(")")?;
        let results = if self.eat_symbol(":") { self.names()? } else { Vec::new() };
        let body = self.block()?;
        let end = Span::new(self.cursor.last_end() - 1, self.cursor.last_end());
        tree.procedures.push(ProcedureTree { name, formals, results, body, end });
        Ok(())
    }

    fn block(&mut self) -> Reading<Vec<Statement>> {
        self.require_symbol("{")?;
        if !self.cursor.enter(NESTING_LIMIT) {
            let mistake = Diagnostic::error(self.cursor.span(), "statements are nested too deeply");
            return Err(Box::new(mistake.with_note(format!("at most {NESTING_LIMIT} levels"))));
        }
        let mut statements = Vec::new();
        while !self.at_symbol("}") && !self.cursor.is_at_end() {
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(mistake) => {
                    self.cursor.complaints.push(*mistake);
                    self.cursor.skip_until(|cursor| {
                        cursor.kind() == TokenKind::Symbol && matches!(cursor.word(), ";" | "}" | "{")
                    });
                    if self.at_symbol("{") {
                        self.cursor.give_up();
                    }
                    self.eat_symbol(";");
                }
            }
        }
        self.cursor.leave();
        self.require_symbol("}")?;
        Ok(statements)
    }

    fn statement(&mut self) -> Reading<Statement> {
        let start = self.cursor.start();
        let mut labels = Vec::new();
        while self.cursor.kind() == TokenKind::Word
            && self.cursor.ahead().nth(1).is_some_and(|next| self.cursor.text_of(next.span) == ":")
        {
            labels.push(self.name("a label")?);
            self.cursor.bump();
        }
        let kind = self.kind()?;
        Ok(Statement { labels, kind, span: self.cursor.since(start) })
    }

    fn kind(&mut self) -> Reading<StatementKind> {
        if self.eat_word("if") {
            let condition = self.condition()?;
            let then = self.block()?;
            let otherwise = if self.eat_word("else") { self.block()? } else { Vec::new() };
            return Ok(StatementKind::If(condition, then, otherwise));
        }
        if self.eat_word("while") {
            let condition = self.condition()?;
            return Ok(StatementKind::While(condition, self.block()?));
        }
        if self.eat_word("either") {
            let mut blocks = vec![self.block()?];
            while self.eat_word("or") {
                blocks.push(self.block()?);
            }
            return Ok(StatementKind::Either(blocks));
        }
        if self.at_symbol("(") {
            return self.scoped();
        }
        let kind = if self.eat_word("skip") {
            StatementKind::Skip
        } else if self.eat_word("assume") {
            StatementKind::Assume(self.condition()?)
        } else if self.eat_word("var") {
            StatementKind::Var(self.declarations()?)
        } else if self.eat_word("kill") {
            StatementKind::Kill(self.names()?)
        } else {
            self.assignment_or_call()?
        };
        self.require_symbol(";")?;
        Ok(kind)
    }

    fn scoped(&mut self) -> Reading<StatementKind> {
        self.require_symbol("(")?;
        let from = self.scope()?;
        self.require_symbol("->")?;
        let to = self.scope()?;
        self.require_symbol(")")?;
        if !self.cursor.enter(NESTING_LIMIT) {
            return Err(Box::new(Diagnostic::error(self.cursor.span(), "scopes are nested too deeply")));
        }
        let inner = self.statement()?;
        self.cursor.leave();
        let is_atomic = !matches!(
            inner.kind,
            StatementKind::If(..)
                | StatementKind::While(..)
                | StatementKind::Either(..)
                | StatementKind::Scoped(..)
        );
        if !is_atomic || !inner.labels.is_empty() {
            let message = "only a single step or call has its scope written out";
            return Err(Box::new(Diagnostic::error(inner.span, message)));
        }
        Ok(StatementKind::Scoped(from, to, Box::new(inner)))
    }

    fn scope(&mut self) -> Reading<Vec<Name>> {
        self.require_symbol("{")?;
        let names = if self.at_symbol("}") { Vec::new() } else { self.names()? };
        self.require_symbol("}")?;
        Ok(names)
    }

    fn at_call(&self) -> bool {
        let follows = self.cursor.ahead().nth(1).is_some_and(|next| self.cursor.text_of(next.span) == "(");
        self.cursor.kind() == TokenKind::Word && follows
    }

    fn call(&mut self, takers: Vec<Name>) -> Reading<StatementKind> {
        let callee = self.name("the name of a procedure")?;
        self.require_symbol("(")?;
        Ok(StatementKind::Call(takers, callee, self.arguments()?))
    }

    fn assignment_or_call(&mut self) -> Reading<StatementKind> {
        if self.at_call() {
            return self.call(Vec::new());
        }
        let targets = self.names().map_err(|_| self.expected("a statement"))?;
        self.require_symbol(":=")?;
        if self.at_call() && self.procedures.contains(self.cursor.word()) {
            return self.call(targets);
        }
        let mut terms = vec![self.expression()?];
        while self.eat_symbol(",") {
            terms.push(self.expression()?);
        }
        Ok(StatementKind::Assign(targets, terms))
    }
}
