//! The parts of a model as decision diagrams: one for each cone of influence that properties share, made when the first of them
//! asks.
//!
//! What can be without meaning in some state is in every part, so it does not matter which one is encoded first: a model without
//! meaning is refused before any answer. Evidence from a part is completed to the whole model.

use super::Smv;
use super::shown::shown;
use crate::{Encodings, Halt, Logic, PartTerms, PropertyId, Shown, SymbolicOptions, TermClaim};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use tertium_check::symbolic::{Codes, SymbolicEvidence};
use tertium_front_smv::{
    Completion, EncodeError, EncodeOptions, Encoded, Evidence, FlatModel, Input, Interpreter, Lowered,
    SharedCone, Specification, State, Value, VarKind, VariableOrder, encode_lowered, lower_part, read_order,
    share_cones, write_order,
};
use tertium_support::{Context, Id, Source};
use tertium_system::SymbolicModel;

/// The order is first improved at this many nodes.
const REORDER_FROM: usize = 200_000;
/// Evidence that is completed may have this many states.
const LONGEST_COMPLETED: usize = 2_000;

/// How a model is encoded.
pub(crate) fn encode_options(flat: &FlatModel, options: &SymbolicOptions) -> Result<EncodeOptions, Halt> {
    let order = match &options.order {
        None => VariableOrder::default(),
        Some(source) => {
            VariableOrder::Given(read_order(flat, source).map_err(|found| Halt::faulty(source, found))?)
        }
    };
    Ok(EncodeOptions {
        order,
        node_limit: options.nodes,
        reorder_from: (!options.keep_order).then_some(REORDER_FROM),
        ..Default::default()
    })
}

/// What a failed encoding means for the user.
pub(crate) fn failure(error: EncodeError, source: &Source) -> Halt {
    match error {
        EncodeError::Stopped(reason) => Halt::Stopped(reason),
        EncodeError::Model(complaint) => Halt::faulty(source, vec![*complaint]),
    }
}

/// One part of a model.
struct Part<'m> {
    cone: SharedCone,
    /// Its terms, until they become diagrams.
    lowered: RefCell<Option<Lowered<'m>>>,
    made: OnceCell<Result<Encoding<'m>, EncodeError>>,
}

/// A part as decision diagrams.
struct Encoding<'m> {
    encoded: Encoded<'m>,
    /// Properties whose propositions have no meaning in some state.
    faulty: FxHashMap<PropertyId, EncodeError>,
}

/// All parts.
pub(crate) struct Parts<'m> {
    context: &'m Context,
    model: &'m Smv,
    interpreter: OnceCell<Interpreter<'m>>,
    asked: Vec<PropertyId>,
    options: EncodeOptions,
    parts: Vec<Part<'m>>,
    part_of: FxHashMap<PropertyId, usize>,
}

impl<'m> Parts<'m> {
    pub(super) fn new(
        context: &'m Context,
        model: &'m Smv,
        asked: &[PropertyId],
        options: &SymbolicOptions,
    ) -> Result<Self, Halt> {
        let specifications: Vec<&Specification> =
            asked.iter().map(|property| &model.specifications[property.index()]).collect();
        // An order that is given back is one of all variables.
        let mut cones = if options.whole_model || options.give_order {
            Vec::new()
        } else {
            share_cones(&model.flat, &model.outline, &specifications)
        };
        // There is one whole model at most, since equal parts are shared.
        cones.sort_by_key(|cone| cone.keep.is_none());
        if cones.last().is_none_or(|last| last.keep.is_some()) {
            cones.push(SharedCone { keep: None, specifications: Vec::new() });
        }
        let mut part_of = FxHashMap::default();
        for (part, cone) in cones.iter().enumerate() {
            part_of.extend(cone.specifications.iter().map(|&at| (asked[at], part)));
        }
        let part = |cone| Part { cone, lowered: RefCell::default(), made: OnceCell::new() };
        Ok(Self {
            context,
            model,
            interpreter: OnceCell::new(),
            asked: asked.to_vec(),
            options: encode_options(&model.flat, options)?,
            parts: cones.into_iter().map(part).collect(),
            part_of,
        })
    }

    fn encoding(&self, part: usize) -> Result<&Encoding<'m>, Halt> {
        let made = self.parts[part].made.get_or_init(|| self.encode(&self.parts[part]));
        made.as_ref().map_err(|error| failure(error.clone(), &self.model.flat.source))
    }

    fn interpreter(&self) -> &Interpreter<'m> {
        self.interpreter.get_or_init(|| Interpreter::new(&self.model.flat))
    }

    fn lower(&self, part: &Part<'_>) -> Lowered<'m> {
        lower_part(&self.model.flat, &self.model.outline, part.cone.keep.as_ref())
    }

    fn encode(&self, part: &Part<'m>) -> Result<Encoding<'m>, EncodeError> {
        let lowered = part.lowered.take().unwrap_or_else(|| self.lower(part));
        let mut encoded = encode_lowered(self.context, lowered, &self.options)?;
        let mut faulty = FxHashMap::default();
        // On the whole model any property may be asked about.
        let all: Vec<PropertyId> = match part.cone.keep {
            None => self.asked.clone(),
            Some(_) => part.cone.specifications.iter().map(|&at| self.asked[at]).collect(),
        };
        for property in all {
            match encoded.register(&self.model.specifications[property.index()]) {
                Ok(()) => {}
                Err(stopped @ EncodeError::Stopped(_)) => return Err(stopped),
                Err(error) => {
                    faulty.insert(property, error);
                }
            }
        }
        Ok(Encoding { encoded, faulty })
    }
}

/// Evidence with the values that codes stand for.
pub(super) fn decoded(encoded: &Encoded<'_>, evidence: SymbolicEvidence) -> Option<Evidence> {
    let values = |codes: Codes, inputs: bool| -> Box<[Value]> {
        let variables = &encoded.flat().variables;
        let of_sort = encoded
            .variables()
            .iter()
            .filter(|variable| (variables[variable.index()].kind == VarKind::Input) == inputs);
        let value = |(variable, code): (&_, u64)| {
            encoded.value(*variable, code).expect("codes of states and inputs stand for values")
        };
        of_sort.zip(codes).map(value).collect()
    };
    let mut state = |codes: Codes| Ok::<_, std::convert::Infallible>(State(values(codes, false)));
    let mut step = |codes: Codes| Ok::<_, std::convert::Infallible>(Input(values(codes, true)));
    let Ok(decoded) = evidence.try_map(&mut state, &mut step);
    decoded
}

impl Encodings for Parts<'_> {
    fn n_parts(&self) -> usize {
        self.parts.len()
    }

    fn part_of(&self, property: PropertyId) -> usize {
        self.part_of.get(&property).copied().unwrap_or(self.parts.len() - 1)
    }

    fn check_model(&self, part: usize) -> Result<(), Halt> {
        let own = &self.parts[part];
        if own.made.get().is_none() {
            // Diagrams wait until they are asked for, if the terms tell enough.
            let lowered = own.lowered.take().unwrap_or_else(|| self.lower(own));
            let is_plain = lowered.has_plain_meaning();
            own.lowered.replace(Some(lowered));
            if is_plain {
                return Ok(());
            }
        }
        self.encoding(part).map(|_| ())
    }

    fn model(&self, part: usize, property: PropertyId) -> Result<&SymbolicModel, Halt> {
        let encoding = self.encoding(part)?;
        match encoding.faulty.get(&property) {
            None => Ok(&encoding.encoded.model),
            Some(error) => Err(failure(error.clone(), &self.model.properties[property.index()].source)),
        }
    }

    fn n_variables(&self, part: usize) -> (usize, usize) {
        let all = self.model.flat.variables.len();
        let own = self.encoding(part).map_or(all, |encoding| encoding.encoded.variables().len());
        (own, all)
    }

    fn show<'s>(
        &'s self,
        part: usize,
        property: PropertyId,
        logic: &Logic,
        evidence: SymbolicEvidence,
        holds: bool,
    ) -> Result<Option<Shown<'s>>, Halt> {
        let encoded = &self.encoding(part)?.encoded;
        let Some(mut evidence) = decoded(encoded, evidence) else { return Ok(None) };
        if self.parts[part].cone.keep.is_some() {
            let mut completion = Completion::new(self.interpreter(), encoded.variables(), LONGEST_COMPLETED);
            let completed = match &evidence {
                Evidence::Trace(trace) => completion.trace(trace).map(|trace| trace.map(Evidence::Trace)),
                Evidence::Tree(tree) => completion.tree(tree).map(|tree| tree.map(Evidence::Tree)),
                _ => Ok(None),
            };
            let flat = &self.model.flat;
            let completed =
                completed.map_err(|fault| Halt::faulty(&flat.source, vec![fault.diagnostic(flat)]))?;
            match completed {
                Some(completed) => evidence = completed,
                None => return Ok(None),
            }
        }
        Ok(shown(self.interpreter(), self.model.specification(property, logic), evidence, holds))
    }

    fn with_terms(
        &self,
        part: usize,
        property: PropertyId,
        logic: &Logic,
        work: &mut dyn FnMut(PartTerms<'_>),
    ) {
        let Ok(Encoding { encoded, .. }) = self.encoding(part) else { return };
        let lowered = encoded.lowered();
        if let Some(claim) = lowered.claim(&self.model.specification(property, logic)) {
            let claim = TermClaim { terms: lowered.terms(), system: lowered.system(), claim: &claim };
            work(PartTerms { claim, bits: &lowered.bits(encoded) });
        }
    }

    fn order(&self) -> Result<String, Halt> {
        let whole = self.encoding(self.parts.len() - 1)?;
        Ok(write_order(&self.model.flat, &whole.encoded.order()))
    }
}
