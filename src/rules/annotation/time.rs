//! Times as records write them: `0:12:30`, `12:30`, `5分30秒`, `1'30"`.

/// A length of time, and how fine it is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Time {
    /// Milliseconds; negative for a clock that runs on past zero.
    pub ms: i64,
    /// The unit it is told in, in milliseconds: a minute for `59分`, a second for `0:12`.
    pub unit: i64,
}

/// A second, in milliseconds.
pub const SECOND: i64 = 1000;
/// A minute, in milliseconds.
pub const MINUTE: i64 = 60 * SECOND;
/// An hour, in milliseconds.
pub const HOUR: i64 = 60 * MINUTE;

/// More than any game takes; what is longer is no time of a game.
const LONGEST: i64 = 1000 * HOUR;

impl Time {
    /// Whole seconds.
    pub const fn seconds(seconds: i64) -> Time {
        Time { ms: seconds * SECOND, unit: SECOND }
    }

    /// The time that `text` writes: `H:MM:SS`, `M:SS`, either with a fraction of seconds, in full width too; hours,
    /// minutes and seconds with their units (`1小时5分`, `5分30秒`, `1'30"`, `5m30s`). Two numbers are minutes and
    /// seconds. A bare number has no unit and is none.
    ///
    /// ```
    /// use qijian::rules::annotation::Time;
    ///
    /// assert_eq!(Time::parse("1:02:03"), Some(Time::seconds(3723)));
    /// assert_eq!(Time::parse("5分30秒"), Some(Time::seconds(330)));
    /// assert_eq!(Time::parse("59分").unwrap().unit, 60_000);
    /// assert_eq!(Time::parse("12"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Time> {
        let text: String = text.trim().chars().map(fold).collect();
        let (sign, text) = match text.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, text.as_str()),
        };
        let time = if text.contains(':') { with_colons(text) } else { with_units(text) }?;
        (time.ms <= LONGEST).then_some(Time { ms: sign * time.ms, ..time })
    }

    /// Seconds without a unit, with or without a fraction, else as [`Time::parse`].
    pub fn parse_seconds(text: &str) -> Option<Time> {
        let bare = || {
            let (ms, unit) = seconds(text.trim())?;
            (ms <= LONGEST).then_some(Time { ms, unit })
        };
        Time::parse(text).or_else(bare)
    }
}

/// Full-width and other forms of the characters in times.
fn fold(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '−' | '–' => '-',
        '′' | '‘' | '’' => '\'',
        '″' | '“' | '”' => '"',
        '時' => '时',
        '鐘' => '钟',
        _ => c,
    }
}

fn with_colons(text: &str) -> Option<Time> {
    let parts: Vec<&str> = text.split(':').collect();
    let (hours, minutes, rest) = match parts[..] {
        [hours, minutes, seconds] => (number(hours)?, number(minutes)?, seconds),
        [minutes, seconds] => (0, number(minutes)?, seconds),
        _ => return None,
    };
    let (ms, unit) = seconds(rest)?;
    let whole = rest.split('.').next().unwrap_or_default();
    // 1:5 is no way to write a time, and 0:72 none either.
    if whole.len() != 2 || ms >= MINUTE || (parts.len() == 3 && minutes >= 60) {
        return None;
    }
    Some(Time { ms: hours * HOUR + minutes * MINUTE + ms, unit })
}

fn with_units(text: &str) -> Option<Time> {
    const UNITS: [(&str, i64); 17] = [
        ("小时", HOUR),
        ("时", HOUR),
        ("h", HOUR),
        ("分钟", MINUTE),
        ("分", MINUTE),
        ("min", MINUTE),
        ("m", MINUTE),
        ("''", SECOND),
        ("'", MINUTE),
        ("\"", SECOND),
        ("秒钟", SECOND),
        ("秒", SECOND),
        ("sec", SECOND),
        ("s", SECOND),
        ("钟头", HOUR),
        ("H", HOUR),
        ("M", MINUTE),
    ];
    let (mut rest, mut total, mut last) = (text, 0, i64::MAX);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let value = number(&rest[..digits])?;
        rest = rest[digits..].trim_start();
        // `5分30`: the last may leave its unit to be understood.
        let (word, unit) = match UNITS.iter().find(|(word, _)| rest.starts_with(word)) {
            Some((word, unit)) => (*word, *unit),
            None if rest.is_empty() && last == MINUTE => ("", SECOND),
            None => return None,
        };
        if unit >= last {
            return None;
        }
        total += value * unit;
        last = unit;
        rest = rest[word.len()..].trim_start();
    }
    (last < i64::MAX).then_some(Time { ms: total, unit: last })
}

/// Seconds with or without a fraction, in milliseconds, and the unit told.
fn seconds(text: &str) -> Option<(i64, i64)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut ms = number(whole)? * SECOND;
    let mut unit = SECOND;
    for digit in fraction.chars() {
        unit /= 10;
        ms += i64::from(digit.to_digit(10)?) * unit;
    }
    Some((ms, unit.max(1)))
}

fn number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.len() <= 9 && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form() {
        for (text, ms, unit) in [
            ("0:00:00", 0, SECOND),
            ("1:59:00", 119 * MINUTE, SECOND),
            ("90:00", 90 * MINUTE, SECOND),
            ("0:12.5", 12_500, 100),
            ("-0:00:05", -5 * SECOND, SECOND),
            ("１：０２", 62 * SECOND, SECOND),
            ("1小时5分", 65 * MINUTE, MINUTE),
            ("5分30", 330 * SECOND, SECOND),
            ("1'30\"", 90 * SECOND, SECOND),
            ("１′３０″", 90 * SECOND, SECOND),
            ("15分鐘", 15 * MINUTE, MINUTE),
            ("30秒", 30 * SECOND, SECOND),
        ] {
            assert_eq!(Time::parse(text), Some(Time { ms, unit }), "{text}");
        }
        for text in [
            "",
            "12",
            "1:5",
            "0:72",
            "1:72:00",
            "a:10",
            "1:2:3:4",
            "5秒3分",
            "分",
            "9999999999:00",
            "999999999:00:00",
            "-",
            "1.5分",
        ] {
            assert_eq!(Time::parse(text), None, "{text}");
        }
        assert_eq!(Time::parse_seconds("3.25"), Some(Time { ms: 3250, unit: 10 }));
        assert_eq!(Time::parse_seconds("x"), None);
    }
}
