"""What the tests of the command line share: running it, and reading what it writes.

SINEW_BIN is the program, SINEW_SOURCE the folder of the sources (for scenes/).
"""
import json
import os
import pathlib
import signal
import struct
import subprocess
import tempfile
import unittest
import zlib

SINEW = str(pathlib.Path(os.environ["SINEW_BIN"]).resolve())
SCENES = pathlib.Path(os.environ["SINEW_SOURCE"]).resolve() / "scenes"
TIMEOUT = 240  # [s]; far more than needed, for slow builds (sanitizers, debug)

FLOOR = {"type": "static", "name": "floor", "shape": {"type": "plane"}}


def jelly(name="jelly", **changes):
    """A small soft body: 0.2 m, 5 tetrahedra in each of 8 cells."""
    body = {"type": "soft", "name": name,
            "mesh": {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]},
            "pose": {"position": [0, 0.3, 0]}}
    return {**body, **changes}


def default_signals():
    """In the child: a parent may have had interrupts ignored, as shells do in the background."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class CommandLine(unittest.TestCase):
    """Each test runs in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sinew_cli_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        """Bytes, text, or anything else as JSON."""
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content),
                            encoding="utf-8")
        return name

    def scene(self, *bodies, name="scene.json", **world):
        return self.write(name, {"world": {"seconds": 0.1, **world}, "bodies": list(bodies)})

    def sinew(self, *arguments, **options):
        defaults = {"timeout": TIMEOUT, "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                    "stderr": subprocess.PIPE}
        return subprocess.run([SINEW, *map_text(arguments)], cwd=self.folder,
                              **{**defaults, **options})

    def start(self, *arguments):
        process = subprocess.Popen([SINEW, *map_text(arguments)], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=default_signals)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def works(self, *arguments):
        """Its standard output."""
        result = self.sinew(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode()

    def metrics(self, *arguments):
        return json.loads(self.works("run", *arguments, "--json"))

    def content(self):
        """All files in the folder: their bytes by path; folders are None."""
        return {str(p.relative_to(self.folder)): p.read_bytes() if p.is_file() else None
                for p in self.folder.rglob("*")}

    def names(self):
        """As content(), without the bytes: also while files come and go."""
        return {os.path.relpath(os.path.join(folder, name), self.folder)
                for folder, folders, files in os.walk(self.folder) for name in folders + files}

    def refuses(self, *arguments, says=(), code=1):
        """One message that has every part of `says`, no output, and no trace in the folder."""
        before = self.content()
        result = self.sinew(*arguments, timeout=60)
        message = result.stderr.decode()
        self.assertEqual(result.returncode, code, message)
        self.assertEqual(result.stdout, b"")
        self.assertTrue(message.startswith("sinew: ") and message.endswith("\n"), message)
        lines = message.splitlines()
        self.assertEqual(lines[1:], ["Try: sinew --help"] if code == 2 else [], message)
        for part in says:
            self.assertIn(part, lines[0])
        self.assertNotIn("sinew: unexpected", lines[0])
        self.assertEqual(self.content(), before)


def map_text(arguments):
    return [a if isinstance(a, bytes) else str(a) for a in arguments]


def decode_png(data):
    """(width, height, rows of bytes); 8-bit RGB only."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, compressed = 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            assert (depth, colour) == (8, 2)
        elif kind == b"IDAT":
            compressed += body
        at += 12 + length
    raw, stride = zlib.decompress(compressed), 1 + 3 * width
    assert len(raw) == stride * height
    rows, above = [], bytes(3 * width)
    for y in range(height):
        above = unfilter(raw[y * stride], raw[y * stride + 1:(y + 1) * stride], above)
        rows.append(above)
    return width, height, rows


def unfilter(kind, line, above):
    """One row of a PNG, RFC 2083 chapter 6."""
    row = bytearray(line)
    for i in range(len(row)):
        left, up = row[i - 3] if i >= 3 else 0, above[i]
        corner = above[i - 3] if i >= 3 else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + up) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        elif kind == 4:
            p = left + up - corner
            row[i] = (row[i] + min((left, up, corner), key=lambda c: abs(p - c))) & 255
    return bytes(row)


class Glb:
    """A recording: what its soft bodies looked like in the last frame, and when frames were."""

    def __init__(self, data):
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        json_length = struct.unpack_from("<I", data, 12)[0]
        self.document = json.loads(data[20:20 + json_length])
        self.binary = data[28 + json_length:]

    def accessor(self, index):
        """Of 32-bit floats, as tuples."""
        accessor = self.document["accessors"][index]
        width = {"SCALAR": 1, "VEC3": 3}[accessor["type"]]
        assert accessor["componentType"] == 5126
        view = self.document["bufferViews"][accessor["bufferView"]]
        assert view.get("byteStride", 4 * width) == 4 * width
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        numbers = struct.unpack_from(f"<{width * accessor['count']}f", self.binary, start)
        return list(zip(*[iter(numbers)] * width))

    def names(self):
        return [node["name"] for node in self.document["nodes"] if "mesh" in node]

    def last_shape(self, name):
        node = next(n for n in self.document["nodes"] if n.get("name") == name)
        primitive = self.document["meshes"][node["mesh"]]["primitives"][0]
        shape = self.accessor(primitive["attributes"]["POSITION"])
        if "targets" not in primitive:
            return shape
        moved = self.accessor(primitive["targets"][-1]["POSITION"])
        return [tuple(a + b for a, b in zip(*pair)) for pair in zip(shape, moved)]

    def moving(self):
        """Names of the nodes that are moved, not only deformed."""
        channels = [c for a in self.document.get("animations", []) for c in a["channels"]]
        nodes = {c["target"]["node"] for c in channels
                 if c["target"]["path"] in ("translation", "rotation")}
        return {self.document["nodes"][node]["name"] for node in nodes}

    def times(self):
        """Of the keys of all animations, in order."""
        samplers = [s for a in self.document.get("animations", []) for s in a["samplers"]]
        return sorted({t for s in samplers for (t,) in self.accessor(s["input"])})
