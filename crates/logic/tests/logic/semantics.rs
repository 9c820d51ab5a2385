//! The meaning of formulas does not change when they are expanded, put in normal form, or made into a graph; and the
//! negation is the complement.
//!
//! Three evaluators on tiny systems, sets of states as bit masks: one for formulas as they are written, where
//! regular modalities are relations and not fixpoints; and one for graphs, which looks at priorities only.

use tertium_logic::{
    ActionFormula, Formula, FormulaGraph, FormulaKind, Node, NodeId, PathOperator, PathQuantifier, Regular,
    Sign, Staying, parse, staying_at_ends, to_formula,
};
use tertium_support::{Id, Rng, Source};
use tertium_testkit::{FormulaShape, random_cases, random_formula};

type States = u32;

/// A system with propositions p, q, r and actions a, b, c.
#[derive(Clone, Debug)]
struct System {
    n_states: usize,
    labels: Vec<(&'static str, States)>,
    steps: Vec<(usize, &'static str, usize)>,
}

fn random_system(rng: &mut Rng) -> System {
    let n_states = rng.between(1, 4);
    let n_steps = rng.between(0, 2 * n_states);
    let all = (1 << n_states) - 1;
    System {
        n_states,
        labels: ["p", "q", "r"].map(|name| (name, rng.bits() as States & all)).to_vec(),
        steps: (0..n_steps)
            .map(|_| (rng.below(n_states), *rng.pick(&["a", "b", "c"]), rng.below(n_states)))
            .collect(),
    }
}

/// For each state the set of states it is related to.
type Relation = Vec<States>;

impl System {
    fn all(&self) -> States {
        (1 << self.n_states) - 1
    }

    fn labelled(&self, name: &str) -> States {
        self.labels.iter().find(|(own, _)| *own == name).map_or(0, |&(_, states)| states)
    }

    fn step(&self, actions: &ActionFormula) -> Relation {
        let mut relation = vec![0; self.n_states];
        for &(from, label, to) in &self.steps {
            if actions.contains(label) {
                relation[from] |= 1 << to;
            }
        }
        relation
    }

    fn identity(&self) -> Relation {
        (0..self.n_states).map(|state| 1 << state).collect()
    }

    fn compose(&self, first: &Relation, second: &Relation) -> Relation {
        let after = |states: States| {
            (0..self.n_states).filter(|state| states >> state & 1 == 1).fold(0, |to, via| to | second[via])
        };
        first.iter().map(|&states| after(states)).collect()
    }

    fn unite(&self, first: &Relation, second: &Relation) -> Relation {
        first.iter().zip(second).map(|(a, b)| a | b).collect()
    }

    fn regular(&self, regular: &Regular) -> Relation {
        match regular {
            Regular::Step(actions) => self.step(actions),
            Regular::Sequence(parts) => parts
                .iter()
                .fold(self.identity(), |relation, part| self.compose(&relation, &self.regular(part))),
            Regular::Choice(parts) => parts
                .iter()
                .fold(vec![0; self.n_states], |relation, part| self.unite(&relation, &self.regular(part))),
            Regular::Star(body) => {
                let body = self.regular(body);
                let mut star = self.identity();
                for _ in 0..self.n_states {
                    star = self.unite(&self.identity(), &self.compose(&body, &star));
                }
                star
            }
            Regular::Plus(body) => {
                self.compose(&self.regular(body), &self.regular(&Regular::Star(body.clone())))
            }
        }
    }

    fn modal(&self, quantifier: PathQuantifier, relation: &Relation, target: States) -> States {
        let holds = |successors: States| match quantifier {
            PathQuantifier::Some => successors & target != 0,
            PathQuantifier::All => successors & !target == 0,
        };
        (0..self.n_states).filter(|&state| holds(relation[state])).fold(0, |set, state| set | 1 << state)
    }

    fn fixpoint(&self, sign: Sign, mut step: impl FnMut(States) -> States) -> States {
        let mut current = if sign == Sign::Least { 0 } else { self.all() };
        loop {
            let next = step(current);
            if next == current {
                return current;
            }
            current = next;
        }
    }

    /// Where a formula holds.
    fn formula(&self, formula: &Formula) -> States {
        self.evaluate(formula, &mut Vec::new())
    }

    fn evaluate<'a>(&self, formula: &'a Formula, values: &mut Vec<(&'a str, States)>) -> States {
        match &formula.kind {
            FormulaKind::True => self.all(),
            FormulaKind::False => 0,
            FormulaKind::Proposition(name) => self.labelled(name),
            FormulaKind::Variable(name) => values.iter().rev().find(|(own, _)| own == name).unwrap().1,
            FormulaKind::Not(f) => self.all() & !self.evaluate(f, values),
            FormulaKind::And(parts) => {
                parts.iter().fold(self.all(), |set, part| set & self.evaluate(part, values))
            }
            FormulaKind::Or(parts) => parts.iter().fold(0, |set, part| set | self.evaluate(part, values)),
            FormulaKind::Implies(f, g) => self.all() & !self.evaluate(f, values) | self.evaluate(g, values),
            FormulaKind::Iff(f, g) => self.all() & !(self.evaluate(f, values) ^ self.evaluate(g, values)),
            FormulaKind::Modal(quantifier, regular, f) => {
                let target = self.evaluate(f, values);
                self.modal(*quantifier, &self.regular(regular), target)
            }
            FormulaKind::Fixpoint(sign, name, body) => self.fixpoint(*sign, |current| {
                values.push((name, current));
                let next = self.evaluate(body, values);
                values.pop();
                next
            }),
            FormulaKind::Path(quantifier, operator) => self.path(*quantifier, operator, values),
        }
    }

    fn path<'a>(
        &self,
        quantifier: PathQuantifier,
        operator: &'a PathOperator,
        values: &mut Vec<(&'a str, States)>,
    ) -> States {
        let any = self.step(&ActionFormula::True);
        let next = |target| self.modal(quantifier, &any, target);
        let operands: Vec<States> =
            operator.operands().into_iter().map(|f| self.evaluate(f, values)).collect();
        let (f, g) = (operands[0], *operands.last().unwrap());
        match operator {
            PathOperator::Next(_) => next(f),
            PathOperator::Finally(_) => self.fixpoint(Sign::Least, |now| f | next(now)),
            PathOperator::Globally(_) => self.fixpoint(Sign::Greatest, |now| f & next(now)),
            PathOperator::Until(..) => self.fixpoint(Sign::Least, |now| g | f & next(now)),
            PathOperator::WeakUntil(..) => self.fixpoint(Sign::Greatest, |now| g | f & next(now)),
            PathOperator::Release(..) => self.fixpoint(Sign::Greatest, |now| g & (f | next(now))),
        }
    }

    /// Where the root of a graph holds: all fixpoints of the highest priority are iterated around those of the next
    /// one, and so on. Does not look at signs nor at how fixpoints are nested.
    fn graph(&self, graph: &FormulaGraph) -> States {
        let start = |priority: u32| if priority.is_multiple_of(2) { self.all() } else { 0 };
        let mut values: Vec<States> = graph.nodes().map(|(_, node)| start(node.priority())).collect();
        self.solve(graph, Some(graph.highest_priority()), &mut values);
        self.node(graph, graph.root(), &values, &mut vec![None; graph.n_nodes()])
    }

    fn solve(&self, graph: &FormulaGraph, priority: Option<u32>, values: &mut Vec<States>) {
        let Some(priority) = priority else {
            return;
        };
        let of_priority = |(id, node): (NodeId, &Node)| match node {
            Node::Fixpoint { priority: own, body, .. } if *own == priority => Some((id, *body)),
            _ => None,
        };
        let own: Vec<(NodeId, NodeId)> = graph.nodes().filter_map(of_priority).collect();
        let start = if priority.is_multiple_of(2) { self.all() } else { 0 };
        own.iter().for_each(|(id, _)| values[id.index()] = start);
        loop {
            self.solve(graph, priority.checked_sub(1), values);
            let mut known = vec![None; graph.n_nodes()];
            let next: Vec<States> =
                own.iter().map(|&(_, body)| self.node(graph, body, values, &mut known)).collect();
            if own.iter().zip(&next).all(|((id, _), next)| values[id.index()] == *next) {
                return;
            }
            own.iter().zip(next).for_each(|((id, _), next)| values[id.index()] = next);
        }
    }

    /// The value of a node, given those of the fixpoints.
    fn node(
        &self,
        graph: &FormulaGraph,
        id: NodeId,
        values: &[States],
        known: &mut Vec<Option<States>>,
    ) -> States {
        if let Some(value) = known[id.index()] {
            return value;
        }
        let value = match graph.node(id) {
            Node::True => self.all(),
            Node::False => 0,
            Node::Literal { proposition, negated } => {
                let states = self.labelled(graph.propositions().name(*proposition));
                if *negated { self.all() & !states } else { states }
            }
            Node::And(parts) => {
                parts.iter().fold(self.all(), |set, &part| set & self.node(graph, part, values, known))
            }
            Node::Or(parts) => parts.iter().fold(0, |set, &part| set | self.node(graph, part, values, known)),
            Node::Diamond(actions, body) => {
                let target = self.node(graph, *body, values, known);
                self.modal(PathQuantifier::Some, &self.step(&graph.actions()[*actions]), target)
            }
            Node::Box(actions, body) => {
                let target = self.node(graph, *body, values, known);
                self.modal(PathQuantifier::All, &self.step(&graph.actions()[*actions]), target)
            }
            Node::Fixpoint { .. } => values[id.index()],
        };
        known[id.index()] = Some(value);
        value
    }
}

fn shape(rng: &mut Rng) -> FormulaShape {
    let everything = rng.chance(0.5);
    FormulaShape {
        actions: ["a", "b", "c"].map(String::from).to_vec(),
        depth: rng.between(2, 5),
        fixpoints: if everything { 2 } else { 4 },
        ctl: everything,
        regular: everything,
        ..FormulaShape::default()
    }
}

#[test]
fn expanding_keeps_the_meaning() {
    random_cases(5000, |rng| {
        let (system, shape) = (random_system(rng), shape(rng));
        let formula = random_formula(rng, &shape);
        assert_eq!(system.formula(&formula.expand()), system.formula(&formula), "{formula}\n{system:?}");
    });
}

#[test]
fn the_graph_has_the_meaning_of_the_formula() {
    random_cases(5000, |rng| {
        let (system, shape) = (random_system(rng), shape(rng));
        let formula = random_formula(rng, &shape);
        let graph = FormulaGraph::new(&formula);
        assert_eq!(system.graph(&graph), system.formula(&formula), "{formula}\n{system:?}");
    });
}

#[test]
fn the_normal_form_has_the_meaning_of_the_formula() {
    random_cases(5000, |rng| {
        let (system, shape) = (random_system(rng), shape(rng));
        let formula = random_formula(rng, &shape);
        let normal = to_formula(&FormulaGraph::new(&formula));
        assert_eq!(system.formula(&normal), system.formula(&formula), "{formula}\n{normal}\n{system:?}");
        let (graph, again) = (FormulaGraph::new(&formula), FormulaGraph::new(&normal));
        assert_eq!(again.alternation_depth(), graph.alternation_depth(), "{formula}");
        // Sharing finds again what was shared. Binders that were idle may have hidden that more can be.
        assert!(again.n_nodes() <= graph.n_nodes(), "{formula}");
    });
}

#[test]
fn the_negation_is_the_complement_and_negating_twice_changes_nothing() {
    random_cases(5000, |rng| {
        let (system, shape) = (random_system(rng), shape(rng));
        let formula = random_formula(rng, &shape);
        let negation = FormulaGraph::negation_of(&formula);
        let complement = system.all() & !system.formula(&formula);
        assert_eq!(system.graph(&negation), complement, "{formula}\n{system:?}");
        assert_eq!(system.formula(&to_formula(&negation)), complement, "{formula}\n{system:?}");
        let dual = FormulaGraph::new(&formula).dual();
        assert_eq!(system.graph(&dual), complement, "{formula}\n{system:?}");
        let twice = to_formula(&FormulaGraph::negation_of(&formula.clone().negated()));
        assert_eq!(twice, to_formula(&FormulaGraph::new(&formula)), "{formula}");
    });
}

#[test]
fn ctl_operators_are_related_as_they_should_be_with_and_without_deadlocks() {
    let laws = [
        ("AX p", "!EX !p"),
        ("AG p", "!E[true U !p]"),
        ("EF p", "!AG !p"),
        ("AF p", "!EG !p"),
        ("A[p U q]", "!E[!q U !p && !q] && !EG !q"),
        ("A[p W q]", "!E[!q U !p && !q]"),
        ("A[p R q]", "!E[!p U !q]"),
        ("E[p R q]", "!A[!p U !q]"),
        ("E[p W q]", "E[p U q] || EG p"),
        ("[(a + b)* . c+]p", "!<(a + b)* . c . c*>!p"),
        ("<(a || b)*>p", "<(a + b)*>p"),
        ("<(a*)*>p", "<a*>p"),
    ]
    .map(|(left, right)| [left, right].map(|text| parse(&Source::new("law", text)).unwrap()));
    random_cases(1000, |rng| {
        let system = random_system(rng);
        for [left, right] in &laws {
            assert_eq!(system.formula(left), system.formula(right), "{left}\n{right}\n{system:?}");
        }
    });
}

#[test]
fn the_table_of_abbreviations_in_the_documentation_is_true() {
    let read = |cell: &str| {
        let text = cell.replace('`', "").replace("\\|", "|");
        let text = text.replace('R', "(a . b + c)").replace('S', "a*").replace('f', "p").replace('g', "q");
        // The `R` of CTL stands between formulas.
        let text = text.replace("p (a . b + c) q", "p R q");
        parse(&Source::new("table", text)).unwrap()
    };
    let page = include_str!("../../../../docs/formats/formulas.md");
    let rows = page.lines().filter(|line| line.starts_with("| `")).map(|line| line.replace(" | ", "\n"));
    let laws: Vec<[Formula; 2]> = rows
        .flat_map(|row| {
            let cells: Vec<Formula> = row.trim_matches(['|', ' ']).lines().map(read).collect();
            cells.chunks(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(laws.len(), 22);
    random_cases(500, |rng| {
        let system = random_system(rng);
        for [left, right] in &laws {
            assert_eq!(system.formula(left), system.formula(right), "{left}\n{right}\n{system:?}");
        }
    });
}

#[test]
fn what_is_said_of_paths_that_stay_is_said_of_a_system_with_loops_at_ends() {
    let formulas = [
        "AX p",
        "EX p",
        "AF p",
        "EF p",
        "AG p",
        "EG p",
        "A[p U q]",
        "E[p U q]",
        "A[p W q]",
        "E[p W q]",
        "A[p R q]",
        "E[p R q]",
        "AG AF p",
        "EG (p => AX !q)",
        "!A[EX p U AF q]",
        "E[AX p R EG q] <=> AF p",
        "mu X. p || AX AF X",
    ]
    .map(|text| parse(&Source::new("f", text)).unwrap());
    let staying = |text: &str| staying_at_ends(&parse(&Source::new("f", text)).unwrap());
    assert_eq!(staying("AG EF p"), Staying::Same);
    assert_eq!(staying(&format!("{}p", "AX ".repeat(100))), Staying::TooLong);
    random_cases(1000, |rng| {
        let system = random_system(rng);
        let mut looped = system.clone();
        for state in 0..system.n_states {
            if system.steps.iter().all(|step| step.0 != state) {
                looped.steps.push((state, "a", state));
            }
        }
        for formula in &formulas {
            let staying = match staying_at_ends(formula) {
                Staying::Other(other) => other,
                Staying::Same | Staying::TooLong => formula.clone(),
            };
            assert_eq!(system.formula(&staying), looped.formula(formula), "{formula}\n{staying}\n{system:?}");
        }
    });
}

#[test]
fn at_a_deadlock_universal_operators_hold_and_existential_ones_do_not() {
    let system = System { n_states: 1, labels: vec![("p", 1)], steps: vec![] };
    let holds = |text: &str| system.formula(&parse(&Source::new("test", text)).unwrap()) == 1;
    assert!(holds("AX false") && holds("AF false") && holds("AG p") && holds("A[p U false]"));
    assert!(!holds("EX true") && !holds("EG p") && holds("EF p") && !holds("E[p U false]"));
}
