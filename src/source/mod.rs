//! Where bytes come from, and how they become text.

mod archive;
mod encoding;
mod input;
mod mixed;
mod place;
mod text;
mod to_bytes;
mod unpack;
mod weigh;

pub use encoding::{Encoding, detect};
pub use input::{Input, InputError, inputs, is_single};
pub use text::{BadBytes, Text};
pub use unpack::{RATIO_FREE, RATIO_LIMIT, UNPACKED_LIMIT, is_packed};
pub use weigh::detect_chinese;
