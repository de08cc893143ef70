//! Duplicates among many inputs: one walk that finds them, so that a second one can mark, leave out or tell them.

use std::{collections::HashMap, num::NonZeroUsize, path::PathBuf};

use crate::{
    finding::{Code, Finding, Words},
    source,
    table::{Index, game_id},
};

use super::study::{Reached, Studying, study};

/// Games that a thread gathers before it hands them on.
const PIECE: usize = 2_000;

/// The duplicates of some inputs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Duplicates {
    copies: HashMap<u64, Found>,
    /// How many groups there are.
    pub groups: usize,
}

/// A game that is there in a richer form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The number of its group, from 1 in the order of the input.
    pub group: usize,
    /// Games in the group.
    pub size: usize,
    /// How it relates to the richest game: `identical`, `retagged`, `mirrored`, `truncated`, `transposed`, with `+` between.
    pub kind: String,
    /// The richest game: its id, source and number.
    pub best_id: u64,
    /// Its source.
    pub best_source: String,
    /// Its number there.
    pub best_game: u32,
}

impl Duplicates {
    /// Reads every game under `paths` and compares them; [`table::Index`](crate::table::Index) says when two are one.
    /// Standard input cannot be read twice, so it is passed over.
    pub fn find(paths: &[PathBuf], jobs: NonZeroUsize, studying: &Studying) -> Duplicates {
        let paths: Vec<PathBuf> =
            paths.iter().filter(|path| path.as_os_str() != "-").cloned().collect();
        // Rulings say nothing about duplicates and cost most.
        let mut studying = studying.clone();
        studying.options.profile = None;
        studying.duplicates = None;
        let mut index = Index::default();
        study(
            source::inputs(&paths),
            jobs,
            &studying,
            Reached::default(),
            |part: &mut Index, study| part.add(&study),
            |part| part.len() >= PIECE,
            |piece| {
                index.append(piece.made);
                true
            },
        );
        let groups = index.groups();
        let mut duplicates = Duplicates { copies: HashMap::new(), groups: groups.len() };
        for (number, (best, copies)) in groups.into_iter().enumerate() {
            let size = copies.len() + 1;
            for copy in copies {
                let found = Found {
                    group: number + 1,
                    size,
                    kind: copy.kind,
                    best_id: best.id,
                    best_source: best.source.clone(),
                    best_game: best.game,
                };
                duplicates.copies.insert(copy.member.id, found);
            }
        }
        duplicates
    }

    /// What there is to say of the game with this id; `None` for one that is there once, or the richest of its group.
    pub fn of(&self, id: u64) -> Option<&Found> {
        self.copies.get(&id)
    }

    /// The same by source and number.
    pub fn of_game(&self, source: &str, game: u32) -> Option<&Found> {
        self.of(game_id(source, game))
    }

    /// How many games are there in a richer form.
    pub fn copies(&self) -> usize {
        self.copies.len()
    }
}

impl Found {
    /// `QJ013`.
    pub fn finding(&self) -> Finding {
        let Found { group, size, kind, best_source, best_game, .. } = self;
        let words = kind.split('+').map(|kind| match kind {
            "identical" => ("完全相同", "identical"),
            "retagged" => ("标签不同", "other tags"),
            "mirrored" => ("左右镜像", "mirrored"),
            "truncated" => ("只有前一部分", "cut short"),
            "transposed" => ("开局次序不同", "transposed beginning"),
            "extended" => ("多出着法", "longer"),
            _ => ("经另一局相连", "linked by a third game"),
        });
        let (zh, en): (Vec<_>, Vec<_>) = words.unzip();
        let words = Words::new(
            format!("与 {best_source} 第{best_game}局是同一局：{}", zh.join("、")),
            format!("the same game as game {best_game} of {best_source}: {}", en.join(", ")),
        );
        Finding::new(Code::DUPLICATE_GAME, words)
            .help(Words::new(
                "convert --dedupe 每组只留内容最全的一局",
                "`convert --dedupe` keeps the richest game of each group",
            ))
            .with("group", *group)
            .with("size", *size)
            .with("kind", kind.as_str())
            .with("source", best_source.as_str())
            .with("game", *best_game)
    }
}
