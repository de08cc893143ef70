//! stub
use super::Position;
/// The number of legal move sequences of `depth` plies.
pub fn perft(_position: &mut Position, _depth: u32) -> u64 {
    todo!()
}
