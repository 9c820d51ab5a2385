//! The encodings of a model: one for each part that specifications are checked on, made when the first of them asks.
//!
//! A part is a cone of influence that some specifications share, or the whole model. What can be without meaning in some
//! state is in every part, so it does not matter which one is encoded first: a model without meaning is refused before any answer.

use crate::failure::Failure;
use crate::input::{read_file, text};
use crate::settings::SymbolicSettings;
use std::cell::OnceCell;
use tertium_front_smv::{
    EncodeError, EncodeOptions, Encoded, FlatModel, SharedCone, Specification, VariableOrder, encode,
    read_order, share_cones,
};
use tertium_support::Context;

/// The order is first improved at this many nodes.
const REORDER_FROM: usize = 200_000;

/// How a model is encoded, as the settings say.
pub(super) fn encode_options(
    context: &Context,
    model: &FlatModel,
    settings: &SymbolicSettings,
) -> Result<EncodeOptions, Failure> {
    let order = match &settings.order {
        None => VariableOrder::default(),
        Some(path) => {
            let source = text(path.display().to_string(), read_file(context, path)?)?;
            let given = read_order(model, &source)
                .map_err(|complaints| Failure::Faulty(Box::new(source.clone()), complaints))?;
            VariableOrder::Given(given)
        }
    };
    Ok(EncodeOptions {
        order,
        node_limit: settings.nodes,
        reorder_from: (!settings.keep_order).then_some(REORDER_FROM),
        ..Default::default()
    })
}

/// One part of a model.
pub(super) struct Part<'a> {
    /// The variables and the specifications.
    pub(super) cone: SharedCone,
    made: OnceCell<Result<Encoding<'a>, EncodeError>>,
}

/// A part as decision diagrams.
pub(super) struct Encoding<'a> {
    pub(super) encoded: Encoded<'a>,
    /// Specifications whose propositions have no meaning in some state.
    faulty: Vec<(usize, EncodeError)>,
}

impl Encoding<'_> {
    /// What is wrong with a specification of this part, if anything is.
    pub(super) fn fault(&self, specification: usize) -> Option<&EncodeError> {
        self.faulty.iter().find(|(of, _)| *of == specification).map(|(_, error)| error)
    }
}

/// All parts. The last is the whole model, and need not have specifications of its own.
pub(super) struct Parts<'a> {
    context: &'a Context,
    model: &'a FlatModel,
    specifications: &'a [&'a Specification],
    options: EncodeOptions,
    parts: Vec<Part<'a>>,
}

impl<'a> Parts<'a> {
    /// The parts that the cones of the specifications make.
    pub(super) fn by_cone(
        context: &'a Context,
        model: &'a FlatModel,
        specifications: &'a [&'a Specification],
        options: EncodeOptions,
    ) -> Self {
        let mut cones = share_cones(model, specifications);
        // There is one whole model at most, since equal parts are shared.
        cones.sort_by_key(|cone| cone.keep.is_none());
        let whole = SharedCone { keep: None, specifications: Vec::new() };
        cones.extend(cones.last().is_none_or(|last| last.keep.is_some()).then_some(whole));
        let part = |cone| Part { cone, made: OnceCell::new() };
        Self { context, model, specifications, options, parts: cones.into_iter().map(part).collect() }
    }

    /// The whole model only.
    pub(super) fn whole(
        context: &'a Context,
        model: &'a FlatModel,
        specifications: &'a [&'a Specification],
        options: EncodeOptions,
    ) -> Self {
        let cone = SharedCone { keep: None, specifications: (0..specifications.len()).collect() };
        Self { context, model, specifications, options, parts: vec![Part { cone, made: OnceCell::new() }] }
    }

    /// How many parts there are.
    pub(super) fn len(&self) -> usize {
        self.parts.len()
    }

    /// The number of the part on which a specification is checked.
    pub(super) fn part_of(&self, specification: usize) -> usize {
        let holds = |part: &Part<'_>| part.cone.specifications.contains(&specification);
        self.parts.iter().position(holds).unwrap_or(self.parts.len() - 1)
    }

    /// Whether a part is the whole model.
    pub(super) fn is_whole(&self, part: usize) -> bool {
        self.parts[part].cone.keep.is_none()
    }

    /// A part as decision diagrams.
    pub(super) fn encoding(&self, part: usize) -> Result<&Encoding<'a>, EncodeError> {
        let made = self.parts[part].made.get_or_init(|| self.encode(&self.parts[part]));
        made.as_ref().map_err(Clone::clone)
    }

    fn encode(&self, part: &Part<'_>) -> Result<Encoding<'a>, EncodeError> {
        let options = EncodeOptions { keep: part.cone.keep.clone(), ..self.options.clone() };
        let mut encoded = encode(self.context, self.model, &options)?;
        let mut faulty = Vec::new();
        // On the whole model any specification may be asked about.
        let whole = part.cone.keep.is_none();
        for (index, specification) in self.specifications.iter().enumerate() {
            if !whole && !part.cone.specifications.contains(&index) {
                continue;
            }
            match encoded.register(specification) {
                Ok(()) => {}
                Err(stopped @ EncodeError::Stopped(_)) => return Err(stopped),
                Err(error) => faulty.push((index, error)),
            }
        }
        Ok(Encoding { encoded, faulty })
    }

    /// What a failed encoding means for the user.
    pub(super) fn failure(&self, error: EncodeError) -> Failure {
        match error {
            EncodeError::Stopped(reason) => Failure::Stopped(reason),
            EncodeError::Model(complaint) => {
                Failure::Faulty(Box::new(self.model.source.clone()), vec![*complaint])
            }
        }
    }
}
