//! The parser of `.pts`: text to [`Draft`]. The grammar stands in docs/formats/pts.md.
//!
//! By recursive descent over one token of lookahead. No nesting, so no depth. After a mistake it goes on behind the
//! next `;`, or at the next line that begins with a keyword, so that a forgotten `;` costs one statement.

use super::Family;
use super::faults::{MAX_FAULTS, nearest_note, quoted};
use super::pts_draft::{Draft, DraftEdge, DraftGamma, DraftHyperMust, DraftLabel, Name};
use super::pts_lexer::{Kind, Tokens, name_of, starts_line};
use crate::{Modality, StateId, UNLABELLED};
use tertium_support::{Complaints, Context, Cursor, Diagnostic, ReadError, Span};
use tertium_truth::Belnap;

const KEYWORDS: [&str; 10] =
    ["system", "propositions", "actions", "concrete", "states", "state", "init", "both", "may", "must"];
const STATEMENTS: &str = "a statement begins with `system`, `propositions`, `actions`, `concrete`, `states`, `state`, `init`, `both`, \
     `may` or `must`";
/// As in `.aut`: `states n;` may declare this many states in the shortest file, and beyond one per byte.
const FREE_STATES: usize = 1 << 20;

/// Reads all statements, and gives what is wrong with the others.
pub(super) fn parse(context: &Context, text: &str) -> Result<(Draft, Complaints), ReadError> {
    let cursor = Cursor::new(text, 0, MAX_FAULTS).watched(context, "reading statements");
    let mut parser = Parser { cursor, draft: Draft::default() };
    while !parser.cursor.is_at_end() {
        if let Err(fault) = parser.statement() {
            parser.fault(*fault);
            parser.recover();
        }
    }
    parser.cursor.check()?;
    Ok((parser.draft, parser.cursor.complaints))
}

struct Parser<'s> {
    cursor: Cursor<'s, Tokens>,
    draft: Draft,
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

impl<'s> Parser<'s> {
    fn statement(&mut self) -> Parsed<()> {
        let keyword = self.cursor.peek();
        let word = match keyword.kind {
            Kind::Name => self.cursor.word(),
            _ => return Err(Box::new(self.unexpected("a statement").with_note(STATEMENTS))),
        };
        if !KEYWORDS.contains(&word) {
            let fault = Diagnostic::error(keyword.span, format!("unknown statement {}", quoted(word)));
            return Err(Box::new(nearest_note(fault, word, KEYWORDS).with_note(STATEMENTS)));
        }
        self.cursor.bump();
        match word {
            "system" => self.system(keyword.span)?,
            "propositions" => self.propositions()?,
            "actions" => self.actions(keyword.span)?,
            "concrete" => self.concrete(keyword.span)?,
            "states" => self.numbered_states(keyword.span)?,
            "state" => self.state()?,
            "init" => self.init()?,
            "both" => self.transitions(keyword.span, Modality::Both)?,
            "may" => self.transitions(keyword.span, Modality::May)?,
            _ => self.transitions(keyword.span, Modality::Must)?,
        }
        self.expect(Kind::Semicolon)
    }

    /// `system NAME? (: FAMILY)?`
    fn system(&mut self, keyword: Span) -> Parsed<()> {
        if let Some(first) = self.draft.header.replace(keyword) {
            let fault = Diagnostic::error(keyword, "a second `system` statement");
            self.fault(fault.with_related(first, "the first one"));
        }
        if matches!(self.cursor.kind(), Kind::Name | Kind::Quoted) {
            self.draft.name = Some(self.name("a name")?.text.into_owned());
        }
        if self.cursor.eat(Kind::Colon) {
            let word = self.name("a family")?;
            self.draft.family = Family::from_keyword(&word.text);
            if self.draft.family.is_none() {
                let fault = Diagnostic::error(word.span, format!("unknown family {}", quoted(&word.text)));
                let words = Family::ALL.map(Family::keyword);
                let note = format!("the families are {}", words.join(", "));
                self.fault(nearest_note(fault, &word.text, words).with_note(note));
            }
        }
        Ok(())
    }

    /// `propositions p (= VALUE)?, …`
    fn propositions(&mut self) -> Parsed<()> {
        self.list(|parser| {
            let name = parser.name("a proposition")?;
            let default = if parser.cursor.eat(Kind::Equals) { Some(parser.value()?) } else { None };
            match parser.draft.props.declare(&name) {
                Ok(_) => parser.draft.defaults.push(default),
                Err(first) => parser.duplicate("proposition", &name, first),
            }
            Ok(())
        })
    }

    fn actions(&mut self, keyword: Span) -> Parsed<()> {
        self.draft.actions_declared.get_or_insert(keyword);
        self.list(|parser| {
            let name = parser.name("an action")?;
            if let Err(first) = parser.draft.actions.declare(&name) {
                parser.duplicate("action", &name, first);
            }
            Ok(())
        })
    }

    fn concrete(&mut self, keyword: Span) -> Parsed<()> {
        self.draft.concretes_declared.get_or_insert(keyword);
        self.list(|parser| {
            let name = parser.name("a concrete state")?;
            if let Err(first) = parser.draft.concretes.declare(&name) {
                parser.duplicate("concrete state", &name, first);
            }
            Ok(())
        })
    }

    /// `states NUMBER`
    fn numbered_states(&mut self, keyword: Span) -> Parsed<()> {
        let name = self.name("the number of states")?;
        let most = FREE_STATES.max(self.cursor.text().len()).min(u32::MAX as usize);
        let n = name.text.parse().ok().filter(|&n: &usize| n <= most).unwrap_or_else(|| {
            let fault = Diagnostic::error(name.span, "this is no number of states for a file of this length");
            self.fault(fault.with_note(format!("expected a number from 1 to {most}")));
            // Nothing is built any more; any number in use counts as right.
            u32::MAX as usize
        });
        if let Some((_, first)) = self.draft.numbered.replace((n, keyword.to(name.span))) {
            let fault = Diagnostic::error(keyword, "a second `states` statement");
            self.fault(fault.with_related(first, "the first one"));
        }
        Ok(())
    }

    /// `state s, …` or `state s (= {c, …})? (: LITERAL, …)?`
    fn state(&mut self) -> Parsed<()> {
        let mut name = self.name("a state")?;
        let mut single = true;
        let state = loop {
            let state = match self.draft.states.declare(&name) {
                Ok(state) => state,
                Err(first) => {
                    self.duplicate("state", &name, first);
                    self.draft.states.mention(&name)
                }
            };
            if !self.cursor.eat(Kind::Comma) {
                break state;
            }
            single = false;
            name = self.name("a state")?;
        };
        if !single && matches!(self.cursor.kind(), Kind::Equals | Kind::Colon) {
            let fault = self.unexpected("`;`");
            return Err(Box::new(fault.with_note("labels and sets are given to one state at a time")));
        }
        if self.cursor.eat(Kind::Equals) {
            let start = self.cursor.span();
            let set = self.set("a concrete state", |parser, name| parser.draft.concretes.mention(name))?;
            self.draft.gamma.push(DraftGamma { state, set, span: self.cursor.since(start.start) });
        }
        if self.cursor.eat(Kind::Colon) {
            self.labels(state)?;
        }
        Ok(())
    }

    fn labels(&mut self, state: StateId) -> Parsed<()> {
        let mut labels: Vec<DraftLabel> = Vec::new();
        self.list(|parser| {
            labels.push(parser.literal(state)?);
            Ok(())
        })?;
        labels.sort_by_key(|label| label.prop);
        for pair in labels.windows(2) {
            if pair[0].prop == pair[1].prop && pair[0].value != pair[1].value {
                let prop = quoted(self.draft.props.names.name(pair[0].prop));
                let message = format!("proposition {prop} has two values at one state");
                let fault = Diagnostic::error(pair[1].span, message);
                self.fault(fault.with_related(pair[0].span, "the other value").with_note(
                    "a proposition that is claimed and denied is written `p=d`, an unknown one `p?`",
                ));
            }
        }
        self.draft.labels.append(&mut labels);
        Ok(())
    }

    /// `p`, `!p`, `p?` or `p = VALUE`
    fn literal(&mut self, state: StateId) -> Parsed<DraftLabel> {
        let start = self.cursor.span();
        let negated = self.cursor.eat(Kind::Not);
        let name = self.name("a proposition")?;
        let value = match self.cursor.kind() {
            _ if negated => Belnap::False,
            Kind::Question => {
                self.cursor.bump();
                Belnap::Unknown
            }
            Kind::Equals => {
                self.cursor.bump();
                self.value()?.0
            }
            _ => Belnap::True,
        };
        let prop = self.draft.props.mention(&name);
        Ok(DraftLabel { state, prop, value, span: self.cursor.since(start.start) })
    }

    /// `t`, `f`, `m` or `d`
    fn value(&mut self) -> Parsed<(Belnap, Span)> {
        let token = self.cursor.peek();
        let word = self.cursor.word();
        let Some(value) = Belnap::ALL.into_iter().find(|value| word.chars().eq([value.letter()])) else {
            let fault = self.unexpected("a value");
            let values = "the values are t (true), f (false), m (unknown) and d (inconsistent)";
            return Err(Box::new(fault.with_note(values)));
        };
        self.cursor.bump();
        Ok((value, token.span))
    }

    fn init(&mut self) -> Parsed<()> {
        self.list(|parser| {
            let name = parser.name("a state")?;
            let state = parser.draft.states.mention(&name);
            parser.draft.initial.push(state);
            Ok(())
        })
    }

    /// `MODALITY s -> TARGET, …` or `MODALITY s -a-> TARGET, …`
    fn transitions(&mut self, keyword: Span, modality: Modality) -> Parsed<()> {
        let name = self.name("a state")?;
        let source = self.draft.states.mention(&name);
        let action = if self.cursor.eat(Kind::Dash) {
            self.name("an action")?
        } else {
            Name { text: UNLABELLED.into(), span: self.cursor.span() }
        };
        self.expect(Kind::Arrow)?;
        let action = self.draft.actions.mention(&action);
        let mut first = true;
        self.list(|parser| {
            let start = if std::mem::take(&mut first) { keyword } else { parser.cursor.span() };
            if parser.cursor.kind() == Kind::OpenBrace {
                let targets = parser.targets(keyword, modality)?;
                let span = parser.cursor.since(start.start);
                match targets[..] {
                    [] => {}
                    [target] => parser.draft.edges.push(DraftEdge { source, action, target, modality, span }),
                    _ => parser.draft.hyper_musts.push(DraftHyperMust { source, action, targets, span }),
                }
            } else {
                let name = parser.name("a state or `{`")?;
                let target = parser.draft.states.mention(&name);
                let span = start.to(name.span);
                parser.draft.edges.push(DraftEdge { source, action, target, modality, span });
            }
            Ok(())
        })
    }

    /// The targets of a hyper-must, without repetition; none after a complaint.
    fn targets(&mut self, keyword: Span, modality: Modality) -> Parsed<Vec<StateId>> {
        let start = self.cursor.span();
        let mut targets = self.set("a state", |parser, name| parser.draft.states.mention(name))?;
        targets.sort_unstable();
        targets.dedup();
        let span = self.cursor.since(start.start);
        if modality != Modality::Must {
            let fault = Diagnostic::error(span, "only a must leads into a set of states");
            let fault = fault.with_related(keyword, "this is no plain must");
            self.fault(fault.with_note("write `must s -> {t, u};`, and `may` for each possible target"));
            targets.clear();
        } else if targets.is_empty() {
            let fault = Diagnostic::error(span, "a must into the empty set can never be kept");
            self.fault(fault.with_note("name at least one target between the braces"));
        }
        Ok(targets)
    }

    /// `{ name, … }`
    fn set<T>(&mut self, what: &str, mut mention: impl FnMut(&mut Self, &Name<'s>) -> T) -> Parsed<Vec<T>> {
        let mut set = Vec::new();
        self.expect(Kind::OpenBrace)?;
        if self.cursor.kind() != Kind::CloseBrace {
            self.list(|parser| {
                let name = parser.name(what)?;
                set.push(mention(parser, &name));
                Ok(())
            })?;
        }
        self.expect(Kind::CloseBrace)?;
        Ok(set)
    }

    /// `item, item, …`: at least one.
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        item(self)?;
        while self.cursor.eat(Kind::Comma) {
            item(self)?;
        }
        Ok(())
    }

    fn name(&mut self, what: &str) -> Parsed<Name<'s>> {
        let token = self.cursor.peek();
        if !matches!(token.kind, Kind::Name | Kind::Quoted) {
            return Err(Box::new(self.unexpected(what)));
        }
        self.cursor.bump();
        Ok(Name { text: name_of(self.cursor.text(), token), span: token.span })
    }

    fn duplicate(&mut self, kind: &str, name: &Name<'_>, first: Span) {
        let fault = Diagnostic::error(name.span, format!("duplicate {kind} {}", quoted(&name.text)));
        self.fault(fault.with_related(first, "first declared here"));
    }

    fn expect(&mut self, kind: Kind) -> Parsed<()> {
        if self.cursor.eat(kind) { Ok(()) } else { Err(Box::new(self.unexpected(kind.describe()))) }
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.cursor.complaints.push(fault);
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let mut fault = self.cursor.expected(wanted);
        // A statement that was not ended is wrong where it stops, not where the next one begins.
        if self.cursor.last_end() > 0 && self.starts_line() {
            fault.span = Span::point(self.cursor.last_end());
        }
        fault
    }

    fn starts_line(&self) -> bool {
        starts_line(self.cursor.text(), self.cursor.start())
    }

    /// Goes behind the next `;`, or to the next line that begins with a keyword.
    fn recover(&mut self) {
        self.cursor.skip_until(|cursor| match cursor.kind() {
            Kind::Semicolon => true,
            Kind::Name => KEYWORDS.contains(&cursor.word()) && starts_line(cursor.text(), cursor.start()),
            _ => false,
        });
        self.cursor.eat(Kind::Semicolon);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(text: &str) -> Vec<String> {
        let (_, faults) = parse(&Context::default(), text).unwrap();
        faults.into_list().into_iter().map(|fault| fault.message).collect()
    }

    #[test]
    fn a_forgotten_semicolon_costs_one_statement() {
        assert_eq!(
            faults_of("state a\nstate b;\nmay a -> ;\nmay a -x b;\nfoo;\nstate c;"),
            [
                "expected `;`, found `state`",
                "expected a state or `{`, found `;`",
                "expected `->`, found `b`",
                "unknown statement `foo`"
            ]
        );
    }

    #[test]
    fn keywords_are_names_elsewhere() {
        assert!(faults_of("state state, init; init init; may may -may-> must;").is_empty());
    }
}
