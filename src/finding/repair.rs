//! What would repair a finding, as changes of ranges of the source.

use super::Span;

/// One range of a source and what is to stand there instead.
///
/// ```
/// use qijian::finding::{Edit, Span};
///
/// let edit = Edit::new(Span::new(3, 4), "2", "二");
/// assert_eq!((edit.was.as_str(), edit.now.as_str()), ("2", "二"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The range: of the decoded text for text formats, of the file for binary ones.
    pub span: Span,
    /// What stands there; of a binary file in hexadecimal. An edit is only made where this is found.
    pub was: String,
    /// What is to stand there.
    pub now: String,
}

impl Edit {
    /// Puts `now` in the place of `was`, which stands at `span`.
    pub fn new(span: Span, was: impl Into<String>, now: impl Into<String>) -> Edit {
        Edit { span, was: was.into(), now: now.into() }
    }
}
