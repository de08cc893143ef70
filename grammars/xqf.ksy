meta:
  id: xqf
  title: XQF, xiangqi game of XQStudio (象棋演播室), versions 1.0 to 1.8
  file-extension: xqf
  endian: le
doc: |
  One game: a header of 1024 bytes, then the moves depth first.

  Squares are one byte, `file * 10 + rank`; file 0 is Red's left, rank 0 is Red's back rank; more than 89 is off the
  board. Text is GB18030, in some old files Big5; nothing says which, so strings are bytes here.

  From version 0x0B (1.1) on the body is masked: from each byte a byte of `mask` is subtracted, that at the byte's
  offset in the file modulo 32. `xqf_unmask` is a custom process that a runtime has to supply:

      base    = "[(C) Copyright Mr. Dong Shiwei.]"                      (32 bytes)
      mask[i] = base[i] & ((keys[i % 4] & key_mask) | key_or[i % 4])    (0 up to version 0x0A)
      plain   = stored - mask[offset % 32]                              (modulo 256)

  The header is never masked so, but its piece table has a mask of its own, see `piece`.
seq:
  - id: header
    type: header
  - id: body
    type: body
    size-eos: true
    process: xqf_unmask(header.version, header.key_mask, header.key_or, header.keys)
    doc: Unmasked as above; begins at offset 0x400, a multiple of 32.
instances:
  is_masked:
    value: header.version > 0x0a
  key_board:
    value: 'is_masked ? ((54 * header.key_xy * header.key_xy + 221) * header.key_xy) & 0xff : 0'
    doc: Added to each byte of the piece table.
  key_from:
    value: 'is_masked ? ((54 * header.key_xy_from * header.key_xy_from + 221) * key_board) & 0xff : 0'
    doc: Added to the square left, besides 0x18.
  key_to:
    value: 'is_masked ? ((54 * header.key_xy_to * header.key_xy_to + 221) * key_from) & 0xff : 0'
    doc: Added to the square reached, besides 0x20.
  key_comment:
    value: 'is_masked ? (header.keys_sum * 256 + header.key_xy) % 32000 + 767 : 0'
    doc: Added to the length of each comment; 767 even if all keys are 0.
types:
  header:
    seq:
      - id: magic
        contents: XQ
      - id: version
        type: u1
        doc: 0x0A is 1.0, plain; from 0x0B masked; from 0x0C the piece table is rotated too; 0x12 is 1.8, the last.
      - id: key_mask
        type: u1
      - id: product_id
        type: u4
        doc: 0 in all files seen.
      - id: key_or
        size: 4
      - id: keys
        size: 4
        doc: Sum, board, from, to. They add up to 0 modulo 256.
      - id: pieces
        type: piece(_index)
        repeat: expr
        repeat-expr: 32
      - id: start_ply
        type: u2
        doc: Ply number of the start position; 0 in all files seen.
      - id: side
        type: u1
        enum: side
        doc: Who moves first. Most programs leave it at Red even where Black begins.
      - id: result
        type: u1
        enum: result
      - id: node_count
        type: u4
        doc: Not reliable, mostly 0.
      - id: tree_offset
        type: u4
        doc: Not reliable; the moves always begin at 1024.
      - id: reserved1
        size: 4
      - id: kind
        type: u2
        enum: kind
        doc: Says nothing about the start position, which is always that of the piece table.
      - id: codes
        type: u2
        repeat: expr
        repeat-expr: 7
        doc: 0 in all files seen.
      - id: title
        type: short_string(63)
        doc: In version 1.0 it may run on through the second title; one real file does.
      - id: second_title
        type: short_string(63)
        doc: Reserved in the note on version 1.0.
      - id: event
        type: short_string(63)
      - id: date
        type: short_string(15)
      - id: site
        type: short_string(15)
      - id: red
        type: short_string(15)
      - id: black
        type: short_string(15)
      - id: time_control
        type: short_string(63)
      - id: red_time
        type: short_string(15)
      - id: black_time
        type: short_string(15)
      - id: reserved2
        type: short_string(31)
      - id: annotator
        type: short_string(15)
      - id: author
        type: short_string(15)
      - id: reserved3
        size: 528
    instances:
      keys_sum:
        value: keys[0].as<u1>
      key_xy:
        value: keys[1].as<u1>
      key_xy_from:
        value: keys[2].as<u1>
      key_xy_to:
        value: keys[3].as<u1>
  piece:
    params:
      - id: index
        type: s4
    seq:
      - id: stored
        type: u1
    instances:
      slot:
        value: '_root.header.version >= 0x0c ? (index + 1 + _root.key_board) % 32 : index'
        doc: |
          Which piece: 0 to 15 Red, 16 to 31 Black, each chariot, horse, elephant, adviser, general, adviser,
          elephant, horse, chariot, cannon, cannon, pawn five times. Pieces of a kind may stand in any order.
      square:
        value: (stored - _root.key_board) & 0xff
        doc: More than 89 is a piece not on the board.
  short_string:
    doc: A length, then room for `room` bytes; what follows the text is padding. A last character may be cut in half.
    params:
      - id: room
        type: u1
    seq:
      - id: length
        type: u1
      - id: text
        size: 'length < room ? length : room'
      - id: padding
        size: 'length < room ? room - length : 0'
  body:
    seq:
      - id: nodes
        type: node
        repeat: eos
        doc: |
          The first is the start position, its squares mean nothing. Each is followed by its continuation with all
          that belongs to it, if it has one, then by the alternative to it, if it has one.
  node:
    seq:
      - id: stored_from
        type: u1
      - id: stored_to
        type: u1
      - id: tag
        type: u1
        doc: Low bits are random from version 0x0B on.
      - id: reserved
        type: u1
        doc: 0 or random.
      - id: stored_length
        type: s4
        if: has_length
      - id: comment
        size: length
        if: has_length
        doc: Lines end in CR LF, the last one too.
    instances:
      has_continuation:
        value: '_root.is_masked ? (tag & 0x80) != 0 : (tag & 0xf0) != 0'
      has_alternative:
        value: '_root.is_masked ? (tag & 0x40) != 0 : (tag & 0x0f) != 0'
      has_length:
        value: 'not _root.is_masked or (tag & 0x20) != 0'
      length:
        value: 'stored_length > _root.key_comment ? stored_length - _root.key_comment : 0'
      from_square:
        value: (stored_from - 0x18 - _root.key_from) & 0xff
      to_square:
        value: (stored_to - 0x20 - _root.key_to) & 0xff
enums:
  side:
    0: red
    1: black
    2: none
    3: pause
  result:
    0: unknown
    1: red_wins
    2: black_wins
    3: draw
    4:
      id: draw_too
      doc: One real file has it, and a draw in its title.
  kind:
    0: whole_game
    1: opening
    2: middlegame
    3: endgame
