//! The parts of a formula as the user wrote them, and their replacement.
//!
//! A part is a sub-formula at its place in the text. It can stand at several places of the tree: operators that are written
//! out (bounded ones, say) repeat their operands, and these copies are one part. Such copies are known by their equal spans.
//! Conjunctions and disjunctions of several associate to the right, so that every tail of them is a part; very long ones are left
//! as they are.
//!
//! A replacement may depend on the polarity. Below an equivalence a part has both, so there the equivalence is written as two
//! implications first. That doubles what is below, so equivalences inside several others have no parts of their own.

use crate::{Formula, Occurrence, OccurrenceId, Polarity, Syntax, occurrences};
use tertium_support::{Id, Span, define_id};

define_id!(
    /// A part; 0 is the whole.
    PartId
);

/// Chains of more operands than this stay flat.
pub(crate) const LONGEST_CHAIN: usize = 64;

/// Inside so many equivalences a further one has no parts.
const DEEPEST_EQUIVALENCE: usize = 3;

/// A part of a formula.
#[derive(Clone, Debug)]
pub struct Part {
    /// Where it stands in the text.
    pub span: Span,
    /// The part of which it is a direct one; none for the whole.
    pub parent: Option<PartId>,
    /// The direct parts, from left to right.
    pub children: Vec<PartId>,
    /// How the whole depends on it.
    pub polarity: Polarity,
    /// The places in the tree where it stands: at least one.
    places: Vec<OccurrenceId>,
    /// Whether it is no constant and no bound variable, so that it makes sense to ask whether it matters.
    pub is_question: bool,
}

/// A formula with its parts.
#[derive(Clone, Debug)]
pub struct Written<F = Formula> {
    formula: F,
    parts: Vec<Part>,
    /// For each occurrence, the part that it is, and how many occurrences it has inside, itself included.
    nodes: Vec<(Option<PartId>, usize)>,
}

impl<F: Syntax> Written<F> {
    /// The parts of a formula.
    pub fn new(formula: &F) -> Self {
        let formula = formula.to_the_right();
        let growth = Growth::new(&formula);
        let (parts, nodes) = growth.parts();
        Self { formula, parts, nodes }
    }

    /// The formula; chains associate to the right.
    pub fn formula(&self) -> &F {
        &self.formula
    }

    /// All parts; each stands at the index of its id, parents before children.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A part.
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.index()]
    }

    /// A part as a formula.
    pub fn formula_of(&self, id: PartId) -> &F {
        let place = self.parts[id.index()].places[0];
        occurrences(&self.formula)[place.index()].formula
    }

    /// The parts that make sense to ask about and have no such part inside, from left to right: the atoms. These are
    /// propositions, and where there are none, modalities such as `<a>true`.
    pub fn atoms(&self) -> Vec<PartId> {
        let mut is_inner = vec![true; self.parts.len()];
        // Parents come before children.
        for id in self.questions().collect::<Vec<_>>().into_iter().rev() {
            if let Some(parent) = self.part(id).parent {
                is_inner[parent.index()] = false;
            }
        }
        self.questions().filter(|id| is_inner[id.index()]).collect()
    }

    /// Every part of which it makes sense to ask whether it matters.
    pub fn questions(&self) -> impl Iterator<Item = PartId> + '_ {
        PartId::first(self.parts.len()).filter(|id| self.part(*id).is_question)
    }

    /// Whether one part is inside another, or is the other.
    pub fn is_inside(&self, part: PartId, other: PartId) -> bool {
        std::iter::successors(Some(part), |&id| self.part(id).parent).any(|above| above == other)
    }

    /// The formula with some parts replaced at all their places. The replacement sees the polarity of the place, which is never mixed, and
    /// what stands there, inner parts already replaced. What comes instead has its place.
    pub fn replace(&self, parts: &[PartId], mut with: impl FnMut(PartId, Polarity, F) -> F) -> F {
        let mut touched = vec![false; self.nodes.len()];
        for part in parts {
            for place in &self.part(*part).places {
                touched[place.index()] = true;
            }
        }
        let wanted: Vec<bool> = touched.clone();
        // An occurrence is touched if something inside is.
        let mut inside: Vec<usize> = touched.iter().map(|&own| usize::from(own)).collect();
        for at in 1..inside.len() {
            inside[at] += inside[at - 1];
        }
        for at in 0..touched.len() {
            let before = if at == 0 { 0 } else { inside[at - 1] };
            touched[at] = inside[at + self.nodes[at].1 - 1] > before;
        }
        Rebuild { written: self, touched, wanted, with: &mut with }.formula(
            &self.formula,
            0,
            Polarity::Positive,
        )
    }
}

/// Finds the parts from the outside to the inside.
struct Growth<'a, F> {
    occurrences: Vec<Occurrence<'a, F>>,
    children: Vec<Vec<OccurrenceId>>,
    /// How many equivalences are around or at each occurrence.
    equivalences: Vec<usize>,
}

impl<'a, F: Syntax> Growth<'a, F> {
    fn new(formula: &'a F) -> Self {
        let occurrences = occurrences(formula);
        let mut children = vec![Vec::new(); occurrences.len()];
        let mut equivalences = vec![0; occurrences.len()];
        for occurrence in &occurrences {
            let at = occurrence.id.index();
            if let Some(parent) = occurrence.parent {
                children[parent.index()].push(occurrence.id);
                equivalences[at] = equivalences[parent.index()];
            }
            equivalences[at] += usize::from(occurrence.formula.equivalence().is_some());
        }
        Self { occurrences, children, equivalences }
    }

    fn parts(&self) -> (Vec<Part>, Vec<(Option<PartId>, usize)>) {
        let mut parts = vec![self.part(None, vec![OccurrenceId::new(0)])];
        let mut at = 0;
        while at < parts.len() {
            for places in self.direct(&parts[at].places) {
                let id = PartId::new(parts.len());
                parts[at].children.push(id);
                parts.push(self.part(Some(PartId::new(at)), places));
            }
            at += 1;
        }
        let mut nodes = vec![(None, 1); self.occurrences.len()];
        for (index, part) in parts.iter().enumerate() {
            for place in &part.places {
                nodes[place.index()].0 = Some(PartId::new(index));
            }
        }
        for occurrence in self.occurrences.iter().skip(1).rev() {
            let parent = occurrence.parent.expect("only the whole is inside nothing");
            nodes[parent.index()].1 += nodes[occurrence.id.index()].1;
        }
        (parts, nodes)
    }

    fn part(&self, parent: Option<PartId>, places: Vec<OccurrenceId>) -> Part {
        let first = &self.occurrences[places[0].index()];
        let is_question = !first.formula.is_given();
        let mixed = places.iter().any(|place| self.occurrences[place.index()].polarity != first.polarity);
        let polarity = if mixed { Polarity::Mixed } else { first.polarity };
        Part { span: first.span, parent, children: Vec::new(), polarity, places, is_question }
    }

    /// The direct parts of a part that stands at these places, each with its places.
    fn direct(&self, places: &[OccurrenceId]) -> Vec<Vec<OccurrenceId>> {
        let mut found: Vec<Vec<OccurrenceId>> = Vec::new();
        for &place in places {
            let own = self.occurrences[place.index()].span;
            let mut waiting = vec![place];
            while let Some(node) = waiting.pop() {
                if self.equivalences[node.index()] > DEEPEST_EQUIVALENCE {
                    continue;
                }
                for &child in self.children[node.index()].iter().rev() {
                    let occurrence = &self.occurrences[child.index()];
                    let placed = occurrence.span != Span::default();
                    if placed && occurrence.span == own {
                        waiting.push(child);
                        continue;
                    }
                    let same = |other: &&mut Vec<OccurrenceId>| {
                        let other = &self.occurrences[other[0].index()];
                        placed && other.span == occurrence.span && other.formula == occurrence.formula
                    };
                    match found.iter_mut().find(same) {
                        Some(part) => part.push(child),
                        None => found.push(vec![child]),
                    }
                }
            }
        }
        found.sort_by_key(|places| places.iter().map(|place| place.index()).min());
        found
    }
}

/// One replacement.
struct Rebuild<'w, F, W> {
    written: &'w Written<F>,
    /// By occurrence: whether something inside is replaced.
    touched: Vec<bool>,
    /// By occurrence: whether it is replaced itself.
    wanted: Vec<bool>,
    with: &'w mut W,
}

impl<F: Syntax, W: FnMut(PartId, Polarity, F) -> F> Rebuild<'_, F, W> {
    fn formula(&mut self, formula: &F, at: usize, polarity: Polarity) -> F {
        if !self.touched[at] {
            return formula.clone();
        }
        let operands = formula.operands();
        let mut places = Vec::with_capacity(operands.len());
        let mut place = at + 1;
        for _ in &operands {
            places.push(place);
            place += self.written.nodes[place].1;
        }
        let below = places.iter().any(|&place| self.touched[place]);
        let rebuilt = match (formula.equivalence(), operands.as_slice()) {
            _ if !below => formula.clone(),
            (Some(sign), &[f, g]) => {
                let polarity = polarity.below(sign);
                let mut implication = |(f, at_f): (&F, usize), (g, at_g): (&F, usize)| {
                    [self.formula(f, at_f, polarity.flip()), self.formula(g, at_g, polarity)]
                };
                let (f, g) = ((f, places[0]), (g, places[1]));
                let (there, back) = (implication(f, g), implication(g, f));
                formula.implications(there, back)
            }
            (_, operands) => {
                let mut rebuilt = Vec::with_capacity(operands.len());
                for (position, (operand, place)) in operands.iter().zip(places).enumerate() {
                    let polarity = polarity.below(formula.polarity_of(position));
                    rebuilt.push(self.formula(operand, place, polarity));
                }
                formula.with_operands(rebuilt)
            }
        };
        match self.written.nodes[at].0 {
            Some(part) if self.wanted[at] => (self.with)(part, polarity, rebuilt).at(formula.span()),
            _ => rebuilt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FormulaKind, Ltl, PathOperator, parse, parse_ltl};
    use tertium_support::Source;

    fn written(text: &str) -> Written {
        Written::new(&parse(&Source::new("test", text)).unwrap())
    }

    fn texts<'t>(written: &Written, text: &'t str) -> Vec<&'t str> {
        written.parts().iter().map(|part| &text[part.span.range()]).collect()
    }

    fn constant(value: bool) -> Formula {
        if value { FormulaKind::True } else { FormulaKind::False }.into()
    }

    #[test]
    fn chains_have_their_tails_as_parts() {
        let text = "AG (a || b || c)";
        let written = written(text);
        assert_eq!(texts(&written, text), [text, "a || b || c", "a", "b || c", "b", "c"]);
        let atoms: Vec<&str> =
            written.atoms().iter().map(|&id| &text[written.part(id).span.range()]).collect();
        assert_eq!(atoms, ["a", "b", "c"]);
        let tail = PartId::new(3);
        assert!(written.is_inside(PartId::new(5), tail) && !written.is_inside(PartId::new(2), tail));
        assert_eq!(written.replace(&[tail], |_, _, _| constant(false)).to_string(), "AG (a || false)");
    }

    #[test]
    fn a_replacement_sees_the_polarity_and_constants_are_no_atoms() {
        let text = "AG (!a => A[b U !c]) && true";
        let written = written(text);
        assert_eq!(written.atoms().len(), 3);
        let worst = |_, polarity, _| constant(polarity == Polarity::Negative);
        let replaced = written.replace(&written.atoms(), worst);
        assert_eq!(replaced.to_string(), "AG (!false => A[false U !true]) && true");
    }

    #[test]
    fn below_an_equivalence_both_sides_are_replaced_in_both_directions() {
        let written = written("AF (p <=> q)");
        let p = written.atoms()[0];
        let worst = |_, polarity, _| constant(polarity == Polarity::Negative);
        let replaced = written.replace(&[p], worst).to_string();
        assert_eq!(replaced, "AF ((true => q) && (q => false))");
        assert_eq!(written.part(p).polarity, Polarity::Mixed);
    }

    #[test]
    fn modalities_over_constants_and_variables_are_atoms_and_variables_are_not() {
        let text = "nu X. [a]X && (p || [b.c*]<d>true)";
        let written = written(text);
        let atoms: Vec<&str> =
            written.atoms().iter().map(|&id| &text[written.part(id).span.range()]).collect();
        assert_eq!(atoms, ["[a]X", "p", "<d>true"]);
    }

    #[test]
    fn copies_of_one_piece_of_text_are_one_part() {
        let atom = |name: &str, start| Formula {
            kind: FormulaKind::Proposition(name.to_owned()),
            span: Span { start, end: start + 1 },
        };
        // `f [2] p` at 0..7, written out as p || f (p): its inner operators have the span of the whole.
        let all = Span { start: 0, end: 7 };
        let next = Formula {
            kind: FormulaKind::Path(crate::PathQuantifier::Some, PathOperator::Next(Box::new(atom("p", 6)))),
            span: all,
        };
        let formula = Formula { kind: FormulaKind::Or(vec![atom("p", 6), next]), span: all };
        let written = Written::new(&formula);
        assert_eq!(written.parts().len(), 2);
        let replaced = written.replace(&written.atoms(), |_, _, _| constant(false));
        assert_eq!(replaced.to_string(), "false || EX false");
    }

    #[test]
    fn nested_replacements_go_from_the_inside_out() {
        let written = written("EF (p && q)");
        let all: Vec<PartId> = written.questions().skip(1).collect();
        let replaced = written.replace(&all, |_, _, inner| inner.negated());
        assert_eq!(replaced.to_string(), "EF !(!p && !q)");
    }

    #[test]
    fn deep_equivalences_are_looked_at_as_a_whole() {
        let text = "a <=> (b <=> (c <=> (d <=> (e <=> f))))";
        let written = written(text);
        let atoms: Vec<&str> =
            written.atoms().iter().map(|&id| &text[written.part(id).span.range()]).collect();
        assert_eq!(atoms, ["a", "b", "c", "d <=> (e <=> f)"]);
    }

    fn linear(text: &str) -> Written<Ltl> {
        Written::new(&parse_ltl(&Source::new("test", text)).unwrap())
    }

    #[test]
    fn chains_of_linear_time_have_their_tails_as_parts() {
        let text = "G (a | b | c -> X d)";
        let written = linear(text);
        let texts: Vec<&str> = written.parts().iter().map(|part| &text[part.span.range()]).collect();
        assert_eq!(texts, [text, "a | b | c -> X d", "a | b | c", "X d", "a", "b | c", "d", "b", "c"]);
        let tail = PartId::new(5);
        assert_eq!(written.part(tail).polarity, Polarity::Negative);
        assert_eq!(
            written.replace(&[tail], |_, _, _| Ltl::constant(true)).to_string(),
            "G (a | TRUE -> X d)"
        );
    }

    #[test]
    fn below_equivalences_and_exclusive_disjunctions_linear_time_is_replaced_in_both_directions() {
        for (text, expected) in [
            ("F (p <-> q)", "F ((TRUE -> q) & (q -> FALSE))"),
            ("F (p xor q)", "F !((FALSE -> q) & (q -> TRUE))"),
            ("!F (p xor X q)", "!F !((TRUE -> X q) & (X q -> FALSE))"),
        ] {
            let written = linear(text);
            let p = written.atoms()[0];
            let worst = |_, polarity, _| Ltl::constant(polarity == Polarity::Negative);
            assert_eq!(written.replace(&[p], worst).to_string(), expected);
            assert_eq!(written.part(p).polarity, Polarity::Mixed);
        }
    }
}
