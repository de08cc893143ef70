//! Where bytes come from, and how they become text.

mod encoding;
mod input;
mod text;

pub use encoding::{Encoding, detect};
pub use input::{Input, InputError, inputs};
pub use text::{BadBytes, Text};
