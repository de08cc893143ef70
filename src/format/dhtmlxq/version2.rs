//! The `movelist` of old files ("version 2"), which holds variations by itself.
//!
//! Facts from the viewer script in the pages of the archive, which converts such lists; no real file has one. An entry
//! is four digits, two characters, one of `X`, `Y`, `Z`, one more character, and a number. The number of the entries
//! before it says that the entry goes on from the last; a smaller number *n* says that it is an alternative to the
//! entry behind the first *n*. `commentN` belongs to the *N*th entry. What the other characters say is not known.

use crate::{finding::Span, record::NodeId};

use super::routes::{Branches, Fault, squares};

/// Characters of an entry up to its number.
const HEAD: usize = 8;
/// Where the letter stands that shows an entry.
const LETTER: usize = 6;

/// Whether `value` is such a list.
pub(super) fn is_version2(value: &str) -> bool {
    let mut chars = value.bytes().filter(u8::is_ascii_alphanumeric);
    let digits = chars.by_ref().take(4).filter(u8::is_ascii_digit).count() == 4;
    let letter = chars.nth(LETTER - 4).is_some_and(is_letter);
    digits && letter && chars.nth(1).is_some_and(|byte| byte.is_ascii_digit())
}

fn is_letter(byte: u8) -> bool {
    matches!(byte.to_ascii_uppercase(), b'X' | b'Y' | b'Z')
}

/// Adds the entries of `value`, which stands at `at`, to `branches`. Returns the node of each.
pub(super) fn read(branches: &mut Branches<'_>, value: &str, at: usize) -> Vec<Option<NodeId>> {
    let chars: Vec<(usize, u8)> =
        value.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric()).collect();
    let mut starts = vec![0];
    let mut from = HEAD + LETTER;
    while let Some(found) =
        chars.get(from..).and_then(|rest| rest.iter().position(|(_, byte)| is_letter(*byte)))
    {
        starts.push(from + found - LETTER);
        from += found + HEAD;
    }
    let mut nodes: Vec<Option<NodeId>> = Vec::new();
    let ends = starts.iter().skip(1).copied().chain([chars.len()]);
    for (&start, end) in starts.iter().zip(ends) {
        let entry = &chars[start..end];
        let first = entry.first().map_or(value.len(), |(offset, _)| *offset);
        let behind = entry.last().map_or(value.len(), |(offset, _)| offset + 1);
        let span = Span::new(at + first, at + behind);
        let node = place(branches, &nodes, entry)
            .map(|(parent, digits)| branches.add(parent, squares(digits, false), span));
        if node.is_none() {
            branches.faults.push((Fault::Unplaced, span));
        }
        nodes.push(node);
    }
    let main = branches.tree.main_line().last().unwrap_or(NodeId::ROOT);
    branches.set_main(main);
    nodes
}

/// What an entry follows, and its digits.
fn place(
    branches: &Branches<'_>,
    nodes: &[Option<NodeId>],
    entry: &[(usize, u8)],
) -> Option<(NodeId, [u8; 4])> {
    let mut digits = [0; 4];
    for (digit, (_, byte)) in digits.iter_mut().zip(entry) {
        *digit = byte.is_ascii_digit().then(|| byte - b'0')?;
    }
    let number = entry.get(HEAD..).filter(|number| !number.is_empty())?;
    let number = number.iter().try_fold(0_usize, |number, (_, byte)| {
        byte.is_ascii_digit().then(|| number.saturating_mul(10) + usize::from(byte - b'0'))
    })?;
    let parent = if number == nodes.len() {
        nodes.last().copied().unwrap_or(Some(NodeId::ROOT))?
    } else {
        branches.tree.parent((*nodes.get(number)?)?)?
    };
    Some((parent, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    // h2e2 h9g7 h0g2 with c3c4 instead of the second's answer: the fourth entry is an alternative to the second.
    #[test]
    fn a_jump_of_the_number_opens_a_variation() {
        let value = "7747aaX00 7062aaY01\n7967aaZ02 1022aaX01 2625aaX04";
        assert!(is_version2(value));
        let mut branches = Branches::new();
        let nodes = read(&mut branches, value, 0);
        assert!(nodes.iter().all(Option::is_some) && branches.faults.is_empty());
        let tree = &branches.tree;
        assert_eq!(tree.main_line().count(), 3);
        let first = tree.first_child(NodeId::ROOT).unwrap();
        let answers: Vec<NodeId> = tree.children(first).collect();
        assert_eq!(answers, [nodes[1].unwrap(), nodes[3].unwrap()]);
        assert_eq!(tree.first_child(answers[1]), nodes[4]);
        assert_eq!(branches.find(0, 3), Ok(nodes[2].unwrap()));
    }

    #[test]
    fn other_lists_are_not() {
        for value in ["77477062", "", "7747", "7747aaW00", "7747aaX0", "XXXXXXXXX"] {
            assert!(!is_version2(value), "{value}");
        }
        let mut branches = Branches::new();
        let nodes = read(&mut branches, "7747aaX09 7747aaX0a", 0);
        assert_eq!((nodes.len(), branches.faults.len(), branches.tree.len()), (2, 2, 0));
    }
}
