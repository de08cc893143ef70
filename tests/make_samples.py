#!/usr/bin/env python3
"""Writes the samples that no editor can write: binary formats and encodings other than UTF-8.

Run from the repository root; the files are committed. The layouts are those of grammars/*.ksy.
"""

import gzip
import io
import pathlib
import struct
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent.parent / "samples"
FILES = {c: i for i, c in enumerate("abcdefghi")}
# Squares of the start position, in the order of the XQF header: file * 10 + rank.
START = [80, 70, 60, 50, 40, 30, 20, 10, 0, 72, 12, 83, 63, 43, 23, 3,
         9, 19, 29, 39, 49, 59, 69, 79, 89, 17, 77, 6, 26, 46, 66, 86]
TEXT = b"[(C) Copyright Mr. Dong Shiwei.]"


def square(text):
    return FILES[text[0]] * 10 + int(text[1])


def header(version, title, red, black, result, squares=None, first=0):
    head = bytearray(0x400)
    head[0:3] = b"XQ" + bytes([version])
    head[0x10:0x30] = bytes(squares or START)
    head[0x32] = first
    head[0x33] = result
    for offset, text in ((0x50, title), (0x130, red), (0x140, black)):
        data = text.encode("gb18030")
        head[offset] = len(data)
        head[offset + 1:offset + 1 + len(data)] = data
    return head


class Node:
    """A move with its comment and its continuations, the main line first."""

    def __init__(self, move=None, comment="", children=()):
        self.move, self.comment, self.children = move, comment, list(children)


def line(moves, comments=None, end=()):
    """A chain of nodes; `end` are the children of the last."""
    comments = comments or {}
    children = list(end)
    for index in range(len(moves) - 1, -1, -1):
        children = [Node(moves[index], comments.get(index + 1, ""), children)]
    return children


def flatten(root):
    """Nodes in the order of the file, each with whether a continuation and an alternative follow."""
    out, stack = [], [(root, False)]
    while stack:
        node, younger = stack.pop()
        out.append((node, bool(node.children), younger))
        for index in range(len(node.children) - 1, -1, -1):
            stack.append((node.children[index], index + 1 < len(node.children)))
    return out


def body_10(root):
    out = bytearray()
    for node, more, other in flatten(root):
        tag = (0xF0 if more else 0) | (0x0F if other else 0)
        text = node.comment.encode("gb18030")
        start, to = (0x18, 0x20) if node.move is None else (
            (square(node.move[:2]) + 0x18) % 256, (square(node.move[2:]) + 0x20) % 256)
        out += bytes([start, to, tag, 0xFF if node.move is None else 0]) + struct.pack("<I", len(text)) + text
    return bytes(out)


def encrypt_18(head, root, mask=0xFF, keys=(0x10, 0x20, 0x30, 0xA0), seeds=(0x21, 0x42, 0x63)):
    """A version 1.8 file with keys: header squares and node stream as formats.md 1.5 has them."""
    xy, xyf, xyt = seeds
    total = -(xy + xyf + xyt) % 256

    def g(k):
        return 54 * k * k + 221

    kxy = g(xy) * xy % 256
    kfrom = g(xyf) * kxy % 256
    kto = g(xyt) * kfrom % 256
    kcomment = (total * 256 + xy) % 32000 + 767
    head[3] = mask
    head[8:12] = bytes(keys)
    head[12:16] = bytes([total, xy, xyf, xyt])
    plain = list(head[0x10:0x30])
    head[0x10:0x30] = bytes((plain[(i + 1 + kxy) % 32] + kxy) % 256 for i in range(32))
    b = [(total & mask) | keys[0], (xy & mask) | keys[1], (xyf & mask) | keys[2], (xyt & mask) | keys[3]]
    stream = [TEXT[i] & b[i % 4] for i in range(32)]
    out = bytearray()
    for node, more, other in flatten(root):
        text = node.comment.encode("gb18030")
        tag = (0x80 if more else 0) | (0x40 if other else 0) | (0x20 if text else 0)
        start, to = (0x58, 0x51) if node.move is None else (
            (square(node.move[:2]) + 0x18 + kfrom) % 256, (square(node.move[2:]) + 0x20 + kto) % 256)
        out += bytes([start, to, tag, 0])
        if text:
            out += struct.pack("<I", len(text) + kcomment) + text
    return bytes(head) + bytes((byte + stream[(0x400 + i) % 32]) % 256 for i, byte in enumerate(out))


def point(text):
    """A square as CBR has it: row by row from Black's left corner."""
    return (9 - int(text[1])) * 9 + FILES[text[0]]


def cbr(root, fields, guid=1, result=3, side=1):
    """A record of kind 2; `fields` is offset and text."""
    head = bytearray(2214)
    head[0:16] = b"CCBridge Record\0"
    head[19] = 2
    head[20:36] = bytes([guid] * 16)
    for offset, text in fields:
        data = text.encode("utf-16-le")
        head[offset:offset + len(data)] = data
    head[2036:2039] = b"C00"
    head[2040] = 1
    head[2076] = result
    head[2112] = side
    head[2116] = 1
    kinds = [1, 2, 3, 4, 5, 4, 3, 2, 1, 6, 6, 7, 7, 7, 7, 7]
    for index, square in enumerate(START):
        color = 0x10 if index < 16 else 0x20
        head[2120 + (9 - square % 10) * 9 + square // 10] = color + kinds[index % 16]
    head[2210:2214] = b"\xff" * 4
    out = bytearray()
    for node, more, other in flatten(root):
        text = node.comment.encode("utf-16-le")
        flags = (0 if more else 1) | (2 if other else 0) | (4 if text else 0)
        start, to = (0, 0) if node.move is None else (point(node.move[:2]), point(node.move[2:]))
        out += bytes([flags, 0, start, to])
        if text:
            out += struct.pack("<I", len(text)) + text
    return bytes(head) + bytes(out)


def cbl(name, records):
    """A library of CBR records, each with its state, 7 live or 5 deleted."""
    head = bytearray(66624)
    head[0:16] = b"CCBridgeLibrary\0"
    head[16] = 3
    head[52:56] = b"\xff\xff\xff\x7f"
    head[60:64] = struct.pack("<I", len(records))
    head[64:64 + 2 * len(name)] = name.encode("utf-16-le")
    index, body = bytearray(), bytearray()
    for order, (state, record) in enumerate(records):
        body += b"\0" * (-len(body) % 4096)
        guid = record[20:36].hex().upper()
        guid = "{%s-%s-%s-%s-%s}" % (guid[:8], guid[8:12], guid[12:16], guid[16:20], guid[20:])
        entry = struct.pack("<IIIII", state, order, -(-len(record) // 4096), len(record), 0)
        entry += guid.encode("utf-16-le").ljust(80, b"\0") + record[180:308]
        index += entry.ljust(276, b"\0")
        body += record
    return bytes(head + index + body)


def old_cbl(name, games):
    """A library of the older form; a game is a title, Red, Black, the result and a tree."""
    def string(text):
        data = text.encode("gb18030")
        return struct.pack("<I", len(data)) + data

    time = b"2001-2-18 12:30:23 "
    out = bytearray(b"".join(map(string, [name, "", "", "编者", ""])) + time + time)
    out += struct.pack("<II", len(games), 0)
    for title, red, black, result, root in games:
        squares = bytes((s // 10 + 1) << 4 | (10 - s % 10) for s in START)
        game = squares + struct.pack("<I", 1) + string("演示赛") + struct.pack("<I", 1)
        game += b"".join(map(string, [title, "", "", "北京", "2001.2.18", red, black]))
        game += struct.pack("<I", result) + b"".join(map(string, ["", "", "编者", "", root.comment]))
        game += b"\1" + time + time
        plies, comments, waiting = bytearray(), [], [(child, 1) for child in reversed(root.children)]
        while waiting:
            node, ply = waiting.pop()
            move = [FILES[node.move[0]], 9 - int(node.move[1]), FILES[node.move[2]], 9 - int(node.move[3])]
            # The notation that stands beside the squares is not needed to read the move.
            plies += struct.pack("<HBBH", ply, move[0] << 4 | move[1], move[2] << 4 | move[3], 0)
            comments.append(node.comment.replace("\n", "||"))
            waiting += [(child, ply + 1) for child in reversed(node.children)]
        game += struct.pack("<I", len(comments)) + plies
        game += "".join(comment + "\r\n" for comment in comments).encode("gb18030")
        out += struct.pack("<I", len(game) + 4) + game
    return b"CCBridge" + struct.pack("<III", 0x15, 1, len(out)) + zlib.compress(bytes(out), 1)


def xqr(fields, root):
    """`fields` is type and text."""
    out = bytearray(b"\x00\x02\x20\x17\x01\x01\x00")
    for kind, value in fields:
        out += bytes([kind, len(value)]) + value
    out += b"\x09\x00"
    for node, more, other in flatten(root):
        text = node.comment.encode("utf-8")
        flags = (1 if more else 0) | (2 if other else 0) | (4 if text else 0)
        square = [(9 - int(at[1])) << 4 | FILES[at[0]] for at in (node.move[:2], node.move[2:])] if node.move else [0, 0]
        out += bytes([*square, flags, 0])
        if text:
            out += struct.pack("<I", len(text)) + text
    return bytes(out) + b"\x0a\x04" + struct.pack("<I", zlib.crc32(out))


def cbf(head, root):
    """The main line only, as nobody knows how variations are written."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<ChineseChessRecord Version="1.0">', " <Head>"]
    lines += [f"  <{name}>{text}</{name}>" if text else f"  <{name} />" for name, text in head]
    lines += [" </Head>", " <MoveList>"]
    node, value = root, "00-00"
    while True:
        end = "" if node.children else ' end="1"'
        text = f"><![CDATA[{node.comment}]]></Move>" if node.comment else " />"
        lines.append(f'  <Move value="{value}"{end}{text}')
        if not node.children:
            break
        node = node.children[0]
        value = "{}{}-{}{}".format(FILES[node.move[0]], 9 - int(node.move[1]), FILES[node.move[2]], 9 - int(node.move[3]))
    return "\r\n".join(["\ufeff" + lines[0], *lines[1:], " </MoveList>", "</ChineseChessRecord>", ""])


def without_breaks(node):
    """The same tree with comments that do not end in a line break."""
    return Node(node.move, node.comment.rstrip("\r\n"), [without_breaks(child) for child in node.children])


def ccbridge(tree):
    """The samples of CCBridge's formats and of XQR."""
    tree = without_breaks(tree)
    fields = [(180, "演示对局"), (308, "演示"), (692, "演示赛"), (884, "2024-05-01"), (948, "北京"),
              (1076, "甲方"), (1140, "一队"), (1300, "乙方"), (1364, "二队")]
    record = cbr(tree, fields)
    (HERE / "valid.cbr").write_bytes(record)
    second = cbr(Node(None, "", line(["c3c4", "b7c7"])), [(180, "第二局")], guid=2, result=0)
    (HERE / "valid.cbl").write_bytes(cbl("演示库", [(7, record), (7, second)]))
    (HERE / "deleted-record.cbl").write_bytes(cbl("演示库", [(7, second), (5, record)]))
    third = Node(None, "", line(["b2e2", "b9c7", "b0c2"]))
    old = [("演示对局(红先和)", "甲方", "乙方", 3, tree), ("第二局", "丙方", "丁方", 4, third)]
    (HERE / "valid-old.cbl").write_bytes(old_cbl("演示库", old))
    texts = [(2, "演示赛"), (3, "北京"), (4, "2024-05-01"), (5, "甲方"), (6, "乙方")]
    texts = [(kind, text.encode("utf-8")) for kind, text in texts] + [(7, b"\x03")]
    valid = xqr(texts, tree)
    (HERE / "valid.xqr").write_bytes(valid)
    (HERE / "bad-field.xqr").write_bytes(valid[:-1] + bytes([valid[-1] ^ 1]))
    head = [("Name", "演示对局"), ("Contest", "演示赛"), ("Red", "甲方"), ("Black", "乙方"), ("Referee", ""),
            ("RecordType", "1"), ("RecordResult", "3"),
            ("FEN", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1")]
    (HERE / "valid.cbf").write_bytes(cbf(head, tree).encode("utf-8"))


def pascal(*strings):
    """An MXQ file: strings with their length before them, in GB18030."""
    return b"".join(bytes([len(data)]) + data for data in (text.encode("gb18030") for text in strings))


def small_formats():
    moves = ["7C-4C", "7J-6H", "7A-6C", "8J-7J", "8A-7A"]
    head = ["演示室", "2026年11月30日", "甲方(1星)-胜-乙方(2弦)", "1800", "1700", "10", "5", "0", "500", "420",
            "黑方投子认负", "Moves"]
    (HERE / "valid-yitian.mxq").write_bytes(pascal(*head, *moves, "Ends", "CommentsEnd"))
    # File and rank from the left and the top.
    squares = [[(ord(move[0]) - 48, 74 - ord(move[1])), (ord(move[3]) - 48, 74 - ord(move[4]))] for move in moves]
    ccm = bytearray()
    for ply, ((x1, y1), (x2, y2)) in enumerate(squares):
        # The whole board turned, as the program shows it.
        ccm += bytes([1 if ply == 0 else 0, 0, ply, 8 - x1, 8 - x2, 9 - y1, 9 - y2])
    (HERE / "valid-game-centre.ccm").write_bytes(bytes(ccm))
    chn = bytearray(188)
    for (x1, y1), (x2, y2) in squares:
        chn += struct.pack("<16H", 0, 0, x1, y1, x2, y2, *[0] * 10)
    (HERE / "valid-lianzhong.chn").write_bytes(bytes(chn))


def main():
    small_formats()
    moves = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 h0h6 b9c7".split()
    tree = Node(None, "中炮对屏风马\r\n", [
        Node("h2e2", "当头炮\r\n", [
            *line(moves[1:], {7: "至此双方均势\r\n"}),
            *line(["h7e7", "e2e6"], {1: "顺炮\r\n"}),
        ]),
        *line(["c3c4", "b7c7"], {1: "仙人指路\r\n"}),
    ])
    plain = bytes(header(0x0A, "演示对局", "甲方", "乙方", 3)) + body_10(tree)
    (HERE / "valid-1.0.xqf").write_bytes(plain)
    keyed = encrypt_18(header(0x12, "演示对局", "甲方", "乙方", 3), tree)
    (HERE / "valid-1.8.xqf").write_bytes(keyed)
    (HERE / "truncated.xqf").write_bytes(keyed[:-30])
    (HERE / "trailing-data.xqf").write_bytes(plain + b"made by hand")
    odd = bytearray(plain)
    odd[0x33] = 9
    (HERE / "bad-field.xqf").write_bytes(bytes(odd))
    ccbridge(tree)
    wrong = Node(None, "", line(["h2e2", "h9g7", "h0f1", "i9h9"]))
    (HERE / "illegal-move.xqf").write_bytes(bytes(header(0x0A, "第三着走错", "甲方", "乙方", 0)) + body_10(wrong))

    game = """[Game "Chinese Chess"]
[Event "{event}"]
[Red "{red}"]
[Black "{black}"]
[Result "1/2-1/2"]

1. 炮二平五 马８进７
2. 马二进三 车９平８
3. 车一平二 卒７进１
4. 车二进六 马２进３
1/2-1/2
"""
    text = game.format(event="编码示例", red="甲方", black="乙方")
    (HERE / "valid-gb18030.pgn").write_bytes(text.replace("\n", "\r\n").encode("gb18030"))
    (HERE / "valid-utf-16.pgn").write_bytes(b"\xff\xfe" + text.encode("utf-16-le"))
    (HERE / "valid-utf-8-bom.pgn").write_bytes(b"\xef\xbb\xbf" + text.encode("utf-8"))
    traditional = game.format(event="編碼示例", red="甲方", black="乙方")
    for simple, full in zip("马车进", "馬車進"):
        traditional = traditional.replace(simple, full)
    (HERE / "valid-big5.pgn").write_bytes(traditional.encode("big5"))
    broken = text.encode("gb18030").replace("乙方".encode("gb18030"), "乙".encode("gb18030") + b"\xff")
    (HERE / "undecodable-text.pgn").write_bytes(broken)
    joined = [game.format(event="甲杯", red="甲方", black="乙方") + "\n" for _ in range(2)]
    (HERE / "mixed-encodings.pgn").write_bytes(joined[0].encode("utf-8") + joined[1].encode("gb18030"))

    archives()


def archive(members):
    """A ZIP archive whose members all have the oldest date that there is."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def archives():
    red, black = "1. 炮二平五 马8进7 *\n".encode(), "1. 兵七进一 卒7进1 *\n".encode()
    (HERE / "valid.zip").write_bytes(archive([("b.pgn", black), ("a/c.pgn", red), (".hidden", b"x")]))
    (HERE / "valid.pgn.gz").write_bytes(gzip.compress(red, 9, mtime=0))
    (HERE / "archive-member.zip").write_bytes(archive([("inner.zip", archive([("a.pgn", red)]))]))
    (HERE / "archive-limit.zip").write_bytes(archive([("zeros.pgn", bytes(2 << 20))]))


if __name__ == "__main__":
    main()
