//! Printing systems as `.pts`. Deterministic; what is printed reads back as an equal system.
//!
//! Order: header, propositions, actions, concrete states, states, initial states, then the transitions state by
//! state, the targets of one action and modality together. A proposition that is unknown somewhere is unknown where
//! nothing is said, any other false.

use super::pts_lexer::written;
use super::{DomainFault, Family, domain_faults};
use crate::{Edge, Modality, PartialSystem, StateId, StateNames, UNLABELLED};
use std::borrow::Cow;
use std::fmt::{self, Write};
use tertium_truth::Belnap;

/// Why a system cannot be printed so that it could be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PtsError {
    /// The system has no states.
    NoStates,
    /// This state has a must into the empty set.
    EmptyHyperTarget(StateId),
    /// There is a domain without concrete states.
    EmptyUniverse,
    /// The domain does not fit the system.
    Domain(DomainFault),
    /// The system is not of the family it should be declared to have.
    Family(Family),
}

impl fmt::Display for PtsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStates => write!(f, ".pts cannot carry a system without states"),
            Self::EmptyHyperTarget(s) => {
                write!(f, ".pts cannot carry a must into the empty set (state number {} has one)", s.raw())
            }
            Self::EmptyUniverse => write!(f, ".pts cannot carry an abstract domain without concrete states"),
            Self::Domain(DomainFault::SameConcretisation(s, t)) => {
                write!(f, "states number {} and {} stand for the same set", s.raw(), t.raw())
            }
            Self::Domain(DomainFault::Uncovered(c)) => {
                write!(f, "no state stands for concrete state number {}", c.raw())
            }
            Self::Domain(DomainFault::Disputed(s, p)) => {
                write!(
                    f,
                    "state number {} stands for something, but proposition number {} is inconsistent there",
                    s.raw(),
                    p.raw()
                )
            }
            Self::Family(family) => write!(f, "the system is not of the family `{}`", family.keyword()),
        }
    }
}

impl std::error::Error for PtsError {}

/// The text of a `.pts` file with this system, under this name and with this family declared.
pub fn print_pts(
    system: &PartialSystem,
    name: Option<&str>,
    family: Option<Family>,
) -> Result<String, PtsError> {
    check(system, family)?;
    let mut printer = Printer { system, out: String::new() };
    printer.header(name, family);
    printer.vocabulary(family);
    printer.states();
    printer.transitions();
    Ok(printer.out)
}

/// Refuses what would not read back.
fn check(system: &PartialSystem, family: Option<Family>) -> Result<(), PtsError> {
    if system.n_states() == 0 {
        return Err(PtsError::NoStates);
    }
    let has_empty = |&s: &StateId| system.hyper_musts().of(s).any(|(_, targets)| targets.is_empty());
    if let Some(state) = system.states().find(has_empty) {
        return Err(PtsError::EmptyHyperTarget(state));
    }
    if system.domain().is_some_and(|domain| domain.n_concrete() == 0) {
        return Err(PtsError::EmptyUniverse);
    }
    if let Some(&fault) = domain_faults(system).first() {
        return Err(PtsError::Domain(fault));
    }
    match family.filter(|family| !family.admits(system)) {
        Some(family) => Err(PtsError::Family(family)),
        None => Ok(()),
    }
}

struct Printer<'s> {
    system: &'s PartialSystem,
    out: String,
}

impl Printer<'_> {
    fn say(&mut self, text: fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("writing to a string does not fail");
    }

    fn list<'n>(&mut self, keyword: &str, names: impl Iterator<Item = Cow<'n, str>>) {
        let mut separator = " ";
        self.say(format_args!("{keyword}"));
        for name in names {
            self.say(format_args!("{separator}{name}"));
            separator = ", ";
        }
        self.out.push_str(";\n");
    }

    fn header(&mut self, name: Option<&str>, family: Option<Family>) {
        if name.is_none() && family.is_none() {
            return;
        }
        self.out.push_str("system");
        if let Some(name) = name {
            self.say(format_args!(" {}", written(name)));
        }
        if let Some(family) = family {
            self.say(format_args!(" : {}", family.keyword()));
        }
        self.out.push_str(";\n");
    }

    /// Propositions, actions and concrete states.
    fn vocabulary(&mut self, family: Option<Family>) {
        let system = self.system;
        let props = system.labels().names();
        if !props.is_empty() {
            let unsaid = family.map_or(Belnap::Unknown, Family::default_label);
            let declared = |(p, name)| match default_label(system, p) {
                value if value == unsaid => written(name),
                value => format!("{} = {}", written(name), value.letter()).into(),
            };
            self.list("propositions", props.ids().zip(props.names()).map(declared));
        }
        let actions = system.actions();
        // Plain arrows alone need no declaration: `s -> t` brings its action along.
        let only_plain = actions.names().eq([UNLABELLED]);
        let unused = system.transitions().is_empty() && system.hyper_musts().is_empty();
        if !actions.is_empty() && (!only_plain || unused) {
            self.list("actions", actions.names().map(written));
        }
        if let Some(domain) = system.domain() {
            self.list("concrete", domain.concrete().names().map(written));
        }
    }

    fn states(&mut self) {
        let system = self.system;
        self.separate();
        let numbered = *system.names() == StateNames::Numbered;
        if numbered {
            self.say(format_args!("states {};\n", system.n_states()));
        }
        let props = system.labels().names();
        let defaults: Vec<_> = props.ids().map(|p| default_label(system, p)).collect();
        for state in system.states() {
            let literals: Vec<String> = props
                .ids()
                .zip(props.names())
                .zip(&defaults)
                .map(|((p, name), default)| (name, system.labels().get(p, state), default))
                .filter(|(_, value, default)| value != *default)
                .map(|(name, value, _)| literal(name, value))
                .collect();
            if numbered && literals.is_empty() && system.domain().is_none() {
                continue;
            }
            self.say(format_args!("state {}", written(&system.state_name(state))));
            if let Some(domain) = system.domain() {
                let names: Vec<_> =
                    domain.gamma(state).iter().map(|c| written(domain.concrete().name(c))).collect();
                self.say(format_args!(" = {{{}}}", names.join(", ")));
            }
            if !literals.is_empty() {
                self.say(format_args!(" : {}", literals.join(", ")));
            }
            self.out.push_str(";\n");
        }
        let name = |&state: &StateId| written(&system.state_name(state)).into_owned().into();
        self.list("init", system.initial().iter().map(name));
    }

    fn transitions(&mut self) {
        let system = self.system;
        if system.transitions().is_empty() && system.hyper_musts().is_empty() {
            return;
        }
        self.separate();
        for state in system.states() {
            let edges: Vec<Edge> = system.edges(state).collect();
            for group in edges.chunk_by(|a, b| a.action == b.action) {
                for (keyword, modality) in
                    [("both", Modality::Both), ("may", Modality::May), ("must", Modality::Must)]
                {
                    let mut targets = group.iter().filter(|edge| edge.modality == modality).peekable();
                    if targets.peek().is_some() {
                        let names = targets.map(|edge| self.state_name(edge.other));
                        let names: Vec<_> = names.collect();
                        self.arrow(keyword, state, group[0].action);
                        self.list("", names.into_iter());
                    }
                }
            }
            for (action, targets) in system.hyper_musts().of(state) {
                let names: Vec<_> = targets.iter().map(|&target| self.state_name(target)).collect();
                self.arrow("must", state, action);
                self.say(format_args!(" {{{}}};\n", names.join(", ")));
            }
        }
    }

    fn state_name(&self, state: StateId) -> Cow<'static, str> {
        written(&self.system.state_name(state)).into_owned().into()
    }

    fn arrow(&mut self, keyword: &str, source: StateId, action: crate::ActionId) {
        let source = self.state_name(source);
        match self.system.actions().name(action) {
            UNLABELLED => self.say(format_args!("{keyword} {source} ->")),
            name => self.say(format_args!("{keyword} {source} -{}->", written(name))),
        }
    }

    /// An empty line between sections.
    fn separate(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }
}

/// The value of a proposition where the printed file says nothing.
fn default_label(system: &PartialSystem, prop: crate::PropId) -> Belnap {
    let labels = system.labels();
    let unknown = system.states().any(|state| labels.get(prop, state) == Belnap::Unknown);
    if unknown { Belnap::Unknown } else { Belnap::False }
}

fn literal(name: &str, value: Belnap) -> String {
    let name = written(name);
    match value {
        Belnap::True => name.into_owned(),
        Belnap::False => format!("!{name}"),
        Belnap::Unknown => format!("{name}?"),
        Belnap::Inconsistent => format!("{name}=d"),
    }
}
