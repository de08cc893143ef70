meta:
  id: xqr
  title: XQR, xiangqi game in tagged fields with a checksum
  file-extension: xqr
  endian: le
doc: |
  Fields, each a type, a length and a value, UTF-8 where it is text. Behind the head of the moves, whose length is 0, stand
  the nodes, depth first. The last field is a CRC-32 (that of zlib) of all bytes before its type.

  Squares: high nibble the row from the top, low nibble the file from Red's left, both from 0 on.
seq:
  - id: fields
    type: field
    repeat: until
    repeat-until: _.type == type::moves
  - id: nodes
    type: 'node(_index == 0 ? 1 : nodes[_index - 1].owed)'
    repeat: until
    repeat-until: _.owed == 0
    doc: |
      The first is the start position, its squares are 0. Each node is followed by its continuation with all that belongs
      to it, if it has one, then by the alternative to it, if it has one.
  - id: crc_type
    contents: [10, 4]
  - id: crc
    type: u4
    doc: Over all bytes before `crc_type`.
types:
  field:
    seq:
      - id: type
        type: u1
        enum: type
      - id: length
        type: u1
      - id: value
        size: length
  node:
    params:
      - id: owed_before
        type: s4
    seq:
      - id: from_square
        type: u1
      - id: to_square
        type: u1
      - id: flags
        type: u1
      - id: reserved
        type: u1
        doc: 0
      - id: comment_size
        type: u4
        if: has_comment
      - id: comment
        size: comment_size
        if: has_comment
    instances:
      owed:
        value: 'owed_before - 1 + (has_continuation ? 1 : 0) + (has_alternative ? 1 : 0)'
        doc: Nodes still to come, as far as those read announce.
      has_continuation:
        value: (flags & 1) != 0
      has_alternative:
        value: (flags & 2) != 0
        doc: It follows behind all that belongs to this node.
      has_comment:
        value: (flags & 4) != 0
enums:
  type:
    0: magic
    1: version
    2: event
    3: site
    4: date
    5: red
    6: black
    7: result
    8: fen
    9: moves
    10: crc
