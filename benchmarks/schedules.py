#!/usr/bin/env python3
"""What is chosen without measuring, beside what measuring finds: `rhopsi tune` on eight programs.

    benchmarks/schedules.py [--budget 60] [--only NAME,...] [--scale S] [--threads 2] [--cache DIR]
                            [--json FILE]

Every search begins anew; what DIR holds is not compiled again. `auto` and the best take turns within it.
`ratio` is the median of what would be chosen over that of the best, `predicted` and `auto s` are those of
the choice. The last three programs were written after the model was fixed.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "specs", "burgers"))

from fields import find_rhopsi  # noqa: E402

# name, specification, program, shape, type
PROGRAMS = [
    ("Burgers 3-D", "specs/burgers/paper.mg", "3DPadded", [128, 128, 128], "float"),
    ("Burgers DNF", "specs/burgers/paper.mg", "DNF", [96, 96, 96], "double"),
    ("wave 2-D", "specs/wave/leap.mg", "DNF", [1500, 1500], "double"),
    ("smooth 1-D", "specs/smooth/smooth.mg", "DNF", [3000000], "double"),
    ("heat 3-D", "specs/stencils/stencils.mg", "Heat", [200, 200, 200], "float"),
    ("blur 2-D *", "specs/stencils/stencils.mg", "Blur", [2000, 2000], "float"),
    ("reaction 2-D *", "specs/stencils/stencils.mg", "Reaction", [1200, 1600], "double"),
    ("waves 3-D *", "specs/stencils/stencils.mg", "Waves", [160, 144, 128], "double"),
]
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


def seconds(number, unit):
    return float(number) * UNITS[unit]


def tune(rhopsi, program, options, environment):
    name, spec, module, shape, dtype = program
    shape = [max(4, round(length * options.scale)) for length in shape]
    words = [rhopsi, "tune", os.path.join(ROOT, spec), "-p", module, "--entry", "step", "--dtype",
             dtype, "--shape", ",".join(str(length) for length in shape), "--target", "openmp",
             "--budget", str(options.budget), "--quiet"]
    out = subprocess.run(words, check=True, capture_output=True, text=True, env=environment).stdout
    rows = []
    for line in out.splitlines():
        found = re.match(r"\s*(\S+) (us|ms|s)\s+(?:(\S+) (us|ms|s)|\?)\s+(\d+)  (.*)", line)
        if found:
            predicted = seconds(found[3], found[4]) if found[3] else None
            rows.append({"schedule": found[6], "measured": seconds(found[1], found[2]),
                         "predicted": predicted, "runs": int(found[5])})
    auto = next(row for row in rows if row["schedule"].startswith("auto, "))
    off = next((row["measured"] for row in rows if row["schedule"] == "off"), None)
    return {"name": name, "shape": "x".join(str(length) for length in shape), "dtype": dtype,
            "auto": auto, "best": rows[0], "off": off, "all": rows,
            "ratio": auto["measured"] / rows[0]["measured"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--scale", type=float, default=1, help="of each length")
    parser.add_argument("--only", default="", help="programs whose names begin so")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cache", metavar="DIR", help="for what is compiled (default: a fresh one)")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rhopsi = find_rhopsi()
    wanted = tuple(filter(None, options.only.split(",")))
    table = []
    print(f"{options.threads} threads, load {os.getloadavg()[0]:.1f}")
    print(f"{'program':16}{'shape':>14} {'type':7}{'auto s':>10}{'predicted':>10}{'best s':>10}"
          f"{'ratio':>7}{'runs':>5}  chosen; best")
    temporary = tempfile.TemporaryDirectory()
    cache = options.cache or temporary.name
    environment = dict(os.environ, RHOPSI_CACHE=cache, OMP_NUM_THREADS=str(options.threads),
                       OMP_PROC_BIND="spread", OMP_PLACES="threads")
    for program in PROGRAMS:
        if wanted and not program[0].startswith(wanted):
            continue
        shutil.rmtree(os.path.join(cache, "tuned"), ignore_errors=True)
        row = tune(rhopsi, program, options, environment)
        table.append(row)
        auto, best = row["auto"], row["best"]
        print(f"{row['name']:16}{row['shape']:>14} {row['dtype']:7}{auto['measured']:10.2e}"
              f"{auto['predicted']:10.2e}{best['measured']:10.2e}{row['ratio']:7.3f}"
              f"{best['runs']:5}  {auto['schedule'][6:]}; {best['schedule']}", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(table, file, indent=1)


if __name__ == "__main__":
    main()
