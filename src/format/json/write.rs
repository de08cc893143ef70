//! Records to JSON objects.

use serde_json::{Map, Value, json};

use crate::{
    board::Side,
    record::{NodeId, Outcome, Record, Start, Written},
};

use super::super::{Loss, Part};

/// One game as one object on one line, without a line end, with the keys that [`super::read`](super) takes; and what it
/// cannot hold, which is the variations and what hangs on them.
///
/// `texts` has the text of each ply by [`NodeId::index`]; `None`, and plies beyond the end, stay as written. `start` is
/// the FEN of the start position for a record that has none as text.
///
/// ```
/// use qijian::{finding::Binary, format::{json, pgn}};
///
/// pgn::read_str("[Red \"甲\"]\n1. 炮二平五 {当头炮} 马8进7 1-0", &Binary, &mut |record| {
///     let (text, losses) = json::write(&record, &[], None);
///     assert_eq!(
///         text,
///         r#"{"game":1,"tags":{"Red":"甲"},"moves":["炮二平五","马8进7"],"result":"1-0","numbers":[[1,1]],"remarks":[[1,"当头炮"]]}"#
///     );
///     assert!(losses.is_empty());
/// });
/// ```
pub fn write(
    record: &Record<'_>,
    texts: &[Option<String>],
    start: Option<&str>,
) -> (String, Vec<Loss>) {
    let tree = &record.tree;
    let line: Vec<NodeId> = tree.main_line().collect();
    // The ply of each node of the main line; nodes of variations have none.
    let mut plies = vec![None; tree.len() + 1];
    plies[NodeId::ROOT.index()] = Some(0);
    for (ply, id) in (1_u32..).zip(&line) {
        plies[id.index()] = Some(ply);
    }
    let mut losses = Vec::new();
    let mut object = Map::new();
    object.insert("game".into(), record.game.into());
    let tags = tags(record);
    if !tags.is_empty() {
        object.insert("tags".into(), tags.into());
    }
    let fen = match &record.start {
        Start::Standard => None,
        Start::Fen { text, .. } => Some(text.as_ref()),
        Start::Board { span, .. } => {
            if start.is_none() {
                losses.push(loss(Part::Start, NodeId::ROOT, *span, ""));
            }
            start
        }
    };
    if let Some(fen) = fen {
        object.insert("start_fen".into(), fen.into());
    }
    let text_of = |id: NodeId| match texts.get(id.index()) {
        Some(Some(text)) => Value::from(text.as_str()),
        _ => value(&tree.node(id).written),
    };
    object.insert("moves".into(), line.iter().map(|id| text_of(*id)).collect());
    if !record.after_end.is_empty() {
        let texts = record.after_end.iter().map(|(written, _)| value(written));
        object.insert("after_end".into(), texts.collect());
    }
    if let Some(result) = &record.result {
        let mut text = result.text.as_ref();
        if Outcome::from_text(text) != Some(result.outcome) {
            // Words of another format, which only its reader understands.
            text = result.outcome.as_str();
            losses.push(Loss::changed(Part::Result, NodeId::ROOT, result.span, text));
        }
        object.insert("result".into(), text.into());
    }
    if let Some(owner) = record.owner {
        object.insert("owner".into(), if owner == Side::Red { "red" } else { "black" }.into());
    }
    let mut numbers = Vec::new();
    let mut marks = Vec::new();
    for (index, ply) in plies.iter().enumerate() {
        let Some(id) = tree.nth(index) else { continue };
        let node = tree.node(id);
        let Some(ply) = *ply else {
            let text = value(&node.written);
            losses.push(loss(Part::Move, id, node.span, text.as_str().unwrap_or("……")));
            continue;
        };
        if let Some(number) = node.number {
            numbers.push(json!([ply, number]));
        }
        if !node.marks.is_empty() {
            marks.push(json!([ply, node.marks]));
        }
    }
    let mut remarks = Vec::new();
    for comment in &tree.comments {
        match plies[comment.node.index()] {
            Some(ply) => remarks.push(json!([ply, comment.text])),
            None => {
                losses.push(loss(Part::Comment, comment.node, comment.span, &comment.text));
            }
        }
    }
    for (key, list) in [("numbers", numbers), ("marks", marks), ("remarks", remarks)] {
        if !list.is_empty() {
            object.insert(key.into(), list.into());
        }
    }
    (Value::Object(object).to_string(), losses)
}

fn loss(part: Part, node: NodeId, span: crate::finding::Span, text: &str) -> Loss {
    Loss::dropped(part, node, span, text)
}

fn value(written: &Written<'_>) -> Value {
    match written {
        Written::Text(text) => Value::from(*text),
        Written::Squares { from: Some(from), to: Some(to), .. } => {
            Value::from(format!("{from}{to}"))
        }
        Written::Squares { raw, .. } => Value::from(format!("{:02x}{:02x}", raw[0], raw[1])),
        Written::Omitted => Value::Null,
    }
}

/// Names and values as written; a name that comes again has its number behind it.
fn tags(record: &Record<'_>) -> Map<String, Value> {
    let mut tags = Map::new();
    for (index, tag) in record.tags.iter().enumerate() {
        let before = record.tags[..index].iter().filter(|other| other.name == tag.name).count();
        let name = match before {
            0 => tag.name.to_string(),
            times => format!("{}#{}", tag.name, times + 1),
        };
        tags.insert(name, tag.value.as_ref().into());
    }
    tags
}
