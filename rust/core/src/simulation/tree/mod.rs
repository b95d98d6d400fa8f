//! A tree of what a seat knows: moves are chosen by their priors and by what they have brought, in a new world each time.
//!
//! A node is an information set: the moves that the seat has seen since the root, and what it knows besides. Its children
//! are those of all worlds, and a world lets through the moves that are possible in it; how often a move was possible
//! stands for the visits of the node (*Information Set MCTS* with PUCT). What seats decide without the seat's seeing it, and
//! moves out of turn, the guide makes. No clock is read, and no function of a mathematical library is used: a seed gives the
//! same tree on every machine, and the trees of a forest are the same on any number of threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::thread;

use super::search::{DEALING, MOST_THREADS, PLAYING};
use super::{Round, Seats, each};
use crate::random::{Random, derive};

#[cfg(test)]
mod tests;

/// The number of visits of each tree between two questions whether to proceed.
const BATCH: usize = 16;

/// What a seat may choose: a move, or silence out of turn.
pub type Choice<R> = Option<<R as Round>::Move>;

/// A choice with its prior probability.
pub type Weighted<R> = (Choice<R>, f64);

/// A move that the tree does not choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aside<M> {
    /// The seat that makes it.
    pub seat: usize,
    /// The move.
    pub chosen: M,
    /// Whether the seat that searches does not see it.
    pub hidden: bool,
}

/// What a tree needs of a game.
pub trait Guide {
    /// The rounds of the game.
    type Round: Round;
    /// What moves have in common that are one child of a node.
    type Class: Copy + PartialEq;
    /// What the seat that searches knows at a moment besides the moves that it has seen.
    type Known: Ord;

    /// Draws a world: a round that the seat which searches cannot tell from the true one.
    fn world(&mut self, random: &mut Random) -> Self::Round;

    /// Returns what moves have in common that are one child of a node.
    fn class(&self, chosen: <Self::Round as Round>::Move) -> Self::Class;

    /// Returns what the seat that searches knows.
    fn known(&self, round: &Self::Round) -> Self::Known;

    /// Returns the next move that the tree does not choose, if there is one now; seats in `silent` say nothing out of turn.
    fn aside(
        &mut self,
        _round: &Self::Round,
        _silent: Seats,
        _random: &mut Random,
    ) -> Option<Aside<<Self::Round as Round>::Move>> {
        None
    }

    /// Lists what a seat may choose, with prior probabilities, by what it knows.
    fn options(&mut self, round: &Self::Round, seat: usize, options: &mut Vec<Weighted<Self::Round>>);

    /// Estimates the lead of each seat's side at the end of a round that goes on.
    fn values(&mut self, round: &Self::Round, values: &mut [f64], random: &mut Random);
}

/// What the choice of a move weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// Its prior probability.
    pub prior: f64,
    /// How often it was chosen.
    pub visits: u32,
    /// How often it was possible, this time included.
    pub possible: u32,
    /// The sum of the leads that it brought.
    pub total: f64,
}

impl Arm {
    /// Returns how much a move is worth a visit: its mean lead, or `first` if it has none, and more the likelier and the
    /// less visited it is.
    #[must_use]
    pub fn worth(&self, exploration: f64, first: f64) -> f64 {
        let visits = f64::from(self.visits);
        let mean = if self.visits == 0 { first } else { self.total / visits };
        mean + exploration * self.prior * f64::from(self.possible).sqrt() / (1.0 + visits)
    }
}

/// A child of a node: all moves of a class by a seat.
struct Edge<C> {
    seat: usize,
    class: Option<C>,
    visits: u32,
    possible: u32,
    total: f64,
}

/// An information set.
struct Node<R: Round> {
    /// Its children, as places among all edges.
    edges: Vec<usize>,
    /// What the seat that searches may choose here: the same in all worlds.
    own: Option<Vec<Weighted<R>>>,
    visits: u32,
    /// The sum of the leads of each seat's side.
    totals: Vec<f64>,
}

impl<R: Round> Node<R> {
    fn new(seats: usize) -> Self {
        Self { edges: Vec::new(), own: None, visits: 0, totals: vec![0.0; seats] }
    }
}

/// A tree.
pub struct Tree<G: Guide> {
    guide: G,
    seat: usize,
    exploration: f64,
    seed: u64,
    visits: u64,
    nodes: Vec<Node<G::Round>>,
    edges: Vec<Edge<G::Class>>,
    /// The node behind an edge, by what the seat knows there.
    behind: BTreeMap<(usize, G::Known), usize>,
    options: Vec<Weighted<G::Round>>,
    path: Vec<(usize, usize)>,
}

/// A choice of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch<R: Round> {
    /// The choice.
    pub chosen: Choice<R>,
    /// Its prior probability.
    pub prior: f64,
    /// How often it was chosen.
    pub visits: u32,
    /// The sum of the leads that it brought the seat's side.
    pub total: f64,
}

impl<G: Guide> Tree<G> {
    /// Plants a tree at the moment of a seat, which has these options, and expects these leads.
    pub fn new(
        guide: G,
        seat: usize,
        options: &[Weighted<G::Round>],
        values: &[f64],
        exploration: f64,
        seed: u64,
    ) -> Self {
        let root = Node { own: Some(options.to_vec()), visits: 1, totals: values.to_vec(), ..Node::new(0) };
        Self {
            guide,
            seat,
            exploration,
            seed,
            visits: 0,
            nodes: vec![root],
            edges: Vec::new(),
            behind: BTreeMap::new(),
            options: Vec::new(),
            path: Vec::new(),
        }
    }

    /// Visits the tree so many times more.
    pub fn grow(&mut self, visits: usize) {
        for _ in 0..visits {
            let chance = |what| Random::new(derive(self.seed, &[self.visits, what]));
            let (mut dealing, mut playing) = (chance(DEALING), chance(PLAYING));
            self.visits += 1;
            let world = self.guide.world(&mut dealing);
            self.visit(world, &mut playing);
        }
    }

    /// Returns the choices of the root in their order.
    pub fn branches(&self) -> Vec<Branch<G::Round>> {
        let root = &self.nodes[0];
        let branch = |&(chosen, prior): &Weighted<G::Round>| {
            let class = chosen.map(|chosen| self.guide.class(chosen));
            let found = root.edges.iter().map(|&edge| &self.edges[edge]).find(|edge| edge.class == class);
            Branch {
                chosen,
                prior,
                visits: found.map_or(0, |edge| edge.visits),
                total: found.map_or(0.0, |edge| edge.total),
            }
        };
        root.own.iter().flatten().map(branch).collect()
    }

    /// Walks down in a world to a new node or to the end of the round, and lets the leads there count on the way.
    fn visit(&mut self, mut round: G::Round, random: &mut Random) {
        let mut values = vec![0.0; round.seats()];
        let (mut node, mut is_new, mut silent) = (0, false, 0);
        self.path.clear();
        loop {
            let Some(turn) = each(round.awaited()).next() else {
                values.iter_mut().enumerate().for_each(|(seat, value)| *value = f64::from(round.lead(seat)));
                break;
            };
            // Those who could have spoken before the root have kept silent.
            let aside = if node == 0 { None } else { self.guide.aside(&round, silent, random) };
            let (seat, chosen) = match aside {
                Some(Aside { seat, chosen, hidden: true }) => {
                    round.make(seat, chosen);
                    continue;
                }
                Some(Aside { seat, chosen, hidden: false }) => (seat, Some(chosen)),
                None => {
                    let seat = if node == 0 { self.seat } else { turn };
                    self.look(node, &round, seat);
                    if is_new && self.options.len() > 1 {
                        self.guide.values(&round, &mut values, random);
                        break;
                    }
                    (seat, self.choose(node, seat))
                }
            };
            let edge = self.edge(node, seat, chosen);
            self.path.push((node, edge));
            silent = 0;
            match chosen {
                Some(chosen) => round.make(seat, chosen),
                None => silent = 1 << seat,
            }
            (node, is_new) = self.behind(edge, &round);
        }
        self.count(node, &values);
    }

    /// Lists the options of a seat at a node; those of the seat that searches are the same in all worlds.
    fn look(&mut self, node: usize, round: &G::Round, seat: usize) {
        self.options.clear();
        if let Some(own) = &self.nodes[node].own {
            self.options.extend_from_slice(own);
            return;
        }
        self.guide.options(round, seat, &mut self.options);
        if seat == self.seat {
            self.nodes[node].own = Some(self.options.clone());
        }
    }

    /// Chooses the option that is most worth a visit; of equal ones the first.
    fn choose(&mut self, node: usize, seat: usize) -> Choice<G::Round> {
        let Node { visits, ref totals, .. } = self.nodes[node];
        let first = if visits == 0 { 0.0 } else { totals[seat] / f64::from(visits) };
        let mut best: (f64, Choice<G::Round>) = (f64::NEG_INFINITY, None);
        for place in 0..self.options.len() {
            let (chosen, prior) = self.options[place];
            let edge = self.edge(node, seat, chosen);
            let edge = &mut self.edges[edge];
            edge.possible += 1;
            let arm = Arm { prior, visits: edge.visits, possible: edge.possible, total: edge.total };
            let worth = arm.worth(self.exploration, first);
            if worth > best.0 {
                best = (worth, chosen);
            }
        }
        best.1
    }

    /// Returns the child of a node that is a choice of a seat.
    fn edge(&mut self, node: usize, seat: usize, chosen: Choice<G::Round>) -> usize {
        let class = chosen.map(|chosen| self.guide.class(chosen));
        let is_it = |&&edge: &&usize| self.edges[edge].seat == seat && self.edges[edge].class == class;
        if let Some(&found) = self.nodes[node].edges.iter().find(is_it) {
            return found;
        }
        self.edges.push(Edge { seat, class, visits: 0, possible: 0, total: 0.0 });
        self.nodes[node].edges.push(self.edges.len() - 1);
        self.edges.len() - 1
    }

    /// Returns the node behind an edge, and whether it is a new one.
    fn behind(&mut self, edge: usize, round: &G::Round) -> (usize, bool) {
        let nodes = &mut self.nodes;
        let last = nodes.len();
        let node = *self.behind.entry((edge, self.guide.known(round))).or_insert(last);
        if node == last {
            nodes.push(Node::new(round.seats()));
        }
        (node, node == last)
    }

    /// Counts a visit on the way that it took.
    fn count(&mut self, last: usize, values: &[f64]) {
        for &(_, edge) in &self.path {
            let edge = &mut self.edges[edge];
            edge.visits += 1;
            edge.total += values[edge.seat];
        }
        for node in self.path.iter().map(|&(node, _)| node).chain([last]) {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.totals.iter_mut().zip(values).for_each(|(total, value)| *total += value);
        }
    }
}

/// How much a search by trees tries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The number of visits of all trees.
    pub visits: usize,
    /// The number of trees, which share the visits and know nothing of each other.
    pub trees: NonZeroUsize,
    /// How much a likely move that was seldom chosen is preferred: as many points as its prior probability is worth when it
    /// was possible once.
    pub exploration: f64,
    /// The number of threads.
    pub threads: NonZeroUsize,
}

impl Effort {
    /// Returns the number of visits of each tree.
    const fn each(&self) -> usize {
        self.visits.div_ceil(self.trees.get())
    }
}

/// Grows trees at the moment of a seat, and returns its choices with what all trees together have found; none if `proceed`,
/// which is called from time to time, has returned false.
///
/// `guide` makes the guide of a tree; `options` and `values` are those of the seat at this moment.
pub fn grow<G: Guide + Send>(
    guide: impl Fn() -> G,
    seat: usize,
    options: &[Weighted<G::Round>],
    values: &[f64],
    effort: &Effort,
    seed: u64,
    proceed: &mut dyn FnMut() -> bool,
) -> Option<Vec<Branch<G::Round>>>
where
    G::Class: Send,
    G::Known: Send,
{
    let plant = |number: u64| Tree::new(guide(), seat, options, values, effort.exploration, derive(seed, &[number]));
    let mut trees: Vec<Tree<G>> = (0..effort.trees.get() as u64).map(plant).collect();
    let mut done = 0;
    while done < effort.each() {
        let visits = BATCH.min(effort.each() - done);
        grow_all(&mut trees, visits, effort.threads);
        done += visits;
        if !proceed() {
            return None;
        }
    }
    let mut all: Vec<Branch<G::Round>> =
        options.iter().map(|&(chosen, prior)| Branch { chosen, prior, visits: 0, total: 0.0 }).collect();
    for tree in &trees {
        for (sum, branch) in all.iter_mut().zip(tree.branches()) {
            sum.visits += branch.visits;
            sum.total += branch.total;
        }
    }
    Some(all)
}

/// Visits all trees so many times more.
fn grow_all<G: Guide + Send>(trees: &mut [Tree<G>], visits: usize, threads: NonZeroUsize)
where
    G::Class: Send,
    G::Known: Send,
{
    let threads = threads.get().min(MOST_THREADS).min(trees.len());
    if threads < 2 {
        for tree in trees {
            tree.grow(visits);
        }
        return;
    }
    let share = trees.len().div_ceil(threads);
    thread::scope(|scope| {
        for part in trees.chunks_mut(share) {
            scope.spawn(move || part.iter_mut().for_each(|tree| tree.grow(visits)));
        }
    });
}

/// Returns the place of the choice that was visited most; of equal ones the likelier, then the first.
#[must_use]
pub fn most_visited<R: Round>(branches: &[Branch<R>]) -> usize {
    let mut best = 0;
    for (place, branch) in branches.iter().enumerate() {
        let first = &branches[best];
        if (branch.visits, branch.prior) > (first.visits, first.prior) {
            best = place;
        }
    }
    best
}
