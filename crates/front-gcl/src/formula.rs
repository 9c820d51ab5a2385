//! Properties: formulas whose propositions are terms of a program.
//!
//! Where a proposition can stand in a formula, so can a comparison, a call of a function, and a name with dots. Each
//! becomes a proposition whose name is its text; here the text gets its meaning.

use crate::Model;
use crate::elaborate::{Meaning, Names, View, forbidden};
use crate::model::UNNAMED_ACTION;
use indexmap::IndexMap;
use tertium_expr::{Sort, Term, Terms, name_length, read_comparison, read_each};
use tertium_logic::{Formula, Ltl, parse_ltl_with_atoms, parse_with_atoms};
use tertium_program::{Predicate, branching_claim};
use tertium_support::{Diagnostic, Diagnostics, Source, Span, nearest_names};

/// A formula and the meaning of its propositions.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The formula. Its propositions are names, or texts of comparisons.
    pub formula: Formula,
    /// What each proposition means, in the order of first occurrence.
    pub atoms: IndexMap<String, Term>,
}

impl Resolved {
    /// What the formula says of every reachable state and nothing else; nothing if it is of another form than `AG f`.
    pub fn claim(&self, terms: &Terms) -> Option<Predicate> {
        let holds = branching_claim(terms, &self.formula, &|name| self.atoms.get(name).copied())?;
        Some(Predicate::plain(terms, holds))
    }
}

/// A formula of linear time and the meaning of its propositions.
#[derive(Clone, Debug)]
pub struct ResolvedLinear {
    /// The formula. Its propositions are names, or texts of comparisons.
    pub formula: Ltl,
    /// What each proposition means, in the order of first occurrence.
    pub atoms: IndexMap<String, Term>,
}

/// What a property means.
#[derive(Clone, Debug)]
pub enum PropertyMeaning {
    /// In branching time.
    Branching(Resolved),
    /// In linear time.
    Linear(ResolvedLinear),
}

impl PropertyMeaning {
    /// What its propositions mean.
    pub fn atoms(&self) -> &IndexMap<String, Term> {
        match self {
            Self::Branching(meaning) => &meaning.atoms,
            Self::Linear(meaning) => &meaning.atoms,
        }
    }

    /// The formula of branching time, if it is one.
    pub fn branching(&self) -> Option<&Resolved> {
        match self {
            Self::Branching(meaning) => Some(meaning),
            Self::Linear(_) => None,
        }
    }
}

/// The word before formulas of linear time.
const LINEAR: &str = "LTLSPEC";

impl Model {
    /// Reads a formula about this model that stands in a text of its own.
    pub fn formula(&self, source: &Source) -> Result<Resolved, Diagnostics> {
        resolve(&self.program.terms, &self.names, source, Span::new(0, source.text().len()))
    }

    /// Reads a formula of linear time, which stands in a text of its own behind the word `LTLSPEC`. Nothing if the text does not begin
    /// with that word.
    pub fn linear_formula(&self, source: &Source) -> Option<Result<ResolvedLinear, Diagnostics>> {
        let part = linear_part(source, Span::new(0, source.text().len()))?;
        Some(resolve_linear(&self.program.terms, &self.names, source, part))
    }
}

/// The part of a text behind the word for formulas of linear time; nothing if it does not begin with that word.
pub(crate) fn linear_part(source: &Source, part: Span) -> Option<Span> {
    let text = &source.text()[part.range()];
    let start = text.len() - text.trim_start().len();
    let is_linear = text[start..start + name_length(&text[start..])] == *LINEAR;
    is_linear.then(|| Span::new(part.start + start + LINEAR.len(), part.end))
}

/// Reads the formula of linear time in a part of a text.
pub(crate) fn resolve_linear(
    terms: &Terms,
    names: &Names,
    source: &Source,
    part: Span,
) -> Result<ResolvedLinear, Diagnostics> {
    let formula = parse_ltl_with_atoms(source, part, &atom_end)
        .map_err(|found| with_quantifiers(source, part, found))?;
    let atoms = meanings_of(terms, names, source, formula.propositions(), None)?;
    Ok(ResolvedLinear { formula, atoms })
}

/// Reads the formula in a part of a text.
pub(crate) fn resolve(
    terms: &Terms,
    names: &Names,
    source: &Source,
    part: Span,
) -> Result<Resolved, Diagnostics> {
    let formula =
        parse_with_atoms(source, part, &atom_end).map_err(|found| with_quantifiers(source, part, found))?;
    let atoms = meanings(terms, names, source, &formula, None)?;
    Ok(Resolved { formula, atoms })
}

/// What is wrong with a formula, and what quantifiers in it could have to do with that.
fn with_quantifiers(source: &Source, part: Span, mut found: Diagnostics) -> Diagnostics {
    let mut words = source.text()[part.range()].split(|c: char| !c.is_alphanumeric() && c != '_');
    if words.any(|word| ["forall", "exists"].contains(&word))
        && let Some(first) = found.first_mut()
    {
        first.notes.push(
            "what a quantifier is about, `forall i in 1..3: …`, speaks of one state and reaches as far as it can: temporal operators \
             stand before it, and brackets end it"
                .to_owned(),
        );
    }
    found
}

/// What the propositions of a formula mean, but one that is none of the model.
pub(crate) fn meanings(
    terms: &Terms,
    names: &Names,
    source: &Source,
    formula: &Formula,
    besides: Option<&str>,
) -> Result<IndexMap<String, Term>, Diagnostics> {
    let atoms = meanings_of(terms, names, source, formula.propositions(), besides);
    let (atoms, mut complaints) = match atoms {
        Ok(atoms) => (atoms, Vec::new()),
        Err(complaints) => (IndexMap::new(), complaints),
    };
    for (action, span) in formula.action_labels() {
        if action != UNNAMED_ACTION && !names.actions.contains(action) {
            let complaint = Diagnostic::error(span, format!("no command has the action `{action}`"));
            complaints.push(with_near(complaint, action, names.actions.iter().map(String::as_str)));
        }
    }
    if complaints.is_empty() { Ok(atoms) } else { Err(complaints) }
}

/// What propositions mean, but one that is none of the model.
fn meanings_of<'f>(
    terms: &Terms,
    names: &Names,
    source: &Source,
    propositions: impl IntoIterator<Item = (&'f str, Span)>,
    besides: Option<&str>,
) -> Result<IndexMap<String, Term>, Diagnostics> {
    let mut atoms = IndexMap::new();
    let mut complaints = Vec::new();
    for (name, span) in propositions {
        if atoms.contains_key(name) || besides == Some(name) {
            continue;
        }
        match atom(terms, names, source, name, span) {
            Ok(term) => {
                atoms.insert(name.to_owned(), term);
            }
            Err(found) => complaints.extend(found),
        }
    }
    if complaints.is_empty() { Ok(atoms) } else { Err(complaints) }
}

/// Where the atom of our language that begins at `start` ends, if one does.
pub(crate) fn atom_end(text: &str, start: usize) -> Option<usize> {
    read_each(text, start).or_else(|| read_comparison(text, start)).or_else(|| {
        let length = name_length(&text[start..]);
        text[start..start + length].contains('.').then_some(start + length)
    })
}

/// The truth value that an atom is.
pub(crate) fn atom(
    terms: &Terms,
    names: &Names,
    source: &Source,
    name: &str,
    span: Span,
) -> Result<Term, Diagnostics> {
    if name_length(name) == name.len() && !name.is_empty() {
        return named(terms, names, name, span).map_err(|complaint| vec![complaint]);
    }
    // Usually the proposition is the very text; if not, it was quoted or broken over lines, and complaints are about the whole of it.
    let verbatim = source.text().get(span.range()) == Some(name);
    let place = |complaint: Diagnostic| Diagnostic {
        span: if verbatim {
            Span::new(span.start + complaint.span.start, span.start + complaint.span.end)
        } else {
            span
        },
        related: Vec::new(),
        ..complaint
    };
    let placed = |complaints: Diagnostics| complaints.into_iter().map(place).collect::<Diagnostics>();
    let (expression, end) = tertium_expr::read(name, 0).map_err(|complaint| placed(vec![*complaint]))?;
    if end != name.len() {
        return Err(vec![Diagnostic::error(
            span,
            format!("`{name}` is neither a proposition nor an expression"),
        )]);
    }
    let view = View::in_formula(names);
    forbidden(&expression, &view).map_err(placed)?;
    expression.lower_to(terms, &view, &Sort::Bool).map_err(placed)
}

/// The truth value that a name stands for.
fn named(terms: &Terms, names: &Names, name: &str, span: Span) -> Result<Term, Diagnostic> {
    match names.get(name).map(|known| known.meaning) {
        Some(Meaning::Proposition(term)) => Ok(term),
        Some(Meaning::Variable(_, term) | Meaning::Value(term)) => match terms.sort(term) {
            Sort::Bool => Ok(term),
            sort => Err(Diagnostic::error(span, format!("`{name}` is of type {sort}, and no proposition"))
                .with_note(format!("compare it with a value, such as `{name} = …`"))),
        },
        None => {
            let complaint =
                Diagnostic::error(span, format!("there is no proposition or Boolean variable `{name}`"));
            let known = names.iter().filter(|(_, known)| terms.sort(known.meaning.term()) == Sort::Bool);
            Err(with_near(complaint, name, known.map(|(name, _)| name)))
        }
    }
}

/// The complaint with the names that are near, if there are any.
pub(crate) fn with_near<'n>(
    complaint: Diagnostic,
    unknown: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> Diagnostic {
    match nearest_names(unknown, known)[..] {
        [] => complaint,
        ref near => complaint.with_note(format!("similar names: `{}`", near.join("`, `"))),
    }
}
