//! Queries about the variables of a model in the SMV language: on the cone of influence of the query, or on the whole model.

use super::Smv;
use super::encodings::{encode_options, failure};
use crate::{AskedOf, Halt, Notation, OffersQueries, QueriedDiagrams, QueryColumn, ReadQuery, Sort, Within};
use std::rc::Rc;
use tertium_front_smv::{
    EncodeOptions, Encoded, SpecificationKind, Type, VarId, VarKind, cone_of_query, encode, read_query,
    value_text,
};
use tertium_query::Placeholder;
use tertium_support::{Context, Id, Source};

/// How conditions are written.
const SMV_NOTATION: Notation = Notation { and: " & ", or: " | ", yes: "TRUE", no: "FALSE", bracketed: false };

impl OffersQueries for Smv {
    fn query<'m>(
        &'m self,
        context: &'m Context,
        source: &Source,
        within: Within<'_>,
    ) -> Result<ReadQuery<'m>, Halt> {
        let model = &self.flat;
        let query = read_query(model, source).map_err(|complaints| Halt::faulty(source, complaints))?;
        let SpecificationKind::Ctl(formula) = &query.specification.kind else {
            return Err(Halt::Refused("queries are formulas of CTL".to_owned()));
        };
        let cone = cone_of_query(model, &query);
        // Initial states are told apart, counted and printed by all variables.
        let whole_model = within.symbolic.whole_model || within.whole_states;
        let options = EncodeOptions {
            keep: (!whole_model && cone.len() < model.variables.len()).then_some(cone),
            ..encode_options(model, within.symbolic)?
        };
        let mut encoded = encode(context, model, &options).map_err(|error| failure(error, &model.source))?;
        encoded.register(&query.specification).map_err(|error| failure(error, source))?;
        let places: Vec<usize> = query.variables.iter().filter_map(|&id| encoded.symbolic(id)).collect();
        let placeholder = Placeholder::new(&mut encoded.model, &query.placeholder, &places)?;
        let encoded = Rc::new(encoded);
        let is_state = |id: &&VarId| model.variables[id.index()].kind != VarKind::Input;
        let states = encoded.variables().iter().filter(is_state);
        Ok(ReadQuery {
            formula: formula.clone(),
            columns: query.variables.iter().map(|&id| column(&encoded, id)).collect(),
            notation: SMV_NOTATION,
            asked_of: AskedOf::Diagrams(Box::new(QueriedDiagrams {
                model: encoded.model.clone(),
                placeholder,
                states: states.map(|&id| column(&encoded, id)).collect(),
            })),
        })
    }
}

fn column<'m>(encoded: &Rc<Encoded<'m>>, id: VarId) -> QueryColumn<'m> {
    let own = &encoded.flat().variables[id.index()];
    let name = own.name.clone();
    let sort = match own.ty {
        Type::Boolean => Sort::Truth(name.clone(), format!("!{name}")),
        Type::Enumeration(_) => Sort::Listed,
        Type::Word { width, signed } => Sort::Words(signed.then(|| 1 << (width - 1))),
        _ => Sort::Numbers,
    };
    let encoded = Rc::clone(encoded);
    let value = move |code| {
        let value = encoded.value(id, code).expect("codes of solutions stand for values");
        value_text(encoded.flat(), value)
    };
    QueryColumn { name, sort, value: Box::new(value) }
}
