//! 棋鉴 qijian: reads xiangqi game records, replays them, and says exactly what is wrong.
//!
//! # The pipeline
//!
//! ```text
//! bytes ── source ──► text ── format ──► record ── replay ──► game ──► findings ──► report
//!                               (what is written)      (what was played)  (what is wrong)
//! ```
//!
//! | stage | module | what it knows |
//! | --- | --- | --- |
//! | bytes | [`source`] | files, directories, standard input; the encoding of text |
//! | record | [`format`](mod@format), [`record`] | PGN and XQF; what is written, to the byte, each part with its place |
//! | move | [`notation`] | one move as text ⇄ one move on a position: Chinese, short, WXF, ICCS, UCI, SAN, Vietnamese |
//! | game | [`replay`], [`board`] | the rules of moving; what the written moves mean on the board, and why one cannot |
//! | finding | [`finding`] | the catalogue of codes, explained in Chinese and English |
//! | event | [`event`] | tournaments: an event file, its table and ranking, its audit, the next round |
//! | report | [`report`] | text for people; JSON, CSV and SARIF for programs |
//! | many files | [`run`] | an ordered parallel map, progress; [`cli`] is the command, and only parses and prints |
//!
//! Two things are kept apart throughout: a [`record::Record`] is what the file says and is never corrected; a
//! [`replay::Game`] is what the rules make of it. No input makes a reader panic or fail: whatever is wrong becomes a
//! [`finding::Finding`] with a code, a place and a proposal.
//!
//! # Step by step
//!
//! ```
//! use qijian::{format, finding::Code, replay, source};
//!
//! let bytes = "[Red \"甲\"]\n\n1. 炮二平五 马8进7 2. 马二进四 *\n".as_bytes();
//!
//! // The content decides on format and encoding, never the name of the file.
//! assert_eq!(format::sniff(bytes, None), Some(format::Format::Pgn));
//! let text = source::Text::decode(bytes, source::detect(bytes));
//!
//! let mut games = 0;
//! format::pgn::read(&text, &mut |record| {
//!     games += 1;
//!     assert_eq!(record.tag("red").map(|tag| &*tag.value), Some("甲"));
//!
//!     let game = replay::replay(&record, &text, &replay::Options::default());
//!     let moves: Vec<String> = game.moves.iter().map(|mv| mv.to_string()).collect();
//!     assert_eq!(moves, ["h2e2", "h9g7"]);
//!
//!     // 马二进四 would jump over the elephant on g0: line 3, column 17.
//!     let finding = &game.findings[0];
//!     assert_eq!(finding.code, Code::ILLEGAL_MOVE);
//!     assert_eq!((finding.place.line, finding.place.column), (Some(3), Some(17)));
//!     assert_eq!(finding.message.en, "illegal move: the horse is hobbled");
//! });
//! assert_eq!(games, 1);
//! ```
//!
//! # The quick way
//!
//! Most games of an archive have no fault at all. Those of PGN files are read from the bytes by
//! [`format::pgn::plain`] and played by [`replay::plain`](fn@replay::plain), which give up at the first thing that is not as the
//! standard has it, or that is to be told: then all of the above is done. Nothing that is said depends on the way.
//!
//! # In one call
//!
//! [`run::check`] does all this for a file of any format and hands over a [`report::GameReport`] for each game:
//!
//! ```
//! use qijian::run;
//!
//! let options = run::Options { moves: true, ..run::Options::default() };
//! run::check("a.pgn", b"1. h2e2 h9g7 1-0", true, &options, &mut |game| {
//!     assert_eq!((game.plies, game.result), (2, "1-0"));
//!     assert!(game.findings.is_empty());
//! });
//! ```

pub mod audit;
pub mod board;
pub mod cli;
pub mod event;
pub mod finding;
pub mod format;
pub mod notation;
pub mod record;
pub mod replay;
pub mod report;
pub mod rules;
pub mod run;
pub mod source;
pub mod table;
