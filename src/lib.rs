//! 棋鉴 qijian: reads xiangqi game records, replays them, and says exactly what is wrong.

pub mod board;
pub mod cli;

pub mod finding;
pub mod format;
pub mod notation;
pub mod record;
pub mod replay;
pub mod report;
pub mod run;

pub mod source;
