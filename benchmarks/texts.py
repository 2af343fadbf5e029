#!/usr/bin/env python3
"""How long the command takes from text to result, with medians: reading generated files of growing
size, strategies of growing length, the Burgers solver to emitted code, and what the choice of a
schedule adds to that."""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "specs", "burgers"))

import generated  # noqa: E402
from fields import find_rhopsi  # noqa: E402


def timed(command, runs):
    """Seconds by the clock and of the processor, as medians, and the peak of memory in MB."""
    wall, cpu, peak = [], [], 0
    for _ in range(runs):
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        wall.append(time.perf_counter() - begin)
        if status != 0:
            raise RuntimeError(f"{' '.join(command)}: {errors.decode()[-2000:]}")
        cpu.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss / 1024)
    return {"seconds": statistics.median(wall), "cpu_seconds": statistics.median(cpu),
            "peak_mb": peak, "stderr": errors.decode()}


def show(name, result, note=""):
    result.pop("stderr", None)
    print(f"{name:<44} {result['seconds']:8.3f} s {result['cpu_seconds']:8.3f} s cpu "
          f"{result['peak_mb']:8.0f} MB  {note}", flush=True)


def reading(rhopsi, folder, sizes, runs):
    rows = []
    for shape, make in generated.SHAPES.items():
        for size in sizes:
            path = os.path.join(folder, "generated.mg")
            with open(path, "w", encoding="utf-8") as file:
                file.write(make("generated", size * 1_000_000))
            result = timed([rhopsi, "check", path], runs)
            rate = size / result["cpu_seconds"]
            show(f"check, {shape}, {size} MB", result, f"{rate:.2f} MB/s")
            rows.append({"row": "check", "shape": shape, "megabytes": size, **result})
    return rows


def strategies(rhopsi, folder, powers, runs):
    rows = []
    for strategy in ("by innermost 100000000", "by outermost 100000000", "1000000"):
        for power in powers:
            path = os.path.join(folder, "steps.mg")
            with open(path, "w", encoding="utf-8") as file:
                file.write(generated.steps("steps", strategy, power))
            result = timed([rhopsi, "rewrite", path, "-p", "P"], runs)
            steps = 3 * 2**power - 2
            if f" {steps} steps" not in result["stderr"]:
                raise RuntimeError(result["stderr"])
            show(f"rewrite {strategy.rsplit(' ', 1)[0] if 'by' in strategy else 'in passes'}, "
                 f"{steps} steps", result, f"{steps / result['cpu_seconds'] / 1e6:.2f} M/s")
            rows.append({"row": "rewrite", "strategy": strategy, "steps": steps, **result})
    return rows


def emission(rhopsi, folder, runs):
    rows = []
    for smt, wanted in (("off", 0.1), ("on", 1.0)):
        for file in ("burgers", "paper"):
            result = timed([rhopsi, "emit", os.path.join(ROOT, "specs", "burgers", file + ".mg"),
                            "-p", "3DPadded", "-o", os.path.join(folder, "emitted"), "--force",
                            "--smt", smt], runs)
            show(f"emit {file} 3DPadded --smt {smt}", result, f"wanted: below {wanted:g} s")
            rows.append({"row": "emit", "file": file, "smt": smt, **result})
    return rows


def choices(rhopsi, folder, runs):
    """What the analysis for a schedule and its choice add to the time without one. By turns, and the
    least of the processor's seconds: what another process takes away is no part of it."""
    box = os.path.join(folder, "box.mg")
    with open(box, "w", encoding="utf-8") as file:
        file.write(generated.box_of_27("box"))
    rows = []
    for name, path, program, rank in (
            ("burgers", "burgers/paper.mg", "3DPadded", 3),
            ("burgers, own shapes", "burgers/shapes.mg", "Paper", 3),
            ("lattice", "lattice/lattice.mg", "DNF", 2), ("fdtd", "fdtd/fdtd.mg", "DNF", 3),
            ("27 points", box, "DNF", 3)):
        command = [rhopsi, "emit", os.path.join(ROOT, "specs", path), "-p", program, "--rank",
                   str(rank), "--emit=cxx", "--schedule"]
        seconds = {"off": [], "auto": []}
        for _ in range(runs):
            for schedule, each in seconds.items():
                each.append(timed(command + [schedule], 1)["cpu_seconds"])
        off, auto = min(seconds["off"]), min(seconds["auto"])
        print(f"choice of a schedule, {name:<22} {auto - off:8.3f} s cpu, {auto:.3f} with it and "
              f"{off:.3f} without  wanted: below 1 s more", flush=True)
        rows.append({"row": "choice", "program": name, "off": off, "auto": auto})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--json", help="file for the results")
    options = parser.parse_args()
    rhopsi = find_rhopsi()
    # A stack as a shell gives it: nothing here may depend on more.
    resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))
    with tempfile.TemporaryDirectory() as folder:
        rows = emission(rhopsi, folder, max(options.runs, 5))
        rows += choices(rhopsi, folder, max(options.runs, 5))
        rows += strategies(rhopsi, folder, (8, 13) if options.quick else (8, 10, 13, 16, 18),
                           options.runs)
        rows += reading(rhopsi, folder, (1,) if options.quick else (1, 2, 5, 10), options.runs)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
