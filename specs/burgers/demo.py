#!/usr/bin/env python3
"""Burgers' equation from a Taylor-Green-like velocity field: the six programs of the
paper's solver, their times, their agreement, and a picture of the result."""

import argparse
import os
import sys
import tempfile

from fields import (find_rhopsi, largest_difference, read_npy, run_program, speed, taylor_green,
                    write_npy, write_png_slice)

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ["Base", "MoA", "DNF", "Padded", "3D", "3DPadded"]
NAMES = ["u0", "u1", "u2"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=96, help="points per axis (default 96)")
    parser.add_argument("--steps", type=int, default=10, help="steps per program (default 10)")
    parser.add_argument("--output", default="burgers-demo", help="folder for what is left")
    options = parser.parse_args()
    if options.size < 1 or options.steps < 1:
        parser.error("--size and --steps take a number of at least 1")

    rhopsi = find_rhopsi()
    shape = (options.size,) * 3
    dx = 1.0 / options.size
    parameters = {"nu": 0.002, "dt": 0.2 * dx, "dx": dx}
    specification = os.path.join(HERE, "paper.mg")
    os.makedirs(options.output, exist_ok=True)

    print(f"Burgers' equation on {options.size}^3 points, {options.steps} steps per program, "
          "double precision", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        inputs = [os.path.join(folder, name + ".npy") for name in NAMES]
        for path, data in zip(inputs, taylor_green(shape)):
            write_npy(path, shape, data)
        measure(rhopsi, specification, shape, inputs, folder, parameters, options)


def measure(rhopsi, specification, shape, inputs, folder, parameters, options):
    print(f"{'program':<10}{'s/step':>10}{'speed-up':>10}{'compiled in':>13}{'peak memory':>13}"
          f"{'differs by':>12}", flush=True)
    base_time, base, result = None, None, None
    failures = []
    for program in PROGRAMS:
        outputs = [os.path.join(folder, f"{program}-{name}.npy") for name in NAMES]
        report = run_program(rhopsi, specification, program, NAMES, inputs, outputs,
                             options.steps, parameters, ["--quiet"])
        result = [read_npy(path)[1] for path in outputs]
        if base is None:
            base, base_time = result, report["seconds_per_step"]
        difference = largest_difference(base, result)
        if not difference < 1e-12:
            failures.append(program)
        print(f"{program:<10}{report['seconds_per_step']:>10.4f}"
              f"{base_time / report['seconds_per_step']:>9.1f}x"
              f"{report['compile_seconds']:>11.1f} s"
              f"{report['bytes_peak'] / 2**20:>9.0f} MiB{difference:>12.1e}", flush=True)
    if failures:
        sys.exit(f"these programs differ from Base: {', '.join(failures)}")
    print("All programs agree with Base to rounding.")
    leave_pictures(rhopsi, specification, shape, inputs, result, parameters, options)


def leave_pictures(rhopsi, specification, shape, inputs, result, parameters, options):
    picture = os.path.join(options.output, "speed.png")
    write_png_slice(picture, shape, speed(result), shape[0] // 4)
    volumes = [os.path.join(options.output, name + ".vti") for name in NAMES]
    run_program(rhopsi, specification, "3DPadded", NAMES, inputs, volumes, options.steps,
                parameters, ["--quiet", "--spacing", str(parameters["dx"])])
    print(f"Left behind: {picture} (the speed on one plane) and, for ParaView,")
    print("  " + ", ".join(volumes))


if __name__ == "__main__":
    main()
