//! Clock times in comments (CONTRACT section 6): `[%clk H:MM:SS]`, `[%emt H:MM:SS]`.

/// What the comments on one ply say of the clock, in seconds.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Clock {
    /// Remaining time, `%clk`.
    pub remaining: Option<f64>,
    /// Time spent on the ply, `%emt`.
    pub elapsed: Option<f64>,
}

impl Clock {
    /// Adds what `comment` says; the last command of a kind counts. A ply may have several comments.
    ///
    /// ```
    /// use qijian::table::Clock;
    ///
    /// let mut clock = Clock::default();
    /// clock.read("[%clk 1:59:00]");
    /// clock.read("[%emt 0:00:58] 好棋");
    /// assert_eq!((clock.remaining, clock.elapsed), (Some(7140.0), Some(58.0)));
    /// ```
    pub fn read(&mut self, comment: &str) {
        if !comment.contains("[%") {
            return;
        }
        for command in comment.split("[%").skip(1) {
            let inside = command.split(']').next().unwrap_or_default();
            if let Some(time) = inside.strip_prefix("clk ").and_then(seconds) {
                self.remaining = Some(time);
            } else if let Some(time) = inside.strip_prefix("emt ").and_then(seconds) {
                self.elapsed = Some(time);
            }
        }
    }
}

/// `H:MM:SS`, `MM:SS` or `SS`, with decimals at the seconds.
fn seconds(text: &str) -> Option<f64> {
    let mut total = 0.0;
    let parts: Vec<&str> = text.trim().split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        let plain = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value: f64 = part.parse().ok().filter(|_| plain)?;
        total = total * 60.0 + value;
    }
    (total < 1e9).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R75 and R76 of the references: times a ply, some plies without, two comments on one ply.
    #[test]
    fn times_as_written() {
        for (text, expected) in [
            ("0:10:00", Some(600.0)),
            ("1:59:00", Some(7140.0)),
            ("0:12", Some(12.0)),
            ("9.5", Some(9.5)),
            ("", None),
            ("-1:00", None),
            ("1:2:3:4", None),
            ("inf", None),
            ("1e5", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_stated_is_not_known() {
        let mut clock = Clock::default();
        clock.read("[%clk ?] [%eval 1.2] plain [%emt");
        assert_eq!(clock, Clock::default());
    }
}
