//! Models in the SMV language: `.smv`.

#[cfg(test)]
mod agreement;
mod encodings;
mod listed;
mod query;
mod replay;
mod shown;

use self::encodings::Parts;
use self::listed::Listed;
use super::begins_with;
use crate::{
    Encodings, Format, FoundSystem, Halt, Input, ListedStates, Logic, Model, OffersQueries, OffersRuns,
    OffersStates, OffersSymbolic, OffersSystem, OffersTerms, Property, PropertyId, Read, ReadOptions,
    SymbolicOptions, TermClaim,
};
use std::rc::Rc;
use std::sync::Arc;
use tertium_evidence::{Origin, PropertyName};
use tertium_explore::list;
use tertium_front_smv::{
    Fault, FlatModel, Interpreter, Outline, SmvSpace, Specification, SpecificationKind, cone_of_influence,
    formula_text, lower_part, ltl_text, read_property, read_within,
};
use tertium_report::Comments;
use tertium_support::{Context, Diagnostics, Id, Source};
use tertium_system::{StateGraph, Stop};

/// The row of the table.
pub(crate) const SMV: Format = Format {
    name: "smv",
    title: "NuSMV",
    extensions: &["smv"],
    has_properties: true,
    modal: false,
    has_parameters: false,
    preprocessing: None,
    on_machine: false,
    written_as: "pts",
    looks_like: |bytes| begins_with(bytes, "--", &["MODULE"]),
    read: read_smv,
};

fn read_smv(context: &Context, input: Input, _: &ReadOptions) -> Result<Read, Halt> {
    context.poll()?;
    // Comments may be in any encoding; elsewhere the reader refuses what is not UTF-8, which it finds as replacement characters.
    let text = String::from_utf8(input.bytes);
    let text = text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    let source = Source::new(input.name, text);
    let (flat, warnings) =
        read_within(context, source.clone()).map_err(|error| Halt::unread(error, &source))?;
    Ok((Box::new(Smv::new(flat)), warnings))
}

/// A flat model with its properties.
pub(crate) struct Smv {
    pub(crate) flat: FlatModel,
    properties: Vec<Property>,
    /// By property.
    pub(crate) specifications: Vec<Specification>,
    outline: Rc<Outline>,
}

impl Smv {
    fn new(flat: FlatModel) -> Self {
        let specifications = flat.specifications.clone();
        let outline = Rc::new(Outline::new(&flat));
        let mut model = Self { flat, properties: Vec::new(), specifications, outline };
        for index in 0..model.specifications.len() {
            let own = &model.specifications[index];
            let given = own.name.clone().unwrap_or_else(|| (index + 1).to_string());
            let line = model.flat.source.line(own.span.start);
            let property = model.property(given, own, model.flat.source.clone(), Some(line));
            model.properties.push(property);
        }
        model
    }

    /// A property that says something else in the same propositions.
    fn specification(&self, property: PropertyId, logic: &Logic) -> Specification {
        Specification { kind: kind(logic), ..self.specifications[property.index()].clone() }
    }

    fn property(&self, given: String, own: &Specification, source: Source, line: Option<usize>) -> Property {
        let place = if own.instance.is_empty() { String::new() } else { format!("  IN {}", own.instance) };
        Property {
            name: PropertyName {
                file: self.flat.source.name().to_owned(),
                given,
                label: own.name.clone(),
                text: format!("{}{place}", own.text),
                line,
            },
            source,
            logic: logic(&own.kind),
        }
    }
}

fn logic(kind: &SpecificationKind) -> Logic {
    match kind.clone() {
        SpecificationKind::Ctl(formula) => Logic::Branching(formula),
        SpecificationKind::Invariant(formula) => Logic::Invariant(formula),
        SpecificationKind::Ltl(formula) => Logic::Linear(formula),
        SpecificationKind::ComputeMinimum(from, to) => Logic::Shortest(from, to),
        SpecificationKind::ComputeMaximum(from, to) => Logic::Longest(from, to),
    }
}

fn kind(logic: &Logic) -> SpecificationKind {
    match logic.clone() {
        Logic::Branching(formula) => SpecificationKind::Ctl(formula),
        Logic::Invariant(formula) => SpecificationKind::Invariant(formula),
        Logic::Linear(formula) => SpecificationKind::Ltl(formula),
        Logic::Shortest(from, to) => SpecificationKind::ComputeMinimum(from, to),
        Logic::Longest(from, to) => SpecificationKind::ComputeMaximum(from, to),
    }
}

impl Model for Smv {
    fn source(&self) -> &Source {
        &self.flat.source
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn read_property(
        &mut self,
        name: PropertyName,
        source: &Source,
    ) -> Result<(PropertyId, Diagnostics), Diagnostics> {
        let own = read_property(&self.flat, source)?;
        let mut property = self.property(name.given, &own, source.clone(), None);
        property.name.label = name.label.or(property.name.label);
        self.properties.push(property);
        self.specifications.push(own);
        Ok((PropertyId::new(self.properties.len() - 1), Vec::new()))
    }

    fn comments(&self) -> Comments {
        Comments::Model
    }

    fn system(&self) -> Option<&dyn OffersSystem> {
        // Systems have no fairness: with it, their verdicts would be other ones.
        let is_fair = !self.flat.justice.is_empty() || !self.flat.compassion.is_empty();
        (!is_fair).then_some(self)
    }

    fn text(&self, logic: &Logic) -> String {
        match logic {
            Logic::Branching(formula) | Logic::Invariant(formula) => formula_text(formula),
            Logic::Linear(formula) => ltl_text(formula),
            Logic::Shortest(from, to) => format!("MIN [{}, {}]", formula_text(from), formula_text(to)),
            Logic::Longest(from, to) => format!("MAX [{}, {}]", formula_text(from), formula_text(to)),
        }
    }

    fn symbolic(&self) -> Option<&dyn OffersSymbolic> {
        Some(self)
    }

    fn queries(&self) -> Option<&dyn OffersQueries> {
        Some(self)
    }

    fn terms(&self) -> Option<&dyn OffersTerms> {
        Some(self)
    }

    fn states(&self) -> Option<&dyn OffersStates> {
        Some(self)
    }

    fn runs(&self) -> Option<&dyn OffersRuns> {
        Some(self)
    }
}

impl OffersSymbolic for Smv {
    fn encode<'m>(
        &'m self,
        context: &'m Context,
        properties: &[PropertyId],
        options: &SymbolicOptions,
    ) -> Result<Box<dyn Encodings + 'm>, Halt> {
        Ok(Box::new(Parts::new(context, self, properties, options)?))
    }
}

impl OffersTerms for Smv {
    fn with_claim(&self, property: PropertyId, logic: &Logic, work: &mut dyn FnMut(TermClaim<'_>)) {
        let specification = &self.specification(property, logic);
        let cone = cone_of_influence(&self.flat, &self.outline, specification);
        let keep = (cone.len() < self.flat.variables.len()).then_some(&cone);
        let lowered = lower_part(&self.flat, &self.outline, keep);
        if let Some(claim) = lowered.claim(specification) {
            work(TermClaim { terms: lowered.terms(), system: lowered.system(), claim: &claim });
        }
    }
}

impl OffersStates for Smv {
    fn list<'m>(&'m self, context: &'m Context, most: usize) -> Result<Box<dyn ListedStates + 'm>, Halt> {
        Ok(Box::new(Listed::new(context, self, most)?))
    }
}

impl OffersSystem for Smv {
    fn system(&self, context: &Context, properties: &[PropertyId], most: usize) -> Result<FoundSystem, Halt> {
        let space = SmvSpace::new(context, Arc::new(Interpreter::new(&self.flat)));
        let listing = list(context, &space, most).map_err(|stop| failure(&self.flat, stop))?;
        if let Some(reason) = listing.stopped() {
            return Err(Halt::Stopped(reason));
        }
        if !listing.is_complete() {
            return Err(Halt::Refused(format!(
                "{} has too many states to list them: {} were found; use --engine symbolic",
                self.flat.source.name(),
                listing.n_states()
            )));
        }
        let atoms = properties.iter().flat_map(|property| &self.specifications[property.index()].atoms);
        let atoms: Vec<_> = atoms.cloned().collect();
        let system = space.to_system(context, &listing, &atoms);
        let system = system.map_err(|halt| failure(&self.flat, halt.into()))?;
        Ok(FoundSystem::named_by_itself(Arc::new(system), Origin::Model, Vec::new()))
    }

    fn is_given(&self) -> bool {
        false
    }

    fn is_bounded(&self) -> bool {
        true
    }
}

/// What it means for the user that states could not be listed or evaluated.
fn failure(flat: &FlatModel, stop: Stop<Fault>) -> Halt {
    match stop {
        Stop::Limit(reason) => Halt::Stopped(reason),
        Stop::Fault(fault) => Halt::faulty(&flat.source, vec![fault.diagnostic(flat)]),
    }
}
