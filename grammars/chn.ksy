meta:
  id: chn
  title: CHN, xiangqi game of 联众
  file-extension: chn
  endian: le
doc: |
  One game from the start position. Known from the reader of another program, not from real files. Files count from the
  left, ranks from the top. If the first move begins in the upper half (rank below 5), the whole board is turned:
  8 - file and 9 - rank everywhere.
seq:
  - id: header
    size: 188
    doc: Not known.
  - id: moves
    type: move
    repeat: eos
types:
  move:
    seq:
      - id: unknown1
        type: u2
        repeat: expr
        repeat-expr: 2
      - id: file_from
        type: u2
      - id: rank_from
        type: u2
      - id: file_to
        type: u2
      - id: rank_to
        type: u2
      - id: unknown2
        type: u2
        repeat: expr
        repeat-expr: 10
