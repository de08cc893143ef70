meta:
  id: mxq
  title: MXQ, xiangqi game of 弈天
  file-extension: mxq
doc: |
  One game from the start position, as strings with their length before them. Text is GB18030, in files of the traditional
  program Big5; nothing says which, so strings are bytes here. Known from 17 real files.
seq:
  - id: site
    type: pascal_string
    doc: The room on the server.
  - id: date
    type: pascal_string
    doc: Date and time of day as free text.
  - id: event
    type: pascal_string
    doc: '`RED-胜-BLACK`, `RED-负-BLACK`, `RED-和-BLACK` (勝, 負 in Big5), the rank of each player in parentheses.'
  - id: red_rating
    type: pascal_string
  - id: black_rating
    type: pascal_string
  - id: game_minutes
    type: pascal_string
    doc: Minutes for each player. In all files both times left lie below it.
  - id: time_rule_2
    type: pascal_string
    doc: 1 to 10, never more than the number before. Most likely minutes a move (步时).
  - id: time_rule_3
    type: pascal_string
    doc: 0 or 60. Most likely seconds a move when the time is used up (读秒).
  - id: red_seconds_left
    type: pascal_string
    doc: 0 where Red has exceeded the time.
  - id: black_seconds_left
    type: pascal_string
  - id: ending
    type: pascal_string
    doc: Words such as 红方投子认负, 黑方局超时, 双方议和, 判为和局, 绝杀.
  - id: moves_mark
    contents: [5, Moves]
  - id: moves
    type: pascal_string
    repeat: until
    repeat-until: _.is_end
    doc: Each `7C-4C` (h2e2), then `Ends`.
  - id: tail
    type: pascal_string
    repeat: eos
    doc: One `CommentsEnd` in all files; what may stand before it is not known.
types:
  pascal_string:
    seq:
      - id: len
        type: u1
      - id: text
        size: len
    instances:
      is_end:
        value: 'len == 4 and text == [0x45, 0x6e, 0x64, 0x73]'
