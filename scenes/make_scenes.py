#!/usr/bin/python3
"""Writes the scenes of many bodies that are alike: tower.json, rope_bridge.json, marbles.json."""
import json
import math
import pathlib

WIDTH = 100  # columns


def text(value, indent, room=WIDTH):
    """JSON as people lay it out: on one line what fits there, else filled lines."""
    def inline(v):
        if isinstance(v, dict):
            return "{ " + ", ".join(f"{json.dumps(k)}: {inline(x)}" for k, x in v.items()) + " }"
        if isinstance(v, list):
            return "[" + ", ".join(inline(x) for x in v) + "]"
        return json.dumps(v, ensure_ascii=False)

    flat = inline(value)
    if indent + len(flat) <= room or not isinstance(value, (dict, list)):
        return flat
    pad = " " * (indent + 2)
    brackets = "{}" if isinstance(value, dict) else "[]"
    items = ([(json.dumps(k) + ": ", v) for k, v in value.items()]
             if isinstance(value, dict) else [("", v) for v in value])
    lines, line = [], ""
    for i, (key, v) in enumerate(items):
        comma = "," if i + 1 < len(items) else ""
        piece = key + inline(v) + comma
        one_each = isinstance(v, dict) and not isinstance(value, dict) or indent == 0
        if line and (one_each or len(pad) + len(line) + 1 + len(piece) > WIDTH):
            lines.append(line)
            line = ""
        if len(pad) + len(piece) > WIDTH:
            if line:
                lines.append(line)
            line = key + text(v, indent + 2, WIDTH - len(key)) + comma
        else:
            line = f"{line} {piece}" if line else piece
    lines.append(line)
    body = "\n".join(pad + one for one in lines)
    return f"{brackets[0]}\n{body}\n{' ' * indent}{brackets[1]}"


def write(name, scene):
    path = pathlib.Path(__file__).with_name(name)
    path.write_text(text({"$schema": "../docs/scene.schema.json", **scene}, 0) + "\n",
                    encoding="utf-8")
    bodies = scene["bodies"]
    print(f"{name}: {len(bodies)} bodies, {path.stat().st_size / 1000:.0f} kB")


def short(value, digits):
    value = round(value, digits)
    return int(value) if value == int(value) else value


def rounded(*values):
    return [short(v, 4) for v in values]


def turn(axis, degrees):
    return {"axis": axis, "angle_deg": short(degrees, 3)}


FLOOR = {"type": "static", "name": "floor", "shape": {"type": "plane"}, "friction": 0.8}


# --- a round tower, and a ball that flies into it -----------------------------------------------

def tower():
    around, layers, radius = 15, 20, 1.0
    size = [0.35, 0.2, 0.3]  # [m]; along the ring, up, across
    bodies = [FLOOR]
    for layer in range(layers):
        for i in range(around):
            angle = 2 * math.pi * (i + 0.5 * (layer % 2)) / around
            bodies.append({
                "type": "rigid", "name": f"block {layer + 1}.{i + 1}",
                "shape": {"type": "box", "size": size},
                "pose": {"position": rounded(radius * math.sin(angle), size[1] * (layer + 0.5),
                                             radius * math.cos(angle)),
                         "rotation": turn([0, 1, 0], math.degrees(angle))},
                "density": 600, "friction": 0.7})
    # It is thrown so that it is 2.4 m high when it meets the wall.
    speed, flight, start = 8.0, 1.35, 1.6
    up = (2.4 - start + 9.81 * flight ** 2 / 2) / flight
    bodies.append({
        "type": "rigid", "name": "ball", "shape": {"type": "sphere", "radius": 0.45},
        "pose": {"position": rounded(-(radius + 0.6) - speed * flight, start, 0.25)},
        "velocity": rounded(speed, up, 0), "density": 1400, "angular_drag": 1})
    return {
        "name": "tower",
        "description": "A heavy ball flies into a round tower of 300 blocks and "
                       "brings down a good part of it.",
        "world": {"seconds": 6},
        "camera": {"eye": [-5.4, 3.4, 7.6], "target": [-0.6, 1.8, 0], "fov_deg": 38},
        "bodies": bodies}


# --- planks on ropes between two banks, and crates that fall on them ----------------------------

def rope_bridge():
    planks, span, sag, height, wide = 18, 5.0, 0.42, 1.6, 1.0
    gap, thick = 0.03, 0.05
    rail, posts_every = 0.55, 3  # height of the rails above the planks [m]
    density = 500

    def node(i):
        x = span * (i / planks - 0.5)
        return x, height - sag * (1 - (2 * x / span) ** 2)

    bodies, joints = [FLOOR], []
    for side, name in ((-1, "left"), (1, "right")):
        bodies.append({"type": "static", "name": f"{name} bank",
                       "shape": {"type": "box", "size": [1.4, height, 1.8]},
                       "pose": {"position": rounded(side * (span / 2 + 0.7 + gap), height / 2, 0)},
                       "friction": 0.8})
        for z, where in ((-1, "back"), (1, "front")):
            bodies.append({
                "type": "static", "name": f"{name} {where} post",
                "shape": {"type": "cylinder", "radius": 0.07, "half_height": 0.45},
                "pose": {"position": rounded(side * (span / 2 + 0.1), height + 0.45,
                                             z * wide / 2)}})
    for i in range(planks):
        (x0, y0), (x1, y1) = node(i), node(i + 1)
        pitch = math.atan2(y1 - y0, x1 - x0)
        size = rounded(math.hypot(x1 - x0, y1 - y0) - gap, thick, wide)
        plank = {"type": "rigid", "name": f"plank {i + 1}"}
        if i % posts_every == 1:
            post = {"type": "box", "size": [0.04, rail, 0.04]}
            plank["parts"] = [
                {"shape": {"type": "box", "size": size}, "density": density, "friction": 0.8},
                *({"shape": post, "density": density,
                   "pose": {"position": rounded(0, (rail + thick) / 2, z * wide / 2)}}
                  for z in (-1, 1))]
        else:
            plank |= {"shape": {"type": "box", "size": size}, "density": density, "friction": 0.8}
        plank["pose"] = {"position": rounded((x0 + x1) / 2, (y0 + y1) / 2, 0),
                         "rotation": turn([0, 0, 1], math.degrees(pitch))}
        plank["angular_drag"] = 0.5
        bodies.append(plank)
    for i in range(planks + 1):
        x, y = node(i)
        for z in (-0.45, 0.45):
            joints.append({
                "type": "ball", "a": f"plank {i + 1}" if i < planks else f"plank {planks}",
                "b": f"plank {i}" if 0 < i < planks else ("left bank" if i == 0 else "right bank"),
                "anchor": rounded(x, y, z)})
    # Rails: a chain of three links from post to post, a little longer than the way.
    held = [("left", span * -0.5 - 0.1 + 0.0, height + 0.8)]
    for i in range(1, planks, posts_every):
        (x0, y0), (x1, y1) = node(i), node(i + 1)
        pitch = math.atan2(y1 - y0, x1 - x0)
        reach = rail - 0.02
        held.append((f"plank {i + 1}", (x0 + x1) / 2 - reach * math.sin(pitch),
                     (y0 + y1) / 2 + reach * math.cos(pitch)))
    held.append(("right", span * 0.5 + 0.1, height + 0.8))
    links = 3
    for z, where in ((-1, "back"), (1, "front")):
        for k, ((a, ax, ay), (b, bx, by)) in enumerate(zip(held, held[1:])):
            dip = 0.07
            points = [(ax + (bx - ax) * t / links,
                       ay + (by - ay) * t / links - dip * 4 * (t / links) * (1 - t / links))
                      for t in range(links + 1)]
            before = a if a.startswith("plank") else f"{a} {where} post"
            for t, ((x0, y0), (x1, y1)) in enumerate(zip(points, points[1:])):
                name = f"{where} rail {k + 1}.{t + 1}"
                length = math.hypot(x1 - x0, y1 - y0)
                bodies.append({
                    "type": "rigid", "name": name,
                    "shape": {"type": "capsule", "radius": 0.022,
                              "half_height": round(length / 2 - 0.022, 4)},
                    "pose": {"position": rounded((x0 + x1) / 2, (y0 + y1) / 2, z * wide / 2),
                             "rotation": turn([0, 0, 1],
                                              math.degrees(math.atan2(y1 - y0, x1 - x0)) - 90)},
                    "density": 900, "angular_drag": 1})
                joints.append({"type": "ball", "a": name, "b": before,
                               "anchor": rounded(x0, y0, z * wide / 2)})
                before = name
            joints.append({"type": "ball", "a": before,
                           "b": b if b.startswith("plank") else f"{b} {where} post",
                           "anchor": rounded(bx, by, z * wide / 2)})
    crates = ((-0.9, 2.6, 0.1, 0.36, 20), (0.15, 3.1, -0.12, 0.42, 35), (1.05, 3.6, 0.08, 0.32, 50),
              (-0.35, 4.3, 0.05, 0.3, 65), (0.6, 4.9, 0, 0.34, 10))
    for i, (x, y, z, edge, angle) in enumerate(crates):
        bodies.append({"type": "rigid", "name": f"crate {i + 1}",
                       "shape": {"type": "box", "size": [edge] * 3},
                       "pose": {"position": [x, y, z], "rotation": turn([0.3, 1, 0.2], angle)},
                       "density": 350, "friction": 0.8})
    return {
        "name": "rope bridge",
        "description": "Crates fall on a hanging bridge of planks, which sags, sways and bears "
                       "them.",
        "world": {"seconds": 8, "rigid": {"iterations": 4}},
        "camera": {"eye": [2.6, 3.1, 6.4], "target": [0, 1.4, 0], "fov_deg": 36},
        "bodies": bodies, "joints": joints}


# --- marbles and capsules that pour down a hillside of pegs -------------------------------------

def marbles():
    columns, rows, cell = 33, 53, 0.125

    def rise(value, start, end):
        t = min(1, max(0, (value - start) / (end - start)))
        return t * t * (3 - 2 * t)

    def ground(x, z):
        way = min(1, max(0, (z + 3.25) / 5.2))  # 0 at the top, 1 where the basin begins
        y = 0.02 + 2.5 * (1 - way) ** 1.25
        y += 0.1 * x * x * (0.4 + way)  # a valley
        y += 0.6 * rise(abs(x), 1.5, 2)
        y += 0.6 * rise(-z, 2.75, 3.25) + rise(z, 2.55, 3.25)
        return y

    heights = [round(ground((c - (columns - 1) / 2) * cell, (r - (rows - 1) / 2) * cell), 2)
               for r in range(rows) for c in range(columns)]
    bodies = [FLOOR,
              {"type": "static", "name": "hillside",
               "shape": {"type": "height_field", "columns": columns, "rows": rows, "cell": cell,
                         "heights": heights}, "friction": 0.5}]
    for row in range(4):
        z = -1.2 + 0.7 * row
        for k in range(5 - row % 2):
            x = 0.65 * (k - 2 + 0.5 * (row % 2))
            bodies.append({"type": "static", "name": f"peg {row + 1}.{k + 1}",
                           "shape": {"type": "cylinder", "radius": 0.06, "half_height": 0.3},
                           "pose": {"position": rounded(x, ground(x, z) + 0.12, z)}})
    count = {"marble": 0, "capsule": 0}
    for layer in range(6):
        for i in range(5):
            for k in range(5):
                kind = "capsule" if (layer + 2 * i + k) % 3 == 0 else "marble"
                count[kind] += 1
                shift = 0.015 * ((layer * 7 + i * 3 + k * 5) % 4 - 1.5)
                body = {"type": "rigid", "name": f"{kind} {count[kind]}"}
                if kind == "marble":
                    body["shape"] = {"type": "sphere", "radius": 0.09}
                else:
                    body["shape"] = {"type": "capsule", "radius": 0.07, "half_height": 0.07}
                body["pose"] = {"position": rounded(0.34 * (i - 2) + shift, 2.7 + 0.27 * layer,
                                                    -2.35 + 0.27 * (k - 2) + shift)}
                if kind == "capsule":
                    body["pose"]["rotation"] = turn([1, 0, 1], 30 * (layer + i))
                bodies.append({**body, "density": 2000, "friction": 0.4, "restitution": 0.1,
                               "drag": 0.2, "angular_drag": 0.4})
    return {
        "name": "marbles",
        "description": "A hundred marbles and fifty capsules pour down a hillside of pegs and "
                       "gather in the basin below.",
        "world": {"seconds": 10, "rigid": {"iterations": 4}},
        "camera": {"eye": [2.9, 4.7, 6.9], "target": [0, 0.95, 0], "fov_deg": 40},
        "bodies": bodies}


if __name__ == "__main__":
    write("tower.json", tower())
    write("rope_bridge.json", rope_bridge())
    write("marbles.json", marbles())
