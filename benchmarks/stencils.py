#!/usr/bin/env python3
"""Steps on periodic grids, in several shapes of dependences: emitted programs beside the same
written by hand (peers/stencils.cpp) and the machine's triad.

    benchmarks/stencils.py [--only NAME,...] [--modes MODE,...] [--scale S] [--rounds 5] [--steps 12]
                           [--threads 2] [--folder DIR] [--json FILE]

Every round runs each form once, one after the other. `ratio` is the time of a step over that of the
peer in the same round, the median of the rounds; `of triad` is how fast a step goes through what it
has to read and write at least, each array once for each sweep, as a share of the triad in the same
round: more than 1.33 is out of reach for one sweep at a time, since the triad's store reads, too.
`reassociate` is -ffast-math on both sides, `strict` -ffp-contract=off. Before the rounds all forms
take four steps and are compared: they may differ by 1e-5 of the largest. (After more steps they may
differ by more without being wrong: the 2-D wave makes a difference of rounding three times as large
in a step.) `auto` is what `emit` chooses for this machine and shape. What DIR holds is not compiled
again.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))

from programs import FLAGS, call, find_rhopsi, kokkos_root  # noqa: E402

PEER = os.path.join(ROOT, "benchmarks", "peers", "stencils.cpp")
STENCIL = "specs.schedules.stencil."
COMPARED_STEPS = 4
# name, specification, program, settings, shape, arrays read or written by the sweeps of a step,
# the peer's forms (the first is what is compared with), schedules
PROGRAMS = [
    ("heat 3-D", "specs/stencils/stencils.mg", "Heat", [], [256, 256, 256], 2,
     ["heat", "heat-twice"],
     ["off", STENCIL + "lean", STENCIL + "planes", STENCIL + "tiles", STENCIL + "twice_in_tiles",
      "auto"]),
    ("nine points", "specs/stencils/stencils.mg", "Blur", [], [4096, 4096], 6,
     ["blur", "blur-thrice"],
     ["off", STENCIL + "lean", STENCIL + "rows_at_once", STENCIL + "planes", "auto"]),
    ("wave 2-D", "specs/wave/leap.mg", "DNF", [], [4096, 4096], 6, ["leap"],
     ["off", STENCIL + "lean", "turns", "auto"]),
    ("lattice", "specs/lattice/lattice.mg", "DNF", ["omega=1.2"], [2048, 2048], 18, ["lattice"],
     ["off", "fused", "in_place", "auto"]),
    ("Maxwell", "specs/fdtd/fdtd.mg", "DNF", ["c=0.5"], [4096, 4096], 8, ["fdtd"],
     ["off", STENCIL + "lean", "leapfrog", "auto"]),
    ("red-black", "specs/relaxation/red_black.mg", "DNF", [], [4096, 4096], 6, ["red-black"],
     ["off", STENCIL + "lean", "by_turns", "auto"]),
    # The model that chooses schedules was not made by these.
    ("box", "specs/stencils/late.mg", "Box", [], [256, 256, 256], 2, ["box"], ["off", "auto"]),
    ("acoustic", "specs/stencils/late.mg", "Acoustic", [], [256, 256, 256], 4, ["acoustic"],
     ["off", "auto"]),
    ("Gray-Scott", "specs/stencils/late.mg", "GrayScott", [], [4096, 4096], 4, ["gray-scott"],
     ["off", "auto"]),
    ("advection", "specs/stencils/late.mg", "Advection", [], [4096, 4096], 2, ["advection"],
     ["off", "auto"]),
    ("Gauss", "specs/stencils/late.mg", "Gauss", [], [4096, 4096], 2, ["gauss"], ["off", "auto"]),
]


def build_peer(folder, mode):
    there = os.path.join(folder, "stencils-" + mode)
    call(["g++", "-std=c++20", "-O3", "-march=native", "-fopenmp", *FLAGS[mode], PEER, "-o", there])
    return there


def build_emitted(rhopsi, folder, kokkos, program, mode, schedule, shape, environment):
    name, spec, module, _, _, _, _, _ = program
    there = os.path.join(folder, f"{mode}-{name}-{schedule}".replace(" ", "-"))
    free = ["--reassociate"] if mode == "reassociate" else []
    if not os.path.isdir(there):
        call([rhopsi, "emit", os.path.join(ROOT, spec), "-p", module, "--dtype", "float", "--target",
              "openmp", "--entry", "step", "--shape", ",".join(map(str, shape)), "--schedule", schedule,
              "-o", there, *free], env=environment)
    made = os.path.join(there, "build")
    if os.path.exists(os.path.join(made, module)):
        return os.path.join(made, module)
    call(["cmake", "-S", there, "-B", made, f"-DKokkos_ROOT={kokkos}"])
    call(["cmake", "--build", made, "-j2"])
    return os.path.join(made, module)


def by_hand(peer, form, folder, shape, steps, environment):
    """Seconds of a step, where one call may take several."""
    name, several = form
    out = call([peer, "run", name, folder, shape, str(steps // several)], env=environment)
    return statistics.median(float(each) for each in out.split()) / several


def emitted(binary, fields, settings, folder, name, steps, environment):
    words = [binary, "--entry", "step", "--repeat", str(steps), "--quiet", "--json"]
    for each in settings:
        words += ["--set", each]
    for field, comes_out in fields:
        words += ["--in", f"{field}=" + os.path.join(folder, f"{field}.npy")]
        if comes_out:
            words += ["--out", f"{field}=" + os.path.join(folder, f"{name}-{field}.npy")]
    line = call(words, env=environment).rstrip().rsplit("\n", 1)[-1]
    return json.loads(line)["seconds_per_step"]


def triad_of(peer, size, environment):
    return statistics.median(
        float(each) for each in call([peer, "triad", str(size)], env=environment).split())


class Measuring:
    def __init__(self, options, rhopsi, folder, environment):
        self.options, self.rhopsi, self.folder = options, rhopsi, folder
        self.environment = environment
        self.kokkos = kokkos_root(rhopsi)

    def compare(self, peer, first, shape, mode, binaries, fields, settings):
        by_hand(peer, (first, 1), self.folder, shape, COMPARED_STEPS, self.environment)
        for name, binary in binaries.items():
            emitted(binary, fields, settings, self.folder, name, COMPARED_STEPS, self.environment)
            found = call([peer, "compare", first, self.folder, shape, name]).split()
            difference, largest = float(found[0]), float(found[1])
            if not difference <= 1e-5 * largest:
                raise RuntimeError(f"{name} ({first}, {mode}) differs by {difference} from the form by hand")

    def measure(self, program, mode):
        name, _, _, settings, lengths, arrays, forms, schedules = program
        lengths = [max(16, round(length * self.options.scale)) for length in lengths]
        shape = ",".join(str(length) for length in lengths)
        peer = build_peer(self.folder, mode)
        known = {line.split()[0]: line.split() for line in call([peer, "list"]).splitlines()}
        fields = [(each.rstrip("!"), not each.endswith("!")) for each in known[forms[0]][3:]]
        forms = [(each, int(known[each][2])) for each in forms]
        call([peer, "inputs", forms[0][0], self.folder, shape])
        binaries = {schedule: build_emitted(self.rhopsi, self.folder, self.kokkos, program, mode,
                                            schedule, lengths, self.environment)
                    for schedule in schedules}
        elements = 1
        for length in lengths:
            elements *= length
        self.compare(peer, forms[0][0], shape, mode, binaries, fields, settings)
        steps, rounds = self.options.steps, []
        for _ in range(self.options.rounds):
            triad = triad_of(peer, max(elements, 1 << 24), self.environment)
            times = {}
            for schedule, binary in binaries.items():
                times[schedule.split(".")[-1]] = emitted(binary, fields, settings, self.folder,
                                                         schedule, steps, self.environment)
            for form in forms:
                times["by hand, " + form[0]] = by_hand(peer, form, self.folder, shape, steps,
                                                       self.environment)
            rounds.append((triad, times))
        return self.rows(name, shape, mode, forms[0][0], arrays * 4 * elements, rounds)

    @staticmethod
    def rows(name, shape, mode, form, least, rounds):
        table = []
        for each in rounds[0][1]:
            seconds = [times[each] for _, times in rounds]
            table.append({
                "program": name, "shape": shape, "flags": mode, "form": each,
                "seconds": statistics.median(seconds), "min": min(seconds),
                "ratio": statistics.median(times[each] / times["by hand, " + form]
                                           for _, times in rounds),
                "of triad": statistics.median(least / times[each] / triad
                                              for triad, times in rounds)})
        return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", default="", help="programs whose names begin so")
    parser.add_argument("--scale", type=float, default=1, help="of each length")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--modes", default="reassociate,strict")
    parser.add_argument("--folder", metavar="DIR", help="for what is compiled (default: a fresh one)")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), OMP_PROC_BIND="spread",
                       OMP_PLACES="threads",
                       RHOPSI_MACHINE=os.environ.get("RHOPSI_MACHINE", "here"))
    wanted = tuple(filter(None, options.only.split(",")))
    table = []
    print(f"{options.threads} threads, float, load {os.getloadavg()[0]:.1f}")
    print(f"{'program':12}{'shape':>13}  {'flags':12}{'form':22}{'s/step':>10}{'min':>10}{'ratio':>7}"
          f"{'of triad':>9}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        os.makedirs(folder, exist_ok=True)
        measuring = Measuring(options, find_rhopsi(), folder, environment)
        for program in PROGRAMS:
            if wanted and not program[0].startswith(wanted):
                continue
            for mode in options.modes.split(","):
                for row in measuring.measure(program, mode):
                    print(f"{row['program']:12}{row['shape']:>13}  {row['flags']:12}{row['form']:22}"
                          f"{row['seconds']:10.5f}{row['min']:10.5f}{row['ratio']:7.2f}"
                          f"{row['of triad']:9.2f}", flush=True)
                    table.append(row)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(table, file, indent=1)


if __name__ == "__main__":
    main()
