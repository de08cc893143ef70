//! How the tests show a record.

mod archives;
mod hostile;
mod layouts;
mod reports;

use super::*;
use crate::{
    finding::{Binary, Code},
    record::{NodeId, Start},
};

fn games(text: &str) -> Vec<Record<'_>> {
    let mut games = Vec::new();
    read_str(text, &Binary, &mut |record| games.push(record));
    games
}

fn game(text: &str) -> Record<'_> {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// The tree as text: the line, then in parentheses the alternatives to each ply behind it; `_` is an omitted ply,
/// numbers as written.
fn tree(record: &Record<'_>) -> String {
    line(record, record.tree.first_child(NodeId::ROOT))
}

fn line(record: &Record<'_>, mut next: Option<NodeId>) -> String {
    let mut words = Vec::new();
    while let Some(id) = next {
        words.push(ply(record, id));
        let first = record.tree.parent(id).and_then(|parent| record.tree.first_child(parent));
        if first == Some(id) {
            let mut other = record.tree.next_sibling(id);
            while let Some(sibling) = other {
                let mut alternative = ply(record, sibling);
                let rest = line(record, record.tree.first_child(sibling));
                if !rest.is_empty() {
                    alternative = format!("{alternative} {rest}");
                }
                words.push(format!("({alternative})"));
                other = record.tree.next_sibling(sibling);
            }
        }
        next = record.tree.first_child(id);
    }
    words.join(" ")
}

fn ply(record: &Record<'_>, id: NodeId) -> String {
    let node = record.tree.node(id);
    let number = node.number.map_or(String::new(), |number| format!("{number}."));
    let text = match node.written {
        Written::Text(text) => {
            assert!(!text.trim().is_empty());
            text
        }
        Written::Omitted => "_",
        Written::Squares { .. } => panic!("text has no squares"),
    };
    format!("{number}{text}{}", node.marks)
}

/// Comments with the text of their ply, `^` for the root.
fn comments(record: &Record<'_>) -> Vec<String> {
    let show = |comment: &crate::record::Comment<'_>| {
        let place =
            if comment.node == NodeId::ROOT { "^".into() } else { ply(record, comment.node) };
        format!("{place}: {}", comment.text.trim())
    };
    record.tree.comments.iter().map(show).collect()
}

fn codes(record: &Record<'_>) -> Vec<Code> {
    record.findings.iter().map(|finding| finding.code).collect()
}

fn result(record: &Record<'_>) -> Option<Outcome> {
    record.result.as_ref().map(|marker| marker.outcome)
}
