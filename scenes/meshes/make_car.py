#!/usr/bin/python3
"""Writes car.vtk beside this file: a car of some 700 hexahedra, 4 m long, nose towards +x, y up.

A lattice of cells with those left out that a car does not have, bent into shape: the cabin leans
in, the bonnet falls, the corners are round.
"""
import itertools
import pathlib

CELL = 0.2  # [m]
LONG, WIDE = 20, 8  # cells along x and z
WHEEL, WAIST, ROOF = 1, 4, 7  # layers of cells: wheels below 1, cabin from 4 to 7
AXLES = (4, 15)  # middle cells of the wheels


def is_solid(i, j, k):
    if j < WHEEL:
        return any(abs(i - axle) <= 1 for axle in AXLES) and k not in range(2, WIDE - 2)
    if j < WAIST:
        return True
    return 4 <= i < 15


def place(i, j, k):
    x, z = (i - LONG / 2) * CELL, (k - WIDE / 2) * CELL
    y = 0.25 * j if j <= WHEEL else 0.25 + 0.19 * (j - WHEEL)
    end = abs(x) / (LONG / 2 * CELL)
    up = max(0, j - WHEEL) / (WAIST - WHEEL)  # 1 at the waist
    if j > WAIST:
        lean = j - WAIST
        middle = -0.15
        x = middle + (x - middle) * (1 - 0.13 * lean)
        z *= 1 - 0.07 * lean
    elif j > WHEEL:
        bonnet = max(0, (x - 0.8) / 1.2)
        boot = max(0, (-x - 1.2) / 0.8)
        y -= up * (0.12 * bonnet ** 1.5 + 0.06 * boot ** 2)
    z *= 1 - 0.16 * end ** 4
    x *= 1 - 0.05 * (z / (WIDE / 2 * CELL)) ** 2
    return x, y, z


def main():
    corners = ((0, 0, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0), (0, 1, 0))
    cells = [[(i + a, j + b, k + c) for a, b, c in corners]
             for i, j, k in itertools.product(range(LONG), range(ROOF), range(WIDE))
             if is_solid(i, j, k)]
    nodes = sorted({node for cell in cells for node in cell})
    number = {node: n for n, node in enumerate(nodes)}
    lines = ["# vtk DataFile Version 3.0", "car", "ASCII", "DATASET UNSTRUCTURED_GRID",
             f"POINTS {len(nodes)} float"]
    lines += [" ".join(f"{value:.4g}" for value in place(*node)) for node in nodes]
    lines.append(f"CELLS {len(cells)} {9 * len(cells)}")
    lines += [" ".join(["8"] + [str(number[node]) for node in cell]) for cell in cells]
    lines += [f"CELL_TYPES {len(cells)}"] + ["12"] * len(cells)
    path = pathlib.Path(__file__).with_name("car.vtk")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(nodes)} vertices, {len(cells)} hexahedra")


if __name__ == "__main__":
    main()
