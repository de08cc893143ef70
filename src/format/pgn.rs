//! PGN as real archives have it.
use crate::{record::Record, source::Text};
/// Reads every game of `text`, handing each to `sink` as soon as it is complete.
pub fn read<'t>(_text: &'t Text<'_>, _sink: &mut dyn FnMut(Record<'t>)) {
    todo!()
}
