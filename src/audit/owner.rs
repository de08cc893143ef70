//! Whose sheet it is.

use crate::{
    board::Side,
    record::{Record, Tag},
};

use super::Sheet;

/// The owner of each sheet: as the sheet says itself (`record.owner`, or a tag such as `[Sheet "red"]`), else by the order
/// of the arguments: first Red's, second Black's. A single sheet that says nothing has no owner, and where both claim to
/// be the same player's, the order decides too.
pub(super) fn owners(sheets: &[Sheet<'_, '_>]) -> Vec<Option<Side>> {
    let said: Vec<Option<Side>> = sheets.iter().map(|sheet| said(sheet.record)).collect();
    match said[..] {
        [Some(first), Some(second)] if first != second => said,
        [Some(first), None] => vec![Some(first), Some(first.other())],
        [None, Some(second)] => vec![Some(second.other()), Some(second)],
        [_, _] => vec![Some(Side::Red), Some(Side::Black)],
        _ => said,
    }
}

/// The tag in which a sheet says whose it is.
pub(super) fn tag<'r, 'a>(record: &'r Record<'a>) -> Option<&'r Tag<'a>> {
    const NAMES: [&str; 8] =
        ["sheet", "owner", "recorder", "scorer", "记录方", "记录者", "记录人", "記錄者"];
    record.tags.iter().find(|tag| NAMES.contains(&tag.name.to_lowercase().as_str()))
}

/// Whose the record says that it is.
pub(super) fn said(record: &Record<'_>) -> Option<Side> {
    record.owner.or_else(|| {
        let tag = tag(record)?;
        match tag.value.trim().to_lowercase().as_str() {
            "red" | "white" | "r" | "w" | "红" | "红方" | "紅方" => Some(Side::Red),
            "black" | "b" | "黑" | "黑方" => Some(Side::Black),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::{finding::Binary, format::pgn};

    use super::*;

    fn of(texts: &[&str]) -> Vec<Option<Side>> {
        fn collect(texts: &[&str], sheets: &mut Vec<Sheet<'_, '_>>, found: &mut Vec<Option<Side>>) {
            let Some((text, rest)) = texts.split_first() else {
                *found = owners(sheets);
                return;
            };
            pgn::read_str(text, &Binary, &mut |record| {
                let mut sheets = sheets.clone();
                sheets.push(Sheet { source: "-", record: &record, locate: &Binary });
                collect(rest, &mut sheets, found);
            });
        }
        let mut found = Vec::new();
        collect(texts, &mut Vec::new(), &mut found);
        found
    }

    #[test]
    fn the_sheet_itself_decides_then_the_order() {
        let (red, black) = (Some(Side::Red), Some(Side::Black));
        let none = "[Red \"甲\"]\n\n1. 炮二平五 *";
        let reds = "[Sheet \"red\"]\n\n1. 炮二平五 *";
        let blacks = "[记录方 \"黑方\"]\n\n1. 炮二平五 *";
        for (texts, owners) in [
            (&[none][..], vec![None]),
            (&[blacks], vec![black]),
            (&[none, none], vec![red, black]),
            (&[blacks, reds], vec![black, red]),
            (&[none, reds], vec![black, red]),
            (&[blacks, none], vec![black, red]),
            (&[reds, reds], vec![red, black]),
        ] {
            assert_eq!(of(texts), owners, "{texts:?}");
        }
    }
}
