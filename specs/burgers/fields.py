"""Velocity fields for the Burgers programs, with nothing but Python's own library.

Arrays are array.array('d') or ('f') in row-major order beside a shape tuple.
"""

import array
import ast
import json
import math
import os
import struct
import subprocess
import sys
import zlib

FORMATS = {"<f4": "f", "<f8": "d"}


def write_npy(path, shape, data):
    """Writes a .npy file (version 1) aside and renames it."""
    descriptor = {"f": "<f4", "d": "<f8"}[data.typecode]
    header = repr({"descr": descriptor, "fortran_order": False, "shape": tuple(shape)})
    padding = -(10 + len(header) + 1) % 64
    header = (header + " " * padding + "\n").encode()
    with open(path + ".part", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        data.tofile(file)
    os.replace(path + ".part", path)


def read_npy(path):
    """Returns (shape, array) of a row-major .npy file of floats."""
    with open(path, "rb") as file:
        magic = file.read(8)
        if magic[:6] != b"\x93NUMPY":
            raise ValueError(f"{path} is not a .npy file")
        size = "<H" if magic[6] == 1 else "<I"
        (length,) = struct.unpack(size, file.read(struct.calcsize(size)))
        header = ast.literal_eval(file.read(length).decode("latin1"))
        data = array.array(FORMATS[header["descr"]])
        data.frombytes(file.read())
    return header["shape"], data


def taylor_green(shape, typecode="d"):
    """A Taylor-Green-like velocity field (u, v, w) on the unit box, not quite
    symmetric, so that mixed-up axes or components show."""
    waves = []
    for n in shape:
        points = [2 * math.pi * i / n for i in range(n)]
        waves.append(([math.sin(x) for x in points], [math.cos(x) for x in points]))
    (sx, cx), (sy, cy), (sz, cz) = waves
    u, v, w = (array.array(typecode) for _ in range(3))
    for i in range(shape[0]):
        for j in range(shape[1]):
            a, b, c = sx[i] * cy[j], -cx[i] * sy[j], 0.3 * sx[i] * sy[j]
            u.extend([a * z + 0.1 for z in cz])
            v.extend([b * z for z in cz])
            w.extend([c * z - 0.05 for z in sz])
    return u, v, w


def speed(fields):
    """The length of the velocity at each point."""
    return [math.sqrt(a * a + b * b + c * c) for a, b, c in zip(*fields)]


def largest_difference(left, right):
    """max |a - b| / max |a| over the components of two velocity fields."""
    scale = max(max(map(abs, a)) for a in left)
    worst = 0.0
    for a, b in zip(left, right):
        for x, y in zip(a, b):
            d = abs(x - y)
            if not d <= worst:  # also when d is not a number
                worst = d
    return worst / scale


def write_png_slice(path, shape, values, plane):
    """A picture of values[plane, :, :], blue for the least and yellow for the most."""
    _, rows, columns = shape
    start = plane * rows * columns
    piece = values[start:start + rows * columns]
    low, high = min(piece), max(piece)
    span = (high - low) or 1.0
    stops = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]

    def colour(value):
        t = (value - low) / span * (len(stops) - 1)
        k = min(int(t), len(stops) - 2)
        return bytes(round(p + (q - p) * (t - k)) for p, q in zip(stops[k], stops[k + 1]))

    zoom = max(1, 384 // max(rows, columns))
    lines = bytearray()
    for j in range(rows):
        line = b"".join(colour(v) * zoom for v in piece[j * columns:(j + 1) * columns])
        lines += (b"\x00" + line) * zoom

    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body +
                struct.pack(">I", zlib.crc32(kind + body)))

    with open(path + ".part", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", columns * zoom, rows * zoom,
                                              8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(bytes(lines), 9)))
        file.write(chunk(b"IEND", b""))
    os.replace(path + ".part", path)


def run_program(rhopsi, specification, program, names, inputs, outputs, repeat, parameters,
                extra=()):
    """Runs the entry `step` and returns the object that --json prints last."""
    command = [rhopsi, "run", specification, "-p", program, "--entry", "step",
               "--repeat", str(repeat), "--json"]
    for name, path in zip(names, inputs):
        command += ["--in", f"{name}={path}"]
    for name, path in zip(names, outputs):
        command += ["--out", f"{name}={path}"]
    for name, value in parameters.items():
        command += ["--set", f"{name}={value}"]
    done = subprocess.run(command + list(extra), stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return json.loads(done.stdout.strip().splitlines()[-1])


def find_rhopsi():
    """The binary that scripts/demo names, else the release build's."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    binary = os.environ.get("RHOPSI", os.path.join(root, "build", "release", "bin", "rhopsi"))
    if not os.path.exists(binary):
        sys.exit(f"rhopsi is not built: {binary} is missing. Run scripts/demo.")
    return binary
