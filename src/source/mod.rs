//! Where bytes come from, and how they become text.

mod archive;
mod contents;
mod encoding;
mod input;
mod mixed;
mod parts;
mod place;
mod signs;
mod text;
mod to_bytes;
mod unpack;
mod weigh;

pub use contents::{Contents, LARGE};
pub use encoding::{Encoding, detect};
pub use input::{Input, InputError, inputs, is_single};
pub(crate) use parts::may_open_a_comment;
pub use parts::{Part, Parts};
pub use signs::Signs;
pub use text::{BadBytes, Origin, Text};
pub use unpack::{RATIO_FREE, RATIO_LIMIT, UNPACKED_LIMIT, is_packed};
pub use weigh::detect_chinese;
