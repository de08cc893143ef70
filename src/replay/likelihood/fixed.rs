//! Logarithms and exponentials in integers, the same on every machine.

use std::sync::LazyLock;

/// Parts of a [`NAT`](super::NAT)th in which sums are kept. A sum goes through a hundred plies, and what is rounded away
/// at each must not show in the sixth decimal of a probability.
pub const FINE: i64 = 4096;

/// `ln` of the sum of exponentials, all in [`FINE`] parts.
pub fn log_sum(scores: impl Iterator<Item = i64> + Clone) -> i64 {
    let Some(most) = scores.clone().max() else { return 0 };
    let sum: u64 = scores.map(|score| exp(score.saturating_sub(most))).sum();
    most.saturating_add(ln(sum))
}

/// The probability of a log-likelihood in [`FINE`] parts, rounded to six decimals.
pub fn probability(log: i64) -> f64 {
    let millionths = (u128::from(exp(log.min(0))) * 1_000_000 + u128::from(ONE / 2)) >> 32;
    millionths as f64 / 1e6
}

/// One as a fixed-point number.
const ONE: u64 = 1 << 32;
/// [`FINE`] parts in one nat, as a power of two.
const NAT_BITS: u32 = 22;

/// `exp(score)` for a score of at most 0, as a multiple of `1 / ONE`: the table, and between its steps a polynomial.
fn exp(score: i64) -> u64 {
    let (step, rest) = (score.unsigned_abs() / FINE as u64, score.unsigned_abs() % FINE as u64);
    let step = usize::try_from(step).ok().and_then(|step| EXP.get(step));
    let Some(whole) = step.copied() else { return 0 };
    // exp(-x) = 1 - x + x^2 / 2, with x below 2^-10, in units of 2^-44.
    let one = 1u128 << (2 * NAT_BITS);
    let rest = u128::from(rest);
    let part = one - (rest << NAT_BITS) + rest * rest / 2;
    ((u128::from(whole) * part + one / 2) >> (2 * NAT_BITS)) as u64
}

/// The inverse of [`exp`] for sums of at least one.
fn ln(sum: u64) -> i64 {
    // Where exp(-s) is ONE / sum, s is the logarithm of sum / ONE. The inverse has 62 bits, the table 32.
    let inverse = (1u128 << (32 + 62)) / u128::from(sum.max(1));
    let above = |value: &u64| u128::from(*value) << 30 >= inverse;
    let step = EXP.partition_point(above).saturating_sub(1);
    let excess = (u128::from(EXP[step]) << 30).saturating_sub(inverse) as i128;
    // ln(1 + y) = y - y^2 / 2, with y below 2^-10.
    let y = (excess << 30) / inverse.max(1) as i128;
    let log = y - ((y * y / 2) >> 30);
    step as i64 * FINE + ((log + (1 << 7)) >> (30 - NAT_BITS)) as i64
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

    /// The same in floating point, which is exact enough to check a millionth of a nat.
    #[test]
    fn sums_are_those_of_floating_point() {
        let unit = f64::from(NAT) * FINE as f64;
        for scores in
            [&[0][..], &[-3000, -3000], &[5, -700, -1400, 12_000], &[-9000; 40], &[0, -8345]]
        {
            let fine = || scores.iter().map(|score| score * FINE + 1234);
            let sum: f64 = fine().map(|score| (score as f64 / unit).exp()).sum();
            let ours = log_sum(fine()) as f64 / unit;
            assert!((ours - sum.ln()).abs() < 1e-6, "{scores:?}: {ours} {}", sum.ln());
        }
    }

    /// The shares of a sum make it up, however small some are and however often sums are summed.
    #[test]
    fn shares_add_up() {
        for small in [-50, -2000, -8345, -10_000] {
            let mut scores = [0, small * FINE];
            for _ in 0..100 {
                let total = log_sum(scores.iter().copied());
                scores = scores.map(|score| log_sum([score, score].into_iter()) - total);
            }
            let total = log_sum(scores.iter().copied());
            let shares: f64 = scores.iter().map(|score| probability(score - total)).sum();
            assert!((shares - 1.0).abs() <= 2e-6, "{small}: {shares}");
        }
    }

    #[test]
    fn probabilities_are_exponentials() {
        assert_eq!(probability(0), 1.0);
        for log in [-1, -500, -1024, -7000] {
            let expected = (f64::from(log) / f64::from(NAT)).exp();
            assert!((probability(i64::from(log) * FINE) - expected).abs() < 2e-6);
        }
        assert_eq!(probability(i64::MIN), 0.0);
    }
}
