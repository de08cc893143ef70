//! The integration tests: one binary, a module a subject.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "helpers of tests fail as tests do, and say what they skip"
)]

/// The arbiter's articles: sheets that pass, fail and leave unknown.
mod arbiter;
/// Real archives: every game that an independent program has read.
mod archives;
/// What an attacker, and a reader of CONTRACT to the letter, have found.
mod attacks;
/// One disputed game from one sheet or two.
mod audit;
/// The binary formats: real files whole, and written again.
mod binary;
/// The examples of `CODES.md`: each gives its code, each corrected one none.
mod codes;
/// The command: exit status, formats, order of output.
mod command;
/// Conversion: round trips of real files, and the file system.
mod convert;
/// Conversion into each format, and runs that are split, joined, interrupted and resumed.
mod convert_formats;
/// Damaged files: every truncation and every changed byte of small samples.
mod corruption;
/// What no part of a record covers.
mod coverage;
/// Repairs: what is safe, and nothing else.
mod fix;
/// The text notations against the grammars of `grammars/`.
mod grammar;
/// The Kaitai grammars of the binary formats against the readers.
mod ksy;
/// The layout of DESIGN.md: who may import whom, and file sizes.
mod layout;
/// Move lists, tables, JSON, scoresheets and archives: real files, round trips, hostile input.
mod lists;
/// The natural limit: a plain counter, and games at the edges.
mod natural_limit;
/// Real games written in every notation: each is recognised and reads back.
mod notations;
/// Openings: other orders of the same moves.
mod openings;
/// The quick way through games without a fault, and large files in parts.
mod plain;
/// The commands of README.md, run as written.
mod readme;
/// Symmetry and evidence of rulings on thousands of cycles; constructed motifs.
mod repetitions;
mod ruling_properties;
/// Published repetition rulings.
mod rulings;
/// One game looked at: terminal, SVG, page.
mod show;
/// What the command prints on `samples/`, to be read in review.
mod snapshots;
mod support;
/// Datasets, statistics, duplicates, searches.
mod tables;
/// Text formats against the grammars of `grammars/`.
mod text_formats;
/// Tournaments: samples, real events, the rows of the inventory.
mod tournaments;
