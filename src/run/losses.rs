//! What a target cannot hold, as findings: the one place where a [`Loss`] becomes `QJ010`.

use crate::{
    finding::{Code, Finding, Locate, Words},
    format::{Fate, Loss, Part},
    record::Record,
};

/// Losses are reported one by one up to this number in a game.
const MOST: usize = 100;
/// Characters of a text that are shown in a message.
const SHOWN: usize = 60;

/// `QJ010` for each loss; the last one listed says how many more there are.
pub(super) fn findings(record: &Record<'_>, losses: &[Loss], locate: &dyn Locate) -> Vec<Finding> {
    let listed = losses.iter().take(MOST);
    let mut findings: Vec<Finding> = listed.map(|loss| finding(record, loss, locate)).collect();
    if let Some(last) = findings.last_mut().filter(|_| losses.len() > MOST) {
        last.data.insert("more".to_owned(), (losses.len() - MOST).into());
    }
    findings
}

fn finding(record: &Record<'_>, loss: &Loss, locate: &dyn Locate) -> Finding {
    let mut shown: String = loss.text.chars().take(SHOWN).collect();
    if shown.len() < loss.text.len() {
        shown.push('…');
    }
    let (zh, en) = match loss.part {
        Part::Tag => ("标签", "a tag"),
        Part::Start => ("起始局面", "the start position"),
        Part::Move => ("着法", "a move"),
        Part::Marks => ("符号", "marks"),
        Part::Comment => ("注释", "a comment"),
        Part::Result => ("结果", "the result"),
        Part::Beside => ("对局之外的文字", "text beside the game"),
        Part::Game => ("整局", "the game"),
    };
    let words = match loss.fate {
        Fate::Dropped => Words::new(
            format!("目标没有{zh}的位置，未写入：{shown}"),
            format!("the target has no place for {en}, not written: {shown}"),
        ),
        Fate::Changed => Words::new(
            format!("目标不能原样容纳{zh}，写作 {shown}"),
            format!("the target cannot hold {en} as it is; written as {shown}"),
        ),
        Fate::Differs => Words::new(
            format!("{zh}写出后读回不同：{shown}"),
            format!("{en} does not read back the same: {shown}"),
        ),
    };
    let (dropped, written) = match loss.fate {
        Fate::Dropped => (Some(loss.text.as_str()), ""),
        Fate::Changed | Fate::Differs => (None, loss.text.as_str()),
    };
    let (path, ply) = record.tree.branch(loss.node);
    let mut finding = Finding::new(Code::NOT_REPRESENTABLE, words)
        .at(locate.place(loss.span))
        .with("part", loss.part.as_str())
        .with("written", written);
    if let Some(dropped) = dropped {
        finding = finding.with("dropped", dropped);
    }
    (finding.path, finding.ply) = (path, ply);
    finding.help(Words::new(
        "改用能容纳的编码或格式，或先改正源文件此处",
        "choose an encoding or format that holds it, or change the source here first",
    ))
}
