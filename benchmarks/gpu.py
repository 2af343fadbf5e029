#!/usr/bin/env python3
"""Emitted programs on a GPU: as written, padded and not, and as `auto` chooses, beside kernels by hand.

    benchmarks/gpu.py [--scale 1] [--steps 50] [--only NAME,...] [--modes reassociate,strict] [--json FILE]

Needs a GPU, nvcc, NumPy and a Kokkos with CUDA (scripts/setup --kokkos-source DIR --cuda). What is
printed are medians of the seconds of a step, which the host waits for, the ratio to the program as
written, and the share of what the GPU's own copy moves in that time of the bytes that a step reads
and writes at least. Every form's arrays are compared with those of the program as written.
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

import numpy

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))

from programs import SETTINGS, call, find_rhopsi  # noqa: E402
from stencils import PROGRAMS as STENCILS  # noqa: E402

PEER = os.path.join(ROOT, "benchmarks", "peers", "gpu.cu")
BURGERS = os.path.join(ROOT, "specs", "burgers", "paper.mg")
FIELDS = {"heat 3-D": "u", "nine points": "u", "wave 2-D": "h e", "Maxwell": "ez hx hy",
          "lattice": "f0 f1 f2 f3 f4 f5 f6 f7 f8", "box": "u", "acoustic": "p q v!",
          "Gray-Scott": "u v", "advection": "u", "Gauss": "u"}
LENGTH = {2: 8192, 3: 512}
COMPARED_STEPS = 4


def cases():
    """name, specification, program, settings, axes, arrays read or written, fields, form, schedule"""
    for program in ("3D", "3DPadded"):
        for schedule in ("off", "auto"):
            yield ("Burgers", BURGERS, program, SETTINGS, 3, 6, "u0 u1 u2", f"{program}, {schedule}", schedule)
    for name, spec, program, settings, shape, arrays, _, _ in STENCILS:
        if name not in FIELDS:
            continue
        words = [word for each in settings for word in ("--set", each)]
        for schedule in ("off", "auto"):
            yield (name, os.path.join(ROOT, spec), program, words, len(shape), arrays, FIELDS[name],
                   schedule, schedule)


class Measuring:
    def __init__(self, options, folder):
        self.options, self.folder, self.rhopsi = options, folder, find_rhopsi()
        self.peer = os.path.join(folder, "peer")
        call(["nvcc", "-O3", "-arch=native", "--use_fast_math", "-std=c++17", PEER, "-o", self.peer])

    def by_hand(self, *words):
        return float(call([self.peer, *map(str, words)]))

    def length(self, axes):
        return max(32, round(LENGTH[axes] * self.options.scale) // 32 * 32)

    def run(self, case, mode, steps, out=None):
        name, spec, program, settings, axes, _, fields, _, schedule = case
        words = [self.rhopsi, "run", spec, "-p", program, "--entry", "step", "--dtype", "float",
                 "--target", "cuda", "--schedule", schedule, "--repeat", str(steps), "--quiet", "--json",
                 *settings]
        if mode == "reassociate":
            words.append("--reassociate")
        for field in fields.split():
            words += ["--in", f"{field.rstrip('!')}={self.field(field.rstrip('!'), axes)}"]
            if out and not field.endswith("!"):
                words += ["--out", f"{field}={os.path.join(self.folder, out + field)}.npy"]
        return json.loads(call(words).rstrip().rsplit("\n", 1)[-1])

    def field(self, name, axes):
        path = os.path.join(self.folder, f"{axes}-{name}.npy")
        if not os.path.exists(path):
            random = numpy.random.default_rng(len(name) + sum(map(ord, name)))
            values = 0.5 + 0.1 * random.random((self.length(axes),) * axes, dtype=numpy.float32)
            numpy.save(path, values)
        return path

    def difference(self, case):
        largest, most = 0.0, 0.0
        for field in case[6].split():
            if field.endswith("!"):
                continue
            wanted, found = (numpy.load(os.path.join(self.folder, form + field) + ".npy", mmap_mode="r")
                             for form in ("off-", "form-"))
            most = max(most, float(numpy.abs(wanted).max()))
            largest = max(largest, float(numpy.abs(wanted - found).max()))
        return largest / most

    def prepare(self, wanted, mode):
        for case in wanted:
            for field in case[6].split():
                self.field(field.rstrip("!"), case[4])
        with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
            list(pool.map(lambda case: self.run(case, mode, COMPARED_STEPS), wanted))

    def table(self, wanted, mode):
        rows, off = [], {}
        for case in wanted:
            name, _, _, _, axes, arrays, _, form, schedule = case
            first = name not in off
            self.run(case, mode, COMPARED_STEPS, "off-" if first else "form-")
            if not first and self.difference(case) > (0 if mode == "strict" else 1e-5):
                raise RuntimeError(f"{name}, {form}, {mode}: not the values of the program as written")
            made = self.run(case, mode, self.options.steps)
            seconds = made["seconds_per_step"]
            off.setdefault(name, seconds)
            bytes_ = 4.0 * arrays * self.length(axes) ** axes
            rows.append({"program": name, "form": form, "mode": mode, "seconds": seconds,
                         "all steps": made["seconds_total"], "ratio": seconds / off[name],
                         "of copy": bytes_ / seconds / self.copy, "schedule": made["schedule"],
                         "device": made["device"]})
            yield rows[-1]

    def measure(self):
        elements = self.length(3) ** 3
        self.copy = 24.0 * elements / self.by_hand("copy", elements)
        yield {"copy": self.copy}
        only = tuple(filter(None, self.options.only.split(",")))
        wanted = [case for case in cases() if not only or case[0].startswith(only)]
        for mode in self.options.modes.split(","):
            self.prepare(wanted, mode)
            yield from self.table(wanted, mode)
        for name, arrays in (("burgers", 6), ("heat", 2)):
            seconds = self.by_hand(name, self.length(3), 10)
            yield {"program": name, "form": "by hand", "mode": "reassociate", "seconds": seconds,
                   "of copy": 4.0 * arrays * elements / seconds / self.copy, "schedule": ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--scale", type=float, default=1, help="of each length: 512 of three axes, 8192 of two")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--only", default="", help="programs whose names begin so")
    parser.add_argument("--modes", default="reassociate,strict")
    parser.add_argument("--folder", metavar="DIR", help="for arrays (default: a fresh one)")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        os.makedirs(folder, exist_ok=True)
        rows = []
        try:
            for row in Measuring(options, folder).measure():
                rows.append(row)
                if "copy" in row:
                    print(f"copy: {row['copy'] / 1e9:.0f} GB/s, read and written")
                    print(f"{'program':12} {'form':16} {'flags':12} {'s/step':>10} {'all':>9} {'ratio':>6} "
                          f"{'of copy':>7}  schedule")
                    continue
                print(f"{row['program']:12} {row['form']:16} {row['mode']:12} {row['seconds']:10.6f} "
                      f"{row.get('all steps', 0):9.5f} {row.get('ratio', 0):6.3f} {row['of copy']:7.2f}  "
                      f"{row['schedule']}", flush=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{' '.join(error.cmd)}\n{error.stderr}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
