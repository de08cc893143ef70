//! Libraries of the present form, made here by reference/formats.md 3.1.

use super::*;

/// A record with one move and room behind it so that it takes `slots`.
fn record(guid: u8, slots: usize) -> Vec<u8> {
    let mut bytes = vec![0; 2214];
    bytes[..16].copy_from_slice(cbr::MAGIC);
    (bytes[19], bytes[2076], bytes[2112], bytes[2116]) = (2, 1, 1, 1);
    bytes[20..36].fill(guid);
    (bytes[180], bytes[2124], bytes[2206]) = (b'A' + guid, 0x25, 0x15);
    // The comment of the start position fills the slots.
    let comment = slots * SLOT - 2214 - 8 - 100;
    bytes.extend([5, 0, 0, 0]);
    bytes.extend((comment as u32).to_le_bytes());
    bytes.extend([b'x', 0].repeat(comment / 2));
    bytes
}

/// A library; for each record its state and its slots.
fn library(records: &[(u32, usize)]) -> Vec<u8> {
    let mut bytes = vec![0; INDEX];
    bytes[..16].copy_from_slice(b"CCBridgeLibrary\0");
    bytes[CAPACITY] = records.len() as u8;
    (bytes[64], bytes[66]) = (b'L', b'b');
    let (mut index, mut body) = (Vec::new(), Vec::new());
    for (order, (state, slots)) in records.iter().enumerate() {
        let record = record(order as u8, *slots);
        let mut entry = vec![0; ENTRY];
        entry[..4].copy_from_slice(&state.to_le_bytes());
        entry[4] = order as u8;
        entry[8] = *slots as u8;
        entry[GUID_TEXT].copy_from_slice(&guid_text(&record[20..36]));
        index.extend(entry);
        body.extend(&record);
        body.resize(body.len().next_multiple_of(SLOT), 0xEE);
    }
    [bytes, index, body].concat()
}

/// For each game number, title and codes.
fn games(bytes: &[u8]) -> Vec<(u32, String, Vec<String>)> {
    let mut games = Vec::new();
    read(bytes, &mut |record| {
        let title = record.tag("title").map_or_else(String::new, |tag| tag.value.to_string());
        let codes = record.findings.iter().map(|finding| finding.code.to_string()).collect();
        games.push((record.game, title, codes));
    });
    games
}

fn game(number: u32, title: &str, codes: &[&str]) -> (u32, String, Vec<String>) {
    (number, title.to_owned(), codes.iter().map(ToString::to_string).collect())
}

#[test]
fn records_of_several_slots_are_found() {
    // formats.md 3.3: capacity 3, the second record takes two slots; one popular reader finds none.
    let bytes = library(&[(7, 1), (7, 2), (7, 1)]);
    assert_eq!(INDEX + 3 * ENTRY, 67_452);
    assert_eq!(games(&bytes), [game(1, "A", &[]), game(2, "B", &[]), game(3, "C", &[])]);
    read(&bytes, &mut |record| {
        let names: Vec<_> = record.tags.iter().filter(|tag| tag.name == "Library").collect();
        assert_eq!((names.len(), &*names[0].value), (1, "Lb"));
    });
    // The last record may be unpadded.
    let cut = &bytes[..bytes.len() - 100];
    assert_eq!(games(cut).len(), 3);
    assert!(games(cut).iter().all(|(.., codes)| codes.is_empty()));
}

#[test]
fn deleted_records_are_told_and_not_read() {
    let told = [game(1, "A", &["QJ012"]), game(2, "C", &[])];
    assert_eq!(games(&library(&[(7, 1), (5, 2), (7, 1)])), told);
    assert_eq!(games(&library(&[(5, 1)])), [game(0, "", &["QJ012", "QJ002"])]);
    // An older copy of another game has its GUID: the place decides.
    let mut bytes = library(&[(7, 1), (5, 1)]);
    let first = INDEX + 2 * ENTRY;
    let guid = guid_text(&[0; 16]);
    bytes[INDEX + ENTRY..INDEX + 2 * ENTRY][GUID_TEXT].copy_from_slice(&guid);
    bytes[first + SLOT + 20..first + SLOT + 36].fill(0);
    assert_eq!(games(&bytes), [game(1, "A", &["QJ012"])]);
}

#[test]
fn records_are_found_without_the_index() {
    let mut bytes = library(&[(7, 1), (7, 1)]);
    // Unused entries change nothing.
    bytes[INDEX..INDEX + 2 * ENTRY].fill(0);
    assert_eq!(games(&bytes).len(), 2);
    // A capacity that leads elsewhere, or nowhere at all.
    for capacity in [1, 200, u32::MAX] {
        bytes[CAPACITY..CAPACITY + 4].copy_from_slice(&capacity.to_le_bytes());
        assert_eq!(games(&bytes), [game(1, "A", &["QJ004"]), game(2, "B", &[])], "{capacity}");
    }
}

#[test]
fn a_library_without_records_is_no_game() {
    assert_eq!(games(&library(&[])), [game(0, "", &["QJ002"])]);
    assert_eq!(games(b"CCBridgeLibrary\0"), [game(0, "", &["QJ002"])]);
}

#[test]
fn a_guid_is_written_as_windows_does() {
    // The first entry of a real library: {EE8AAA2C-1637-4469-B991-FF5F1B873205}.
    let guid = [
        0x2C, 0xAA, 0x8A, 0xEE, 0x37, 0x16, 0x69, 0x44, 0xB9, 0x91, 0xFF, 0x5F, 0x1B, 0x87, 0x32,
        0x05,
    ];
    let text = String::from_utf16(
        &guid_text(&guid).chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect::<Vec<_>>(),
    );
    assert_eq!(text.unwrap(), "{EE8AAA2C-1637-4469-B991-FF5F1B873205}");
}

#[test]
fn the_forms_are_told_apart() {
    assert!(is_old(b"CCBridge\x15\0\0\0") && is_old(b"CCBridge"));
    assert!(!is_old(b"CCBridgeLibrary\0") && !is_old(b"CCBridge Record\0") && !is_old(b"CCB"));
}
