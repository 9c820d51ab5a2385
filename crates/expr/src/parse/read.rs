//! The tree of an expression as written.

use super::token::{Token, TokenKind, Tokens};
use tertium_support::{Cursor, Diagnostic, Span};

/// How deep brackets and operators may nest: reading recurses on them.
const NESTING_LIMIT: usize = 200;
/// How high trees may be. Chains of `&&`, `||`, `+` and `-` nest to the left; whoever walks the tree takes such a chain in a loop, but
/// leaving it behind recurses.
const HEIGHT_LIMIT: usize = 2000;

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: ExpressionKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// `true` or `false`
    Bool(bool),
    /// Digits.
    Number(String),
    /// `8'd255`: a width and digits.
    Bits(String, String),
    /// A variable or constant.
    Name(String),
    /// A function with its operands.
    Call(String, Vec<Expression>),
    /// `!e`
    Not(Box<Expression>),
    /// `-e`
    Minus(Box<Expression>),
    /// Two operands.
    Infix(Infix, Box<Expression>, Box<Expression>),
    /// `e in low..high` or `e in {a, b}`
    In(Box<Expression>, Members),
    /// `c ? a : b`
    If(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `a[i]`
    Select(Box<Expression>, Box<Expression>),
    /// `p[i].x`: what is called `x` in one of several processes
    Member(String, Box<Expression>, String),
    /// `forall x: sort, … . e` if true, else `exists`
    Quantified(bool, Vec<(String, Expression)>, Box<Expression>),
    /// `forall i, j in low..high, condition: e` if true, else `exists`: stands for what it says of each index
    Each(bool, Indices, Box<Expression>),
}

/// Names that stand for each number of a range, and which combinations of these count.
#[derive(Clone, Debug)]
pub struct Indices {
    /// Each with its lowest and its highest number, which may speak of names before it.
    pub names: Vec<(String, Expression, Expression)>,
    /// What has to hold of the numbers.
    pub conditions: Vec<Expression>,
}

/// What something is a member of.
#[derive(Clone, Debug)]
pub enum Members {
    /// Between two numbers, both included.
    Range(Box<Expression>, Box<Expression>),
    /// One of these.
    Set(Vec<Expression>),
}

/// The operators between two operands, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Infix {
    Iff,
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
}

impl Infix {
    fn of(kind: TokenKind) -> Option<Self> {
        Some(match kind {
            TokenKind::Iff => Self::Iff,
            TokenKind::Implies => Self::Implies,
            TokenKind::Or => Self::Or,
            TokenKind::And => Self::And,
            TokenKind::Equal => Self::Equal,
            TokenKind::NotEqual => Self::NotEqual,
            TokenKind::Less => Self::Less,
            TokenKind::AtMost => Self::AtMost,
            TokenKind::Greater => Self::Greater,
            TokenKind::AtLeast => Self::AtLeast,
            TokenKind::Plus => Self::Plus,
            TokenKind::Minus => Self::Minus,
            TokenKind::Times => Self::Times,
            TokenKind::Divide => Self::Divide,
            TokenKind::Modulo => Self::Modulo,
            _ => return None,
        })
    }

    /// How tightly it binds.
    fn level(self) -> u8 {
        match self {
            Self::Iff => 1,
            Self::Implies => 2,
            Self::Or => 3,
            Self::And => 4,
            Self::Equal | Self::NotEqual | Self::Less | Self::AtMost | Self::Greater | Self::AtLeast => {
                COMPARISON
            }
            Self::Plus | Self::Minus => 6,
            Self::Times | Self::Divide | Self::Modulo => 7,
        }
    }
}

impl Infix {
    /// Whether a chain of it is taken in a loop.
    fn makes_chains(self) -> bool {
        matches!(self, Self::Or | Self::And | Self::Plus | Self::Minus)
    }
}

/// The level of comparisons, of which at most one stands between two operands.
const COMPARISON: u8 = 5;

type Reading<T> = Result<T, Box<Diagnostic>>;

/// The expression that begins at `start`, as far as it goes, and where it ends.
pub fn read(text: &str, start: usize) -> Reading<(Expression, usize)> {
    let mut reader = Reader::new(text, start);
    let expression = reader.expression()?;
    Ok((expression, reader.cursor.last_end()))
}

/// The same, but an arrow `->` outside of brackets ends it: the guard of a command. Implication is `=>` there.
pub fn read_guard(text: &str, start: usize) -> Reading<(Expression, usize)> {
    let mut reader = Reader::new(text, start);
    reader.arrow_ends = true;
    let expression = reader.expression()?;
    Ok((expression, reader.cursor.last_end()))
}

/// The same, but only with operators that bind more tightly than comparisons: the bound of a range.
pub fn read_operand(text: &str, start: usize) -> Reading<(Expression, usize)> {
    let mut reader = Reader::new(text, start);
    let expression = reader.operators(COMPARISON + 1)?;
    Ok((expression, reader.cursor.last_end()))
}

/// Where the quantifier over indices that begins at `start` ends, with all that it is about, if one stands there.
pub fn read_each(text: &str, start: usize) -> Option<usize> {
    let mut reader = Reader::new(text, start);
    let is_quantifier = reader.at_word("forall") || reader.at_word("exists");
    let expression = is_quantifier.then(|| reader.expression().ok())??;
    matches!(expression.kind, ExpressionKind::Each(..)).then(|| reader.cursor.last_end())
}

/// Where the comparison, the call of a function or the element of an array that begins at `start` ends, if one stands there.
pub fn read_comparison(text: &str, start: usize) -> Option<usize> {
    let mut reader = Reader::new(text, start);
    let expression = reader.operators(COMPARISON).ok()?;
    match expression.kind {
        ExpressionKind::In(..)
        | ExpressionKind::Call(..)
        | ExpressionKind::Select(..)
        | ExpressionKind::Member(..) => Some(reader.cursor.last_end()),
        ExpressionKind::Infix(infix, ..) if infix.level() == COMPARISON => Some(reader.cursor.last_end()),
        _ => None,
    }
}

/// A text that is read stops at its first mistake, so the cursor keeps no complaints.
struct Reader<'a> {
    cursor: Cursor<'a, Tokens>,
    /// Whether `->` is no operator here.
    arrow_ends: bool,
    /// Of the expression read last.
    height: Height,
}

/// How high a tree is.
#[derive(Clone, Copy, Default)]
struct Height {
    /// A chain of one operator counts as one level.
    walked: usize,
    /// Every operator counts.
    whole: usize,
}

impl Height {
    fn max(self, other: Self) -> Self {
        Self { walked: self.walked.max(other.walked), whole: self.whole.max(other.whole) }
    }

    fn above(self) -> Self {
        Self { walked: self.walked + 1, whole: self.whole + 1 }
    }
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        Self { cursor: Cursor::new(text, start, 0), arrow_ends: false, height: Height::default() }
    }

    fn expected(&self, what: &str) -> Box<Diagnostic> {
        Box::new(self.cursor.expected(what))
    }

    fn require(&mut self, kind: TokenKind, what: &str) -> Reading<Token> {
        self.cursor.require(kind, what)
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Reading<T>) -> Reading<T> {
        if !self.cursor.enter(NESTING_LIMIT) {
            let mistake = Diagnostic::error(self.cursor.span(), "the expression is nested too deeply");
            return Err(Box::new(mistake.with_note(format!("at most {NESTING_LIMIT} levels"))));
        }
        let result = inside(self);
        self.cursor.leave();
        result
    }

    /// Runs `inside` between brackets, where an arrow is an operator.
    fn bracketed<T>(&mut self, inside: impl FnOnce(&mut Self) -> Reading<T>) -> Reading<T> {
        let outside = std::mem::replace(&mut self.arrow_ends, false);
        let result = inside(self);
        self.arrow_ends = outside;
        result
    }

    fn node(&self, start: usize, kind: ExpressionKind) -> Expression {
        Expression { kind, span: self.cursor.since(start) }
    }

    fn at_word(&self, word: &str) -> bool {
        self.cursor.is_at(TokenKind::Name, word)
    }

    /// A whole expression.
    fn expression(&mut self) -> Reading<Expression> {
        self.deeper(|own| {
            if own.at_word("forall") || own.at_word("exists") {
                return own.quantified();
            }
            let start = own.cursor.start();
            let condition = own.operators(1)?;
            if !own.cursor.eat(TokenKind::Question) {
                return Ok(condition);
            }
            let mut height = own.height;
            let then = own.expression()?;
            height = height.max(own.height);
            own.require(TokenKind::Colon, "`:`")?;
            let otherwise = own.expression()?;
            own.height = own.height.max(height).above();
            let kind = ExpressionKind::If(Box::new(condition), Box::new(then), Box::new(otherwise));
            Ok(own.node(start, kind))
        })
    }

    fn quantified(&mut self) -> Reading<Expression> {
        let start = self.cursor.start();
        let universal = self.at_word("forall");
        self.cursor.bump();
        if self.binds_indices() {
            let indices = self.indices()?;
            let height = self.height;
            let body = self.expression()?;
            self.height = self.height.max(height).above();
            return Ok(self.node(start, ExpressionKind::Each(universal, indices, Box::new(body))));
        }
        let mut variables = Vec::new();
        loop {
            let name = self.require(TokenKind::Name, "the name of a variable")?;
            self.require(TokenKind::Colon, "`:` and a sort")?;
            variables.push((self.cursor.text_of(name.span).to_owned(), self.primary()?));
            if !self.cursor.eat(TokenKind::Comma) {
                break;
            }
        }
        self.require(TokenKind::Dot, "`,` or `.`")?;
        let body = self.expression()?;
        self.height = self.height.above();
        Ok(self.node(start, ExpressionKind::Quantified(universal, variables, Box::new(body))))
    }

    /// `i, j in low..high, k in low..high, condition, … :`
    fn indices(&mut self) -> Reading<Indices> {
        let start = self.cursor.start();
        let mut indices = Indices { names: Vec::new(), conditions: Vec::new() };
        let mut height = Height::default();
        loop {
            let is_known = indices.names.iter().any(|(name, ..)| name == self.cursor.word());
            if !is_known && self.binds_indices() {
                let mut names = vec![self.index_name()?];
                while self.cursor.eat(TokenKind::Comma) {
                    names.push(self.index_name()?);
                }
                if !self.at_word("in") {
                    return Err(self.expected("`,`, or `in` and a range"));
                }
                self.cursor.bump();
                let low = self.operators(COMPARISON + 1)?;
                height = height.max(self.height);
                self.require(TokenKind::Dots, "`..`")?;
                let high = self.operators(COMPARISON + 1)?;
                let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
                if let Some((_, name)) = twice {
                    let message = format!("`{name}` stands for two numbers at once");
                    return Err(Box::new(Diagnostic::error(self.cursor.since(start), message)));
                }
                indices.names.extend(names.into_iter().map(|name| (name, low.clone(), high.clone())));
            } else if indices.names.is_empty() {
                return Err(self.expected("the name of an index"));
            } else {
                indices.conditions.push(self.operators(1)?);
            }
            height = height.max(self.height);
            if !self.cursor.eat(TokenKind::Comma) {
                break;
            }
        }
        self.require(TokenKind::Colon, "`,` or `:`")?;
        self.height = height;
        Ok(indices)
    }

    /// Whether a name stands here with a comma or `in` behind it.
    fn binds_indices(&self) -> bool {
        let next = self.cursor.ahead().nth(1);
        self.cursor.kind() == TokenKind::Name
            && next
                .is_some_and(|next| next.kind == TokenKind::Comma || self.cursor.text_of(next.span) == "in")
    }

    fn index_name(&mut self) -> Reading<String> {
        let name = self.require(TokenKind::Name, "the name of an index")?;
        Ok(self.cursor.text_of(name.span).to_owned())
    }

    /// Operators that bind at least as tightly as `level`.
    fn operators(&mut self, level: u8) -> Reading<Expression> {
        let start = self.cursor.start();
        let mut left = self.prefix()?;
        // A comparison in brackets can be compared again, as the truth value it is.
        let mut compared = false;
        let mut chained = None;
        loop {
            if self.height.walked > NESTING_LIMIT || self.height.whole > HEIGHT_LIMIT {
                let mistake = Diagnostic::error(self.cursor.span(), "the expression is too long");
                return Err(Box::new(mistake.with_note(format!(
                    "chains of `&&`, `||`, `+` and `-` have at most {HEIGHT_LIMIT} operators, other trees {NESTING_LIMIT} levels"
                ))));
            }
            let height = self.height;
            if level <= COMPARISON && self.at_word("in") {
                self.cursor.bump();
                let members = self.members()?;
                left = self.node(start, ExpressionKind::In(Box::new(left), members));
                self.height = self.height.max(height).above();
                continue;
            }
            let Some(infix) = Infix::of(self.cursor.kind()).filter(|infix| infix.level() >= level) else {
                return Ok(left);
            };
            if self.arrow_ends && self.cursor.word() == "->" {
                return Ok(left);
            }
            if infix.level() == COMPARISON && std::mem::replace(&mut compared, true) {
                let mistake = Diagnostic::error(self.cursor.span(), "comparisons do not chain");
                return Err(Box::new(mistake.with_note("write `a < b && b < c`")));
            }
            compared &= infix.level() >= COMPARISON;
            self.cursor.bump();
            let right = match infix {
                Infix::Implies => self.deeper(|own| own.operators(infix.level()))?,
                _ => self.operators(infix.level() + 1)?,
            };
            left = self.node(start, ExpressionKind::Infix(infix, Box::new(left), Box::new(right)));
            let goes_on = chained.replace(infix.level()) == Some(infix.level()) && infix.makes_chains();
            let right_height = self.height;
            self.height = height.max(right_height).above();
            if goes_on {
                self.height.walked = height.walked.max(right_height.walked + 1);
            }
        }
    }

    fn members(&mut self) -> Reading<Members> {
        if self.cursor.eat(TokenKind::OpenBrace) {
            return Ok(Members::Set(self.bracketed(|own| own.list(TokenKind::CloseBrace, "`,` or `}`"))?));
        }
        let low = self.operators(COMPARISON + 1)?;
        self.require(TokenKind::Dots, "`..`")?;
        let height = self.height;
        let high = self.operators(COMPARISON + 1)?;
        self.height = self.height.max(height);
        Ok(Members::Range(Box::new(low), Box::new(high)))
    }

    /// Expressions between commas, up to the closing bracket.
    fn list(&mut self, close: TokenKind, expected: &str) -> Reading<Vec<Expression>> {
        let mut items = Vec::new();
        let mut height = Height::default();
        if self.cursor.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            height = height.max(self.height.above());
            self.height = height;
            if self.cursor.eat(close) {
                return Ok(items);
            }
            self.require(TokenKind::Comma, expected)?;
        }
    }

    fn prefix(&mut self) -> Reading<Expression> {
        let start = self.cursor.start();
        match self.cursor.kind() {
            TokenKind::Not => {
                self.cursor.bump();
                let inner = self.deeper(Self::prefix)?;
                self.height = self.height.above();
                Ok(self.node(start, ExpressionKind::Not(Box::new(inner))))
            }
            TokenKind::Minus => {
                self.cursor.bump();
                let inner = self.deeper(Self::prefix)?;
                self.height = self.height.above();
                Ok(self.node(start, ExpressionKind::Minus(Box::new(inner))))
            }
            _ => {
                let mut expression = self.primary()?;
                while self.cursor.eat(TokenKind::OpenBracket) {
                    let height = self.height;
                    let index = self.bracketed(Self::expression)?;
                    self.height = self.height.max(height).above();
                    self.require(TokenKind::CloseBracket, "`]`")?;
                    let kind = match (expression.kind, self.cursor.kind()) {
                        (ExpressionKind::Name(process), TokenKind::Dot) => {
                            self.cursor.bump();
                            let name = self.require(TokenKind::Name, "a name in the process")?;
                            let name = self.cursor.text_of(name.span).to_owned();
                            ExpressionKind::Member(process, Box::new(index), name)
                        }
                        (kind, _) => {
                            let array = Expression { kind, span: expression.span };
                            ExpressionKind::Select(Box::new(array), Box::new(index))
                        }
                    };
                    expression = self.node(start, kind);
                }
                Ok(expression)
            }
        }
    }

    fn primary(&mut self) -> Reading<Expression> {
        let token = self.cursor.peek();
        let text = self.cursor.word();
        match token.kind {
            TokenKind::Number => {
                self.cursor.bump();
                self.height = Height::default();
                Ok(self.node(token.span.start, ExpressionKind::Number(text.to_owned())))
            }
            TokenKind::Bits => {
                self.cursor.bump();
                self.height = Height::default();
                let (width, value) = text.split_once("'d").expect("the token has this form");
                let kind = ExpressionKind::Bits(width.to_owned(), value.to_owned());
                Ok(self.node(token.span.start, kind))
            }
            TokenKind::Name => {
                self.cursor.bump();
                self.height = Height::default();
                let kind = match text {
                    "true" => ExpressionKind::Bool(true),
                    "false" => ExpressionKind::Bool(false),
                    _ if self.cursor.eat(TokenKind::OpenParen) => {
                        let operands = self.bracketed(|own| own.list(TokenKind::CloseParen, "`,` or `)`"))?;
                        ExpressionKind::Call(text.to_owned(), operands)
                    }
                    _ => ExpressionKind::Name(text.to_owned()),
                };
                Ok(self.node(token.span.start, kind))
            }
            TokenKind::OpenParen => {
                self.cursor.bump();
                let inner = self.bracketed(Self::expression)?;
                self.require(TokenKind::CloseParen, "an operator or `)`").map_err(|mistake| {
                    Box::new(mistake.with_related(token.span, "the bracket opened here"))
                })?;
                // The brackets belong to it, so that what is quoted from the text is balanced.
                Ok(self.node(token.span.start, inner.kind))
            }
            _ => Err(self.expected("an expression")),
        }
    }
}
