#!/usr/bin/env python3
"""One step of 3-D Burgers: emitted programs beside the same written by hand.

    benchmarks/programs.py [--side 256] [--rounds 5] [--steps 48] [--threads 2] [--json FILE]

Every round runs each form once, one after the other; what is printed are medians of the median
seconds of a step, and their ratios to the padded form written by hand (benchmarks/peers/burgers.cpp)
in the same round. `reassociate` is -ffast-math on both sides, `strict` -ffp-contract=off. Results
are compared after the first round: those of strict programs have to be equal to the bit.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "specs", "burgers"))

from fields import find_rhopsi  # noqa: E402

SPEC = os.path.join(ROOT, "specs", "burgers", "paper.mg")
PEER = os.path.join(ROOT, "benchmarks", "peers", "burgers.cpp")
SETTINGS = ["--set", "nu=0.1", "--set", "dt=0.001", "--set", "dx=0.5"]
# name, program, schedule
EMITTED = [("3DPadded", "3DPadded", "off"), ("3DPadded scheduled", "3DPadded", "full"),
           ("3DPadded chosen", "3DPadded", "auto"),
           ("3DPadded fused", "3DPadded", "specs.burgers.recipes.halves"),
           ("3DPadded whole planes", "3DPadded", "specs.burgers.recipes.sweep"),
           ("3DPadded in tiles", "3DPadded", "specs.burgers.recipes.tiled_sweep"),
           ("3DPadded two steps in one", "3DPadded", "specs.schedules.stencil.twice"),
           ("two steps in tiles", "3DPadded", "specs.schedules.stencil.twice_in_tiles"),
           ("three steps in tiles", "3DPadded", "specs.schedules.stencil.thrice_in_tiles"),
           ("DNF scheduled", "DNF", "full")]
ANY_ORDER = [("fused and factored", "3DPadded", "specs.burgers.recipes.factored_halves")]
FLAGS = {"strict": ["-ffp-contract=off"], "reassociate": ["-ffast-math"]}


def call(words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def kokkos_root(rhopsi):
    """Where rhopsi finds its Kokkos: it names the folder when a target is chosen."""
    if os.environ.get("Kokkos_ROOT"):
        return os.environ["Kokkos_ROOT"]
    smooth = os.path.join(ROOT, "specs", "smooth", "smooth.mg")
    out = subprocess.run([rhopsi, "run", smooth, "-p", "DNF", "--entry", "step", "--in",
                          "a=iota:4:0"], check=True, capture_output=True, text=True)
    return out.stderr.split("(", 1)[1].split(")", 1)[0]


def build_emitted(rhopsi, folder, kokkos, mode):
    programs = {}
    free = ["--reassociate"] if mode == "reassociate" else []
    for name, program, schedule in EMITTED + (ANY_ORDER if free else []):
        there = os.path.join(folder, f"{mode}-{program}-{schedule}")
        call([rhopsi, "emit", SPEC, "-p", program, "--dtype", "float", "--target", "openmp",
              "--schedule", schedule, "-o", there, *free])
        build = os.path.join(there, "build")
        call(["cmake", "-S", there, "-B", build, f"-DKokkos_ROOT={kokkos}"])
        call(["cmake", "--build", build, "-j2"])
        found = [each for each in os.listdir(build) if each.endswith(program)]
        programs[name] = os.path.join(build, found[0])
    return programs


def build_peer(folder, mode):
    there = os.path.join(folder, "hand-" + mode)
    call(["g++", "-std=c++20", "-O3", "-march=native", "-fopenmp", *FLAGS[mode], PEER, "-o", there])
    return there


def timed(words, environment):
    """What a program says that times itself, with nothing of the runs before left to be written."""
    os.sync()
    return call(words, env=environment)


def by_hand(peer, form, folder, side, steps, environment):
    out = timed([peer, form, folder, str(side), str(steps)], environment)
    return statistics.median(float(each) for each in out.split())


def emitted(program, folder, name, steps, environment):
    words = [program, "--entry", "step", "--repeat", str(steps), "--quiet", "--json", *SETTINGS]
    for axis in range(3):
        words += ["--in", f"u{axis}=" + os.path.join(folder, f"u{axis}.npy"),
                  "--out", f"u{axis}=" + os.path.join(folder, f"{name}-u{axis}.npy")]
    line = timed(words, environment).rstrip().rsplit("\n", 1)[-1]
    return json.loads(line)["seconds_per_step"]


def measure(options, rhopsi, folder, kokkos, mode, environment):
    peer = build_peer(folder, mode)
    programs = build_emitted(rhopsi, folder, kokkos, mode)
    side, steps = options.side, options.steps
    rounds = []
    for number in range(options.rounds):
        times = {"by hand, padded": by_hand(peer, "padded", folder, side, steps, environment)}
        differences = {}
        for name, program in programs.items():
            file = name.replace(" ", "-")
            times[name] = emitted(program, folder, file, steps, environment)
            if number > 0:
                continue
            found = call([peer, "compare", folder, str(side), file]).split()
            differences[name] = float(found[0]), float(found[1])
        for form in ["fused", "pipelined"]:
            times["by hand, " + form] = by_hand(peer, form, folder, side, steps, environment)
        for name, (difference, largest) in differences.items():
            allowed = 0 if mode == "strict" else 1e-5 * largest
            if not difference <= allowed:
                raise RuntimeError(f"{name} ({mode}) differs by {difference} from the form by hand")
        rounds.append(times)
    table = []
    for name in rounds[0]:
        times = [each[name] for each in rounds]
        ratios = [each[name] / each["by hand, padded"] for each in rounds]
        table.append({"form": name, "flags": mode, "seconds": statistics.median(times),
                      "min": min(times), "max": max(times), "ratio": statistics.median(ratios)})
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--side", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    # The first tenth of a second is slower than what follows: several steps in one pass would have
    # little behind it in few of them.
    parser.add_argument("--steps", type=int, default=48)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rhopsi = find_rhopsi()
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), OMP_PROC_BIND="spread",
                       OMP_PLACES="threads")
    kokkos = kokkos_root(rhopsi)
    table = []
    with tempfile.TemporaryDirectory() as folder:
        peer = build_peer(folder, "strict")
        call([peer, "inputs", folder, str(options.side)])
        triad = statistics.median(
            float(each) for each in call([peer, "triad", str(options.side)],
                                         env=environment).split())
        print(f"{options.side}^3 float, {options.threads} threads, triad {triad / 1e9:.1f} GB/s")
        print(f"{'form':28}{'flags':13}{'s/step':>10}{'min':>10}{'max':>10}{'ratio':>8}")
        for mode in ["reassociate", "strict"]:
            for row in measure(options, rhopsi, folder, kokkos, mode, environment):
                print(f"{row['form']:28}{row['flags']:13}{row['seconds']:10.4f}{row['min']:10.4f}"
                      f"{row['max']:10.4f}{row['ratio']:8.2f}", flush=True)
                table.append(row)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"triad": triad, "forms": table}, file, indent=1)


if __name__ == "__main__":
    main()
