"""The command line when all is well: what runs give, what they write, what info tells."""
import json
import os
import re
import signal
import struct
import subprocess
import time
import unittest
import xml.etree.ElementTree

from cli_testing import FLOOR, SCENES, SINEW, TIMEOUT, CommandLine, Glb, decode_png, jelly

GRAVITY = 9.81

TOP_KEYS = {
    "steps": int, "dt": float, "wall_ms": ("mean", "median", "p99", "max"), "state_hash": str,
    "finite": bool, "energy": ("kinetic", "gravity", "elastic"), "momentum": ("linear", "angular"),
    "contacts": ("count_max", "penetration_max", "count", "penetration", "rigid_count_max",
                 "rigid_count", "asleep"),
    "joints": ("count", "linear_error_max", "angular_error_max"), "soft": list, "rigid": list}
SOFT_KEYS = {"name", "volume_ratio", "inverted", "strain_max", "iterations"}
RIGID_KEYS = {"name", "position", "velocity", "asleep"}


class Scenes(CommandLine):
    """Every scene in scenes/, run to its end: what a person would notice."""

    def run_scene(self, name, penetration=1e-3):
        self.works("run", SCENES / f"{name}.json", "--metrics", "m.json", "--record", "r.glb",
                   "--fps", 5, "--threads", 2)
        self.assertEqual(set(self.content()), {"m.json", "r.glb"})
        metrics = json.loads((self.folder / "m.json").read_text())
        for key, kind in TOP_KEYS.items():
            if isinstance(kind, tuple):
                self.assertLessEqual(set(kind), set(metrics[key]), key)
            else:
                self.assertIsInstance(metrics[key], kind, key)
        self.assertTrue(metrics["finite"])
        self.assertTrue(metrics["soft"] or metrics["rigid"])
        for body in metrics["soft"]:
            self.assertLessEqual(SOFT_KEYS, set(body))
            self.assertEqual(body["inverted"], 0, body)
            self.assertAlmostEqual(body["volume_ratio"], 1, delta=0.05, msg=body)
        for body in metrics["rigid"]:
            self.assertLessEqual(RIGID_KEYS, set(body))
        self.assertLessEqual(metrics["contacts"]["penetration"], penetration)
        return metrics, Glb((self.folder / "r.glb").read_bytes())

    def test_every_scene_has_a_test(self):
        tested = {name[len("test_"):] for name in dir(self) if name.startswith("test_")}
        self.assertLessEqual({path.stem for path in SCENES.glob("*.json")}, tested)

    def test_hello(self):
        metrics, recording = self.run_scene("hello")
        mass = 0.5 ** 3 * 1000
        height = metrics["energy"]["gravity"] / (mass * GRAVITY)
        self.assertTrue(0.19 < height < 0.26, f"its centre is {height} m above the floor")
        self.assertLess(metrics["energy"]["kinetic"], 2)  # it fell with 850 J
        self.assertGreater(metrics["contacts"]["count"], 20)
        lowest = min(y for _, y, _ in recording.last_shape("jelly"))
        self.assertAlmostEqual(lowest, 0, delta=1e-3)

    def test_hanging_bar(self):
        metrics, recording = self.run_scene("hanging_bar")
        tip = [y for x, y, _ in recording.last_shape("bar") if y < 0.9]
        # Beam theory for small slopes says 0.74 m, which a bar of 1 m cannot reach.
        self.assertTrue(0.25 < min(tip) < 0.6, f"the tip is at {min(tip)} m")
        self.assertLess(metrics["energy"]["kinetic"], 0.1)  # at rest
        self.assertEqual(metrics["contacts"]["count_max"], 0)
        fixed = [p for p in recording.last_shape("bar") if abs(p[0]) < 1e-6]
        self.assertGreaterEqual(len(fixed), 25)

    def test_limb(self):
        metrics, recording = self.run_scene("limb")
        body, = metrics["soft"]
        self.assertLess(body["strain_max"], 0.6, body)  # the flesh; without its bone it hangs down
        self.assertGreater(body["strain_max"], 0.1, body)
        reach = max((x ** 2 + (y - 0.9) ** 2 + z ** 2) ** 0.5
                    for x, y, z in recording.last_shape("limb"))
        self.assertAlmostEqual(reach, (0.7 ** 2 + 2 * 0.09 ** 2) ** 0.5, delta=0.02)

    def test_obstacles(self):
        _, recording = self.run_scene("obstacles")
        for name in ("ball", "ring", "cylinder", "box"):
            shape = recording.last_shape(name)
            lowest = min(y for _, y, _ in shape)
            self.assertTrue(-1e-3 < lowest < 0.6, f"{name} is {lowest} m above the floor")
            self.assertLess(max(max(map(abs, p)) for p in shape), 4, f"{name} flew away")

    # What these do is held to account in tests/scenes; here, that they run and are recorded.

    def test_jelly_steps(self):
        metrics, _ = self.run_scene("jelly_steps")
        self.assertEqual(len(metrics["soft"]), 5)

    def test_cloth_on_sphere(self):
        _, recording = self.run_scene("cloth_on_sphere")
        self.assertEqual(len(recording.last_shape("blanket")), 51 * 51)

    def test_dented_car(self):
        _, recording = self.run_scene("dented_car")
        self.assertLess(min(y for _, y, _ in recording.last_shape("car")), 0.01)

    def test_belly(self):
        _, recording = self.run_scene("belly")
        self.assertGreater(min(y for _, y, _ in recording.last_shape("belly")), 0.1)

    def test_gummy_bears(self):
        _, recording = self.run_scene("gummy_bears")
        skin = (SCENES / "meshes/bear.obj").read_text().splitlines()
        count = sum(line.startswith("v ") for line in skin)
        for name in ("red", "teal", "amber", "indigo", "green"):  # a few are at sharp edges
            self.assertTrue(count <= len(recording.last_shape(name)) < 1.05 * count)

    def test_flag(self):
        _, recording = self.run_scene("flag")
        self.assertEqual(len(recording.last_shape("flag")), 34 * 23)

    def test_soft_bars(self):
        metrics, _ = self.run_scene("soft_bars")
        self.assertEqual(len(metrics["soft"]), 4)

    def run_rigid_scene(self, name, moving, joints=0):
        """One of rigid bodies, of which at least so many are seen to move."""
        metrics, recording = self.run_scene(name, penetration=5e-3)
        self.assertEqual(metrics["joints"]["count"], joints)
        self.assertEqual(recording.names(), [body["name"] for body in metrics["rigid"]])
        self.assertGreaterEqual(len(recording.moving()), moving)

    def test_stack(self):
        self.run_rigid_scene("stack", moving=6)

    def test_dominoes(self):
        self.run_rigid_scene("dominoes", moving=23)

    def test_newton_cradle(self):
        self.run_rigid_scene("newton_cradle", moving=2, joints=10)

    def test_wrecking_ball(self):
        self.run_rigid_scene("wrecking_ball", moving=15, joints=8)

    def test_terrain(self):
        self.run_rigid_scene("terrain", moving=9)

    def test_ragdoll(self):
        self.run_rigid_scene("ragdoll", moving=10, joints=9)

    def test_joints(self):
        self.run_rigid_scene("joints", moving=21, joints=21)

    def test_tower(self):
        self.run_rigid_scene("tower", moving=100)

    def test_rope_bridge(self):
        self.run_rigid_scene("rope_bridge", moving=60, joints=94)

    def test_marbles(self):
        self.run_rigid_scene("marbles", moving=150)


class Determinism(CommandLine):
    def test_same_bits_whatever_the_threads_and_other_bits_for_another_scene(self):
        hello = SCENES / "hello.json"
        first = self.metrics(hello, "--seconds", 0.7)
        for threads in (1, 2, 0):
            again = self.metrics(hello, "--seconds", 0.7, "--threads", threads)
            self.assertEqual(again["state_hash"], first["state_hash"], f"{threads} threads")
            self.assertEqual(again["energy"], first["energy"])
        softer = self.metrics(hello, "--seconds", 0.7, "--set", "/bodies/1/material/young=2e4")
        self.assertNotEqual(softer["state_hash"], first["state_hash"])

    def test_outputs_do_not_change_the_result(self):
        scene = self.scene(FLOOR, jelly(), seconds=0.3)
        plain = self.metrics(scene)
        measured = self.metrics(scene, "--record", "r.glb", "--profile", "--metrics", "m.json")
        self.assertEqual(plain["state_hash"], measured["state_hash"])


class Outputs(CommandLine):
    def setUp(self):
        super().setUp()
        self.scene(FLOOR, jelly())

    def frames(self, *arguments):
        self.works("run", "scene.json", "--record", "r.glb", *arguments)
        return Glb((self.folder / "r.glb").read_bytes()).times()

    def test_glb_frames(self):
        times = self.frames("--seconds", 1, "--fps", 10)
        self.assertEqual(len(times), 11)
        for i, t in enumerate(times):
            self.assertAlmostEqual(t, 0.1 * i, delta=1e-4)

    def test_more_frames_than_steps_gives_every_step(self):
        self.assertEqual(len(self.frames("--seconds", 0.1, "--fps", 1e6)), 7)

    def test_no_frame_is_lost_to_rounding(self):
        # 0.01 s is less than that as a float; the difference adds up.
        self.scene(jelly())  # nothing to come to rest on: equal frames are not written
        times = self.frames("--seconds", 3, "--fps", 100, "--set", "/world/dt=0.01")
        self.assertEqual(len(times), 301)

    def test_pvd(self):
        self.works("run", "scene.json", "--record", "r.pvd", "--fps", 60)
        self.assertEqual(set(self.content()) - {"scene.json", "r.pvd", "r"},
                         {f"r/r_{i:06}_{name}.vtu" for i in range(7) for name in ("floor", "jelly")})
        listed = re.findall('file="([^"]+)"', (self.folder / "r.pvd").read_text())
        self.assertEqual(len(listed), 14)
        self.assertTrue(all((self.folder / file).is_file() for file in listed))

    def test_a_rope_is_a_tube_about_its_line(self):
        rope = {"type": "soft", "name": "rope", "thickness": 0.02,
                "mesh": {"type": "rope", "length": 1, "segments": 4},
                "pose": {"position": [0, 1, 0]},
                "pins": [{"type": "vertices", "indices": [0, 1, 2, 3, 4]}]}
        self.scene(rope)
        self.works("run", "scene.json", "--record", "r.glb", "--picture", "p.png",
                   "--width", 160, "--height", 90)
        tube = Glb((self.folder / "r.glb").read_bytes()).last_shape("rope")
        distances = sorted(((y - 1) ** 2 + z ** 2) ** 0.5 for _, y, z in tube)
        self.assertGreater(distances[len(distances) // 2], 0.0099)  # all but the middles of the ends
        self.assertAlmostEqual(distances[-1], 0.01, delta=1e-5)
        for end, value in ((min, 0), (max, 1)):
            self.assertAlmostEqual(end(x for x, _, _ in tube), value, delta=1e-5)
        _, _, rows = decode_png((self.folder / "p.png").read_bytes())
        middle = [bytes(row[240:243]) for row in rows]  # down the middle of the picture
        self.assertGreater(len(set(middle)), 5)
        self.works("run", "scene.json", "--record", "r.pvd")
        frames = [name for name in self.content() if name.endswith(".vtu")]
        self.assertTrue(frames)

    def test_a_skin_is_seen_instead_of_its_mesh(self):
        skin = {"type": "box", "size": [0.16, 0.16, 0.16], "cells": [5, 5, 5]}
        self.scene(jelly(skin=skin))
        self.works("run", "scene.json", "--record", "r.glb", "--picture", "p.png",
                   "--width", 160, "--height", 90)
        shape = Glb((self.folder / "r.glb").read_bytes()).last_shape("jelly")
        self.assertEqual(len(shape), 6 * 6 ** 2)  # its sharp edges belong to both sides
        self.assertAlmostEqual(max(x for x, _, _ in shape), 0.08, delta=0.01)
        # ParaView gets what is simulated.
        self.works("run", "scene.json", "--record", "r.pvd")
        frame = next(name for name in self.content() if name.endswith(".vtu"))
        self.assertIn('NumberOfPoints="27"',
                      (self.folder / frame).read_bytes().decode("ascii", "replace"))

    def test_names_that_are_no_file_names(self):
        self.scene(jelly("a/b"), jelly("a/b"), jelly("../up"), jelly(""), jelly("x\n\x1b[31mé"))
        self.works("run", "scene.json", "--record", "r.pvd")
        allowed = re.compile(r"r/[\w-]+\.vtu$|r$|r\.pvd$|scene\.json$")
        outside = [path for path in self.content() if not allowed.match(path)]
        self.assertEqual(outside, [])
        self.assertNotIn("\x1b", self.works("run", "scene.json", "--record", "r.glb"))
        names = Glb((self.folder / "r.glb").read_bytes()).names()
        self.assertEqual(len(names), 5)

    def test_only_statics(self):
        self.scene(FLOOR)
        self.works("run", "scene.json", "--record", "r.glb", "--picture", "p.png")
        self.works("run", "scene.json", "--record", "r.pvd")
        self.assertEqual(Glb((self.folder / "r.glb").read_bytes()).names(), ["floor"])

    def test_capsules_of_all_proportions(self):
        def capsule(radius, half_height):
            return {"type": "static", "name": f"{half_height}",
                    "shape": {"type": "capsule", "radius": radius, "half_height": half_height}}

        self.scene(capsule(0.1, 0), capsule(0.1, 0.3), capsule(1e-4, 2))
        self.works("run", "scene.json", "--record", "r.glb", "--picture", "p.png")
        self.assertLess((self.folder / "r.glb").stat().st_size, 1e6)
        recording = Glb((self.folder / "r.glb").read_bytes())
        for name, top in [("0", 0.1), ("0.3", 0.4), ("2", 2.0001)]:
            heights = [y for _, y, _ in recording.last_shape(name)]
            self.assertAlmostEqual(max(heights), top, places=5)
            self.assertAlmostEqual(min(heights), -top, places=5)

    def test_picture(self):
        self.works("run", "scene.json", "--picture", "p.png", "--width", 160, "--height", 90)
        width, height, rows = decode_png((self.folder / "p.png").read_bytes())
        self.assertEqual((width, height), (160, 90))
        colours = {row[x:x + 3] for row in rows for x in range(0, 3 * width, 3)}
        self.assertGreater(len(colours), 100)

    def test_pictures_are_numbered(self):
        self.works("run", "scene.json", "--seconds", 0.3, "--picture", "p.png", "--picture-every",
                   0.1, "--width", 64, "--height", 64)
        self.assertEqual(set(self.content()), {"scene.json"} | {f"p_{i:04}.png" for i in range(4)})
        pictures = [(self.folder / f"p_{i:04}.png").read_bytes() for i in range(4)]
        self.assertEqual(len(set(pictures)), 4)  # it falls

    def test_profile(self):
        table = self.works("run", "scene.json", "--profile")
        for word in ("stage", "calls", "µs per call", "contacts", "elasticity", "%"):
            self.assertIn(word, table)

    def test_profile_leaves_json_alone(self):
        result = self.sinew("run", "scene.json", "--profile", "--json")
        json.loads(result.stdout)
        self.assertIn("elasticity", result.stderr.decode())

    def test_quiet_and_pipe(self):
        quiet = self.sinew("run", "scene.json", "--quiet")
        self.assertEqual((quiet.returncode, quiet.stdout, quiet.stderr), (0, b"", b""))
        piped = self.sinew("run", "scene.json")
        self.assertEqual(piped.stderr, b"")  # no progress bar
        self.assertIn(b"state hash", piped.stdout)

    def test_progress_on_a_terminal(self):
        ours, theirs = os.openpty()
        self.addCleanup(os.close, ours)
        result = subprocess.run([SINEW, "run", "scene.json"], cwd=self.folder, stderr=theirs,
                                stdout=subprocess.PIPE, timeout=TIMEOUT)
        os.close(theirs)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b" of 0.10 s", os.read(ours, 4096))

    def test_device_is_written_to_and_not_replaced(self):
        os.symlink("/dev/stdout", self.folder / "link")
        output = self.works("run", "scene.json", "--quiet", "--metrics", "link")
        self.assertTrue(json.loads(output)["finite"])
        self.assertTrue((self.folder / "link").is_symlink())
        self.assertEqual(set(os.listdir(self.folder)), {"scene.json", "link"})

    def test_empty_scene(self):
        self.scene()
        self.assertEqual(self.metrics("scene.json")["steps"], 6)

    def test_shorter_than_a_step(self):
        self.assertEqual(self.metrics("scene.json", "--seconds", 1e-9)["steps"], 1)

    def test_many_steps(self):
        self.scene(FLOOR)
        self.assertEqual(self.metrics("scene.json", "--seconds", 2000)["steps"], 120000)

    def test_a_frozen_body_is_an_error_but_the_files_are_written(self):
        if "(float)" not in self.works("--version"):
            self.skipTest("double holds more than a scene can ask for")
        self.scene(FLOOR, jelly(angular_velocity=[3e38, 0, 0]))
        result = self.sinew("run", "scene.json", "--metrics", "m.json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("was frozen at", result.stderr.decode())
        self.assertIn("sinew: scene.json: not all bodies lived", result.stderr.decode())
        self.assertFalse(json.loads((self.folder / "m.json").read_text())["finite"])

    def test_recording_for_the_viewer(self):
        """A header, SCEN once, then frames; of what rests nothing is said again."""
        scene = self.scene(FLOOR, jelly(), seconds=1)
        self.works("run", scene, "--record", "r.snr", "--fps", "20")
        with open(os.path.join(self.folder, "r.snr"), "rb") as file:
            data = file.read()
        self.assertEqual(data[:16], b"SINEWREC" + struct.pack("<II", 1, 0))
        at, kinds, times = 16, [], []
        while at < len(data):
            length, = struct.unpack_from("<I", data, at)
            self.assertEqual(length % 4, 0)
            kinds.append(data[at + 4:at + 8])
            header_length, = struct.unpack_from("<I", data, at + 8)
            header = json.loads(data[at + 12:at + 12 + header_length])
            if kinds[-1] == b"FRAM":
                times.append(header["time"])
            at += 4 + length
        self.assertEqual(at, len(data))
        self.assertEqual(kinds, [b"SCEN"] + [b"FRAM"] * 21)
        self.assertAlmostEqual(times[-1], 1, places=4)

    def test_exported_page(self):
        self.works("view", self.scene(FLOOR, jelly()), "--export", "page", "--seconds", "0.2")
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "page"))),
                         ["index.html", "recording.snr", "session.json", "viewer.css", "viewer.js"])


class Help(CommandLine):
    def test_version_and_help(self):
        self.assertRegex(self.works("--version"), r"^sinew \d+\.\d+\.\d+")
        for command in ([], ["run"], ["info"], ["fit"], ["settle"], ["schema"]):
            text = self.works(*command, "--help")
            self.assertIn("Examples:", text)
            self.assertIn("sinew run scenes/hello.json", text)

    def test_schema_is_the_published_one(self):
        self.assertEqual(json.loads(self.works("schema")),
                         json.loads((SCENES.parent / "docs/scene.schema.json").read_text()))


# Tetrahedron 2 is inside out; vertex 6 is in no cell, and 5 in no triangle.
MEDIT = """MeshVersionFormatted 2
Dimension 3
Vertices 6
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
0.123456789 0.9 0.9 0
5 5 5 0
Triangles 2
1 3 2 0
1 2 4 0
Tetrahedra 2
1 2 3 4 0
2 4 3 5 0
End
"""


class Info(CommandLine):
    def test_surface(self):
        self.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                            "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        info = json.loads(self.works("info", "t.obj", "--json"))[0]
        self.assertEqual((info["format"], info["vertices"], info["triangles"]), ("OBJ", 4, 4))
        self.assertAlmostEqual(info["surface"]["enclosed_volume_m3"], 1 / 6)
        text = self.works("info", "t.obj")
        self.assertRegex(text, r"enclosed_volume_m3: +0\.166667\n")
        self.assertRegex(text, r"area_m2: +2\.36603\n")
        self.assertRegex(text, r"upper: +\[1, 1, 1\]\n")

    def test_solid(self):
        self.write("s.mesh", MEDIT)
        info = json.loads(self.works("info", "s.mesh", "--json"))[0]
        self.assertEqual(info["surface"]["mended"], "nothing")
        self.assertEqual(info["surface"]["vertices"], 4)
        self.assertIsNone(info["surface"]["enclosed_volume_m3"])
        self.assertEqual(info["tetrahedral"]["mended"],
                         "1 cell reoriented, 1 unused vertex dropped")

    def test_mended_mesh_in_a_scene(self):
        self.write("s.mesh", MEDIT)
        scene = self.scene(jelly(mesh={"type": "file", "path": "s.mesh"}))
        report = "/bodies/0/mesh: s.mesh: 1 cell reoriented, 1 unused vertex dropped"
        result = self.sinew("run", scene)
        self.assertEqual((result.returncode, result.stderr.decode()), (0, report + "\n"))
        self.assertIn("- " + report, self.works("info", scene))
        self.assertEqual(self.sinew("run", scene, "--quiet").stderr, b"")

    def test_several_files(self):
        self.write("s.mesh", MEDIT)
        scene = self.scene(FLOOR, jelly())
        files = json.loads(self.works("info", "s.mesh", scene, "--json"))
        self.assertEqual([f["format"] for f in files], ["Medit", "scene"])
        self.assertAlmostEqual(files[1]["bodies"][1]["mass_kg"], 8, places=4)

    def test_recording_can_be_read_back(self):
        self.works("run", self.scene(jelly()), "--record", "r.glb")
        self.assertGreater(json.loads(self.works("info", "r.glb", "--json"))[0]["triangles"], 40)

    def test_file_name_that_is_not_utf8(self):
        name = b"\xff.mesh"
        with open(os.fsencode(self.folder) + b"/" + name, "w") as file:
            file.write(MEDIT)
        self.assertEqual(json.loads(self.works("info", name, "--json"))[0]["format"], "Medit")
        self.works("info", name)


class Settle(CommandLine):
    BAR = {"type": "box", "size": [1, 0.1, 0.1], "cells": [20, 2, 2], "elements": "hexahedra"}
    HELD = [{"type": "box", "lower": [-1, -1, -1], "upper": [-0.499, 1, 1]}]

    def bar(self, **changes):
        return jelly(**{"mesh": self.BAR, "pins": self.HELD, "velocity": [0, 0, 1],
                        "pose": {"position": [1, 2, 3], "rotation": {"axis": [0, 1, 0],
                                                                     "angle_deg": 40}},
                        "material": {"type": "st_venant_kirchhoff", "young": 1e7,
                                     "poisson": 0.3}, **changes})

    def settle(self, scene, output="settled.json", *arguments):
        return json.loads(self.works("settle", scene, "-o", output, "--json", *arguments))

    def test_bodies_stand_still_and_sag_as_theory_says(self):
        for solver in ("position", "quasi_newton", "newton"):
            scene = self.scene(FLOOR, self.bar(solver={"type": solver}), seconds=1)
            bar, = self.settle(scene)
            self.assertTrue(bar["found"])
            self.assertLessEqual(bar["residual_N"], bar["tolerance_N"])
            self.assertAlmostEqual(bar["moved_m"] / 0.144, 1, delta=0.03)  # CalculiX, C3D20
            for seconds in (0.15, 0.5):
                free, still = (self.metrics(name, "--seconds", seconds)["energy"]["kinetic"]
                               for name in (scene, "settled.json"))
                self.assertGreater(free, 0.5)
                self.assertLess(still, 1e-4)

    def test_the_scene_says_where_bodies_start_and_is_else_the_same(self):
        scene = self.scene(FLOOR, self.bar(), jelly("on the floor", pose={
            "position": [5, 0.1, 0]}, material={"type": "arap", "young": 1e5}))
        self.assertEqual(len(self.settle(scene)), 2)
        before, after = (json.loads((self.folder / name).read_text())
                         for name in (scene, "settled.json"))
        starts = [body.pop("start", {}).get("path") for body in after["bodies"]]
        self.assertEqual(starts, [None, "settled_jelly.vtu", "settled_on_the_floor.vtu"])
        del before["bodies"][1]["velocity"]
        self.assertEqual(before, after)
        info = json.loads(self.works("info", *starts[1:], "--json"))
        self.assertEqual([m["vertices"] for m in info], [189, 27])
        # What is settled stays as it is.
        again = self.settle("settled.json", "again.json")
        self.assertLess(max(body["moved_m"] for body in again), 1e-4)

    def test_sheets_and_ropes(self):
        rope = {"type": "soft", "name": "rope", "mesh": {"type": "rope", "length": 1,
                                                         "segments": 10},
                "material": {"type": "linear", "young": 1e6, "poisson": 0.3}, "thickness": 0.01,
                "pins": [{"type": "vertices", "indices": [0, 10]}], "pose": {"position": [0, 3, 0]}}
        sheet = {"type": "soft", "name": "sheet", "mesh": {"type": "cloth", "cells_x": 6,
                                                           "cells_z": 6},
                 "material": {"type": "st_venant_kirchhoff", "young": 1e6, "poisson": 0.3},
                 "pins": [{"type": "vertices", "indices": [0, 6, 42, 48]}],
                 "constraints": [{"type": "bending"}], "pose": {"position": [0, 2, 0]}}
        found = self.settle(self.scene(rope, sheet))
        self.assertEqual([body["found"] for body in found], [True, True])
        self.assertTrue(all(body["moved_m"] > 0.01 for body in found))
        self.works("run", "settled.json")

    def test_text_and_quiet(self):
        scene = self.scene(self.bar())
        text = self.works("settle", scene, "-o", "settled.json")
        self.assertRegex(text, r"jelly +forces within [0-9.e-]+ N .* moved 0\.14\d* m")
        self.assertEqual(self.works("settle", scene, "-o", "settled.json", "--quiet"), "")

    def test_what_has_no_balance_or_no_place_is_refused(self):
        scene = self.scene(self.bar(pins=[]))
        self.refuses("settle", scene, "-o", "out.json",
                     says=["no balance", "jelly", "nothing holds", "--iterations"])
        self.refuses("settle", self.scene(FLOOR), "-o", "out.json", says=["has no soft body"])
        scene = self.scene(self.bar())
        self.refuses("settle", scene, "-o", "out.json", "--iterations", 2, says=["after 2 iter"])
        self.refuses("settle", scene, "-o", "out.json", "--iterations", 0, says=["at least 1"])
        self.refuses("settle", scene, "-o", "out.json", "--tolerance", -1, says=["at least 0"])
        self.refuses("settle", scene, "-o", scene, says=["is the scene"])
        self.refuses("settle", scene, "-o", "/proc/out.json", says=["/proc/out.json"])
        self.refuses("settle", scene, says=["--output"], code=2)
        scene = self.scene(self.bar(plasticity={"yield_strain": 0.02}))
        self.refuses("settle", scene, "-o", "out.json", says=["/bodies/0/plasticity", "flows"])
        rods = self.bar(constraints=[{"type": "distance"}])
        self.refuses("settle", self.scene(rods), "-o", "out.json", says=["distance", "rigid"])

    def test_starts_that_do_not_fit_are_refused(self):
        self.settle(self.scene(self.bar()))
        start = {"path": "settled_jelly.vtu"}
        self.refuses("run", self.scene(jelly(start=start)),
                     says=["/bodies/0/start", "189 vertices", "mesh has 27"])
        self.refuses("run", self.scene(jelly(start={"path": "none.vtu"})),
                     says=["/bodies/0/start", "none.vtu"])
        self.refuses("run", self.scene(jelly(constraints=[{"type": "custom_rows"}])),
                     says=["/bodies/0/constraints/0/type", "custom_rows", "cannot name functions"])


class Fit(CommandLine):
    def fit(self, *arguments):
        return json.loads(self.works("fit", *arguments, "--json"))

    def test_text_is_ready_to_paste(self):
        text = self.works("fit", "--young", "1e5", "--poisson", "0.3")
        middle = text.index("and in a body:")
        world = json.loads(text[text.index("{"):middle])
        body = json.loads(text[middle + len("and in a body:"):])
        exact = self.fit("--young", "1e5", "--poisson", "0.3")
        cells = body["constraints"][0]
        self.assertEqual(set(cells), {"type", "edge", "face", "diagonal", "volume"})
        for name, value in exact["stiffness"].items():
            self.assertAlmostEqual(value, cells[name], delta=1e-6)
        self.assertAlmostEqual(world["dt"], exact["dt"], delta=1e-8)
        hexes = {"type": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2],
                 "elements": "hexahedra"}
        self.works("run", self.scene(jelly(mesh=hexes, **body), **world), "--seconds", "0.1")
        self.assertRegex(text, r"21\.61 % +of the stiffness matrix")

    def test_figures_of_the_thesis(self):
        fit = self.fit("--poisson", 0.4, "--shear", "doubled")
        self.assertAlmostEqual(fit["stiffness"]["edge"], 0.06272166333, delta=1e-9)
        self.assertAlmostEqual(fit["stiffness"]["volume"], 0.4384584032, delta=1e-9)
        self.assertAlmostEqual(fit["matrix_error"], 0.1908278816, delta=1e-9)
        fit = self.fit("--poisson", 0.4, "--shear", "doubled", "--no-volume")
        self.assertAlmostEqual(fit["stiffness"]["edge"], 0.07274356969, delta=1e-9)
        self.assertEqual(fit["stiffness"]["volume"], 0)

    def test_displacements_beat_the_matrix(self):
        fit = self.fit("--objective", "displacements", "--iterations", 10)
        self.assertLess(fit["test_error"], fit["spread_matrix_fit_test_error"])
        self.assertLess(fit["test_error"], fit["matrix_fit_test_error"])
        free = self.fit("--objective", "displacements", "--iterations", 10, "--fit-step")
        self.assertLessEqual(free["training_error"], fit["training_error"])
        text = self.works("fit", "--objective", "displacements", "--iterations", 10)
        self.assertIn("by objective matrix, spread over the iterations", text)

    def test_other_cells_and_springs(self):
        self.assertEqual(set(self.fit("--cell", "tetrahedron")["stiffness"]), {"edge", "volume"})
        flat = self.fit("--cell", "triangle", "--poisson", 1 / 3, "--springs", "--young", 1e6)
        self.assertEqual(set(flat["stiffness"]), {"edge", "volume"})
        self.assertAlmostEqual(flat["springs_N_per_m"]["edge"], 3 ** 0.5 / 4 * 1e3, delta=1e-6)
        self.assertLess(flat["springs_matrix_error"], 1e-12)
        self.assertIn("N/m", self.works("fit", "--springs"))

    def test_body_of_a_scene(self):
        hexes = {"type": "box", "size": [0.8, 0.2, 0.2], "cells": [8, 2, 2],
                 "elements": "hexahedra"}
        held = [{"type": "box", "lower": [-1, -1, -1], "upper": [-0.39, 1, 1]}]
        bar = jelly(mesh=hexes, pins=held,
                    material={"type": "linear", "young": 1e6, "poisson": 0.3})
        scene = self.scene(bar, iterations=2)
        fit = self.fit(scene)
        self.assertTrue(fit["reachable"] and fit["calm"])
        self.assertAlmostEqual(fit["sag_ratio"], 1, delta=0.02)
        self.assertAlmostEqual(fit["poisson"], 0.3, delta=1e-6)
        self.works("fit", scene, "-o", "fitted.json")
        fitted = json.loads((self.folder / "fitted.json").read_text())
        body = next(b for b in fitted["bodies"] if b["type"] == "soft")
        self.assertEqual(body["material"], {"type": "none"})
        self.assertEqual(body["constraints"][-1], fit["constraint"])
        self.works("run", "fitted.json", "--seconds", "0.1")

    def test_step_and_mass(self):
        fit = self.fit("--dt", 0.001, "--mass", 0.5)
        self.assertEqual((fit["dt"], fit["vertex_mass_kg"]), (0.001, 0.5))

    def test_sweep(self):
        table = self.works("fit", "--sweep", "--csv", "k.csv", "--plot", "k.svg", "--springs")
        self.assertEqual(len(table.splitlines()), 51)
        self.assertEqual(set(self.content()), {"k.csv", "k.svg"})
        rows = (self.folder / "k.csv").read_text().splitlines()
        self.assertEqual(len(rows), 51)
        self.assertTrue(rows[0].startswith("poisson,edge,face,diagonal,volume,dt_s,matrix_error"))
        row = dict(zip(rows[0].split(","), map(float, rows[31].split(","))))
        one = self.fit("--poisson", 0.3)
        self.assertEqual((row["poisson"], row["face"], row["dt_s"]),
                         (0.3, one["stiffness"]["face"], one["dt"]))
        svg = xml.etree.ElementTree.parse(self.folder / "k.svg")
        texts = {e.text for e in svg.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"edge", "face", "diagonal", "volume", "Poisson's ratio [1]"}, texts)
        before = self.content()
        self.works("fit", "--sweep", "--csv", "k.csv", "--plot", "k.svg", "--springs")
        self.assertEqual(self.content(), before)
        self.assertEqual(len(self.fit("--sweep")), 50)

    def test_refuses(self):
        self.refuses("fit", "--poisson", 0.5, says=["poisson is 0.5"])
        self.refuses("fit", "--young", 0, says=["young is 0 Pa"])
        self.refuses("fit", "--iterations", 0, says=["iterations is 0"])
        self.refuses("fit", "--fit-step", says=["fit_step"])
        self.refuses("fit", "--cell", "cone", says=["cone"], code=2)
        self.refuses("fit", "--plot", "k.svg", says=["--sweep"], code=2)
        self.refuses("fit", "--sweep", "--poisson", 0.3, says=["--poisson"], code=2)
        self.refuses("fit", "--sweep", "--plot", "k.png", says=["k.png", ".svg"])
        self.refuses("fit", "--sweep", "--csv", "k.svg", "--plot", "k.svg", says=["k.svg: is --csv"])
        self.refuses("fit", "--sweep", "--csv", "none/k.csv", says=["none/k.csv"])
        self.refuses("fit", "--sweep", "--young", -1, "--csv", "k.csv", says=["young is -1 Pa"])


class Reproduce(CommandLine):
    """Experiments of the literature; that each holds is tested in tests/reproduce."""

    def test_list(self):
        self.assertEqual(self.works("reproduce"), self.works("reproduce", "list"))
        listed = json.loads(self.works("reproduce", "list", "--json"))
        self.assertIn("rotation-sweep", [entry["id"] for entry in listed])

    def test_page_with_plots(self):
        text = self.works("reproduce", "rotation-sweep", "rotation-sweep", "--small", "--out", "r")
        self.assertEqual(text.count("rotation-sweep:"), 1)
        self.assertIn("claims hold, 0 do not", text)
        page = (self.folder / "r" / "results.md").read_text(encoding="utf-8")
        plots = sorted(path.name for path in (self.folder / "r" / "plots").iterdir())
        self.assertIn("rotation-sweep-around-angle.svg", plots)
        for plot in plots:
            self.assertIn(f"](plots/{plot})", page)
            xml.etree.ElementTree.parse(self.folder / "r" / "plots" / plot)

    def test_json(self):
        results = json.loads(self.works("reproduce", "rotation-sweep", "--small", "--json"))
        self.assertEqual([result["id"] for result in results], ["rotation-sweep"])
        self.assertTrue(all(finding["holds"] for finding in results[0]["findings"]))

    def test_refuses(self):
        self.refuses("reproduce", "nothing", says=["nothing", "rotation-sweep"])
        self.refuses("reproduce", "rotation-sweep", "--threads", 0, says=["--threads is 0"])
        self.refuses("reproduce", "rotation-sweep", "--out", "", says=["--out is empty"])
        self.refuses("reproduce", "rotation-sweep", "--data", "", says=["--data is empty"])
        self.refuses("reproduce", "rotation-sweep", "--data", "nowhere", says=["--data nowhere", "no such folder"])
        self.refuses("reproduce", "history", "--data", ".", says=["bar-16600.mesh"])


class Interrupted(CommandLine):
    """A run that is stopped leaves nothing that looks like a result."""

    def stop(self, number, code, *outputs, ready):
        self.scene(FLOOR, jelly())
        self.write("m.json", "from an earlier run")
        before = self.content()
        process = self.start("run", "scene.json", "--seconds", 1e5, *outputs)
        deadline = time.monotonic() + 60
        while not ready(self.names() - set(before)):
            self.assertIsNone(process.poll(), "it ended by itself")
            self.assertLess(time.monotonic(), deadline, "nothing was ever written")
            time.sleep(0.01)
        process.send_signal(number)
        process.send_signal(number)  # timeout(1) sends it to the process and to its group
        output, message = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code)
        self.assertEqual((output, len(message.splitlines())), (b"", 1))
        self.assertIn(b"interrupted", message)
        self.assertEqual(self.content(), before)

    def test_metrics(self):
        self.stop(signal.SIGINT, 130, "--metrics", "m.json", ready=lambda new: new)

    def test_glb(self):
        self.stop(signal.SIGTERM, 143, "--metrics", "m.json", "--record", "r.glb",
                  ready=lambda new: new)

    def test_pvd(self):
        self.stop(signal.SIGINT, 130, "--record", "r.pvd", "--fps", 1,
                  ready=lambda new: any(name.endswith(".vtu") for name in new))

    def test_closed_terminal(self):
        self.stop(signal.SIGHUP, 129, "--picture", "p.png", "--metrics", "m.json",
                  ready=lambda new: any("m.json.partial" in name for name in new))


if __name__ == "__main__":
    unittest.main()
