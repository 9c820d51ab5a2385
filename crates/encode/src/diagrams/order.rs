//! Which variables should stand together in the order, and which should share their bits.
//!
//! Diagrams are small where variables that occur together stand together. What occurs together is a hypergraph. FORCE
//! \[AMS03\] places the variables on a line: again and again each edge pulls its variables towards its centre, until
//! the sum of the lengths of the edges gets no smaller. This is a few passes over the edges, and deterministic. It
//! starts from the order in which variables are given, which is often good already; the better of both is taken. Other
//! than in FORCE, an edge of k variables pulls with 1 / (k - 1): what few variables say about each other counts for
//! more than that many meet somewhere.
//!
//! The diagram of x + y, or of x = y, has a size linear in the width if the bits of both alternate in the order, and an exponential
//! one if all bits of x come before those of y. So wide variables that meet in arithmetic, in comparisons and in assignments form
//! classes, and the bits of a class alternate, aligned at the lowest, the highest first. The bits of all other variables stay together.

use rustc_hash::FxHashMap;

/// Variables with fewer bits keep them together: their diagrams are small either way.
pub const WIDE: usize = 5;

/// The numbers below `n` in an order that puts those of an edge near each other.
pub fn arrange(n: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let places_of = |order: &[usize]| {
        let mut places = vec![0.0; n];
        order.iter().enumerate().for_each(|(place, &number)| places[number] = place as f64);
        places
    };
    let start: Vec<usize> = (0..n).collect();
    let mut places = places_of(&start);
    let mut best = (span(&places, edges), start);
    // The length settles after few rounds; those without gain in between are common.
    let patience = 10;
    let mut idle = 0;
    while idle < patience {
        let mut pull = vec![(0.0, 0.0); n];
        for edge in edges.iter().filter(|edge| edge.len() > 1) {
            let centre = edge.iter().map(|&number| places[number]).sum::<f64>() / edge.len() as f64;
            let strength = 1.0 / (edge.len() - 1) as f64;
            for &number in edge {
                let (sum, total) = &mut pull[number];
                (*sum, *total) = (*sum + strength * centre, *total + strength);
            }
        }
        let aim = |number: usize| match pull[number] {
            (_, 0.0) => places[number],
            (sum, total) => sum / total,
        };
        let mut order: Vec<usize> = (0..n).collect();
        // Ties keep the places they have.
        order.sort_by(|&a, &b| aim(a).total_cmp(&aim(b)).then(places[a].total_cmp(&places[b])));
        places = places_of(&order);
        let length = span(&places, edges);
        if length < best.0 {
            best = (length, order);
            idle = 0;
        } else {
            idle += 1;
        }
    }
    best.1
}

/// The sum of the lengths of the edges.
fn span(places: &[f64], edges: &[Vec<usize>]) -> f64 {
    let length = |edge: &Vec<usize>| {
        let at = edge.iter().map(|&number| places[number]);
        at.clone().fold(f64::MIN, f64::max) - at.fold(f64::MAX, f64::min)
    };
    edges.iter().filter(|edge| edge.len() > 1).map(length).sum()
}

/// The bits of numbered variables, numbered from the lowest, in the order in which they are to be made: those of a
/// class alternate. Costs what it gives back, however many other variables there are.
pub fn interleave(
    order: &[usize],
    width: impl Fn(usize) -> usize,
    mut class: impl FnMut(usize) -> usize,
) -> Vec<(usize, usize)> {
    let mut members: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    order.iter().for_each(|&variable| members.entry(class(variable)).or_default().push(variable));
    let mut bits = Vec::new();
    for &variable in order {
        // A class stands where its first member does.
        let Some(class) = members.remove(&class(variable)) else { continue };
        let widest = class.iter().map(|&member| width(member)).max().unwrap_or(0);
        for bit in (0..widest).rev() {
            bits.extend(class.iter().filter(|&&member| bit < width(member)).map(|&member| (member, bit)));
        }
    }
    bits
}

/// A partition of numbered variables, as a forest.
#[derive(Clone, Debug)]
pub struct Classes(Vec<usize>);

impl Classes {
    /// Every variable by itself.
    pub fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    /// Puts the classes of these together.
    pub fn join(&mut self, members: &[usize]) {
        for pair in members.windows(2) {
            let (one, other) = (self.find(pair[0]), self.find(pair[1]));
            self.0[one.max(other)] = one.min(other);
        }
    }

    /// The number of the class of a variable.
    pub fn find(&mut self, member: usize) -> usize {
        let mut at = member;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_occurs_together_moves_together() {
        // A chain whose links are declared far from each other, beside variables without any.
        let edges = [vec![0, 7], vec![7, 2], vec![2, 9], vec![9, 1]];
        let order = arrange(10, &edges);
        let mut places = vec![0.0; 10];
        order.iter().enumerate().for_each(|(place, &number)| places[number] = place as f64);
        let declared: Vec<f64> = (0..10).map(f64::from).collect();
        assert!(2.0 * span(&places, &edges) < span(&declared, &edges), "{order:?}");
    }

    #[test]
    fn bits_of_a_class_alternate_from_the_highest() {
        let mut classes = Classes::new(3);
        classes.join(&[0, 2]);
        let bits = interleave(&[0, 1, 2], |variable| [3, 1, 2][variable], |variable| classes.find(variable));
        assert_eq!(bits, [(0, 2), (0, 1), (2, 1), (0, 0), (2, 0), (1, 0)]);
    }
}
