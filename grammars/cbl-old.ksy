meta:
  id: cbl_old
  title: CBL, library of xiangqi games of CCBridge (象棋桥), older form of about 2001
  file-extension: cbl
  endian: le
doc: |
  Worked out on nine real files with 397 games; see `src/format/cbl/old.rs` for what is not known.

  Squares of moves: high nibble the file from Red's left, low nibble the row from the top, both from 0 on. Text is GB18030
  as far as seen; nothing says so, so strings are bytes here.
seq:
  - id: magic
    contents: CCBridge
  - id: format
    type: u4
    doc: 0x15 in all files seen.
  - id: compression
    type: u4
    doc: Level, 1 or 3.
  - id: length
    type: u4
    doc: Bytes of the inflated library.
  - id: library
    type: library
    size-eos: true
    process: zlib
types:
  library:
    seq:
      - id: name
        type: string
      - id: unknown1
        type: string
        doc: Empty in all files seen.
      - id: unknown2
        type: string
        doc: Empty in all files seen.
      - id: creator
        type: string
      - id: creator_mail
        type: string
      - id: created
        size: 19
        doc: As `2001-2-18 12:30:23`, blanks behind.
      - id: modified
        size: 19
      - id: num_games
        type: u4
      - id: unknown3
        type: u4
        doc: 0 in all files seen.
      - id: games
        type: sized_game
        repeat: expr
        repeat-expr: num_games
  string:
    seq:
      - id: length
        type: u4
      - id: text
        size: length
  sized_game:
    seq:
      - id: length
        type: u4
        doc: These four bytes included.
      - id: game
        type: game
        size: length - 4
  game:
    seq:
      - id: pieces
        type: u1
        repeat: expr
        repeat-expr: 32
        doc: |
          Squares, but counted from 1 on; 0 for a piece that is not there. 0 to 15 Red, 16 to 31 Black, each chariot,
          horse, elephant, adviser, general, adviser, elephant, horse, chariot, cannon, cannon, pawn five times.
      - id: kind
        type: u4
        enum: kind
      - id: event
        type: string
      - id: unknown1
        type: u4
        doc: 1 in all games seen. Side to move (1 Red) or number of the first round.
      - id: title
        type: string
      - id: unknown2
        type: string
        doc: Empty in all games seen.
      - id: unknown3
        type: string
        doc: Empty in all games seen.
      - id: site
        type: string
      - id: date
        type: string
      - id: red
        type: string
      - id: black
        type: string
      - id: result
        type: u4
        enum: result
      - id: annotator
        type: string
        doc: Also the author of the book.
      - id: annotator_mail
        type: string
        doc: Empty in all games seen.
      - id: author
        type: string
      - id: author_mail
        type: string
      - id: remarks
        type: string
        doc: On the whole game; `||` for a line break.
      - id: unknown4
        type: u1
        doc: 1 in all games seen.
      - id: created
        size: 19
      - id: modified
        size: 19
      - id: num_plies
        type: u4
      - id: plies
        type: ply
        repeat: expr
        repeat-expr: num_plies
        doc: |
          Depth first. A number that is not one more than that before begins a variation: another ply for that number
          in the line before.
      - id: comments
        size-eos: true
        doc: A line a ply, in the order of the plies, CR LF behind each; `||` for a line break within.
  ply:
    seq:
      - id: number
        type: u2
        doc: From 1 on.
      - id: from_square
        type: u1
      - id: to_square
        type: u1
      - id: piece
        type: u1
        doc: |
          0 chariot, 1 horse, 2 elephant, 3 adviser, 4 general, 5 cannon, 6 pawn in the high nibble, the file from the
          mover's right from 0 on in the low one; or 7 front, 9 rear in the high nibble, piece plus 9 in the low one.
      - id: way
        type: u1
        doc: |
          0 forward, 1 backward, 2 sideways in the high nibble; the file reached or the points moved less one in the low.
enums:
  kind:
    1: whole_game
    2: opening
    4: endgame
  result:
    1: red_wins
    2: black_wins
    3: draw
    4: several
