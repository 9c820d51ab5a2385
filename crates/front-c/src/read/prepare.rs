//! The pass before the parser: it keeps what the parser does not understand away from it.
//!
//! Comments, line marks, pragmas, attributes and other noise become blanks, so that offsets stay. Where old programs leave out what the
//! parser asks for (`int`, `;`), it is inserted; [`Prepared::original`] leads offsets back. What matters later is noted in [`Marks`].
//! One walk over the tokens, linear in the text. It also counts how deep the parser will go, and refuses what is deeper than
//! [`DEEPEST`].

use super::attribute::{Attribute, attributes_in};
use super::directive::{Directive, directive};
use super::scan::{Kind, Scanned, is_keyword, is_type_word, next_token};
use crate::ir::Origins;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use tertium_support::{Diagnostic, Diagnostics, Span, StopReason, Ticker};

/// How many brackets may be open at a time.
const MOST_OPEN: usize = 1_000;
/// How deep the parser may go, counted in brackets, operators and statements inside statements.
const DEEPEST: usize = 50_000;
/// What stands between `?` and `:` where a program has nothing there.
pub(super) const SAME: &str = " same_as_the_condition ";

/// What the parser gets.
pub(super) struct Prepared {
    /// The text for the parser.
    pub(super) text: String,
    /// Where text was inserted, in offsets of the new text, and how much.
    inserted: Vec<(usize, usize)>,
    /// Where lines come from.
    pub(super) origins: Origins,
    /// What was taken away.
    pub(super) marks: Marks,
    /// How deep the parser goes at most.
    pub(super) depth: usize,
}

/// What was taken away and matters, by offsets of the original text.
#[derive(Default)]
pub(super) struct Marks {
    /// Semicolons that stand for inline assembly, with where it began.
    pub(super) assembly: FxHashMap<usize, usize>,
    /// The greatest alignment of members from a place on, if `#pragma pack` says one.
    pub(super) packs: BTreeMap<usize, Option<u64>>,
    /// Places of `sizeof` where the alignment is asked for, and whether that which gcc prefers.
    pub(super) alignments: BTreeMap<usize, bool>,
    /// Places where `__int128` is meant.
    pub(super) wide: FxHashSet<usize>,
    /// Statements that are targets of `goto *`.
    pub(super) computed: FxHashSet<usize>,
    /// Names that are operands of `&&`.
    pub(super) label_addresses: FxHashSet<usize>,
    /// Places between `?` and `:` without operand.
    pub(super) same: FxHashSet<usize>,
    /// Attributes of structures and unions, by the place of the keyword.
    pub(super) composites: FxHashMap<usize, Vec<Attribute>>,
    /// Attributes elsewhere, by their own place.
    pub(super) others: BTreeMap<usize, Attribute>,
}

impl Prepared {
    /// The offset in the original text.
    pub(super) fn original(&self, offset: usize) -> usize {
        let mut shift = 0;
        let n = self.inserted.partition_point(|&(at, _)| at <= offset);
        // Few texts have insertions, and those have few: the sum is kept with each, see `insert`.
        if let Some(&(at, total)) = n.checked_sub(1).and_then(|last| self.inserted.get(last)) {
            let before = if n >= 2 { self.inserted[n - 2].1 } else { 0 };
            let own = total - before;
            shift = before + own.min(offset - at);
        }
        offset - shift
    }

    /// The span in the original text, without blanks at its end.
    pub(super) fn span(&self, span: lang_c::span::Span) -> Span {
        let (start, mut end) = (span.start.min(self.text.len()), span.end.min(self.text.len()));
        let bytes = self.text.as_bytes();
        while end > start && bytes[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        let start = self.original(start);
        Span::new(start, self.original(end).max(start))
    }
}

/// A bracket that is open.
struct Open {
    token: Scanned,
    /// What the bracket belongs to.
    role: Role,
    /// How deep the statement around it was already.
    depth: usize,
}

/// What a bracket belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A structure or union, with the place of its keyword.
    Members(usize),
    /// A function or a statement inside one.
    Statements,
    /// Everything else.
    Other,
}

struct Pass<'a> {
    text: &'a str,
    out: Vec<u8>,
    /// Up to where the text is in `out`.
    copied: usize,
    inserted: Vec<(usize, usize)>,
    origins: Origins,
    marks: Marks,
    complaints: Diagnostics,
    /// Something is so wrong that what follows says nothing.
    is_over: bool,
    open: Vec<Open>,
    /// The sum of the depths on the stack.
    below: usize,
    /// How deep the statement is, without brackets around it; and how deep the one before it was, for `else`.
    here: usize,
    before: usize,
    deepest: usize,
    /// The last two tokens that count.
    last: Option<Scanned>,
    second_last: Option<Scanned>,
    /// What `#pragma pack(push)` put aside.
    packs: Vec<Option<u64>>,
    /// What the last bracket that was closed belonged to.
    last_role: Role,
    /// The last `struct` or `union` that may still get its members, or attributes after them.
    composite: Option<usize>,
    /// Names that a declaration with `typedef` mentioned.
    typedefs: FxHashSet<&'a str>,
    in_typedef: bool,
    /// All of the declaration so far are storage classes and qualifiers.
    no_type_yet: bool,
}

/// Prepares a text for the parser.
pub(super) fn prepare(
    ticker: &mut Ticker<'_>,
    text: &str,
) -> Result<Result<Prepared, Diagnostics>, StopReason> {
    let mut pass = Pass {
        text,
        out: Vec::with_capacity(text.len() + 16),
        copied: 0,
        inserted: Vec::new(),
        origins: Origins::new(text),
        marks: Marks::default(),
        complaints: Vec::new(),
        is_over: false,
        open: Vec::new(),
        below: 0,
        here: 0,
        before: 0,
        deepest: 0,
        last: None,
        second_last: None,
        packs: Vec::new(),
        last_role: Role::Other,
        composite: None,
        typedefs: FxHashSet::default(),
        in_typedef: false,
        no_type_yet: true,
    };
    let mut at = 0;
    while let Some(token) = next_token(text, at) {
        ticker.tick(token.end - at)?;
        at = pass.token(token);
        if pass.is_over || pass.complaints.len() > 20 {
            break;
        }
    }
    if pass.complaints.is_empty() {
        pass.end();
    }
    if !pass.complaints.is_empty() {
        return Ok(Err(pass.complaints));
    }
    pass.copy_to(text.len());
    let text = String::from_utf8(pass.out).expect("only whole characters are blanked");
    let Pass { inserted, origins, marks, deepest, .. } = pass;
    Ok(Ok(Prepared { text, inserted, origins, marks, depth: deepest }))
}

impl<'a> Pass<'a> {
    fn text_of(&self, token: Scanned) -> &'a str {
        &self.text[token.start..token.end]
    }

    fn is(&self, token: Option<Scanned>, text: &str) -> bool {
        token.is_some_and(|token| self.text_of(token) == text)
    }

    fn copy_to(&mut self, end: usize) {
        if end > self.copied {
            self.out.extend_from_slice(&self.text.as_bytes()[self.copied..end]);
            self.copied = end;
        }
    }

    /// Puts blanks in place of a part; lines stay.
    fn blank(&mut self, start: usize, end: usize) {
        self.copy_to(start);
        let bytes = &self.text.as_bytes()[self.copied.min(end)..end];
        self.out.extend(bytes.iter().map(|&byte| if byte == b'\n' { b'\n' } else { b' ' }));
        self.copied = self.copied.max(end);
    }

    /// Puts a word in place of another that is not shorter.
    fn replace(&mut self, token: Scanned, word: &str) {
        self.copy_to(token.start);
        let width = token.end - token.start;
        debug_assert!(word.len() <= width, "offsets stay");
        self.out.extend(word.bytes().chain(std::iter::repeat_n(b' ', width - word.len())));
        self.copied = token.end;
    }

    fn insert(&mut self, at: usize, word: &str) {
        self.copy_to(at);
        let before = self.inserted.last().map_or(0, |&(_, total)| total);
        self.inserted.push((self.out.len(), before + word.len()));
        self.out.extend_from_slice(word.as_bytes());
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.complaints.push(Diagnostic::error(span, message));
    }

    /// The next token that counts.
    fn peek(&self, mut at: usize) -> Option<Scanned> {
        loop {
            let token = next_token(self.text, at)?;
            match token.kind {
                Kind::Comment | Kind::Directive | Kind::Splice => at = token.end,
                _ => return Some(token),
            }
        }
    }

    fn peek_is(&self, at: usize, text: &str) -> bool {
        self.is(self.peek(at), text)
    }

    /// Handles a token; gives where to go on.
    fn token(&mut self, token: Scanned) -> usize {
        match token.kind {
            Kind::Comment => self.blank(token.start, token.end),
            Kind::Splice if self.text_of(token).starts_with('\\') => self.blank(token.start, token.end),
            Kind::Splice => {
                self.error(
                    Span::new(token.start, token.end),
                    "this string goes on in the next line: preprocess the file first",
                );
            }
            Kind::Unfinished(what) => {
                self.error(Span::new(token.start, token.end), format!("{what} is not closed"));
            }
            Kind::Strange => {
                let shown = self.text_of(token);
                self.error(Span::new(token.start, token.end), format!("`{shown}` cannot stand here"));
            }
            Kind::Directive => match directive(self.text_of(token)) {
                Directive::Line(line, file) => {
                    self.origins.mark(token.start, line, file);
                    self.blank(token.start, token.end);
                }
                Directive::Pack(list) => {
                    self.pack(token, list);
                    self.blank(token.start, token.end);
                }
                Directive::Nothing => self.blank(token.start, token.end),
                Directive::Other => {
                    let line = self.text_of(token).lines().next().unwrap_or("").trim_end().to_owned();
                    let end = token.start + line.len();
                    let found = Diagnostic::error(
                        Span::new(token.start, end),
                        format!("`{line}` is for the preprocessor"),
                    );
                    self.complaints.push(found.with_note("preprocess the file first, such as by `gcc -E`"));
                }
            },
            Kind::Word => return self.word(token),
            Kind::Text => {
                self.escapes(token);
                self.seen(token);
            }
            Kind::Number => self.seen(token),
            Kind::Sign => self.sign(token),
        }
        token.end
    }

    /// `#pragma pack(2)`, `pack()`, `pack(push, 2)`, `pack(push)`, `pack(pop)`.
    fn pack(&mut self, token: Scanned, list: &str) {
        let before = self.marks.packs.values().next_back().copied().flatten();
        let words: Vec<&str> = list.split(',').map(str::trim).collect();
        let number = |word: &str| word.parse().ok().filter(|&n: &u64| n.is_power_of_two() && n <= 16);
        let now = match words[..] {
            [""] => Some(None),
            ["push"] => Some(before),
            ["push", word] | [word] if number(word).is_some() => Some(number(word)),
            ["pop"] => Some(self.packs.pop().flatten()),
            _ => None,
        };
        if words[0] == "push" {
            self.packs.push(before);
        }
        match now {
            Some(now) => {
                self.marks.packs.insert(token.start, now);
            }
            None => self.error(Span::new(token.start, token.end), "this way to pack is not supported"),
        }
    }

    fn seen(&mut self, token: Scanned) {
        self.second_last = self.last.replace(token);
    }

    /// Writes `\e` in a way that the parser knows.
    fn escapes(&mut self, token: Scanned) {
        let bytes = self.text.as_bytes();
        let mut at = token.start;
        while at + 1 < token.end {
            if bytes[at] == b'\\' {
                if bytes[at + 1] == b'e' || bytes[at + 1] == b'E' {
                    self.copy_to(at + 1);
                    self.insert(at + 1, "03");
                    self.out.push(b'3');
                    self.copied = at + 2;
                }
                at += 1;
            }
            at += 1;
        }
    }

    /// Whether the next token begins a statement or a declaration.
    fn is_at_start(&self) -> bool {
        let Some(last) = self.last else { return true };
        match self.text_of(last) {
            "}" if self.last_role != Role::Statements => false,
            ";" | "{" | "}" => self.open.last().is_none_or(|open| open.role == Role::Statements),
            _ => false,
        }
    }

    fn count(&mut self, by: usize) {
        self.here += by;
        self.deepest = self.deepest.max(self.below + self.here);
    }

    fn word(&mut self, token: Scanned) -> usize {
        let word = self.text_of(token);
        if self.is_at_start() {
            self.no_type_yet = true;
            if self.open.is_empty() {
                self.in_typedef = false;
            }
        }
        match word {
            "__extension__"
            | "_Noreturn"
            | "inline"
            | "__inline"
            | "__inline__"
            | "__restrict"
            | "__restrict__"
            | "restrict"
            | "__thread"
            | "_Thread_local"
            | "__CPROVER_thread_local"
            | "__const__"
            | "__volatile__"
            | "__volatile"
            | "volatile"
            | "__noreturn__" => {
                // Qualifiers other than `const` change nothing here. Whether the type is left out shows without them too.
                if word == "__const__" {
                    self.replace(token, "const");
                } else {
                    self.blank(token.start, token.end);
                }
                if self.is_at_start() {
                    self.implicit_type(token);
                }
                return token.end;
            }
            "__attribute__" | "__attribute" => return self.attribute(token),
            "__asm__" | "__asm" | "asm" => return self.assembly(token),
            "_Pragma" | "__declspec" if self.peek_is(token.end, "(") => {
                let open = self.peek(token.end).expect("it was just seen");
                let end = self.skip_group(open).unwrap_or(open.end);
                if self.text[open.start..end].contains("pack") {
                    self.error(Span::new(token.start, end), "this way to pack is not supported");
                }
                self.blank(token.start, end);
                return end;
            }
            "__label__" => {
                let mut at = token.end;
                while let Some(next) = self.peek(at) {
                    at = next.end;
                    if self.text_of(next) == ";" {
                        break;
                    }
                }
                self.blank(token.start, at);
                return at;
            }
            "__int128" | "__int128_t" | "__uint128_t" => {
                if word == "__uint128_t" {
                    self.insert(token.start, "unsigned ");
                }
                self.replace(token, "_Complex");
                self.marks.wide.insert(token.start);
            }
            "_Alignof" | "__alignof__" | "__alignof" => {
                // The parser takes expressions behind `sizeof` only.
                self.replace(token, "sizeof");
                self.marks.alignments.insert(token.start, word != "_Alignof");
                self.count(1);
            }
            "__float128" => self.replace(token, "_Float128"),
            "__CPROVER_bool" => self.replace(token, "_Bool"),
            "struct" | "union" => self.composite = Some(token.start),
            "typedef" => self.in_typedef = true,
            "else" => self.here = self.here.max(self.before),
            _ => {}
        }
        if self.in_typedef {
            self.typedefs.insert(word);
        }
        match word {
            "if" | "else" | "while" | "for" | "do" | "switch" | "case" | "sizeof" | "default" | "goto" => {
                self.count(1)
            }
            "static" | "extern" | "const" | "__const" | "register" | "auto" => {
                if self.is_at_start() || self.no_type_yet {
                    self.implicit_type_after(token);
                }
            }
            _ => {
                if self.is_at_start() && self.open.is_empty() && !is_keyword(word) {
                    self.implicit_function(token);
                }
                self.no_type_yet = false;
            }
        }
        if word == "goto" && self.peek_is(token.end, "*") {
            let star = self.peek(token.end).expect("it was just seen");
            self.blank(token.start, star.end);
            if let Some(target) = self.peek(star.end) {
                self.marks.computed.insert(target.start);
            }
            return star.end;
        }
        let is_declaration = is_type_word(word) && word != "sizeof";
        if is_declaration
            && self.is(self.last, ":")
            && self.open.last().is_some_and(|open| open.role == Role::Statements)
        {
            self.insert(token.start, ";");
        }
        self.seen(token);
        token.end
    }

    /// Inserts `int` after storage classes and qualifiers where a name follows that is not a type.
    fn implicit_type_after(&mut self, token: Scanned) {
        let Some(name) = self.peek(token.end) else { return };
        if self.text_of(name) == "*" {
            self.no_type_yet = false;
            return self.insert(token.end, " int");
        }
        if name.kind != Kind::Word
            || is_keyword(self.text_of(name))
            || self.typedefs.contains(self.text_of(name))
        {
            return;
        }
        let Some(next) = self.peek(name.end) else { return };
        if matches!(self.text_of(next), ";" | "=" | "," | "[" | "(") {
            self.no_type_yet = false;
            self.insert(token.end, " int");
        }
    }

    fn implicit_type(&mut self, token: Scanned) {
        if let Some(name) = self.peek(token.end)
            && name.kind == Kind::Word
            && !is_keyword(self.text_of(name))
            && self.open.is_empty()
        {
            self.implicit_function(name);
        }
    }

    /// Inserts `int` before a name that begins a declaration outside of functions and is not a type.
    fn implicit_function(&mut self, name: Scanned) {
        if self.typedefs.contains(self.text_of(name)) || self.text_of(name).starts_with("__builtin_va_list") {
            return;
        }
        let Some(next) = self.peek(name.end) else { return };
        if matches!(self.text_of(next), ";" | "=" | "," | "[" | "(") {
            self.insert(name.start, "int ");
        }
    }

    /// Where the group that begins with a bracket ends.
    fn skip_group(&self, open: Scanned) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = open.start;
        while let Some(token) = self.peek(at) {
            at = token.end;
            match self.text_of(token) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn attribute(&mut self, token: Scanned) -> usize {
        let Some(open) = self.peek(token.end).filter(|&next| self.text_of(next) == "(") else {
            self.error(Span::new(token.start, token.end), "`(` was expected after this");
            return token.end;
        };
        let Some(end) = self.skip_group(open) else {
            self.error(Span::new(open.start, open.end), "this `(` is not closed");
            return self.text.len();
        };
        let content = &self.text[open.end..end - 1];
        let belongs = self.composite.filter(|_| {
            self.is(self.last, "struct")
                || self.is(self.last, "union")
                || self.is(self.second_last, "struct")
                || self.is(self.second_last, "union")
                || self.is(self.last, "}")
        });
        for (number, found) in attributes_in(content).into_iter().enumerate() {
            match belongs.filter(|_| !found.is_of_declared()) {
                Some(keyword) => self.marks.composites.entry(keyword).or_default().push(found),
                None => {
                    // Each has a place of its own: there are no more of them than characters.
                    self.marks.others.insert(token.start + number, found);
                }
            }
        }
        self.blank(token.start, end);
        end
    }

    fn assembly(&mut self, token: Scanned) -> usize {
        let mut at = token.end;
        let mut open = None;
        while let Some(next) = self.peek(at) {
            match self.text_of(next) {
                "volatile" | "__volatile__" | "__volatile" | "goto" | "inline" | "__inline"
                | "__inline__" => at = next.end,
                "(" | "{" => {
                    open = Some(next);
                    break;
                }
                _ => break,
            }
        }
        let Some(end) = open.and_then(|open| self.skip_group(open)) else {
            self.error(Span::new(token.start, token.end), "this inline assembly is not closed");
            return at;
        };
        let content = self.text[open.expect("it was just found").end..end - 1].trim();
        let is_empty = content.starts_with("\"\"") && !content.contains('=') && !content.contains('+');
        let is_outside = self.open.is_empty();
        if let Some(name) = assembler_name(content) {
            self.marks.others.insert(token.start, Attribute::Name(name));
        }
        if let Some(semicolon) = self.peek(end).filter(|&next| self.text_of(next) == ";")
            && !is_empty
            && !is_outside
        {
            self.marks.assembly.insert(semicolon.start, token.start);
        }
        self.blank(token.start, end);
        end
    }

    fn sign(&mut self, token: Scanned) {
        let sign = self.text_of(token);
        match sign {
            "(" | "[" | "{" => self.opening(token),
            ")" | "]" | "}" => self.closing(token),
            ";" => {
                self.before = std::mem::take(&mut self.here);
                let is_stray = match self.open.last() {
                    None => self.last.is_none() || self.is(self.last, ";") || self.closes_function(),
                    Some(open) => {
                        matches!(open.role, Role::Members(_))
                            && (self.is(self.last, ";") || self.is(self.last, "{"))
                    }
                };
                if is_stray {
                    self.blank(token.start, token.end);
                }
            }
            "," => {
                self.here = 0;
            }
            "?" => {
                self.count(1);
                if let Some(next) = self.peek(token.end).filter(|&next| self.text_of(next) == ":") {
                    self.insert(token.end, SAME);
                    self.marks.same.insert(token.end);
                    debug_assert!(next.start >= token.end);
                }
            }
            "&&" => {
                self.count(1);
                let is_operand = self.last.is_some_and(|last| {
                    last.kind == Kind::Sign && !matches!(self.text_of(last), ")" | "]" | "}" | "++" | "--")
                        || matches!(self.text_of(last), "return" | "goto" | "case")
                        || (self.is(Some(last), ")")
                            && self.second_last.is_some_and(|word| is_type_word(self.text_of(word))))
                });
                if is_operand && let Some(label) = self.peek(token.end).filter(|next| next.kind == Kind::Word)
                {
                    self.blank(token.start, token.end);
                    self.marks.label_addresses.insert(label.start);
                }
            }
            _ => self.count(1),
        }
        if self.below + self.here > DEEPEST {
            self.error(Span::new(token.start, token.end), "this is nested too deeply");
            self.is_over = true;
        }
        if !matches!(sign, "(" | "[" | "{" | ")" | "]" | "}") {
            self.seen(token);
        }
    }

    fn opening(&mut self, token: Scanned) {
        let role = match (self.text_of(token), self.composite) {
            ("{", Some(keyword)) if self.begins_members() => Role::Members(keyword),
            ("{", _) if self.is(self.last, ")") || self.is(self.last, "else") || self.is(self.last, "do") => {
                Role::Statements
            }
            ("{", _) if self.last.is_none() || self.is_at_start() || self.is(self.last, ":") => {
                Role::Statements
            }
            _ => Role::Other,
        };
        self.open.push(Open { token, role, depth: self.here });
        self.below += self.here + 1;
        self.here = 0;
        self.deepest = self.deepest.max(self.below);
        if self.open.len() > MOST_OPEN {
            self.error(
                Span::new(token.start, token.end),
                format!("more than {MOST_OPEN} brackets are open here"),
            );
            self.is_over = true;
        }
        self.seen(token);
    }

    /// Whether a brace begins the members of the last structure or union: it follows the keyword, or the keyword and a name.
    fn begins_members(&self) -> bool {
        let is_keyword = |token| self.is(token, "struct") || self.is(token, "union");
        is_keyword(self.last)
            || (is_keyword(self.second_last) && self.last.is_some_and(|last| last.kind == Kind::Word))
    }

    fn closing(&mut self, token: Scanned) {
        let sign = self.text_of(token);
        let Some(open) = self.open.pop() else {
            self.error(Span::new(token.start, token.end), format!("this `{sign}` closes nothing"));
            self.is_over = true;
            return;
        };
        let fits = matches!((self.text_of(open.token), sign), ("(", ")") | ("[", "]") | ("{", "}"));
        if !fits {
            let opened = self.text_of(open.token);
            let found = Diagnostic::error(
                Span::new(token.start, token.end),
                format!("this `{sign}` does not close the `{opened}` that is open"),
            );
            let place = Span::new(open.token.start, open.token.end);
            self.complaints.push(found.with_related(place, "opened here"));
            self.is_over = true;
            return;
        }
        self.below -= open.depth + 1;
        self.here = open.depth;
        self.last_role = open.role;
        if sign == "}" {
            if open.role == Role::Statements && self.is(self.last, ":") {
                self.insert(token.start, ";");
            }
            self.before = std::mem::take(&mut self.here);
            self.composite = match open.role {
                Role::Members(keyword) => Some(keyword),
                _ => None,
            };
        } else {
            self.count(1);
        }
        self.seen(token);
    }

    /// Complains about brackets that are still open.
    fn end(&mut self) {
        if let Some(open) = self.open.last() {
            let sign = self.text_of(open.token);
            let message = format!("this `{sign}` is not closed");
            self.error(Span::new(open.token.start, open.token.end), message);
        }
    }

    /// Whether the last token is the brace that closes a function.
    fn closes_function(&self) -> bool {
        self.is(self.last, "}") && self.last_role == Role::Statements
    }
}

/// The name in `__asm__("part" "part")`; nothing in it if it is not just letters. Nothing at all if this is no name.
fn assembler_name(content: &str) -> Option<Option<String>> {
    let (mut name, mut is_plain, mut at) = (String::new(), true, 0);
    while let Some(token) = next_token(content, at) {
        at = token.end;
        let text = &content[token.start..token.end];
        match token.kind {
            Kind::Text if text.starts_with('"') && text.ends_with('"') && text.len() >= 2 => {
                name.push_str(&text[1..text.len() - 1]);
            }
            Kind::Comment | Kind::Directive | Kind::Splice => {}
            Kind::Text => is_plain = false,
            _ => return None,
        }
    }
    is_plain &= name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some(is_plain.then_some(name))
}
