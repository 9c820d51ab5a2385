//! Items of a file or of a process.

use super::foreign::{instead_of_item, instead_of_type, instead_of_update};
use super::reader::{Reader, Reading};
use super::{
    Alternative, Assignment, CommandTree, Declaration, EnumTree, IndexTree, Item, Name, Named, ProcessTree,
    PropertyTree, TypeTree, ValueTree,
};
use crate::PropertyKind;
use tertium_expr::{ExpressionKind, read, read_guard, read_operand};
use tertium_support::{Diagnostic, Span};

const ITEMS: &str = "a file holds `const`, `enum`, `control`, `var`, `init`, `prop`, `process`, `property`, `invariant`, \
    `reach`, and commands \
                     that begin with `[`";

/// So many arrays can be inside of each other.
const MOST_DIMENSIONS: usize = 8;

/// So many bytes count as one unit of work.
const BYTES: usize = 8;

impl Reader<'_> {
    /// All items up to the end of the text, or up to the brace that closes the process opened at `process`.
    pub(super) fn items(&mut self, process: Option<Span>) -> Vec<Item> {
        let mut items = Vec::new();
        while !self.cursor.is_at_end() {
            if self.at_symbol("}") {
                if process.is_some() {
                    return items;
                }
                let complaint = self.expected("an item");
                self.cursor.complaints.push(*complaint);
                self.cursor.seek(self.cursor.start() + 1);
                continue;
            }
            let start = self.cursor.start();
            let read = self.item(process);
            if !self.cursor.spend(1 + self.cursor.start().saturating_sub(start) / BYTES) {
                return items;
            }
            match read {
                Ok(item) => items.push(item),
                Err(complaint) => {
                    let mistake = complaint.span.start;
                    self.cursor.complaints.push(*complaint);
                    if self.cursor.complaints.is_full() {
                        self.cursor.give_up();
                        return items;
                    }
                    self.recover(start, mistake);
                }
            }
        }
        items
    }

    fn item(&mut self, process: Option<Span>) -> Reading<Item> {
        let start = self.cursor.start();
        if self.at_symbol("[") {
            return self.command().map(Item::Command);
        }
        let word = self.peek_word();
        let span = Span::new(start, start + word.len());
        if process.is_some() && !matches!(word, "control" | "var" | "init" | "prop") {
            return Err(Box::new(match word {
                "const" | "enum" | "process" | "property" | "invariant" | "reach" => {
                    Diagnostic::error(span, format!("`{word}` stands outside of processes"))
                }
                _ => self.expected("an item of a process").with_note(instead_of_item(word).unwrap_or(
                    "a process holds `control`, `var`, `init`, `prop`, and commands that begin with `[`",
                )),
            }));
        }
        match word {
            "const" => {
                self.cursor.seek(span.end);
                self.named("the name of a constant").map(Item::Const)
            }
            "prop" => {
                self.cursor.seek(span.end);
                self.named("the name of a proposition").map(Item::Prop)
            }
            "enum" => {
                self.cursor.seek(span.end);
                let name = self.name("the name of an enumeration")?;
                self.require("=", "`=`")?;
                let values = self.values()?;
                self.semicolon()?;
                Ok(Item::Enum(EnumTree { name, values }))
            }
            "control" | "var" => {
                self.cursor.seek(span.end);
                self.declaration(word == "control").map(Item::Variables)
            }
            "init" => {
                self.cursor.seek(span.end);
                let condition = self.expression(read)?;
                self.semicolon()?;
                Ok(Item::Init(condition))
            }
            "process" => {
                self.cursor.seek(span.end);
                self.process(span).map(Item::Process)
            }
            "property" | "invariant" | "reach" => {
                self.cursor.seek(span.end);
                let kind = match word {
                    "property" => PropertyKind::Formula,
                    "invariant" => PropertyKind::Invariant,
                    _ => PropertyKind::Reach,
                };
                self.property(kind, start).map(Item::Property)
            }
            _ => Err(Box::new(self.expected("an item").with_note(instead_of_item(word).unwrap_or(ITEMS)))),
        }
    }

    fn semicolon(&mut self) -> Reading<()> {
        self.require(";", "`;`")
    }

    fn named(&mut self, what: &str) -> Reading<Named> {
        let name = self.name(what)?;
        self.require("=", "`=`")?;
        let value = self.expression(read)?;
        self.semicolon()?;
        Ok(Named { name, value })
    }

    /// `{ a, b }`
    fn values(&mut self) -> Reading<Vec<Name>> {
        self.require("{", "`{`")?;
        let mut values = vec![self.name("the name of a value")?];
        while self.eat(",") {
            values.push(self.name("the name of a value")?);
        }
        self.require("}", "`,` or `}`")?;
        Ok(values)
    }

    /// `x, y: type = value;`
    fn declaration(&mut self, control: bool) -> Reading<Declaration> {
        let mut names = vec![self.name("the name of a variable")?];
        while self.eat(",") {
            names.push(self.name("the name of a variable")?);
        }
        self.require(":", "`,` or `:` and a type")?;
        let start = self.cursor.start();
        let kind = self.kind(MOST_DIMENSIONS)?;
        let kind_span = Span::new(start, self.cursor.last_end());
        let initial = if self.eat("=") { Some(self.expression(read)?) } else { None };
        self.require(";", if initial.is_some() { "`;`" } else { "`=` and a value, or `;`" })?;
        Ok(Declaration { control, names, kind, kind_span, initial })
    }

    /// A type, with arrays of arrays up to so many levels.
    fn kind(&mut self, levels: usize) -> Reading<TypeTree> {
        if self.at_symbol("{") {
            return Ok(TypeTree::Values(self.values()?));
        }
        if self.eat_word("int") {
            return Ok(TypeTree::Int);
        }
        if self.eat_word("bool") {
            return Ok(TypeTree::Bool);
        }
        if self.at_word("array") {
            let Some(inner) = levels.checked_sub(1) else {
                let message = format!("arrays have at most {MOST_DIMENSIONS} dimensions");
                return Err(Box::new(Diagnostic::error(self.cursor.span(), message)));
            };
            self.cursor.seek(self.cursor.start() + 5);
            let index = self.kind(inner)?;
            if !self.eat_word("of") {
                return Err(self.expected("`of` and the type of the elements"));
            }
            return Ok(TypeTree::Array(Box::new(index), Box::new(self.kind(inner)?)));
        }
        if self.at_word("enum") {
            return Err(Box::new(
                self.expected("a type").with_note(instead_of_type("enum").unwrap_or_default()),
            ));
        }
        const TYPES: &str = "types are int, bool, low..high, bits(n), the name of an enumeration, { names }, and array … of …";
        let start = self.cursor.start();
        let low = self.expression(read_operand).map_err(|_| {
            self.cursor.seek(start);
            Box::new(self.expected("a type").with_note(TYPES))
        })?;
        if self.eat("..") {
            let high = self.expression(read_operand)?;
            return Ok(TypeTree::Range(low, high));
        }
        match low.kind {
            ExpressionKind::Call(name, mut operands) if name == "bits" && operands.len() == 1 => {
                Ok(TypeTree::Bits(operands.remove(0)))
            }
            ExpressionKind::Name(text) => Ok(TypeTree::Named(Name { text, span: low.span })),
            _ => Err(Box::new(self.expected("`..`").with_note(TYPES))),
        }
    }

    /// `process p { … }`
    fn process(&mut self, word: Span) -> Reading<ProcessTree> {
        let name = self.name("the name of a process")?;
        let index = if self.eat("[") { Some(self.index()?) } else { None };
        let open = self.cursor.start();
        self.require("{", "`{`")?;
        let items = self.items(Some(word));
        if !self.eat("}") {
            let complaint =
                self.expected("`}`").with_related(Span::new(open, open + 1), "the process begins here");
            self.cursor.complaints.push(complaint);
        }
        Ok(ProcessTree { name, index, items, span: Span::new(word.start, self.cursor.last_end()) })
    }

    /// `i in low..high]`
    fn index(&mut self) -> Reading<IndexTree> {
        let name = self.name("the name of the index")?;
        if !self.eat_word("in") {
            return Err(self.expected("`in` and a range of numbers"));
        }
        let (low, high) = self.bounds()?;
        if self.at_symbol(",") {
            let complaint = self.expected("`]`").with_note("a process has one index");
            return Err(Box::new(complaint));
        }
        self.require("]", "an operator or `]`")?;
        Ok(IndexTree { name, low, high })
    }

    /// `[action] guard -> updates;`
    fn command(&mut self) -> Reading<CommandTree> {
        let start = self.cursor.start();
        self.require("[", "`[`")?;
        let action =
            if self.at_symbol("]") { None } else { Some(self.label("the name of an action or `]`")?) };
        self.require("]", "`]`")?;
        let guard = self.expression(read_guard)?;
        self.require("->", "an operator or `->`")?;
        let alternatives = if self.eat_word("either") {
            let mut alternatives = vec![self.updates()?];
            while self.eat_word("or") {
                alternatives.push(self.updates()?);
            }
            alternatives
        } else {
            vec![self.updates()?]
        };
        let several = alternatives.len() > 1;
        self.require(";", if several { "`,`, `or` or `;`" } else { "`,` or `;`" })?;
        Ok(CommandTree { action, guard, alternatives, span: Span::new(start, self.cursor.last_end()) })
    }

    /// `skip`, or `x := e, y := f`
    fn updates(&mut self) -> Reading<Alternative> {
        if self.eat_word("skip") {
            return Ok(Vec::new());
        }
        let mut updates = vec![self.assignment()?];
        while self.eat(",") {
            updates.push(self.assignment()?);
        }
        Ok(updates)
    }

    fn assignment(&mut self) -> Reading<Assignment> {
        let instead = instead_of_update(self.peek_word());
        let target = self.name("a variable to assign to, or `skip`")?;
        let mut indices = Vec::new();
        let mut member = None;
        while self.eat("[") {
            let index = self.expression(read)?;
            self.require("]", "an operator or `]`")?;
            if indices.is_empty() && member.is_none() && self.eat(".") {
                member = Some((index, self.name("a variable of the process")?));
            } else {
                indices.push(index);
            }
        }
        if self.at_symbol("=") {
            let complaint = self.expected("`:=`").with_note("`=` compares; assignments are written `x := e`");
            return Err(Box::new(complaint));
        }
        self.require(":=", "`:=`").map_err(|complaint| match instead {
            Some(instead) => Box::new(complaint.with_note(instead)),
            None => complaint,
        })?;
        let value = if self.eat_word("input") {
            let ends = [";", ",", "}"].iter().any(|symbol| self.at_symbol(symbol)) || self.at_word("or");
            ValueTree::Input(if ends || self.cursor.is_at_end() { None } else { Some(self.bounds()?) })
        } else {
            ValueTree::Expression(self.expression(read)?)
        };
        let span = Span::new(target.span.start, self.cursor.last_end());
        Ok(Assignment { target, member, indices, value, span })
    }

    fn bounds(&mut self) -> Reading<(tertium_expr::Expression, tertium_expr::Expression)> {
        let low = self.expression(read_operand)?;
        self.require("..", "`..`")?;
        Ok((low, self.expression(read_operand)?))
    }

    /// `label: formula;`, where the label is optional. The formula ends at the first `;` outside of quotations and comments.
    fn property(&mut self, kind: PropertyKind, start: usize) -> Reading<PropertyTree> {
        let word = self.peek_word();
        let after = self.cursor.text()[self.cursor.start() + word.len()..].trim_start();
        let labelled = !word.is_empty() && after.starts_with(':') && !after.starts_with(":=");
        let label = if labelled { Some(self.label("a label")?) } else { None };
        if labelled {
            self.require(":", "`:`")?;
        }
        let begin = self.cursor.start();
        let Some(end) = self.end_of_formula() else {
            self.cursor.give_up();
            return Err(Box::new(
                self.expected("`;`").with_related(Span::new(start, begin), "the property begins here"),
            ));
        };
        if end == begin {
            return Err(self.expected("a formula"));
        }
        self.cursor.seek(end);
        self.semicolon()?;
        Ok(PropertyTree {
            kind,
            label,
            formula: Span::new(begin, end),
            span: Span::new(start, self.cursor.last_end()),
        })
    }

    fn end_of_formula(&self) -> Option<usize> {
        let mut quoted = false;
        let mut comment = false;
        let mut before = ' ';
        for (at, c) in self.cursor.rest().char_indices() {
            match c {
                '\n' => (quoted, comment) = (false, false),
                _ if comment => {}
                '"' if !(quoted && before == '\\') => quoted = !quoted,
                _ if quoted => {}
                '/' if before == '/' => comment = true,
                ';' => return Some(self.cursor.start() + at),
                _ => {}
            }
            before = c;
        }
        None
    }
}
