//! A place in a text that is read token by token.
//!
//! What every reader by recursive descent needs, once: the next token, those after it, going past it, saying what was expected
//! instead, how deep the grammar is nested, complaints up to a bound, and a watch on the limits of the run. A reader is a type around
//! a cursor, with what is its own: what names mean, where it goes on after a mistake, and how it words a complaint.
//!
//! Tokens are cut as they are needed and none is kept, so a large text costs nothing beside what is made of it. Looking ahead cuts a
//! token twice; grammars that do it at every token should not. Where a limit of the run is reached, or the reader gives up, the text
//! seems to end: no function of a reader needs to know why.
//!
//! A format should not use it if its files are long tables of numbers in a fixed form, as `.aut` and PGSolver files are. Those are read
//! in one pass over the bytes: a token for each number costs as much as reading it. Nor should a format whose lines are cut at fixed
//! separators, without nesting.
//!
//! Invariants: the next token begins at or after the end of the last one, and ends inside of the text.

use crate::{Complaints, Context, Diagnostic, Lexer, Span, StopReason, Token, Watch};

/// A place in a text, between two tokens of a language.
#[derive(Debug)]
pub struct Cursor<'a, L: Lexer> {
    text: &'a str,
    next: Token<L::Kind>,
    /// The end of the token before `next`, or where reading began.
    last_end: usize,
    /// How many levels of the grammar are open.
    depth: usize,
    watch: Option<Watch<'a>>,
    /// What is wrong with the text so far, in the words of the lexer and of the reader.
    pub complaints: Complaints,
}

impl<'a, L: Lexer> Cursor<'a, L> {
    /// Begins to read a text at `start`. Keeps at most `most` complaints.
    pub fn new(text: &'a str, start: usize, most: usize) -> Self {
        let mut complaints = Complaints::at_most(most);
        let next = L::token(text, start, &mut complaints);
        Self { text, next, last_end: start, depth: 0, watch: None, complaints }
    }

    /// The same, within the limits of a run.
    pub fn watched(mut self, context: &'a Context, phase: &'static str) -> Self {
        self.watch = Some(Watch::new(context, phase));
        self
    }

    /// Fails if a limit of the run was reached: then what was read is not the whole text.
    pub fn check(&self) -> Result<(), StopReason> {
        self.watch.as_ref().map_or(Ok(()), Watch::check)
    }

    /// The whole text.
    #[inline]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// What stands at a place of the text.
    #[inline]
    pub fn text_of(&self, span: Span) -> &'a str {
        &self.text[span.range()]
    }

    /// The text from the next token on.
    #[inline]
    pub fn rest(&self) -> &'a str {
        &self.text[self.next.span.start..]
    }

    /// The next token.
    #[inline]
    pub fn peek(&self) -> Token<L::Kind> {
        self.next
    }

    /// What the next token is.
    #[inline]
    pub fn kind(&self) -> L::Kind {
        self.next.kind
    }

    /// Where the next token stands.
    #[inline]
    pub fn span(&self) -> Span {
        self.next.span
    }

    /// Where the next token begins.
    #[inline]
    pub fn start(&self) -> usize {
        self.next.span.start
    }

    /// The text of the next token.
    #[inline]
    pub fn word(&self) -> &'a str {
        self.text_of(self.next.span)
    }

    /// The end of the token before the next one.
    #[inline]
    pub fn last_end(&self) -> usize {
        self.last_end
    }

    /// From `start` to the end of the token before the next one.
    #[inline]
    pub fn since(&self, start: usize) -> Span {
        Span::new(start, self.last_end.max(start))
    }

    /// Whether the text ends here, or seems to.
    #[inline]
    pub fn is_at_end(&self) -> bool {
        self.next.kind == L::END
    }

    /// Whether the next token is of this kind and has this text.
    #[inline]
    pub fn is_at(&self, kind: L::Kind, word: &str) -> bool {
        self.next.kind == kind && self.word() == word
    }

    /// The tokens from the next one on, without going past them: the last one is the end.
    pub fn ahead(&self) -> impl Iterator<Item = Token<L::Kind>> + '_ {
        let following = |token: &Token<L::Kind>| {
            let goes_on = token.kind != L::END;
            goes_on.then(|| L::token(self.text, token.span.end, &mut Complaints::at_most(usize::MAX)))
        };
        std::iter::successors(Some(self.next), following)
    }

    /// The kind of the token after the next one.
    pub fn kind_after(&self) -> L::Kind {
        self.ahead().nth(1).map_or(L::END, |token| token.kind)
    }

    /// Goes past the next token, and gives it. The end is never passed.
    #[inline]
    pub fn bump(&mut self) -> Token<L::Kind> {
        let token = self.next;
        if token.kind == L::END {
            return token;
        }
        self.last_end = token.span.end;
        if self.spend(1) {
            self.next = L::token(self.text, token.span.end, &mut self.complaints);
            debug_assert!(self.next.span.start >= self.last_end, "tokens do not overlap");
            debug_assert!(self.next.span.end <= self.text.len(), "tokens end inside of the text");
        }
        token
    }

    /// Goes past the next token if it is of this kind.
    #[inline]
    pub fn eat(&mut self, kind: L::Kind) -> bool {
        let found = self.next.kind == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Goes past the next token if it is of this kind, or says that `what` was expected.
    #[inline]
    pub fn require(&mut self, kind: L::Kind, what: &str) -> Result<Token<L::Kind>, Box<Diagnostic>> {
        if self.next.kind == kind { Ok(self.bump()) } else { Err(Box::new(self.expected(what))) }
    }

    /// Says that `what` was expected where the next token stands.
    #[cold]
    pub fn expected(&self, what: &str) -> Diagnostic {
        let found = L::describe(self.text, self.next);
        Diagnostic::error(self.next.span, format!("expected {what}, found {found}"))
    }

    /// Goes to the next token of which `wanted` holds, or to the end: where a reader goes on after a mistake.
    pub fn skip_until(&mut self, wanted: impl Fn(&Self) -> bool) {
        while !self.is_at_end() && !wanted(self) {
            self.bump();
        }
    }

    /// Goes on at a place: back, or past what the reader of another language has read.
    pub fn seek(&mut self, at: usize) {
        self.last_end = at;
        self.next = L::token(self.text, at, &mut self.complaints);
    }

    /// Gives up on the rest of the text: it seems to end here.
    #[cold]
    pub fn give_up(&mut self) {
        self.next = Token { kind: L::END, span: Span::point(self.text.len()) };
    }

    /// Notes `work` units done. Whether reading may go on; if not, the text seems to end here.
    #[inline]
    pub fn spend(&mut self, work: usize) -> bool {
        let goes_on = self.watch.as_mut().is_none_or(|watch| watch.goes_on(work));
        if !goes_on {
            self.give_up();
        }
        goes_on
    }

    /// How many levels of the grammar are open.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Opens a level of the grammar, unless `most` are open. Readers recurse, so this bounds their stack.
    pub fn enter(&mut self, most: usize) -> bool {
        let enters = self.depth < most;
        self.depth += usize::from(enters);
        enters
    }

    /// Closes the level that was opened last.
    pub fn leave(&mut self) {
        debug_assert!(self.depth > 0, "a level is open");
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cancel, Limits, run_length, skip_blanks};

    /// Words, and single characters that are none; `@` is complained about.
    #[derive(Debug)]
    struct Words;

    impl Lexer for Words {
        type Kind = Option<bool>;
        const END: Option<bool> = None;

        fn token(text: &str, mut at: usize, complaints: &mut Complaints) -> Token<Option<bool>> {
            loop {
                at = skip_blanks(text, at, char::is_whitespace, &["#"]);
                let Some(first) = text[at..].chars().next() else {
                    return Token { kind: None, span: Span::point(at) };
                };
                if first != '@' {
                    let length = run_length(&text[at..], char::is_alphabetic);
                    let span = Span::new(at, at + length.max(first.len_utf8()));
                    return Token { kind: Some(length > 0), span };
                }
                complaints.push(Diagnostic::error(Span::new(at, at + 1), "stray"));
                at += 1;
            }
        }
    }

    fn cursor(text: &str) -> Cursor<'_, Words> {
        Cursor::new(text, 0, 3)
    }

    #[test]
    fn tokens_are_passed_up_to_the_end_and_no_further() {
        let mut cursor = cursor("ab # c\n; d");
        let read: Vec<&str> = std::iter::from_fn(|| {
            let token = cursor.bump();
            (token.kind.is_some()).then(|| cursor.text_of(token.span))
        })
        .collect();
        assert_eq!(read, ["ab", ";", "d"]);
        assert_eq!((cursor.bump().kind, cursor.last_end(), cursor.since(7)), (None, 10, Span::new(7, 10)));
    }

    #[test]
    fn looking_ahead_moves_nothing_and_complains_of_nothing() {
        let mut cursor = cursor("a @ ; b");
        let ahead: Vec<&str> = cursor.ahead().map(|token| cursor.text_of(token.span)).collect();
        assert_eq!(ahead, ["a", ";", "b", ""]);
        assert_eq!((cursor.word(), cursor.kind_after()), ("a", Some(false)));
        assert!(cursor.complaints.is_empty());
        cursor.bump();
        assert_eq!(cursor.complaints.into_list().len(), 1);
    }

    #[test]
    fn what_was_expected_is_said_with_what_was_found() {
        let mut cursor = cursor("a");
        assert_eq!(cursor.require(Some(false), "`;`").unwrap_err().message, "expected `;`, found `a`");
        assert!(cursor.require(Some(true), "a word").is_ok());
        assert_eq!(cursor.expected("`;`").message, "expected `;`, found the end of the text");
    }

    #[test]
    fn complaints_are_bounded() {
        let mut cursor = cursor("@ @ @ @ @ a");
        assert!(cursor.complaints.is_full() && cursor.is_at(Some(true), "a"));
        cursor.bump();
        assert_eq!(cursor.complaints.into_list().len(), 3);
    }

    #[test]
    fn levels_are_bounded() {
        let mut cursor = cursor("");
        assert!(cursor.enter(1) && !cursor.enter(1));
        cursor.leave();
        assert!(cursor.enter(1));
        assert_eq!(cursor.depth(), 1);
    }

    #[test]
    fn readers_go_back_and_go_on() {
        let mut cursor = cursor("a b ; c");
        cursor.skip_until(|cursor| cursor.kind() == Some(false));
        assert_eq!(cursor.rest(), "; c");
        cursor.seek(1);
        assert_eq!((cursor.word(), cursor.last_end()), ("b", 1));
        cursor.skip_until(|_| false);
        assert!(cursor.is_at_end());
    }

    #[test]
    fn a_text_seems_to_end_where_a_limit_is_reached() {
        let text = "a ".repeat(1 << 17);
        let context = Context::new(Limits { work: Some(1 << 15), ..Limits::default() }, Cancel::default());
        let mut cursor: Cursor<'_, Words> = Cursor::new(&text, 0, 3).watched(&context, "test");
        cursor.skip_until(|_| false);
        assert_eq!(cursor.check(), Err(StopReason::WorkLimit));
        assert!(cursor.last_end() < text.len());
    }
}
