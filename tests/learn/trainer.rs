//! Gradient steps on the likelihood of the moves played.

use std::ops::Range;

use qijian::{
    board::Move,
    replay::likelihood::{
        Decision, FEATURES, Feature, HIDDEN, INPUTS, Parameters, SLOTS, Slot, TOP, UNIT, VECTORS,
        mirrored_input, mirrored_vector,
    },
};

/// Step of the feature weights and of the network.
const RATE: f32 = 0.03;
const NETWORK_RATE: f32 = 0.015;
/// Share of a weight that each step on it takes away.
const DECAY: f32 = 1e-7;
/// Largest parameter of the network that a byte can hold.
const MOST: f32 = 127.0 / UNIT as f32;

/// One ply: the moves possible and the move played.
struct Ply {
    inputs: Range<usize>,
    moves: Range<usize>,
    played: usize,
}

/// Many plies, packed.
#[derive(Default)]
pub(crate) struct Choices {
    inputs: Vec<Slot>,
    features: Vec<Feature>,
    /// For each move, where its features end.
    ends: Vec<usize>,
    vectors: Vec<[Slot; SLOTS]>,
    plies: Vec<Ply>,
}

impl Choices {
    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// Adds a ply in which `mv` was played.
    pub(crate) fn push(&mut self, decision: &Decision, mv: Move) {
        let (inputs, moves) = (self.inputs.len(), self.ends.len());
        self.inputs.extend(&decision.inputs);
        for choice in &decision.choices {
            self.features.extend(&choice.features);
            self.ends.push(self.features.len());
            self.vectors.push(choice.vectors);
        }
        let played = decision.choices.iter().position(|choice| choice.mv == mv);
        self.plies.push(Ply {
            inputs: inputs..self.inputs.len(),
            moves: moves..self.ends.len(),
            played: played.expect("the game is legal"),
        });
    }

    /// Adds all plies of `other`.
    pub(crate) fn append(&mut self, other: Choices) {
        let (inputs, moves, features) = (self.inputs.len(), self.ends.len(), self.features.len());
        let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        self.inputs.extend(other.inputs);
        self.features.extend(other.features);
        self.ends.extend(other.ends.into_iter().map(|end| end + features));
        self.vectors.extend(other.vectors);
        self.plies.extend(other.plies.into_iter().map(|ply| Ply {
            inputs: moved(ply.inputs, inputs),
            moves: moved(ply.moves, moves),
            played: ply.played,
        }));
    }

    fn features_of(&self, mv: usize) -> &[Feature] {
        let start = if mv == 0 { 0 } else { self.ends[mv - 1] };
        &self.features[start..self.ends[mv]]
    }
}

type Row = [f32; HIDDEN];

/// The parameters and the sums of their squared gradients.
pub(crate) struct Trainer {
    pub(crate) parameters: Parameters,
    squares: Parameters,
}

impl Trainer {
    pub(crate) fn new() -> Trainer {
        let filled = |value: f32| Parameters {
            weights: vec![value; FEATURES],
            bias: vec![value; HIDDEN],
            inputs: vec![[value; HIDDEN]; INPUTS],
            vectors: vec![[value; HIDDEN]; VECTORS],
        };
        let mut parameters = filled(0.0);
        let mut state = 1u64;
        for number in parameters.inputs.iter_mut().chain(&mut parameters.vectors).flatten() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *number = ((state >> 40) as f32 / (1u32 << 24) as f32 - 0.5) * 0.2;
        }
        parameters.bias.fill(0.2);
        Trainer { parameters, squares: filled(1e-3) }
    }

    /// One pass over all plies with steps. Says how well they were foreseen.
    pub(crate) fn learn(&mut self, choices: &Choices, epoch: usize) -> String {
        let slower = 1.0 / (epoch as f32).sqrt();
        let n = choices.len();
        // A fixed stride that shares no factor with the count visits all plies in a mixed order.
        let stride =
            (0..).map(|k| 1_000_003 + 2 * k).find(|stride| gcd(*stride, n) == 1).unwrap_or(1);
        let mut figures = Figures::default();
        for turn in 0..n {
            let ply = &choices.plies[turn * stride % n];
            let seen = self.look(choices, ply);
            figures.add(&seen);
            self.step(choices, ply, &seen, slower);
        }
        figures.to_string()
    }

    /// How well the plies are foreseen.
    pub(crate) fn measure(&self, choices: &Choices) -> String {
        let mut figures = Figures::default();
        for ply in &choices.plies {
            figures.add(&self.look(choices, ply));
        }
        figures.to_string()
    }

    fn look(&self, choices: &Choices, ply: &Ply) -> Seen {
        let parameters = &self.parameters;
        let inputs = &choices.inputs[ply.inputs.clone()];
        let hidden = [false, true].map(|mirror| {
            let mut sums: Row = std::array::from_fn(|n| parameters.bias[n]);
            for input in inputs {
                let input = if mirror { mirrored_input(*input) } else { *input };
                add(&mut sums, &parameters.inputs[usize::from(input)], 1.0);
            }
            sums.map(|sum| sum.clamp(0.0, (TOP / UNIT) as f32))
        });
        let mut scores: Vec<f32> = ply
            .moves
            .clone()
            .map(|mv| {
                let weights = choices.features_of(mv).iter();
                let mut score: f32 = weights.map(|f| parameters.weights[*f as usize]).sum();
                for (hidden, mirror) in hidden.iter().zip([false, true]) {
                    for slot in choices.vectors[mv] {
                        let slot = if mirror { mirrored_vector(slot) } else { slot };
                        score += product(hidden, &parameters.vectors[usize::from(slot)]);
                    }
                }
                score
            })
            .collect();
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let first = scores[ply.played] >= most;
        let total: f32 = scores.iter().map(|score| (score - most).exp()).sum();
        let log = scores[ply.played] - most - total.ln();
        for score in &mut scores {
            *score = (*score - most).exp() / total;
        }
        Seen { hidden, likelihoods: scores, log, first }
    }

    fn step(&mut self, choices: &Choices, ply: &Ply, seen: &Seen, slower: f32) {
        let Parameters { weights, bias, inputs, vectors } = &mut self.parameters;
        let squares = &mut self.squares;
        let rate = NETWORK_RATE * slower;
        for (hidden, mirror) in seen.hidden.iter().zip([false, true]) {
            let mut back: Row = [0.0; HIDDEN];
            for (index, mv) in ply.moves.clone().enumerate() {
                let gradient = f32::from(u8::from(index == ply.played)) - seen.likelihoods[index];
                if gradient.abs() < 1e-3 {
                    continue;
                }
                for slot in choices.vectors[mv] {
                    let slot = usize::from(if mirror { mirrored_vector(slot) } else { slot });
                    add(&mut back, &vectors[slot], gradient);
                    ascend(&mut vectors[slot], &mut squares.vectors[slot], hidden, gradient, rate);
                }
            }
            for (back, hidden) in back.iter_mut().zip(hidden) {
                if *hidden <= 0.0 || *hidden >= (TOP / UNIT) as f32 {
                    *back = 0.0;
                }
            }
            ascend(bias, &mut squares.bias, &back, 1.0, rate);
            for input in &choices.inputs[ply.inputs.clone()] {
                let input = usize::from(if mirror { mirrored_input(*input) } else { *input });
                ascend(&mut inputs[input], &mut squares.inputs[input], &back, 1.0, rate);
            }
        }
        for (index, mv) in ply.moves.clone().enumerate() {
            let gradient = f32::from(u8::from(index == ply.played)) - seen.likelihoods[index];
            if gradient.abs() < 1e-4 {
                continue;
            }
            for feature in choices.features_of(mv) {
                let f = *feature as usize;
                squares.weights[f] += gradient * gradient;
                weights[f] +=
                    RATE * slower * gradient / squares.weights[f].sqrt() - DECAY * weights[f];
            }
        }
    }
}

fn add(sums: &mut Row, row: &Row, factor: f32) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += factor * number;
    }
}

fn product(a: &Row, b: &Row) -> f32 {
    // Eight running sums, which the compiler keeps in one register.
    let mut sums = [0f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    sums.iter().sum()
}

/// One step uphill along `factor * direction`.
fn ascend(row: &mut [f32], squares: &mut [f32], direction: &Row, factor: f32, rate: f32) {
    for ((number, square), along) in row.iter_mut().zip(squares).zip(direction) {
        let gradient = factor * along;
        *square += gradient * gradient;
        *number = (*number + rate * gradient / square.sqrt()).clamp(-MOST, MOST);
    }
}

struct Seen {
    hidden: [Row; 2],
    likelihoods: Vec<f32>,
    log: f32,
    first: bool,
}

#[derive(Default)]
struct Figures {
    plies: usize,
    log: f64,
    first: usize,
}

impl Figures {
    fn add(&mut self, seen: &Seen) {
        self.plies += 1;
        self.log += f64::from(seen.log);
        self.first += usize::from(seen.first);
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plies = self.plies.max(1) as f64;
        let first = 100.0 * self.first as f64 / plies;
        write!(f, "{:.4} nats a ply, likeliest move played {first:.2} %", self.log / plies)
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}
