meta:
  id: cbr
  title: CBR, xiangqi game of CCBridge (象棋桥), kind 2
  file-extension: cbr
  endian: le
doc: |
  One game: a header of 2214 bytes, then the moves depth first. The same record stands in a CBL library.

  Text is UTF-16LE in fields of fixed width with a zero behind it; what follows the zero may be anything. The zero has to
  be looked for at even offsets, so the fields are bytes here: runtimes look for it byte by byte, and `20 00 00 4E` is a
  blank and 一.

  Kind 1 is an older layout without the script, in which most fields stand 128 bytes earlier; no real file is known. Of
  kind 3 nothing is published.
seq:
  - id: header
    type: header
  - id: nodes
    type: 'node(_index == 0 ? 1 : nodes[_index - 1].owed)'
    repeat: until
    repeat-until: _.owed == 0
    doc: |
      The first is the start position; its squares mean nothing, its comment is that of the position. Each node is
      followed by its continuation with all that belongs to it, unless it is a leaf, then by the alternative to it, if it
      has one. In a library padding may follow.
types:
  header:
    seq:
      - id: magic
        contents: ["CCBridge Record", 0]
      - id: reserved1
        size: 3
      - id: kind
        type: u1
        valid: 2
      - id: guid
        size: 16
        doc: Microsoft's binary layout; the index of a library names records by it.
      - id: reserved2
        size: 16
      - id: script
        size: 128
      - id: title
        size: 128
      - id: category
        size: 256
      - id: source
        size: 64
      - id: event_class
        size: 64
      - id: event
        size: 64
      - id: round
        size: 64
      - id: group
        size: 32
      - id: table
        size: 32
      - id: date
        size: 64
      - id: site
        size: 64
      - id: time_control
        size: 64
      - id: red
        size: 64
      - id: red_team
        size: 64
      - id: red_time
        size: 64
      - id: red_rating
        size: 32
      - id: black
        size: 64
      - id: black_team
        size: 64
      - id: black_time
        size: 64
      - id: black_rating
        size: 32
      - id: referee
        size: 64
      - id: recorder
        size: 64
      - id: annotator
        size: 64
      - id: annotator_mail
        size: 64
      - id: author
        size: 64
      - id: author_mail
        size: 64
      - id: created
        size: 64
        doc: As `2005-03-31 01:12:21`.
      - id: modified
        size: 64
      - id: ecco
        size: 4
        doc: The opening's code, three ASCII characters and zero, or zeros.
      - id: record_type
        type: u4
        doc: 1 in all 213 records seen.
      - id: nature
        size: 32
      - id: result
        type: u4
        enum: result
      - id: termination
        size: 32
      - id: side
        type: u4
        enum: side
      - id: first_round
        type: u4
        doc: 1 in all records seen.
      - id: board
        type: u1
        repeat: expr
        repeat-expr: 90
        doc: |
          From Black's left corner row by row. 0 is empty; high nibble 1 Red, 2 Black; low nibble 1 chariot, 2 horse,
          3 elephant, 4 adviser, 5 general, 6 cannon, 7 pawn.
      - id: shown_ply
        type: u4
        doc: The ply that the program showed last, all ones for none.
  node:
    params:
      - id: owed_before
        type: s4
    seq:
      - id: flags
        type: u1
      - id: reserved
        type: u1
        doc: 0, once 1.
      - id: from_square
        type: u1
        doc: Index as in `board`.
      - id: to_square
        type: u1
      - id: comment_size
        type: u4
        if: has_comment
      - id: comment
        size: comment_size
        if: has_comment
    instances:
      owed:
        value: 'owed_before - 1 + (is_leaf ? 0 : 1) + (has_alternative ? 1 : 0)'
        doc: Nodes still to come, as far as those read announce.
      is_leaf:
        value: (flags & 1) != 0
      has_alternative:
        value: (flags & 2) != 0
      has_comment:
        value: (flags & 4) != 0
enums:
  result:
    0: unknown
    1: red_wins
    2: black_wins
    3: draw
    4: several
  side:
    1: red
    2: black
