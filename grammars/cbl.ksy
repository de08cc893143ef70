meta:
  id: cbl
  title: CBL, library of xiangqi games of CCBridge (象棋桥), present form
  file-extension: cbl
  endian: le
doc: |
  A header, an index, then records in the form of `cbr.ksy`, each from a multiple of 4096 bytes behind the index on.

  The index may be out of step with the file. A record begins where a slot begins with `CCBridge Record` and a zero;
  other slots belong to the record before them or are free, and may hold anything.
seq:
  - id: magic
    contents: [CCBridgeLibrary, 0]
  - id: format
    type: u4
    doc: 3
  - id: guid
    size: 16
  - id: reserved1
    size: 16
  - id: unknown1
    type: u4
    doc: 0x7FFFFFFF, or 8 in one file.
  - id: has_deleted
    type: u4
  - id: capacity
    type: u4
    doc: Number of entries of the index, not of games.
  - id: name
    size: 512
  - id: source
    size: 256
  - id: creator
    size: 64
  - id: creator_mail
    size: 64
  - id: created
    size: 64
  - id: modified
    size: 64
  - id: remarks
    size: 65536
    doc: In some files with `||` for line breaks.
  - id: index
    type: entry
    repeat: expr
    repeat-expr: capacity
  - id: slots
    type: slot
    repeat: eos
types:
  entry:
    seq:
      - id: state
        type: u4
        enum: state
      - id: order
        type: u4
      - id: slots
        type: u4
        doc: Number of slots that the record takes.
      - id: length
        type: u4
        doc: Bytes of the record.
      - id: reserved1
        type: u4
      - id: guid
        size: 80
        doc: The GUID of the record as text in braces, UTF-16LE.
      - id: name
        size: 128
      - id: reserved2
        size: 48
  slot:
    seq:
      - id: data
        size: '_io.size - _io.pos < 4096 ? _io.size - _io.pos : 4096'
        doc: The last slot may be cut behind the record.
enums:
  state:
    0: unused
    5: deleted
    7: live
