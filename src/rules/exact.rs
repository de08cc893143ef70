//! Exact numbers: scores and tie-breaks are halves, quarters and sixths, never floating point.

use std::{
    cmp::Ordering,
    fmt,
    ops::{Add, AddAssign, Mul, Neg, Sub},
    str::FromStr,
};

use serde::{Deserialize, Deserializer, de};

/// A rational number in lowest terms.
///
/// Values that are read are at most [`Exact::LIMIT`] with a denominator of at most 120, so that sums over any event
/// that fits into memory are exact; beyond what 128 bits hold, arithmetic saturates rather than panics.
///
/// ```
/// use qijian::rules::Exact;
///
/// let half: Exact = "0.5".parse()?;
/// assert_eq!((half + half * 13_i64.into()).to_string(), "7");
/// assert_eq!((half * half).to_string(), "0.25");
/// assert_eq!("1/3".parse::<Exact>()?.to_string(), "1/3");
/// # Ok::<(), qijian::rules::NotExact>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exact {
    numerator: i128,
    /// Always positive.
    denominator: i128,
}

/// The text is no number that is kept exactly.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no exact number: write 2, 0.5 or 1/3, at most 1000000, denominators at most 120")]
pub struct NotExact(pub String);

impl Exact {
    /// Nought.
    pub const ZERO: Exact = Exact::whole(0);
    /// The largest value that is read.
    pub const LIMIT: i64 = 1_000_000;

    /// The whole number `n`.
    pub const fn whole(n: i64) -> Exact {
        Exact { numerator: n as i128, denominator: 1 }
    }

    /// `numerator / denominator` in lowest terms; a denominator of 0 gives 0.
    pub fn new(numerator: i64, denominator: i64) -> Exact {
        Exact::reduced(numerator.into(), denominator.into())
    }

    fn reduced(numerator: i128, denominator: i128) -> Exact {
        if denominator == 0 {
            return Exact::ZERO;
        }
        let divisor = divisor(numerator.unsigned_abs(), denominator.unsigned_abs());
        let sign = denominator.signum();
        Exact {
            numerator: numerator / divisor * sign,
            denominator: (denominator / divisor).saturating_abs(),
        }
    }

    /// Half of it.
    #[must_use]
    pub fn half(self) -> Exact {
        self * Exact::new(1, 2)
    }

    /// The whole number, if it is one.
    pub fn as_whole(self) -> Option<i64> {
        (self.denominator == 1).then(|| i64::try_from(self.numerator).ok()).flatten()
    }

    /// The whole number of `unit`s in it, if it is a multiple.
    pub fn in_units(self, unit: Exact) -> Option<i64> {
        Exact::reduced(
            self.numerator.saturating_mul(unit.denominator),
            self.denominator.saturating_mul(unit.numerator),
        )
        .as_whole()
    }
}

/// The greatest common divisor, at least 1.
fn divisor(mut a: u128, mut b: u128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a.max(1)).unwrap_or(1)
}

impl Default for Exact {
    fn default() -> Exact {
        Exact::ZERO
    }
}

impl From<i64> for Exact {
    fn from(n: i64) -> Exact {
        Exact::whole(n)
    }
}

impl From<u32> for Exact {
    fn from(n: u32) -> Exact {
        Exact::whole(n.into())
    }
}

impl Add for Exact {
    type Output = Exact;

    fn add(self, other: Exact) -> Exact {
        let left = self.numerator.saturating_mul(other.denominator);
        let right = other.numerator.saturating_mul(self.denominator);
        Exact::reduced(
            left.saturating_add(right),
            self.denominator.saturating_mul(other.denominator),
        )
    }
}

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Exact) {
        *self = *self + other;
    }
}

impl Neg for Exact {
    type Output = Exact;

    fn neg(self) -> Exact {
        Exact { numerator: self.numerator.saturating_neg(), ..self }
    }
}

impl Sub for Exact {
    type Output = Exact;

    fn sub(self, other: Exact) -> Exact {
        self + -other
    }
}

impl Mul for Exact {
    type Output = Exact;

    fn mul(self, other: Exact) -> Exact {
        Exact::reduced(
            self.numerator.saturating_mul(other.numerator),
            self.denominator.saturating_mul(other.denominator),
        )
    }
}

impl std::iter::Sum for Exact {
    fn sum<I: Iterator<Item = Exact>>(terms: I) -> Exact {
        terms.fold(Exact::ZERO, Add::add)
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Exact) -> Ordering {
        let left = self.numerator.saturating_mul(other.denominator);
        left.cmp(&other.numerator.saturating_mul(self.denominator))
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Exact {
    /// `7`, `7.5`, `0.25`; a fraction such as `1/3` where a decimal would not be exact.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut scale: i128 = 1;
        for digits in 0_usize..=4 {
            if scale % self.denominator == 0 {
                let scaled = self.numerator.saturating_mul(scale / self.denominator);
                let (whole, rest) = (
                    scaled.unsigned_abs() / scale.unsigned_abs(),
                    scaled.unsigned_abs() % scale.unsigned_abs(),
                );
                let sign = if scaled < 0 { "-" } else { "" };
                return match digits {
                    0 => f.pad(&format!("{sign}{whole}")),
                    _ => f.pad(&format!("{sign}{whole}.{rest:0digits$}")),
                };
            }
            scale *= 10;
        }
        f.pad(&format!("{}/{}", self.numerator, self.denominator))
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Exact {
    type Err = NotExact;

    /// Reads `2`, `-1`, `0.5` and `1/3`.
    fn from_str(text: &str) -> Result<Exact, NotExact> {
        let wrong = || NotExact(text.chars().take(40).collect());
        let number = |digits: &str| -> Option<i64> {
            let known = !digits.is_empty()
                && digits.len() <= 9
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            known.then(|| digits.parse().ok()).flatten()
        };
        let trimmed = text.trim();
        let (sign, body) = match trimmed.strip_prefix('-') {
            Some(body) => (-1, body),
            None => (1, trimmed),
        };
        let (numerator, denominator) = if let Some((over, under)) = body.split_once('/') {
            (number(over), number(under))
        } else if let Some((whole, decimals)) = body.split_once('.') {
            let scale = 10_i64.checked_pow(u32::try_from(decimals.len()).unwrap_or(u32::MAX));
            let sum = number(whole).zip(number(decimals)).zip(scale);
            let sum = sum
                .and_then(|((whole, part), scale)| Some((whole.checked_mul(scale)? + part, scale)));
            (sum.map(|(sum, _)| sum), sum.map(|(_, scale)| scale))
        } else {
            (number(body), Some(1))
        };
        let value = numerator
            .zip(denominator)
            .filter(|(_, denominator)| *denominator > 0)
            .map(|(numerator, denominator)| Exact::new(sign * numerator, denominator))
            .filter(|value| value.denominator <= 120 && *value <= Exact::LIMIT.into());
        value.ok_or_else(wrong)
    }
}

impl<'de> Deserialize<'de> for Exact {
    /// Reads a TOML integer, a float by its decimal digits, or a text.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Exact, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Exact;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number such as 2, 0.5 or \"1/3\"")
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Exact, E> {
                n.to_string().parse().map_err(E::custom)
            }

            fn visit_f64<E: de::Error>(self, n: f64) -> Result<Exact, E> {
                n.to_string().parse().map_err(E::custom)
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Exact, E> {
                text.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        text.parse().unwrap()
    }

    #[test]
    fn arithmetic_is_that_of_fractions() {
        assert_eq!(exact("1/3") + exact("1/6"), exact("0.5"));
        assert_eq!(exact("0.5") - exact("2"), exact("-1.5"));
        assert_eq!(exact("7.5") * exact("0.5"), exact("3.75"));
        assert_eq!(exact("3").half(), exact("1.5"));
        assert!(exact("1/3") < exact("0.34") && exact("-1") < Exact::ZERO);
        let thirds: Exact = std::iter::repeat_n(exact("1/3"), 300).sum();
        assert_eq!(thirds.as_whole(), Some(100));
        assert_eq!(exact("7.5").in_units(exact("0.5")), Some(15));
        assert_eq!(exact("7.5").in_units(exact("1")), None);
    }

    #[test]
    fn it_is_printed_as_decimal_or_fraction_and_reads_back() {
        for text in ["0", "12", "12.5", "0.25", "-0.5", "1/3", "-7/6", "0.01"] {
            assert_eq!(exact(text).to_string(), text);
        }
        assert_eq!(exact("2/4").to_string(), "0.5");
        assert_eq!(format!("{:>5}", exact("1.5")), "  1.5");
    }

    #[test]
    fn what_is_no_exact_number_is_refused_without_panic() {
        for text in [
            "",
            "-",
            ".",
            "1/0",
            "1/121",
            "0.001",
            "1e3",
            "NaN",
            "inf",
            "9999999999",
            "1000001",
            "一",
            "1/-2",
            "99999999999999999999999",
            "1.99999999999999999999",
        ] {
            assert!(text.parse::<Exact>().is_err(), "{text}");
        }
        let huge = Exact { numerator: i128::MAX, denominator: 1 };
        assert!(huge + huge > Exact::ZERO && huge * huge > Exact::ZERO && -huge < Exact::ZERO);
    }
}
