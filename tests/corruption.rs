//! Damaged files: every truncation and every changed byte of the small samples gives a report, never a panic.

use std::fs;

use qijian::{
    report::GameReport,
    run::{self, Options},
};

use crate::support::root;

fn samples() -> Vec<(String, Vec<u8>)> {
    let mut samples: Vec<_> = fs::read_dir(root().join("samples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())
        })
        .collect();
    samples.sort();
    samples
}

fn check(name: &str, bytes: &[u8]) -> Vec<GameReport> {
    let mut reports = Vec::new();
    let mut options = Options { moves: true, ..Options::default() };
    // The searches are not the subject: with their usual bound a sweep over all samples takes hours.
    options.replay.effort = 50;
    run::check(name, bytes, true, &options, &mut |report| reports.push(report));
    reports
}

/// What must hold of any input whatever.
fn sound(name: &str, bytes: &[u8]) {
    let reports = check(name, bytes);
    assert!(!reports.is_empty(), "{name}: no report");
    for report in reports {
        assert!(report.game > 0 || !report.findings.is_empty(), "{name}: no game and no finding");
        assert_eq!(
            report.counts.nodes.read,
            report.counts.nodes.written + report.counts.nodes.refused
        );
        for finding in &report.findings {
            if let Some(offset) = finding.place.offset {
                assert!(offset <= bytes.len() as u64, "{name}: place behind the end");
            }
        }
    }
}

/// The bytes to change and to cut at: all of a small sample. A large one consists of zeros mostly, as a library has
/// 64 KB of room for remarks: there all other bytes with their neighbours, and a zero now and then.
fn places(bytes: &[u8]) -> Vec<usize> {
    const LARGE: usize = 16 << 10;
    const NOW_AND_THEN: usize = 251;
    let is_near = |index: usize| {
        bytes[index.saturating_sub(2)..(index + 3).min(bytes.len())].iter().any(|byte| *byte != 0)
    };
    (0..bytes.len())
        .filter(|index| bytes.len() < LARGE || index % NOW_AND_THEN == 0 || is_near(*index))
        .collect()
}

#[test]
fn every_truncation() {
    for (name, bytes) in samples() {
        for length in places(&bytes) {
            sound(&name, &bytes[..length]);
        }
    }
}

#[test]
fn every_changed_byte() {
    for (name, bytes) in samples() {
        let mut changed = bytes.clone();
        for index in places(&bytes) {
            for value in [0x00, 0xFF, bytes[index] ^ 0x01, bytes[index] ^ 0x80, b'{', b'('] {
                changed[index] = value;
                sound(&name, &changed);
            }
            changed[index] = bytes[index];
        }
    }
}

/// The sweep must bite: a cut in the middle of an XQF tree, in a comment and in a tag is told.
#[test]
fn truncation_is_told() {
    let (_, bytes) = samples().into_iter().find(|(name, _)| name == "valid-1.8.xqf").unwrap();
    let codes = |bytes: &[u8]| -> Vec<String> {
        check("x", bytes)
            .iter()
            .flat_map(|report| &report.findings)
            .map(|finding| finding.code.to_string())
            .collect()
    };
    assert!(codes(&bytes).is_empty());
    for length in 0x10..bytes.len() {
        assert!(
            codes(&bytes[..length]).contains(&"QJ002".to_owned()),
            "cut at {length}: {:?}",
            codes(&bytes[..length])
        );
    }
}
