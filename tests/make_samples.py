#!/usr/bin/env python3
"""Writes the samples that no editor can write: binary formats and encodings other than UTF-8.

Run from the repository root; the files are committed. The XQF layout is that of grammars/xqf.ksy.
"""

import gzip
import io
import pathlib
import struct
import zipfile

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


def main():
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
