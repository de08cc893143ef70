//! Dates as records write them, and as civil dates where they are whole.

/// A date as far as a record states it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Date {
    /// The year, 1000 to 2999.
    pub year: i32,
    /// Month and day, where both are written and such a day exists.
    pub day: Option<(u32, u32)>,
}

impl Date {
    /// Reads a date: `2001.03.13`, `2001-3-13`, `2001/3/13`, `20010313`, `2001年3月13日`, `二〇〇一年三月十三日`, full-width
    /// digits; `2001.??.??` and `2001年` are a year alone; text before and behind does not matter. `None` where no year is
    /// written. Two digits are no year.
    ///
    /// ```
    /// use qijian::table::Date;
    ///
    /// assert_eq!(Date::parse("2001年3月13日于杭州").map(|date| date.to_string()), Some("2001-03-13".to_owned()));
    /// assert_eq!(Date::parse("1990.??.??").map(|date| date.year), Some(1990));
    /// assert_eq!(Date::parse("第3轮"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Date> {
        let numbers = numbers(text);
        let compact = numbers.iter().find(|(digits, value)| {
            *digits == 8 && Date::whole(value / 10_000, value / 100 % 100, value % 100).is_some()
        });
        if let Some((_, value)) = compact {
            return Date::whole(value / 10_000, value / 100 % 100, value % 100);
        }
        let at = numbers.iter().position(|(digits, value)| *digits == 4 && is_year(*value))?;
        let part = |offset: usize| {
            let (digits, value) = numbers.get(at + offset)?;
            (*digits <= 2).then_some(*value)
        };
        let year = numbers[at].1;
        let whole = part(1).zip(part(2)).and_then(|(month, day)| Date::whole(year, month, day));
        whole.or(Some(Date { year: i32::try_from(year).ok()?, day: None }))
    }

    fn whole(year: u32, month: u32, day: u32) -> Option<Date> {
        let exists = is_year(year) && (1..=12).contains(&month) && day >= 1;
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => 31,
        };
        let year = i32::try_from(year).ok()?;
        (exists && day <= days).then_some(Date { year, day: Some((month, day)) })
    }

    /// Days since 1 January 1970, where the day is stated (Gregorian calendar, also before 1582).
    pub fn days(self) -> Option<i32> {
        let (month, day) = self.day?;
        // Counted from 1 March of the year 0, so that the leap day ends a year.
        let year = self.year - i32::from(month <= 2);
        let (month, day) = (month as i32, day as i32);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        Some(year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468)
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.day {
            Some((month, day)) => write!(f, "{}-{month:02}-{day:02}", self.year),
            None => write!(f, "{}", self.year),
        }
    }
}

fn is_year(value: u32) -> bool {
    (1000..=2999).contains(&value)
}

/// The numbers of `text` with how many digits each has; 十 counts as 10, so 十三 is 13 and 二十 is 20.
fn numbers(text: &str) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let (digit, ten) = match c {
            '0'..='9' => (Some(u32::from(c) - u32::from('0')), false),
            '０'..='９' => (Some(u32::from(c) - u32::from('０')), false),
            '十' => (None, true),
            _ => ("〇一二三四五六七八九".chars().position(|d| d == c).map(|d| d as u32), false),
        };
        let zero = matches!(c, '零' | '○' | 'Ｏ').then_some(0);
        match (digit.or(zero), ten, found.last_mut().filter(|_| open)) {
            // 十三: ten, then three; 二十三: two tens, then three.
            (Some(digit), _, Some((digits, value))) => {
                *value = match *digits {
                    11 => value.saturating_add(digit),
                    _ => value.saturating_mul(10).saturating_add(digit),
                };
                *digits = if *digits == 11 { 2 } else { digits.saturating_add(1) };
            }
            (Some(digit), _, None) => found.push((1, digit)),
            // Eleven digits stand for a ten that may still get its units.
            (None, true, Some((digits, value))) => {
                (*digits, *value) = (11, value.saturating_mul(10))
            }
            (None, true, None) => found.push((11, 10)),
            _ => {
                open = false;
                continue;
            }
        }
        open = true;
    }
    found
        .into_iter()
        .map(|(digits, value)| (if digits == 11 { 2 } else { digits }, value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(date: &str) -> Option<String> {
        Date::parse(date).map(|date| date.to_string())
    }

    #[test]
    fn dates_of_real_records() {
        for (written, read) in [
            ("2001.03.13", "2001-03-13"),
            ("2001-3-13", "2001-03-13"),
            ("20010313", "2001-03-13"),
            ("1990年10月21日于杭州", "1990-10-21"),
            ("２００１年３月１３日", "2001-03-13"),
            ("二〇〇一年十月二十三日", "2001-10-23"),
            ("二○○一年三月十日", "2001-03-10"),
            ("2001.??.??", "2001"),
            ("2001.02.30", "2001"),
            ("2001", "2001"),
            ("2003-10-03 至 2003-10-12", "2003-10-03"),
        ] {
            assert_eq!(text(written).as_deref(), Some(read), "{written}");
        }
        for none in ["", "????.??.??", "90.5.3", "第十三轮", "99999999", "12345"] {
            assert_eq!(text(none), None, "{none}");
        }
    }

    /// Days of well-known dates: the epoch, the day of the moon landing, a leap day, a day before 1970.
    #[test]
    fn days_since_the_epoch() {
        for (date, days) in [
            ("1970-01-01", 0),
            ("1969-07-20", -165),
            ("2000-02-29", 11_016),
            ("2000-03-01", 11_017),
        ] {
            assert_eq!(Date::parse(date).and_then(Date::days), Some(days), "{date}");
        }
        assert_eq!(Date::parse("2001").and_then(Date::days), None);
    }
}
