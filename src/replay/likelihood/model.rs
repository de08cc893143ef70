//! The learned numbers, and how they are kept as bytes.
//!
//! For each group of features a 16-bit factor, then one signed byte for each feature, bias, input weight and vector
//! coordinate. The weight of a feature is its byte times the factor of its group, in [`NAT`](super::NAT)ths; the
//! network counts in [`UNIT`]ths.

use std::sync::LazyLock;

use crate::board::Move;

use super::{
    Decision, FEATURES, NAT,
    groups::GROUPS,
    network::{self, HIDDEN, INPUTS, UNIT, VECTORS},
};

/// The learned numbers as the program that learns has them.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The weight of each feature, in nats.
    pub weights: Vec<f32>,
    /// Bias of the hidden values.
    pub bias: Vec<f32>,
    /// For each input its weight in each hidden value.
    pub inputs: Vec<[f32; HIDDEN]>,
    /// The vectors.
    pub vectors: Vec<[f32; HIDDEN]>,
}

impl Parameters {
    /// The file that holds these numbers, rounded.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut weights = Vec::new();
        for group in GROUPS {
            let range = &self.weights[group.start..group.start + group.size];
            let most = range.iter().fold(0f32, |most, weight| most.max(weight.abs()));
            let factor = (most * NAT as f32 / 127.0).ceil().max(1.0);
            bytes.extend((factor as i16).to_le_bytes());
            weights.extend(range.iter().map(|weight| byte(weight * NAT as f32 / factor)));
        }
        bytes.extend(weights);
        let rest = self.bias.iter().chain(self.inputs.iter().flatten());
        bytes.extend(rest.chain(self.vectors.iter().flatten()).map(|n| byte(n * UNIT as f32)));
        bytes
    }
}

fn byte(number: f32) -> u8 {
    (number.round().clamp(-127.0, 127.0) as i8).to_le_bytes()[0]
}

struct Model {
    weights: Vec<i32>,
    bias: [i8; HIDDEN],
    inputs: Vec<[i8; HIDDEN]>,
    vectors: Vec<[i8; HIDDEN]>,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| read(include_bytes!("../likelihood.bin")));

fn read(bytes: &[u8]) -> Model {
    let (factors, rest) = bytes.split_at((2 * GROUPS.len()).min(bytes.len()));
    let mut rest = rest.iter().map(|byte| i8::from_le_bytes([*byte]));
    let mut weights = Vec::with_capacity(FEATURES);
    for (group, factor) in GROUPS.iter().zip(factors.chunks_exact(2)) {
        let factor = i32::from(i16::from_le_bytes([factor[0], factor[1]]));
        weights.extend(rest.by_ref().take(group.size).map(|weight| i32::from(weight) * factor));
    }
    weights.resize(FEATURES, 0);
    let mut row = || std::array::from_fn(|_| rest.next().unwrap_or(0));
    let bias = row();
    let inputs = (0..INPUTS).map(|_| row()).collect();
    let vectors = (0..VECTORS).map(|_| row()).collect();
    Model { weights, bias, inputs, vectors }
}

/// The score of every move of `decision`, in [`NAT`](super::NAT)ths.
pub(super) fn scores(decision: &Decision) -> Vec<(Move, i32)> {
    let model = &*MODEL;
    let mirror: Vec<_> = decision.inputs.iter().map(|n| network::mirrored_input(*n)).collect();
    let [seen, mirrored] = [&decision.inputs, &mirror]
        .map(|inputs| network::hidden(inputs, &model.inputs, &model.bias));
    let score = |choice: &super::Choice| {
        let features = choice.features.iter().map(|feature| model.weights[*feature as usize]);
        features.sum::<i32>()
            + network::score(&seen, &choice.vectors, &model.vectors)
            + network::score(
                &mirrored,
                &choice.vectors.map(network::mirrored_vector),
                &model.vectors,
            )
    };
    decision.choices.iter().map(|choice| (choice.mv, score(choice))).collect()
}
