//! stub
/// The text is not a FEN; `at` is the byte offset in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a FEN: {what} at byte {at}")]
pub struct FenError {
    /// Byte offset in the text.
    pub at: usize,
    /// What was found and expected.
    pub what: &'static str,
}
