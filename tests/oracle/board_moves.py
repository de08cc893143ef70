#!/usr/bin/env python3
"""Compares the rules core with Fairy-Stockfish by way of pyffish (pip install pyffish, made with 0.0.90).

    board_moves.py          make both tables anew and compare them with the committed ones; exit status 1 if they differ
    board_moves.py --write  write them

legal_moves.csv: fen, key, all legal moves in order of from- and to-square, for positions met in random play and for
random arrangements of pieces. The key is worked out here from its description in src/board/hash.rs.
perft.csv: fen, depth, number of legal move sequences, for positions chosen by hand.

The unit tests of src/board read both. pyffish counts ranks from 1, we from 0. Given a bare FEN it knows no history, so
no move is left out for repetition.
"""

import csv
import io
import pathlib
import random
import sys

import pyffish

HERE = pathlib.Path(__file__).parent
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"

PERFT = [
    # Crowded: horses hobbled all over the board, chariots before their own horses.
    ("1nbakabn1/r7r/1c5c1/pNpnpNpnp/9/9/P1P1P1P1P/1C5C1/R7R/2BAKAB2 w", 3),
    ("1nbakabn1/r7r/1c5c1/pNpnpNpnp/9/9/P1P1P1P1P/1C5C1/R7R/2BAKAB2 b", 3),
    # Both chariots pinned on the file of the generals.
    ("4k4/4a4/9/9/4r4/9/9/4R4/9/3AK4 w", 4),
    # Generals on one file with one piece between: it may not leave the file.
    ("3aka3/9/9/4n4/9/9/9/9/4K4/9 b", 4),
    ("3k1a3/9/9/3P5/9/9/9/9/9/3K5 w", 4),
    # Double cannon: the screen of one is the other.
    ("3k1a3/9/3a5/9/4c4/9/4c4/9/4A4/3AK4 w", 4),
    # Cannon checks where the screen is an own piece that may step aside.
    ("4k4/4a4/4ba3/9/4C4/9/4N4/4C4/9/3K5 b", 4),
    # Pinned horse, from report R13 of the list of references.
    ("3k5/9/9/9/9/9/5N3/9/4KN2r/9 w", 4),
    # From reports M01, R59, R61.
    ("4kab2/4a3n/4b4/pr3NC2/2n6/4p4/P3P1C1P/Nc5r1/9/1RBAKAB2 w", 3),
    ("3ak3C/4a2R1/9/4p3p/2r1rcR2/4C4/1n2P3P/B3B4/4A4/1c2KA3 w", 3),
    ("3R2b2/4k4/b8/p1P5p/9/4n1C2/1n5rP/6N1B/4A4/2B1KA3 b", 3),
    # Pawns on the last rank, elephants with and without their eyes.
    ("P1P1ka3/4a4/4b3b/4P4/2p3p2/2P3P2/4p4/B3B4/4A4/p2AK3p w", 3),
]


def ours(move):
    """h3e3 or h10g8 to h2e2 or h9g7."""
    cut = 3 if move[2].isdigit() else 2
    return "".join(square[0] + str(int(square[1:]) - 1) for square in (move[:cut], move[cut:]))


def by_square(move):
    return (int(move[1]), move[0], int(move[3]), move[2])


def legal(fen):
    return sorted((ours(move) for move in pyffish.legal_moves("xiangqi", fen, [])), key=by_square)


def perft(fen, depth, moves=()):
    following = pyffish.legal_moves("xiangqi", fen, list(moves))
    if depth == 1:
        return len(following)
    return sum(perft(fen, depth - 1, (*moves, move)) for move in following)


def split_mix(state):
    mask = 2**64 - 1
    while True:
        state = state + 0x9E3779B97F4A7C15 & mask
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        yield z ^ z >> 31


def constants():
    numbers = split_mix(int.from_bytes(b"xiangqi1", "big"))
    table = {(piece, square): next(numbers) for piece in "KABNRCPkabnrcp" for square in range(90)}
    return table, next(numbers)


CONSTANTS, BLACK_TO_MOVE = constants()


def key(fen):
    board, side = fen.split()[:2]
    result = BLACK_TO_MOVE if side == "b" else 0
    for rank, row in zip(range(9, -1, -1), board.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                result ^= CONSTANTS[letter, rank * 9 + file]
                file += 1
    return f"{result:016x}"


def in_check(fen):
    return pyffish.gives_check("xiangqi", fen, [])


def pick(rng, items):
    return items[int(rng.random() * len(items))]


def played(rng, count):
    """Positions of random games, those in check preferred."""
    found = []
    while len(found) < count:
        fen = START
        for _ in range(250):
            moves = pyffish.legal_moves("xiangqi", fen, [])
            if not moves:
                break
            fen = " ".join(pyffish.get_fen("xiangqi", fen, [pick(rng, moves)]).split()[:2])
            if rng.random() < (0.2 if in_check(fen) else 0.015):
                found.append(fen)
    return found[:count]


def arranged(rng, count):
    """Random arrangements in which each piece stands where it may and the side not to move is not in check.

    The generals may face: pyffish calls that no check, but then allows only moves that end it."""
    points = {
        "k": [(f, r) for f in (3, 4, 5) for r in (0, 1, 2)],
        "a": [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)],
        "b": [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)],
        "p": [(f, r) for f in range(9) for r in range(3, 10) if r > 4 or f % 2 == 0],
    }
    anywhere = [(f, r) for f in range(9) for r in range(10)]
    found = []
    while len(found) < count:
        board = {}
        for side in "wb":
            for letter, most in zip("kabnrcp", (1, 2, 2, 2, 2, 2, 5)):
                for _ in range(1 if letter == "k" else int(rng.random() * (most + 1))):
                    file, rank = pick(rng, points.get(letter, anywhere))
                    if side == "b":
                        rank = 9 - rank
                    if board.get((file, rank), "").lower() != "k":
                        board[file, rank] = letter.upper() if side == "w" else letter
        if not {"k", "K"} <= set(board.values()):
            continue
        rows = []
        for rank in range(9, -1, -1):
            row = "".join(board.get((file, rank), "1") for file in range(9))
            for run in range(9, 1, -1):
                row = row.replace("1" * run, str(run))
            rows.append(row)
        fen = "/".join(rows)
        side, other = ("w", "b") if rng.random() < 0.5 else ("b", "w")
        if not in_check(f"{fen} {other}"):
            found.append(f"{fen} {side}")
    return found


def table(header, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def main():
    fens = [START, *played(random.Random(20), 280), *arranged(random.Random(26), 220)]
    tables = {
        "legal_moves.csv": table(
            ("fen", "key", "moves"), ((fen, key(fen), " ".join(legal(fen))) for fen in fens)
        ),
        "perft.csv": table(
            ("fen", "depth", "count"), ((fen, depth, perft(fen, depth)) for fen, depth in PERFT)
        ),
    }
    differ = False
    for name, text in tables.items():
        if "--write" in sys.argv[1:]:
            (HERE / name).write_text(text)
        elif (HERE / name).read_text() != text:
            print(f"{name} differs", file=sys.stderr)
            differ = True
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
