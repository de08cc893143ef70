meta:
  id: ccm
  title: CCM, xiangqi game of 中国游戏中心
  file-extension: ccm
doc: |
  One game from the start position: records of seven bytes and nothing else. Known from readers of other programs, not
  from real files. Files count from the left, ranks from the top. If the first move begins in the upper half (rank below
  5), the whole board is turned: 8 - file and 9 - rank everywhere.
seq:
  - id: moves
    type: move
    repeat: eos
types:
  move:
    seq:
      - id: unknown
        size: 3
        doc: The first byte of the first record is 1.
      - id: file_from
        type: u1
      - id: file_to
        type: u1
      - id: rank_from
        type: u1
      - id: rank_to
        type: u1
