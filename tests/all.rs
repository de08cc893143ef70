//! The integration tests: one binary, a module a subject.

/// Real archives: every game that an independent program has read.
mod archives;
/// The command: exit status, formats, order of output, snapshots on `samples/`.
mod command;
/// Damaged files: every truncation and every changed byte of small samples.
mod corruption;
/// The text notations against the grammars of `grammars/`.
mod grammar;
/// The layout of DESIGN.md: who may import whom, and file sizes.
mod layout;
/// Move lists, tables, JSON, scoresheets and archives: real files, round trips, hostile input.
mod lists;
/// Real games written in every notation: each is recognised and reads back.
mod notations;
mod support;
