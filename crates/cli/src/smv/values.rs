//! Cubes of codes as expressions in the user's variables and values.
//!
//! The texts are expressions of the language of the file, so that they can stand in a property.

use tertium_front_smv::{Encoded, Type, Value, VarId, value_text};
use tertium_query::{Cube, Intervals};
use tertium_report::{SolutionReport, ValuesReport};
use tertium_support::Id;

/// So many integers or words in a row are listed; more are shown as an interval.
const LISTED: u64 = 16;

/// Names and values for the columns of a table.
pub(super) struct Table<'a, 'm> {
    pub(super) encoded: &'a Encoded<'m>,
    pub(super) variables: Vec<VarId>,
}

/// Some values of a variable, as they are written.
enum Piece {
    One(String),
    Row(String, String),
}

impl Table<'_, '_> {
    /// The names of the columns.
    pub(super) fn names(&self) -> Vec<String> {
        self.variables.iter().map(|&id| self.name(id).to_owned()).collect()
    }

    /// A cube as an expression.
    pub(super) fn cube(&self, cube: &Cube) -> SolutionReport {
        let (mut texts, mut values) = (Vec::new(), Vec::new());
        for (&id, intervals) in self.variables.iter().zip(&cube.0) {
            let Some(intervals) = intervals else { continue };
            let pieces = self.pieces(id, intervals);
            texts.push(self.text(id, &pieces));
            let shown = pieces.iter().map(|piece| match piece {
                Piece::One(value) => value.clone(),
                Piece::Row(first, last) => format!("{first}..{last}"),
            });
            values.push(ValuesReport { variable: self.name(id).to_owned(), values: shown.collect() });
        }
        let text = if texts.is_empty() { "TRUE".to_owned() } else { texts.join(" & ") };
        SolutionReport { text, cubes: vec![values] }
    }

    /// Cubes as one disjunction.
    pub(super) fn union(&self, cubes: &[Cube]) -> SolutionReport {
        let parts: Vec<SolutionReport> = cubes.iter().map(|cube| self.cube(cube)).collect();
        let texts: Vec<String> = parts.iter().map(|part| part.text.clone()).collect();
        let text = match texts.as_slice() {
            [] => "FALSE".to_owned(),
            [one] => one.clone(),
            _ => texts.join(" | "),
        };
        SolutionReport { text, cubes: parts.into_iter().flat_map(|part| part.cubes).collect() }
    }

    fn name(&self, id: VarId) -> &str {
        &self.encoded.flat().variables[id.index()].name
    }

    fn ty(&self, id: VarId) -> &Type {
        &self.encoded.flat().variables[id.index()].ty
    }

    fn value(&self, id: VarId, code: u64) -> String {
        let value = self.encoded.value(id, code).expect("codes of solutions stand for values");
        value_text(self.encoded.flat(), value)
    }

    fn pieces(&self, id: VarId, intervals: &Intervals) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for &(first, last) in intervals {
            let halves = match *self.ty(id) {
                // Codes of negative words come after those of the others.
                Type::Word { width, signed: true }
                    if first < 1 << (width - 1) && last >= 1 << (width - 1) =>
                {
                    vec![(first, (1 << (width - 1)) - 1), (1 << (width - 1), last)]
                }
                _ => vec![(first, last)],
            };
            for (first, last) in halves {
                if matches!(self.ty(id), Type::Enumeration(_)) || last - first < LISTED {
                    pieces.extend((first..=last).map(|code| Piece::One(self.value(id, code))));
                } else {
                    pieces.push(Piece::Row(self.value(id, first), self.value(id, last)));
                }
            }
        }
        pieces
    }

    fn text(&self, id: VarId, pieces: &[Piece]) -> String {
        let name = self.name(id);
        if let (Type::Boolean, [Piece::One(value)]) = (self.ty(id), pieces) {
            let is_true = *value == value_text(self.encoded.flat(), Value::Boolean(true));
            return if is_true { name.to_owned() } else { format!("!{name}") };
        }
        let single: Vec<&str> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::One(value) => Some(value.as_str()),
                Piece::Row(..) => None,
            })
            .collect();
        let mut parts: Vec<String> = Vec::new();
        match single.as_slice() {
            [] => {}
            [one] => parts.push(format!("{name} = {one}")),
            many => parts.push(format!("{name} in {{{}}}", many.join(", "))),
        }
        for piece in pieces {
            if let Piece::Row(first, last) = piece {
                parts.push(match self.ty(id) {
                    Type::Word { .. } => format!("{name} >= {first} & {name} <= {last}"),
                    _ => format!("{name} in {first}..{last}"),
                });
            }
        }
        if parts.len() == 1 { parts.swap_remove(0) } else { format!("({})", parts.join(" | ")) }
    }
}
