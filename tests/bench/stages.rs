//! Times each stage of the pipeline by itself, on archives of `../shared`: bytes → text → records → moves → replay →
//! rulings → JSON, Parquet.
//!
//! `cargo bench`. Prints throughput in bytes of the source, so that stages compare; asserts nothing. The stage before is
//! prepared outside the time.

use std::{fs, path::PathBuf, sync::Arc};

use divan::{Bencher, counter::BytesCount};
use qijian::{
    finding::{Lang, Locate},
    format::{self, Format, pgn},
    record::Record,
    replay::{self, Game, Options},
    report::{self, Renderer, Style},
    rules::{self, Profile},
    run,
    source::{self, Encoding, Text},
};
use walkdir::WalkDir;

fn main() {
    divan::main();
}

/// Files of a folder in order, spread over it, so many at most, as bytes.
fn files(folder: &str, extension: &str, most: usize) -> Vec<Vec<u8>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(folder);
    let fits = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension));
    let found = WalkDir::new(root).sort_by_file_name().into_iter().flatten();
    let paths: Vec<PathBuf> = found.map(walkdir::DirEntry::into_path).filter(fits).collect();
    let spread = paths.iter().step_by((paths.len() / most).max(1));
    spread.filter_map(|path| fs::read(path).ok()).collect()
}

/// The PGN files of a folder as one.
fn joined(folder: &str) -> Vec<u8> {
    files(folder, "pgn", 500).join(&b"\n\n"[..])
}

const TEXTS: [&str; 2] = ["pgn-big5-ccpd", "pgn-gbk-online"];

fn records<'t>(text: &'t Text<'_>) -> Vec<Record<'t>> {
    let mut records = Vec::new();
    pgn::read(text, &mut |record| records.push(record));
    records
}

fn games(records: &[Record<'_>], locate: &dyn Locate) -> Vec<Game> {
    records.iter().map(|record| replay::replay(record, locate, &Options::default())).collect()
}

#[divan::bench(args = TEXTS)]
fn decode(bencher: Bencher<'_, '_>, folder: &str) {
    let bytes = joined(folder);
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| Text::decode_games(&bytes));
}

/// What decoding costs at the least: the bound of the whole.
#[divan::bench(args = TEXTS)]
fn decode_only(bencher: Bencher<'_, '_>, folder: &str) {
    let bytes = joined(folder);
    let codec = match source::detect(&bytes) {
        Encoding::Big5 => encoding_rs::BIG5,
        _ => encoding_rs::GB18030,
    };
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| codec.decode(&bytes).0.len());
}

#[divan::bench(args = TEXTS)]
fn read_pgn(bencher: Bencher<'_, '_>, folder: &str) {
    let bytes = joined(folder);
    let text = Text::decode_games(&bytes);
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| records(&text));
}

#[divan::bench]
fn read_xqf(bencher: Bencher<'_, '_>) {
    let files = files("xqf", "xqf", 300);
    let bytes: usize = files.iter().map(Vec::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let mut plies = 0;
        for file in &files {
            format::read(file, Format::Xqf, None, &mut |record, _, _| plies += record.tree.len());
        }
        plies
    });
}

/// Resolving the moves of the notation and playing them.
#[divan::bench(args = TEXTS)]
fn replay_moves(bencher: Bencher<'_, '_>, folder: &str) {
    let bytes = joined(folder);
    let text = Text::decode_games(&bytes);
    let records = records(&text);
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| games(&records, &text));
}

#[divan::bench(args = TEXTS)]
fn rulings(bencher: Bencher<'_, '_>, folder: &str) {
    let bytes = joined(folder);
    let text = Text::decode_games(&bytes);
    let records = records(&text);
    let games = games(&records, &text);
    let profile = Profile::default();
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| {
        let judge = |(game, record)| rules::judge(game, record, &text, &profile, true).len();
        games.iter().zip(&records).map(judge).sum::<usize>()
    });
}

/// Games, plies and findings as a dataset of Parquet files.
#[cfg(feature = "tables")]
#[divan::bench(args = TEXTS)]
fn parquet_out(bencher: Bencher<'_, '_>, folder: &str) {
    use std::num::NonZeroUsize;

    let bytes = joined(folder);
    let work = tempfile::tempdir().expect("a directory to work in");
    let path = work.path().join("games.pgn");
    fs::write(&path, &bytes).expect("room for the text");
    let export = run::Export {
        paths: vec![path],
        directory: work.path().join("out"),
        format: qijian::table::FileFormat::Parquet,
        positions: qijian::table::Positions::Fen,
        partition: None,
        row_group: NonZeroUsize::new(100_000).expect("more than none"),
        part: None,
        resume: false,
        force: true,
        options: serde_json::Value::Null,
    };
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| {
        let studying = run::Studying::default();
        run::export(&export, &studying, NonZeroUsize::MIN, &mut |_, _| {}).expect("an export").parts
    });
}

/// All of `check`, with and without the lines of JSON.
#[divan::bench(args = TEXTS, consts = [false, true])]
fn whole<const JSON: bool>(bencher: Bencher<'_, '_>, folder: &str) {
    let bytes = joined(folder);
    let renderer = Renderer::new(report::Format::Jsonl, Style::plain(Lang::En));
    let options =
        run::Options { profile: Some(Arc::new(Profile::default())), ..run::Options::default() };
    bencher.counter(BytesCount::of_slice(&bytes)).bench_local(|| {
        let mut written = 0;
        run::check("games.pgn", &bytes, true, &options, &mut |report| {
            written += if JSON { renderer.game(&report).len() } else { 1 };
        });
        written
    });
}
