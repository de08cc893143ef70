//! Which codes a run is asked for.

use super::{Code, UnknownCode};

/// The codes of `--select` and `--ignore`.
///
/// Everything is selected unless `select` names something. Where both name a code, the longer prefix decides, and of
/// equal ones `ignore`.
///
/// ```
/// use qijian::finding::{Code, Selection};
///
/// let selection = Selection::new(&["QJ3", "QJ203"], &["QJ302"])?;
/// assert!(selection.contains(Code::ILLEGAL_MOVE));
/// assert!(!selection.contains(Code::MOVE_AFTER_END));
/// assert!(!selection.contains(Code::TRUNCATED));
/// assert!(Selection::new(&["QJ39"], &[]).is_err());
/// # Ok::<(), qijian::finding::UnknownCode>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
}

impl Selection {
    /// The selection of codes and prefixes of codes, in any case. A family of the contract may be named (`QJ9`) even
    /// while it has no code.
    ///
    /// # Errors
    ///
    /// The first of them that is no family and that no code of the catalogue begins with.
    pub fn new<S: AsRef<str>>(select: &[S], ignore: &[S]) -> Result<Selection, UnknownCode> {
        let prefixes = |list: &[S]| {
            list.iter()
                .map(|prefix| prefix.as_ref().trim())
                .map(|prefix| {
                    if is_family(prefix) || Code::all().any(|code| code.matches_prefix(prefix)) {
                        Ok(prefix.to_owned())
                    } else {
                        Err(UnknownCode(prefix.to_owned()))
                    }
                })
                .collect::<Result<Vec<String>, UnknownCode>>()
        };
        Ok(Selection { select: prefixes(select)?, ignore: prefixes(ignore)? })
    }

    /// Whether findings of `code` are asked for.
    pub fn contains(&self, code: Code) -> bool {
        let longest = |prefixes: &[String]| {
            prefixes.iter().filter(|prefix| code.matches_prefix(prefix)).map(String::len).max()
        };
        match (longest(&self.select), longest(&self.ignore)) {
            (Some(select), Some(ignore)) => select > ignore,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => self.select.is_empty(),
        }
    }
}

/// Whether `prefix` is `QJ` and the digit of a family.
fn is_family(prefix: &str) -> bool {
    matches!(prefix.as_bytes(), [b'Q' | b'q', b'J' | b'j', digit] if digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_selected_unless_told_otherwise() {
        assert!(Code::all().all(|code| Selection::default().contains(code)));
        let selection = Selection::new(&[], &["QJ2"]).unwrap();
        assert!(selection.contains(Code::ILLEGAL_MOVE));
        assert!(!selection.contains(Code::AMBIGUOUS_MOVE));
    }

    #[test]
    fn the_longer_prefix_decides() {
        let selection = Selection::new(&["qj301"], &["QJ3"]).unwrap();
        assert!(selection.contains(Code::ILLEGAL_MOVE));
        assert!(!selection.contains(Code::MOVE_AFTER_END));
        let both = Selection::new(&["QJ3"], &["QJ3"]).unwrap();
        assert!(!both.contains(Code::ILLEGAL_MOVE));
    }

    #[test]
    fn what_no_code_begins_with_is_refused() {
        for bad in ["", "Q", "3", "QJ9999", "QJ3,QJ4", "全部"] {
            assert_eq!(Selection::new(&[bad], &[]), Err(UnknownCode(bad.to_owned())));
            assert_eq!(Selection::new(&[], &[bad]), Err(UnknownCode(bad.to_owned())));
        }
    }
}
