"""The command line given what it cannot use: one message that says where, and no trace left."""
import json
import os
import socket
import struct
import unittest

from cli_testing import FLOOR, CommandLine, jelly

FOREVER = 1e5  # [s] of simulated time: a run that starts in spite of an error meets the time limit


class BrokenScenes(CommandLine):
    def check(self, scene, *says):
        self.write("scene.json", scene)
        for arguments in (["run", "scene.json", "--record", "r.glb", "--metrics", "m.json"],
                          ["run", "scene.json", "--record", "r.pvd", "--picture", "p.png"],
                          ["info", "scene.json"]):
            self.refuses(*arguments, says=["scene.json", *says])

    def test_no_file(self):
        self.refuses("run", "nowhere.json", says=["nowhere.json: ", "No such file"])
        self.refuses("run", "nowhere\nnor\x1bhere.json", says=["nowhere\\nnor"])

    def test_not_a_file(self):
        self.refuses("run", ".", says=[".: is a directory"])
        self.refuses("run", "/dev/null", says=["/dev/null:1:1: broken JSON"])

    def test_broken_json(self):
        self.check('{\n  "bodies": [\n    {]\n}', "scene.json:3:6: broken JSON")
        self.check('{"bodies": []', "scene.json:1:14: broken JSON")
        self.check('{\n"bodies": [{"density": NaN}]}', "scene.json:2:")
        self.check('{"world": {"dt": 1e999}, "bodies": []}', "scene.json:1:", "1e999")
        self.check(b'{"name": "\xff\xfe", "bodies": []}', "scene.json:1:", "UTF-8")
        self.check('{"bodies": [], "bodies": []}', "/bodies: is given twice")
        self.check('{"bodies": ' + "[" * 100000, "/0/0: is nested more than 64 deep")

    def test_bad_values(self):
        def body(**changes):
            return {"bodies": [FLOOR, jelly(**changes)]}

        def material(**changes):
            return body(material={"type": "stable_neo_hookean", **changes})

        def world(**changes):
            return {"world": changes, "bodies": []}

        for scene, says in [
                ([], ["the scene: is a list of 0"]),
                ({}, ["/bodies: is missing"]),
                (body(densty=3), ["/bodies/1/densty: unknown key", 'did you mean "density"?']),
                (body(density="heavy"), ["/bodies/1/density", "must be a number"]),
                (body(density=-3), ["/bodies/1/density", "-3 kg/m³", "greater than 0"]),
                (body(density=0), ["/bodies/1/density", "greater than 0"]),
                (body(density="NaN"), ["/bodies/1/density", "must be a number"]),
                (body(velocity=[0, 1]), ["/bodies/1/velocity", "3 numbers"]),
                (body(type="sfot"), ["/bodies/1/type", 'did you mean "soft"?']),
                (body(mesh={"type": "box", "cells": [10 ** 6] * 3}), ["/bodies/1/mesh", "1e+18"]),
                (body(mesh={"type": "box", "cells": [2 ** 31, 1, 1]}), ["/bodies/1/mesh/cells/0"]),
                (body(mesh={"type": "box", "cells": [0, 1, 1]}), ["/bodies/1/mesh/cells/0"]),
                (body(mesh={"type": "file", "path": "gone.mesh"}), ["/bodies/1/mesh", "gone.mesh"]),
                (body(mesh={"type": "file", "path": "/dev/zero"}), ["/bodies/1/mesh", "/dev/zero"]),
                (material(poisson=0.5), ["/bodies/1/material/poisson", "less than 0.5"]),
                (material(young=0), ["/bodies/1/material/young", "greater than 0"]),
                (material(young=-1e5), ["/bodies/1/material/young", "greater than 0"]),
                (world(dt=0), ["/world/dt", "greater than 0"]),
                (world(dt=-1), ["/world/dt", "greater than 0"]),
                (world(seconds=0), ["/world/seconds", "greater than 0"]),
                (world(substeps=2.5), ["/world/substeps", "whole number"])]:
            with self.subTest(says=says):
                self.check(scene, *says)


TETRAHEDRON = """MeshVersionFormatted 2
Dimension 3
Vertices 4
0 0 0 0
1 0 0 0
0 1 0 0
{apex} 0
Tetrahedra {count}
{corners}
End
"""


def binary_ply(vertices=3):
    header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {vertices}\n"
              "property float x\nproperty float y\nproperty float z\nelement face 1\n"
              "property list uchar int vertex_indices\nend_header\n")
    return (header.encode() + struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0) +
            struct.pack("<B3i", 3, 0, 1, 2))


def binary_stl(triangles=1):
    return (bytes(80) + struct.pack("<I", triangles) +
            struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0))


def glb(*, total=None, json_length=None, binary_length=None, count=3, view_length=36):
    """One triangle; the lengths can be made to lie."""
    binary = struct.pack("<9f3I", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}], "buffers": [{"byteLength": len(binary)}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": view_length},
                        {"buffer": 0, "byteOffset": 36, "byteLength": 12}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5125, "count": 3, "type": "SCALAR"}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = (struct.pack("<II", len(text) if json_length is None else json_length, 0x4E4F534A) +
              text +
              struct.pack("<II", len(binary) if binary_length is None else binary_length,
                          0x004E4942) + binary)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks) if total is None else total) + chunks


class BrokenMeshes(CommandLine):
    def check_solid(self, mesh, *says):
        self.write("solid.mesh", mesh)
        self.refuses("info", "solid.mesh", says=["solid.mesh", *says])
        self.scene(jelly(mesh={"type": "file", "path": "solid.mesh"}))
        self.refuses("run", "scene.json", "--record", "r.glb", "--metrics", "m.json",
                     says=["scene.json: /bodies/0/mesh: solid.mesh", *says])

    def test_solids(self):
        sound = {"apex": "0 0 1", "count": 1, "corners": "1 2 3 4 0"}
        for changes, says in [
                ({"corners": "1 2 3 77 0"}, ["solid.mesh:9: ", "77", "1..4"]),
                ({"corners": "1 2 3 -1 0"}, ["solid.mesh:9: ", "-1"]),
                ({"corners": "1 2 x 4 0"}, ["solid.mesh:9: "]),
                ({"count": 10 ** 12}, ["solid.mesh:8: "]),
                ({"count": 0, "corners": ""}, ["no triangles, tetrahedra or hexahedra"]),
                ({"apex": "1 1 0"}, ["no tetrahedron is left"]),
                ({"apex": "0 0 nan"}, ["solid.mesh"])]:
            with self.subTest(**changes):
                self.check_solid(TETRAHEDRON.format(**{**sound, **changes}), *says)
        self.check_solid("", "empty")

    def test_surfaces(self):
        for name, content, says in [
                ("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", ["t.obj:4: ", "9"]),
                ("t.ply", binary_ply()[:-5], ["byte ", "cut short"]),
                ("t.ply", binary_ply(4 * 10 ** 9), ["byte ", "4000000000"]),
                ("t.stl", binary_stl()[:-10], ["byte 84", "cut short"]),
                ("t.stl", binary_stl(2 ** 32 - 1), ["byte 84", "4294967295"]),
                ("t.glb", glb()[:-7], ["byte ", "cut short"]),
                ("t.glb", glb(total=2 ** 32 - 1), ["byte ", "4294967295"]),
                ("t.glb", glb(json_length=2 ** 32 - 16), ["byte 20", "4294967280"]),
                ("t.glb", glb(binary_length=2 ** 31 - 16), ["byte ", "2147483632"]),
                ("t.glb", glb(count=4 * 10 ** 9), ["/accessors/0"]),
                ("t.glb", glb(view_length=2 ** 40), ["/bufferViews/0"]),
                ("t.xyz", "hello", ["known are", ".obj"])]:
            with self.subTest(name=name, says=says):
                self.write(name, content)
                self.refuses("info", name, says=[name, *says])

    def test_the_sound_ones_are_sound(self):
        for name, content in [("t.ply", binary_ply()), ("t.stl", binary_stl()), ("t.glb", glb())]:
            self.write(name, content)
            self.works("info", name)


class BadArguments(CommandLine):
    def setUp(self):
        super().setUp()
        self.scene(FLOOR, jelly(), seconds=FOREVER)

    def refuses_run(self, *arguments, says, code=1):
        self.refuses("run", "scene.json", *arguments, says=says, code=code)

    def test_outputs_that_cannot_be_written(self):
        (self.folder / "d.glb").mkdir()
        (self.folder / "d.png").mkdir()
        self.write("file", "")
        for option, path in [
                ("--record", "no/r.glb"), ("--record", "no/r.pvd"), ("--record", "d.glb"),
                ("--record", "file/r.glb"), ("--record", "/proc/r.glb"),
                ("--record", "/proc/r.pvd"), ("--picture", "no/p.png"), ("--picture", "d.png"), ("--metrics", "no/m.json"),
                ("--metrics", "."), ("--metrics", "d.png"), ("--metrics", "/proc/m.json")]:
            with self.subTest(option=option, path=path):
                self.refuses_run(option, path, says=[path + ": "])

    def test_flags_that_are_not_known(self):
        self.refuses_run("--thread", "2", code=2,
                         says=['"--thread" was not expected', 'did you mean "--threads"?'])
        self.refuses_run("--recrod=r.glb", code=2, says=['did you mean "--record"?'])
        self.refuses_run("other.json", code=2, says=['"other.json" was not expected'])

    def test_frames_of_a_pvd_that_cannot_be_written(self):
        self.write("r", "a file where the folder of the frames would be")
        self.refuses_run("--record", "r.pvd", says=["r.pvd: "])

    @unittest.skipIf(os.geteuid() == 0, "the superuser may write anywhere")
    def test_folder_that_is_read_only(self):
        self.folder.chmod(0o500)
        self.addCleanup(self.folder.chmod, 0o700)
        for option, path in [("--record", "r.glb"), ("--record", "r.pvd"), ("--metrics", "m.json")]:
            self.refuses_run(option, path, says=[path + ": "])

    def test_one_bad_output_leaves_no_trace_of_the_others(self):
        self.refuses_run("--record", "r.pvd", "--picture", "p.png", "--metrics", "no/m.json",
                         says=["no/m.json: "])

    def test_output_in_place_of_the_scene_or_another_output(self):
        self.refuses_run("--metrics", "scene.json", says=["scene.json: ", "--metrics"])
        self.refuses_run("--metrics", "./r.glb", "--record", "r.glb", says=["r.glb: ", "--record"])
        os.symlink("scene.json", self.folder / "link.json")
        self.refuses_run("--metrics", "link.json", says=["link.json: "])

    def test_names_of_outputs(self):
        self.refuses_run("--record", "r.abc", says=["r.abc: ", ".glb", ".pvd"])
        self.refuses_run("--record", "r", says=["r: ", ".glb"])
        self.refuses_run("--picture", "p.jpg", says=["p.jpg: ", ".png"])
        for option in ("--record", "--picture", "--metrics"):
            self.refuses_run(option, "", says=[option, "empty"])

    def test_nothing_to_record(self):
        self.scene()
        for path in ("r.glb", "r.pvd"):
            self.refuses_run("--record", path, says=[path + ": there is no body"])

    def test_numbers(self):
        for arguments, says, code in [
                (["--seconds", "-1"], ["--seconds", "-1 s"], 1),
                (["--seconds", "0"], ["--seconds", "0 s"], 1),
                (["--seconds", "nan"], ["--seconds", "nan"], 1),
                (["--seconds", "inf"], ["--seconds", "inf"], 1),
                (["--seconds", "1e300"], ["steps", "scene.json"], 1),
                (["--set", "/world/dt=1e-30"], ["steps", "scene.json"], 1),
                (["--seconds", "ten"], ["--seconds"], 2),
                (["--record", "r.glb", "--fps", "0"], ["--fps"], 1),
                (["--record", "r.glb", "--fps", "nan"], ["--fps"], 1),
                (["--picture", "p.png", "--picture-every", "0"], ["--picture-every"], 1),
                (["--picture", "p.png", "--picture-every", "-1"], ["--picture-every"], 1),
                (["--picture", "p.png", "--width", "0"], ["width = 0"], 1),
                (["--picture", "p.png", "--height", "-1"], ["height = -1"], 1),
                (["--picture", "p.png", "--width", "1000000"], ["width = 1000000"], 1),
                (["--threads", "-1"], ["--threads", "-1"], 2),
                (["--threads", "100000"], ["--threads", "100000"], 2),
                (["--threads", "1.5"], ["--threads"], 2)]:
            with self.subTest(arguments=arguments):
                self.refuses_run(*arguments, says=says, code=code)

    def test_options_that_need_another(self):
        for option, needed in [("--fps", "--record"), ("--picture-every", "--picture"),
                               ("--width", "--picture"), ("--height", "--picture")]:
            self.refuses_run(option, "10", says=[option, needed], code=2)

    def test_overrides(self):
        for override, says in [
                ("foo", ['"foo"', "POINTER=VALUE"]),
                ("/world/dt", ['"/world/dt"', "POINTER=VALUE"]),
                ("=1", ["POINTER=VALUE"]),
                ("/bodies/9/density=1", ["/bodies/9: does not exist"]),
                ("/bodies/-1/density=1", ["/bodies/-1: does not exist"]),
                ("/bodeis/1/density=1", ["/bodeis: does not exist", '"bodies"']),
                ("/bodies/1/densty=1", ["/bodies/1/densty: unknown key", '"density"']),
                ("/bodies/1/density=-1", ["/bodies/1/density", "greater than 0", "set by"]),
                ("/bodies/1/density=NaN", ["/bodies/1/density", "set by"])]:
            with self.subTest(override=override):
                self.refuses_run("--set", override, says=["scene.json: ", *says])

    def test_commands(self):
        self.refuses(says=["command"], code=2)
        self.refuses("frob", says=["frob"], code=2)
        self.refuses("run", says=["scene is required"], code=2)
        self.refuses("info", says=["files is required"], code=2)
        self.refuses("run", "scene.json", "--frob", says=["--frob"], code=2)

    def test_view(self):
        self.write("noise.snr", b"\x00\x01noise")
        self.write("bad.json", {"bodies": [FLOOR, jelly(density=-3)]})
        self.scene(FLOOR)
        for arguments, says, code in [
                (["nowhere.json"], ["nowhere.json", "No such file"], 1),
                (["bad.json"], ["bad.json: /bodies/1/density", "-3 kg/m³"], 1),
                (["bad.json", "--export", "page"], ["bad.json: /bodies/1/density"], 1),
                (["nowhere.snr"], ["nowhere.snr: no such file"], 1),
                (["noise.snr"], ["noise.snr: is no recording", "--record"], 1),
                (["--export", "page"], ["--export needs a scene"], 1),
                (["scene.json", "--host", "nowhere"], ["--host", "nowhere", "127.0.0.1"], 1),
                (["scene.json", "--port", "99999"], ["--port", "99999"], 2),
                (["scene.json", "--prot", "1"], ['did you mean "--port"?'], 2)]:
            with self.subTest(arguments=arguments):
                self.refuses("view", *arguments, says=says, code=code)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            self.refuses("view", "scene.json", "--port", port, says=[port, "is in use", "--port"])

    def test_output_that_cannot_be_printed(self):
        self.scene(FLOOR)
        with open("/dev/full", "wb") as full:
            for arguments in (["run", "scene.json", "--json"], ["run", "scene.json"],
                              ["info", "scene.json"], ["schema"], ["--help"]):
                with self.subTest(arguments=arguments):
                    result = self.sinew(*arguments, stdout=full)
                    self.assertEqual(result.returncode, 1)
                    self.assertEqual(len(result.stderr.splitlines()), 1)
                    self.assertIn(b"No space left", result.stderr)


if __name__ == "__main__":
    unittest.main()
