#!/usr/bin/python3
"""Writes bear.obj and bear.vtk beside this file: a gummy bear, 1 m high, looking towards +z, y up.

bear.obj is what is seen: a smooth surface of some 5,800 triangles. bear.vtk is what is simulated:
some 300 hexahedra that hold it, a lattice whose outer vertices lie a little outside the surface.
"""
import itertools
import math
import pathlib

FINE = 0.0315  # cells in which the surface is found [m]
COARSE = 0.088  # hexahedra [m]
MARGIN = 0.006  # how far the hexahedra reach beyond the surface [m]
REACH = 0.028  # how far the surface may reach beyond cells, before they are drawn in [m]
LOWER, UPPER = (-0.42, -0.1, -0.32), (0.42, 1.12, 0.48)  # all of the bear


# --- the shape: distances to blobs, blended where they meet -------------------------------------

def ellipsoid(p, middle, radii):
    """Nearly the distance, and exactly where it is zero."""
    q = [(a - m) / r for a, m, r in zip(p, middle, radii)]
    g = [b / r for b, r in zip(q, radii)]
    k0, k1 = math.hypot(*q), math.hypot(*g)
    return k0 * (k0 - 1) / k1 if k1 > 0 else -min(radii)


def limb(p, a, b, radius_a, radius_b):
    """A capsule that gets thicker or thinner from a to b."""
    along = [y - x for x, y in zip(a, b)]
    t = sum((x - y) * d for x, y, d in zip(p, a, along)) / sum(d * d for d in along)
    t = min(1, max(0, t))
    return (math.dist(p, [x + t * d for x, d in zip(a, along)])
            - (radius_a + t * (radius_b - radius_a)))


def blend(a, b, width):
    """The smaller, rounded where they meet."""
    h = max(width - abs(a - b), 0) / width
    return min(a, b) - h * h * width / 4


def carve(a, b, width):
    """What is in a but not in b."""
    return -blend(-a, b, width)


def distance(point):
    x, y, z = abs(point[0]), point[1], point[2]  # both sides alike
    p = (x, y, z)
    d = ellipsoid(p, (0, 0.34, 0), (0.245, 0.37, 0.2))  # trunk
    d = blend(d, ellipsoid(p, (0, 0.33, 0.1), (0.19, 0.21, 0.16)), 0.1)  # belly
    d = blend(d, ellipsoid(p, (0, 0.12, -0.05), (0.23, 0.2, 0.185)), 0.1)  # seat
    head = ellipsoid(p, (0, 0.79, 0.02), (0.225, 0.195, 0.19))
    ear = ellipsoid(p, (0.168, 0.957, 0), (0.088, 0.088, 0.062))
    ear = carve(ear, ellipsoid(p, (0.171, 0.963, 0.078), (0.052, 0.052, 0.046)), 0.025)
    head = blend(head, ear, 0.04)
    head = blend(head, ellipsoid(p, (0, 0.738, 0.195), (0.105, 0.08, 0.09)), 0.03)  # snout
    head = blend(head, ellipsoid(p, (0, 0.785, 0.282), (0.048, 0.036, 0.034)), 0.015)  # nose
    head = blend(head, ellipsoid(p, (0.092, 0.857, 0.172), (0.04, 0.045, 0.04)), 0.015)  # eyes
    d = blend(d, head, 0.07)
    d = blend(d, limb(p, (0.205, 0.58, 0.07), (0.155, 0.44, 0.265), 0.088, 0.082), 0.06)  # arms
    d = blend(d, limb(p, (0.14, 0.12, 0), (0.185, 0.115, 0.29), 0.12, 0.1), 0.06)  # legs
    return -blend(-d, y, 0.05)  # it sits flat


def gradient(p, step=1e-4):
    parts = []
    for axis in range(3):
        ahead, behind = list(p), list(p)
        ahead[axis] += step
        behind[axis] -= step
        parts.append((distance(ahead) - distance(behind)) / (2 * step))
    return parts


def moved_to(p, level, steps=4):
    """The nearest place, more or less, at that distance from the surface."""
    for _ in range(steps):
        g = gradient(p)
        size = sum(a * a for a in g)
        if size < 1e-6:
            break
        t = (distance(p) - level) / size
        p = [a - t * b for a, b in zip(p, g)]
    return p


# --- the surface --------------------------------------------------------------------------------

class Lattice:
    """Cells of one size about x = 0, with a layer of vertices at the height `floor`."""

    def __init__(self, size, floor=0.0):
        self.size = size
        self.first = [math.floor(LOWER[0] / size), math.floor((LOWER[1] - floor) / size),
                      math.floor(LOWER[2] / size)]
        self.count = [math.ceil((u - l) / size) + 1 for l, u in zip(LOWER, UPPER)]
        self.count[0] = -2 * self.first[0]
        self.floor = floor

    def place(self, node):
        x, y, z = ((f + n) * self.size for f, n in zip(self.first, node))
        return [x, y + self.floor, z]

    def nodes(self):
        return itertools.product(*(range(n + 1) for n in self.count))

    def cells(self):
        return itertools.product(*(range(n) for n in self.count))


CORNERS = tuple(itertools.product((0, 1), repeat=3))
EDGES = tuple((a, b) for a, b in itertools.combinations(CORNERS, 2)
              if sum(x != y for x, y in zip(a, b)) == 1)


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def make_surface():
    """Surface nets: a vertex in every cell that the surface passes, a quad across every edge."""
    lattice = Lattice(FINE, floor=FINE / 2 + 1e-3)
    value = {node: distance(lattice.place(node)) for node in lattice.nodes()}
    vertices, number = [], {}
    for cell in lattice.cells():
        crossings = []
        for a, b in EDGES:
            u, v = add(cell, a), add(cell, b)
            if (value[u] < 0) != (value[v] < 0):
                t = value[u] / (value[u] - value[v])
                crossings.append([x + t * (y - x)
                                  for x, y in zip(lattice.place(u), lattice.place(v))])
        if crossings:
            number[cell] = len(vertices)
            middle = [sum(c) / len(crossings) for c in zip(*crossings)]
            vertices.append(moved_to(middle, 0))
    quads = []
    for node in lattice.nodes():
        for axis in range(3):
            ahead = add(node, [int(k == axis) for k in range(3)])
            if ahead not in value or (value[node] < 0) == (value[ahead] < 0):
                continue
            u, v = [[int(k == other) for k in range(3)]
                    for other in ((axis + 1) % 3, (axis + 2) % 3)]
            back = [-x - y for x, y in zip(u, v)]
            around = [add(node, back), add(add(node, back), u), node, add(add(node, back), v)]
            quad = [number[cell] for cell in around]
            quads.append(quad if value[node] < 0 else quad[::-1])
    neighbours = [set() for _ in vertices]
    for quad in quads:
        for a, b in zip(quad, quad[1:] + quad[:1]):
            neighbours[a].add(b)
            neighbours[b].add(a)
    for _ in range(4):  # evens them out, along the surface
        vertices = [moved_to([0.5 * x + 0.5 * sum(vertices[n][k] for n in near) / len(near)
                              for k, x in enumerate(v)], 0)
                    for v, near in zip(vertices, neighbours)]
    triangles = []
    for a, b, c, d in quads:
        short = math.dist(vertices[a], vertices[c]) <= math.dist(vertices[b], vertices[d])
        triangles += [(a, b, c), (a, c, d)] if short else [(a, b, d), (b, c, d)]
    return vertices, triangles


# --- the hexahedra ------------------------------------------------------------------------------

# In the order of VTK.
HEX = ((0, 0, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0), (0, 1, 0))


def corner_volumes(corners):
    """Of the parallelepipeds that the edges at each corner span, by its place in the cell."""
    volumes = []
    for at in CORNERS:
        edges = []
        for axis in range(3):
            low, high = list(at), list(at)
            low[axis], high[axis] = 0, 1
            edges.append([b - a for a, b in zip(corners[tuple(low)], corners[tuple(high)])])
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = edges
        volumes.append(ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz)
                       + az * (bx * cy - by * cx))
    return volumes


def make_hexahedra(surface):
    """The cells that hold much of the bear, and those that its nose needs, drawn in to fit."""
    lattice = Lattice(COARSE)
    parts = [(i + 0.5) / 5 for i in range(5)]

    def inside(cell):
        low = lattice.place(cell)
        hits = sum(distance([a + t * COARSE for a, t in zip(low, at)]) < 0
                   for at in itertools.product(parts, repeat=3))
        return hits > 0.2 * len(parts) ** 3

    cells = {cell for cell in lattice.cells() if inside(cell)}
    block = tuple(itertools.product((-1, 0, 1), repeat=3))

    def beyond(p, cell):
        low = lattice.place(cell)
        return math.hypot(*(max(a - b, b - a - COARSE, 0) for a, b in zip(low, p)))

    for p in surface:
        cell = tuple(math.floor((a - b) / COARSE)
                     for a, b in zip(p, lattice.place((0, 0, 0))))
        near = [c for c in (add(cell, d) for d in block) if c in cells]
        if min((beyond(p, c) for c in near), default=1) > REACH:
            cells.add(cell)
    cells = sorted(cells)
    around = {}
    for cell in cells:
        for at in CORNERS:
            around.setdefault(add(cell, at), []).append(cell)
    start = {node: lattice.place(node) for node in around}
    goal = {}
    for node, near in around.items():
        p = start[node]
        if len(near) == 8:
            continue
        q = moved_to(p, MARGIN)
        if node[0] == -lattice.first[0]:
            q[0] = 0.0  # the plane of symmetry
        if p[1] < 1e-6:
            q[1] = 0.0
        q[1] = max(q[1], 0.0)
        far = math.dist(p, q)
        limit = 0.75 * COARSE
        goal[node] = [a + (b - a) * min(1, limit / max(far, 1e-9)) for a, b in zip(p, q)]
    share = {node: 1.0 for node in goal}
    inner = [node for node in start if node not in goal]

    def placed():
        now = dict(start)
        for node, q in goal.items():
            now[node] = [a + share[node] * (b - a) for a, b in zip(start[node], q)]
        for _ in range(20):  # those inside follow
            for node in inner:
                near = [add(node, [s * int(k == axis) for k in range(3)])
                        for axis in range(3) for s in (-1, 1)]
                now[node] = [sum(now[n][k] for n in near) / 6 for k in range(3)]
        return now

    least = 0.22 * COARSE ** 3
    for _ in range(60):
        now = placed()
        bad = [cell for cell in cells
               if min(corner_volumes({at: now[add(cell, at)] for at in CORNERS})) < least]
        if not bad:
            break
        for cell in bad:
            for at in CORNERS:
                node = add(cell, at)
                if node in share:
                    share[node] *= 0.9
    else:
        raise SystemExit("some hexahedra stay too flat")
    nodes = sorted(start)
    number = {node: n for n, node in enumerate(nodes)}
    return [now[n] for n in nodes], [[number[add(cell, at)] for at in HEX] for cell in cells]


def text(value):
    return f"{round(value, 4) + 0.0:g}"


def write(name, lines):
    path = pathlib.Path(__file__).with_name(name)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path.stat().st_size / 1000


def main():
    vertices, triangles = make_surface()
    size = write("bear.obj", ["# a gummy bear, by make_bear.py"]
                 + ["v " + " ".join(map(text, v)) for v in vertices]
                 + ["f " + " ".join(str(n + 1) for n in t) for t in triangles])
    print(f"bear.obj: {len(vertices)} vertices, {len(triangles)} triangles, {size:.0f} kB")
    nodes, cells = make_hexahedra(vertices)
    lines = ["# vtk DataFile Version 3.0", "bear", "ASCII", "DATASET UNSTRUCTURED_GRID",
             f"POINTS {len(nodes)} float"]
    lines += [" ".join(map(text, node)) for node in nodes]
    lines.append(f"CELLS {len(cells)} {9 * len(cells)}")
    lines += [" ".join(["8"] + [str(n) for n in cell]) for cell in cells]
    lines += [f"CELL_TYPES {len(cells)}"] + ["12"] * len(cells)
    size = write("bear.vtk", lines)
    print(f"bear.vtk: {len(nodes)} vertices, {len(cells)} hexahedra, {size:.0f} kB")


if __name__ == "__main__":
    main()
