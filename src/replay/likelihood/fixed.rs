//! Logarithms and exponentials in integers, the same on every machine.

use std::sync::LazyLock;

/// `ln` of the sum of exponentials, all in [`NAT`]ths.
pub(in crate::replay) fn log_sum(scores: impl Iterator<Item = i32> + Clone) -> i32 {
    let Some(most) = scores.clone().max() else { return 0 };
    let sum: u64 = scores.map(|score| exp(score - most)).sum();
    most + ln(sum)
}

/// The probability of a log-likelihood in [`NAT`]ths, rounded to six decimals.
pub(in crate::replay) fn probability(log: i64) -> f64 {
    let score = i32::try_from(log.min(0)).unwrap_or(i32::MIN);
    let millionths = (u128::from(exp(score)) * 1_000_000 + u128::from(ONE / 2)) >> 32;
    millionths as f64 / 1e6
}

/// One as a fixed-point number.
const ONE: u64 = 1 << 32;

/// `exp(score)` for a score of at most 0, as a multiple of `1 / ONE`.
fn exp(score: i32) -> u64 {
    EXP.get(score.unsigned_abs() as usize).copied().unwrap_or(0)
}

/// The inverse of [`exp`] for sums of at least one.
fn ln(sum: u64) -> i32 {
    // Where exp(-s) is ONE / sum, s is the logarithm of sum / ONE.
    let inverse = (u128::from(ONE) * u128::from(ONE) / u128::from(sum.max(1))) as u64;
    EXP.partition_point(|value| *value > inverse) as i32
}

/// `exp(-i / NAT)`, computed by repeated multiplication of integers so that it is the same everywhere.
static EXP: LazyLock<Vec<u64>> = LazyLock::new(|| {
    // exp(-1/1024) in units of 2^-62.
    const RATIO: u128 = 4_607_184_617_107_619_805;
    let mut table = Vec::new();
    let mut value: u128 = u128::from(ONE) << 30;
    while value >> 30 > 0 {
        table.push((value >> 30) as u64);
        value = (value * RATIO) >> 62;
    }
    table
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::likelihood::NAT;

    /// The same in floating point, which is exact enough to check thousandths of a nat.
    #[test]
    fn sums_are_those_of_floating_point() {
        let unit = f64::from(NAT);
        for scores in [&[0][..], &[-3000, -3000], &[5, -700, -1400, 12_000], &[-9000; 40]] {
            let sum: f64 = scores.iter().map(|score| (f64::from(*score) / unit).exp()).sum();
            let ours = f64::from(log_sum(scores.iter().copied())) / unit;
            assert!((ours - sum.ln()).abs() < 0.002, "{scores:?}: {ours} {}", sum.ln());
        }
    }

    #[test]
    fn probabilities_are_exponentials() {
        assert_eq!(probability(0), 1.0);
        for log in [-1, -500, -1024, -7000] {
            let expected = (f64::from(log) / f64::from(NAT)).exp();
            assert!((probability(i64::from(log)) - expected).abs() < 2e-6);
        }
        assert_eq!(probability(i64::MIN), 0.0);
    }
}
