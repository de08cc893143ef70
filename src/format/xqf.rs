//! XQF, the format of XQStudio (象棋演播室), versions 1.0 to 1.8.
use crate::{record::Record, source::Encoding};
/// Reads the game of an XQF file; `encoding` `None` decides between GB18030 and Big5 by the file's own text. Total: any bytes give a record with findings. Returns the encoding used.
pub fn read(_bytes: &[u8], _encoding: Option<Encoding>) -> (Record<'_>, Encoding) {
    todo!()
}
