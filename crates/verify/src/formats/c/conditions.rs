//! The text of a C program with the conditions of a witness in it, so that whatever answers questions can judge them.
//!
//! Each condition stands where it is said to hold, in front of a call that happens if it does not: `(choice && !(x < 5)) ? f() : 0`. The
//! choice is a value from outside. So every run of the program is also one of the new text, whatever a condition does when it is looked
//! at; one whose value is undefined counts as true. A program that asks for nothing gets no choice, so that it still has one run only.
//! Conditions are texts by others: what is more than an expression without effects never gets into the program.

use super::CProgram;
use super::runs::Visible;
use crate::{Conditioned, Halt};
use std::collections::BTreeSet;
use tertium_front_c::interpret::{Ending, Interpreter, NoInputs, NoObserver, RunLimits};
use tertium_front_c::ir::Unit;
use tertium_front_c::lower::lower;
use tertium_front_c::read;
use tertium_report::witness::{InvariantKind, WitnessInvariant, WitnessLocation};
use tertium_support::{Context, Source};

/// The beginning of the names of functions that are called where a condition does not hold.
const BROKEN: &str = "__tertium_broken_";
/// Functions that give a value from outside, with its type: one that the program does not have is taken.
const CHOICES: [(&str, &str); 8] = [
    ("_Bool", "__VERIFIER_nondet_bool"),
    ("unsigned char", "__VERIFIER_nondet_uchar"),
    ("unsigned short", "__VERIFIER_nondet_ushort"),
    ("short", "__VERIFIER_nondet_short"),
    ("char", "__VERIFIER_nondet_char"),
    ("unsigned long", "__VERIFIER_nondet_ulong"),
    ("long", "__VERIFIER_nondet_long"),
    ("int", "__VERIFIER_nondet_int"),
];
/// A run without inputs may take so many steps when it is looked at whether the program asks for any.
const LOOKED_AT: u64 = 1 << 26;
/// So many conditions are judged at most.
const MOST: usize = 1_000;

impl CProgram {
    /// The program with these conditions in it, or what is wrong with them.
    pub(super) fn text_with(
        &self,
        context: &Context,
        conditions: &[WitnessInvariant],
    ) -> Result<Result<Conditioned, Vec<String>>, Halt> {
        if conditions.len() > MOST {
            return Ok(Err(vec![format!("it has more than {MOST} conditions")]));
        }
        let text = self.source.text();
        let choice = CHOICES.into_iter().find(|(_, name)| !text.contains(name));
        let Some((ty, name)) = choice.filter(|_| !text.contains(BROKEN)) else {
            return Ok(Err(vec!["the program has all names that conditions could be told by".to_owned()]));
        };
        // The only run of a program stays its only run if no choice is made.
        let only = self.only_run(context)?;
        let is_alone = only.is_some();
        let chosen = if is_alone { "1".to_owned() } else { format!("{name}()") };
        let made = |those: &[(usize, &WitnessInvariant)]| {
            let mut head = format!("extern {ty} {name}();");
            let mut places =
                Places { program: self, tokens: tokens(text), found: Vec::new(), empty: BTreeSet::new() };
            let mut wrong = Vec::new();
            for (number, condition) in those {
                let call = format!("{BROKEN}{number}");
                head.push_str(&format!(" void {call}(void) {{}}"));
                let check = format!("(({chosen} && !({})) ? ({call}(), 0) : 0)", condition.value);
                let placed = is_expression(&condition.value).and_then(|()| places.put(condition, &check));
                wrong.extend(placed.err().map(|why| format!("{}: {why}", words(condition))));
            }
            if wrong.is_empty() { Ok(format!("{head}\n{}", places.text(text))) } else { Err(wrong) }
        };
        let all: Vec<(usize, &WitnessInvariant)> = conditions.iter().enumerate().collect();
        let text = match made(&all) {
            Ok(text) => text,
            Err(wrong) => return Ok(Err(wrong)),
        };
        let Ok(unit) = self.reads(context, &text) else {
            let alone = all.iter().filter_map(|one| {
                let text = made(std::slice::from_ref(one)).ok()?;
                let why = self.reads(context, &text).err()?;
                Some(format!("{}: {why}", words(one.1)))
            });
            let mut wrong: Vec<String> = alone.collect();
            if wrong.is_empty() {
                wrong.push("the program cannot be read with all of the conditions".to_owned());
            }
            return Ok(Err(wrong));
        };
        if let Some(only) = only
            && ends_at_condition(context, &unit, &only)?
        {
            return Ok(Err(vec!["one of its conditions has no value in a state of the only run".to_owned()]));
        }
        // What stands where no control ever comes is left out of the graph.
        let graph = lower(context, &unit, &self.how)?.icfg;
        let is_there = |call: &String| graph.procedures().iter().any(|own| own.name == *call);
        let called = all.iter().map(|(number, condition)| (format!("{BROKEN}{number}"), words(condition)));
        let called = called.filter(|(call, _)| is_there(call));
        let (broken, names) = called.map(|(call, words)| (format!("call({call})"), words)).unzip();
        Ok(Ok(Conditioned { text, broken, names, is_alone }))
    }

    /// How the only run of a program ends that asks for nothing from outside.
    fn only_run(&self, context: &Context) -> Result<Option<Ending>, Halt> {
        let limits = RunLimits { steps: LOOKED_AT, ..RunLimits::default() };
        let run = self.execute(context, &Visible::nothing(), &mut NoInputs, &mut NoObserver, limits)?;
        Ok(run.is_only_run().then_some(run.ending))
    }

    /// Whether a place of the program can be in the file that a witness names. The program itself may have got another name since, and
    /// witnesses travel without their folders.
    pub(super) fn is_file(&self, place: &WitnessLocation, named: &WitnessLocation) -> bool {
        let base = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
        place.file_name == self.source.name() || base(&place.file_name) == base(&named.file_name)
    }

    /// A text as a program, or the first complaint.
    fn reads(&self, context: &Context, text: &str) -> Result<Unit, String> {
        let how = tertium_front_c::ReadOptions {
            data_model: self.unit.data_model,
            ..tertium_front_c::ReadOptions::default()
        };
        match read(context, &Source::new(self.source.name(), text), &how) {
            Ok((unit, _)) => Ok(unit),
            Err(tertium_support::ReadError::Faulty(found)) => {
                Err(found.first().map_or_else(String::new, |first| first.message.clone()))
            }
            Err(tertium_support::ReadError::Stopped(_)) => Err("a limit was reached".to_owned()),
        }
    }
}

/// Whether the only run of a program with conditions ends since one of them has no value.
fn ends_at_condition(context: &Context, unit: &Unit, only: &Ending) -> Result<bool, Halt> {
    let limits = RunLimits { steps: 2 * LOOKED_AT, ..RunLimits::default() };
    let Ok(program) = Interpreter::new(unit) else { return Ok(false) };
    let ending = program.run(context, &mut NoInputs, &mut NoObserver, limits).ending;
    context.poll()?;
    Ok(matches!(ending, Ending::Undefined(..)) && !matches!(only, Ending::Undefined(..)))
}

/// What a condition is called in messages.
fn words(condition: &WitnessInvariant) -> String {
    let value = tertium_report::cut(&condition.value);
    let line = condition.location.line;
    match condition.kind {
        InvariantKind::Loop => format!("the invariant `{value}` of the loop in line {line}"),
        InvariantKind::Location => format!("the invariant `{value}` before the statement in line {line}"),
    }
}

/// A token, as far as places of statements need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Token<'t> {
    text: &'t str,
    start: usize,
}

impl Token<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens of a program: words and numbers as a whole, texts as a whole, all else by characters. Directives and comments are left
/// out.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut fresh) = (Vec::new(), 0, true);
    let until = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |n| from + n + end.len());
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let end = if c == '\n' {
            fresh = true;
            at += 1;
            continue;
        } else if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("//") || (c == '#' && fresh) {
            at = text[at..].find('\n').map_or(text.len(), |n| at + n);
            continue;
        } else if rest.starts_with("/*") {
            at = until(at + 2, "*/");
            continue;
        } else if c == '"' || c == '\'' {
            let mut end = at + 1;
            while end < bytes.len() && bytes[end] != c as u8 {
                end += if bytes[end] == b'\\' { 2 } else { 1 };
            }
            let mut end = (end + 1).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            end
        } else if c.is_alphanumeric() || c == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').map_or(text.len(), |n| at + n)
        } else {
            at + c.len_utf8()
        };
        fresh = false;
        found.push(Token { text: &text[at..end], start: at });
        at = end;
    }
    found
}

/// Refuses what is more than an expression without effects.
fn is_expression(value: &str) -> Result<(), String> {
    let refused = || Err("this is no C expression without effects".to_owned());
    if value.trim().is_empty() || value.contains('\n') || value.contains("//") || value.contains("/*") {
        return refused();
    }
    let types = ["sizeof", "int", "long", "char", "short", "unsigned", "signed", "__int128"];
    let tokens = tokens(value);
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let previous = at.checked_sub(1).map(|before| tokens[before]);
        let next = tokens.get(at + 1);
        let adjoins = |other: &Token<'_>, text: &str| other.text == text && other.start == token.end();
        let is_wrong = match token.text {
            "(" => {
                open.push(")");
                // A cast may stand before it, and nothing that could be called.
                let is_type = |own: Option<Token<'_>>| own.is_some_and(|own| types.contains(&own.text));
                match previous.map(|own| own.text) {
                    Some(")") => !is_type(at.checked_sub(2).map(|before| tokens[before])),
                    Some("]") => true,
                    _ => previous.is_some_and(|own| own.is_word()) && !is_type(previous),
                }
            }
            "[" => {
                open.push("]");
                false
            }
            ")" | "]" => open.pop() != Some(token.text),
            "+" | "-" => next.is_some_and(|next| adjoins(next, token.text)),
            "=" => {
                let before = previous.filter(|own| own.end() == token.start).map_or("", |own| own.text);
                let is_shift = at > 1 && tokens[at - 2].text == before && matches!(before, "<" | ">");
                let is_comparison = matches!(before, "=" | "!" | "<" | ">") && !is_shift;
                !is_comparison && !next.is_some_and(|next| adjoins(next, "="))
            }
            "*" | "/" | "%" | "&" | "|" | "^" | "~" | "!" | "<" | ">" | "?" | ":" | "." => false,
            word => !word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'),
        };
        if is_wrong {
            return refused();
        }
    }
    if open.is_empty() { Ok(()) } else { refused() }
}

/// Where texts are put into a program.
struct Places<'p> {
    program: &'p CProgram,
    tokens: Vec<Token<'p>>,
    found: Vec<(usize, String)>,
    /// Where a loop has no condition of its own.
    empty: BTreeSet<usize>,
}

impl Places<'_> {
    fn put(&mut self, condition: &WitnessInvariant, check: &str) -> Result<(), String> {
        match condition.kind {
            InvariantKind::Loop => self.at_loop(&condition.location, check),
            InvariantKind::Location => self.before_statement(&condition.location, check),
        }
    }

    /// The tokens that begin at a place: those of its line where no column is said or the column is none of theirs.
    fn here(&self, location: &WitnessLocation, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let own = |at: &usize| self.program.location(self.tokens[*at].start, "");
        let is_here = |at: &usize| {
            let place = own(at);
            place.line == location.line && self.program.is_file(&place, location)
        };
        let found: Vec<usize> = (0..self.tokens.len()).filter(|&at| wanted(at)).filter(is_here).collect();
        let exact = |at: &&usize| {
            let column = own(at).column;
            location.column.is_none() || column.is_none() || column == location.column
        };
        found.iter().find(exact).copied().or_else(|| found.first().copied().filter(|_| found.len() == 1))
    }

    fn at_loop(&mut self, location: &WitnessLocation, check: &str) -> Result<(), String> {
        let ends: BTreeSet<usize> = self.does().into_iter().filter_map(|at| self.end_of_do(at)).collect();
        let is_loop =
            |at: usize| matches!(self.tokens[at].text, "for" | "while" | "do") && !ends.contains(&at);
        let none = || "there is no such loop".to_owned();
        let keyword = self.here(location, is_loop).ok_or_else(none)?;
        let keyword = match self.tokens[keyword].text {
            "do" => self.end_of_do(keyword).ok_or_else(|| "the end of this loop was not found".to_owned())?,
            _ => keyword,
        };
        let opens = keyword + 1;
        if self.tokens.get(opens).is_none_or(|own| own.text != "(") {
            return Err(none());
        }
        let after = match self.tokens[keyword].text {
            "for" => {
                let first = self.level(opens + 1, &[";"]).ok_or_else(none)?;
                if self.tokens.get(first + 1).is_some_and(|own| own.text == ";") {
                    self.empty.insert(self.tokens[first].end());
                }
                first
            }
            _ => opens,
        };
        self.found.push((self.tokens[after].end(), format!(" {check},")));
        Ok(())
    }

    fn does(&self) -> Vec<usize> {
        (0..self.tokens.len()).filter(|&at| self.tokens[at].text == "do").collect()
    }

    /// The `while` that ends a loop with `do`, if its body is a block.
    fn end_of_do(&self, keyword: usize) -> Option<usize> {
        let closes = match self.tokens.get(keyword + 1)?.text {
            "{" => self.level(keyword + 2, &["}"])?,
            _ => self.level(keyword + 1, &[";"])?,
        };
        (self.tokens.get(closes + 1)?.text == "while").then_some(closes + 1)
    }

    /// The first of these tokens that is not inside of parentheses or braces that begin after this place.
    fn level(&self, from: usize, wanted: &[&str]) -> Option<usize> {
        let mut depth = 0usize;
        for at in from..self.tokens.len() {
            let text = self.tokens[at].text;
            if depth == 0 && wanted.contains(&text) {
                return Some(at);
            }
            match text {
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }

    fn before_statement(&mut self, location: &WitnessLocation, check: &str) -> Result<(), String> {
        let begins = |at: usize| {
            let before = at.checked_sub(1).map(|before| self.tokens[before].text);
            !matches!(self.tokens[at].text, ";" | "else" | ")")
                && matches!(before, Some(";" | "{" | "}" | ":" | ")" | "else" | "do"))
        };
        let none = || "no statement begins there".to_owned();
        let mut at = self.here(location, begins).ok_or_else(none)?;
        // A label belongs to the place, the statement comes after it.
        while self.tokens.get(at).is_some_and(Token::is_word)
            && self.tokens.get(at + 1).is_some_and(|own| own.text == ":")
        {
            at += 2;
        }
        let token = *self.tokens.get(at).ok_or_else(none)?;
        let is_inner = matches!(self.tokens[at - 1].text, ")" | "else" | "do");
        if token.text == "{" {
            self.found.push((token.end(), format!(" {check};")));
        } else if !is_inner {
            self.found.push((token.start, format!("{check}; ")));
        } else if matches!(token.text, "if" | "for" | "while" | "do" | "switch") {
            return Err("conditions before a statement that is a part of another are not taken".to_owned());
        } else {
            let end = self.level(at, &[";"]).ok_or_else(none)?;
            self.found.push((token.start, format!("{{ {check}; ")));
            self.found.push((self.tokens[end].end(), " }".to_owned()));
        }
        Ok(())
    }

    /// The text with all that was put into it.
    fn text(mut self, text: &str) -> String {
        self.found.extend(self.empty.iter().map(|&at| (at, " 1".to_owned())));
        self.found.sort_by_key(|&(at, _)| at);
        let (mut made, mut done) = (String::with_capacity(text.len()), 0);
        for (at, more) in &self.found {
            made.push_str(&text[done..*at]);
            made.push_str(more);
            done = *at;
        }
        made.push_str(&text[done..]);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_effects_is_no_condition() {
        for right in [
            "x < 5",
            "(long long)x + 1LL <= (y & 3)",
            "a[i + 1] == -1 && p->next != 0",
            "x - -1 >= 0",
            "(unsigned int)(x) >> 2 != 0U",
            "sizeof(int) == 4",
        ] {
            assert_eq!(is_expression(right), Ok(()), "{right}");
        }
        for wrong in [
            "",
            "x = 5",
            "x == 5) || (y = 3",
            "x += 1",
            "x++",
            "--x > 0",
            "x <<= 1",
            "f(x)",
            "1; x",
            "({ 1; })",
            "x /* y",
            "x // y",
            "\\result == 1",
            "a[1",
            "x, y",
            "(f)(x)",
            "((f))(x)",
            "a[0](x)",
            "\"x\"",
        ] {
            assert!(is_expression(wrong).is_err(), "{wrong}");
        }
    }
}
