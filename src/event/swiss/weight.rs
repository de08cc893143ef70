//! Weights of pairs that are compared criterion by criterion: no sum of lesser ones outweighs a greater one.

use std::ops::{Add, Sub};

/// How many machine words a weight has.
const LANES: usize = 12;
/// Bits of a word that fields may fill: the search adds up to twice as many weights as there are vertices.
const BITS: u32 = 44;

/// A sum of criteria, the most important first; compared lexicographically.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Weight([i64; LANES]);

impl Weight {
    /// Nothing.
    pub(super) const ZERO: Weight = Weight([0; LANES]);

    /// Half of it; the search halves even sums only.
    pub(super) fn half(self) -> Weight {
        Weight(self.0.map(|lane| lane / 2))
    }
}

impl Add for Weight {
    type Output = Weight;

    fn add(mut self, other: Weight) -> Weight {
        for (lane, more) in self.0.iter_mut().zip(other.0) {
            *lane += more;
        }
        self
    }
}

impl Sub for Weight {
    type Output = Weight;

    fn sub(mut self, other: Weight) -> Weight {
        for (lane, less) in self.0.iter_mut().zip(other.0) {
            *lane -= less;
        }
        self
    }
}

/// Where the fields of a weight lie, given the largest total that each can reach over a whole matching.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Word and factor of each field.
    fields: Vec<(usize, i64)>,
}

impl Layout {
    /// A layout for fields whose totals stay below `bounds`, in the order of importance. Where there are more than fit,
    /// the last share a place with the one before them, which then counts their sum.
    pub(super) fn new(bounds: &[i64]) -> Layout {
        let mut fields = Vec::with_capacity(bounds.len());
        // From the least important one up, so that what must be merged is found first.
        let widths: Vec<u32> =
            bounds.iter().map(|bound| 65 - bound.max(&1).leading_zeros()).collect();
        let (mut lane, mut used) = (0, 0);
        let mut lanes: Vec<Vec<usize>> = vec![Vec::new()];
        for (field, width) in widths.iter().enumerate() {
            if used + width > BITS && lane + 1 < LANES {
                lane += 1;
                used = 0;
                lanes.push(Vec::new());
            }
            used += width;
            lanes[lane].push(field);
        }
        fields.resize(bounds.len(), (0, 1));
        for (lane, members) in lanes.iter().enumerate() {
            let mut shift = 0;
            for field in members.iter().rev() {
                fields[*field] = (lane, 1_i64 << shift.min(BITS - 1));
                shift = (shift + widths[*field]).min(BITS);
            }
        }
        Layout { fields }
    }

    /// The weight with these values, field by field.
    pub(super) fn weight(&self, values: &[i64]) -> Weight {
        let mut weight = Weight::ZERO;
        for ((lane, factor), value) in self.fields.iter().zip(values) {
            weight.0[*lane] += factor * value;
        }
        weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greater_criterion_outweighs_all_lesser_ones() {
        let layout = Layout::new(&[100, 5000, 5000, 5000, 5000, 300, 1_000_000]);
        let most = [0, 5000, 5000, 5000, 5000, 300, 1_000_000];
        for field in 0..7 {
            let mut one = [0; 7];
            one[field] = 1;
            let mut rest = most;
            rest[..=field].fill(0);
            assert!(layout.weight(&one) > layout.weight(&rest), "{field}");
            assert!(layout.weight(&one) > Weight::ZERO);
        }
        let sum = layout.weight(&most) + layout.weight(&most);
        assert_eq!(sum.half(), layout.weight(&most));
        assert_eq!(sum - layout.weight(&most), layout.weight(&most));
    }
}
