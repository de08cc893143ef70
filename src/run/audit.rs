//! What `audit` does with its files: one game each, or one file with both sheets of a game.

use crate::{
    audit::{self, Audit, Audited, Sheet},
    finding::{self, Binary, Finding, Locate},
    format::{self, Format},
    record::Record,
    report::GameReport,
    source::Encoding,
};

use super::{
    check,
    convert::Conversion,
    losses,
    page::{Page, Pages, compose},
};

/// How to audit files.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// The format of the sheets; `None` finds it from the content.
    pub from: Option<Format>,
    /// The encoding of text; `None` finds it from the content.
    pub encoding: Option<Encoding>,
    /// How to audit.
    pub audit: audit::Options,
    /// How to write the reconciled game; `None` does not write it.
    pub write: Option<Conversion>,
}

/// An audit of files.
#[derive(Clone, Debug)]
pub struct AuditDone {
    /// The audit.
    pub audit: Audit,
    /// The reconciled game as a file, if it was asked for.
    pub written: Option<Vec<u8>>,
    /// What `check` says of the reconciled game.
    pub report: GameReport,
    /// What that file cannot hold (`QJ010`, `QJ206`).
    pub losses: Vec<Finding>,
}

/// Why there is nothing to audit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AuditFailure {
    /// A file holds no readable game.
    #[error("{0}: 没有可读的棋局 / no readable game")]
    NoGame(String),
    /// A file holds several games, and they are not the two sheets of one.
    #[error(
        "{0}: 有 {1} 局，audit 只审一局，请先拆分 / {1} games; audit takes one, split them first"
    )]
    ManyGames(String, u32),
}

/// Audits the game of one or two files, each a name with its bytes. A single file may hold both sheets.
///
/// # Errors
///
/// A file holds no game, or more than one.
///
/// ```
/// use qijian::{audit::Witness, run};
///
/// let red = ("red.pgn", &b"1. h2e2 h9g7 *"[..]);
/// let black = ("black.pgn", &b"1. h2e2 h9g7 2. h0g2 *"[..]);
/// let done = run::audit(&[red, black], &run::AuditOptions::default())?;
/// assert_eq!(done.audit.sheets.len(), 2);
/// # Ok::<(), run::AuditFailure>(())
/// ```
pub fn audit(sources: &[(&str, &[u8])], options: &AuditOptions) -> Result<AuditDone, AuditFailure> {
    let mut picks = Vec::new();
    for (name, bytes) in sources {
        let format = options.from.or_else(|| format::sniff(bytes, options.encoding));
        let format = format.ok_or_else(|| AuditFailure::NoGame((*name).to_owned()))?;
        let mut games = Vec::new();
        format::read(bytes, format, options.encoding, &mut |record, _, _| {
            if record.game > 0 {
                games.push((record.game, record.owner));
            }
        });
        let both_sheets = sources.len() == 1
            && matches!(&games[..], [(_, Some(one)), (_, Some(other))] if one != other);
        match games.len() {
            0 => return Err(AuditFailure::NoGame((*name).to_owned())),
            1 => {}
            2 if both_sheets => {}
            many => return Err(AuditFailure::ManyGames((*name).to_owned(), many as u32)),
        }
        picks.extend(games.iter().map(|(game, _)| Pick { name, bytes, format, game: *game }));
    }
    let mut done = None;
    let Some((first, rest)) = picks.split_first() else {
        return Err(AuditFailure::NoGame(String::new()));
    };
    first.read(options, &mut |one, locate, encoding| {
        let sheet = Sheet { source: first.name, record: one, locate };
        match rest.first() {
            None => done = Some(finish(&[sheet], (first.format, encoding), options)),
            Some(second) => second.read(options, &mut |other, locate, _| {
                let other = Sheet { source: second.name, record: other, locate };
                done = Some(finish(&[sheet, other], (first.format, encoding), options));
            }),
        }
    });
    done.ok_or_else(|| AuditFailure::NoGame(first.name.to_owned()))
}

/// One game of a file.
struct Pick<'s> {
    name: &'s str,
    bytes: &'s [u8],
    format: Format,
    game: u32,
}

impl Pick<'_> {
    fn read(
        &self,
        options: &AuditOptions,
        sink: &mut dyn FnMut(&Record<'_>, &dyn Locate, Encoding),
    ) {
        format::read(self.bytes, self.format, options.encoding, &mut |record, locate, encoding| {
            if record.game == self.game {
                sink(&record, locate, encoding);
            }
        });
    }
}

fn finish(
    sheets: &[Sheet<'_, '_>],
    source: (Format, Encoding),
    options: &AuditOptions,
) -> AuditDone {
    let Audited { audit, record, game } = audit::audit(sheets, &options.audit);
    let mut losses = Vec::new();
    let written = options.write.as_ref().map(|conversion| {
        let composed = compose(&record, &game, conversion, source, &Binary);
        losses = composed.moves.findings;
        losses.extend(losses::findings(&record, &composed.losses, &Binary));
        finding::sort(&mut losses);
        let pages = match composed.page {
            Page::Text(text) if text.is_empty() => Vec::new(),
            page => vec![page],
        };
        {
            let encoding = conversion.encoding();
            Pages { to: conversion.to, encoding, pages, dropped: false }.joined()
        }
    });
    let report = check::report(sheets[0].source, &record, game, source.0, source.1, false);
    AuditDone { audit, written, report, losses }
}
