#!/usr/bin/env python3
"""What the kernels of emitted programs take of a GPU: registers, and what of them is spilled.

    benchmarks/gpu_registers.py [--only NAME,...] [--modes reassociate,strict] [--jobs 2] [--folder DIR] [--json FILE]

Needs nvcc and a Kokkos with CUDA (scripts/setup --kokkos-source DIR --cuda; Kokkos_ROOT names another
one), and no GPU. The programs are those of gpu.py, as written and as `auto` chooses, and those of
contractions.py, whose arrays have any shapes. Each is compiled, and what ptxas says of each kernel is
read: printed are the kernels, the most registers of a thread, and the bytes that are spilled. Where any
kernel spills, they are named and the exit code is 1.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))

from gpu import LENGTH, cases  # noqa: E402
from programs import call, find_rhopsi, kokkos_root  # noqa: E402

CONTRACTIONS = os.path.join(ROOT, "specs", "contractions", "contractions.mg")
ENTRY = re.compile(r"Compiling entry function '(\w+)'")
SPILLED = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")


def programs():
    """name, what is emitted, form"""
    for name, spec, program, _, axes, _, _, form, schedule in cases():
        yield name, [spec, "-p", program, "--entry", "step", "--schedule", schedule, "--shape",
                     ",".join([str(LENGTH[axes])] * axes)], form
    yield "contractions", [CONTRACTIONS, "-p", "Contractions"], "auto"


def architecture(kokkos):
    """The flag for the GPU that this Kokkos was built for."""
    with open(os.path.join(kokkos, "lib", "cmake", "Kokkos", "KokkosConfigCommon.cmake"), encoding="utf-8") as file:
        built_for = re.search(r"Kokkos_CUDA_ARCHITECTURES (\d+)", file.read())
    if not built_for:
        sys.exit(f"the Kokkos in {kokkos} was not built for CUDA; Kokkos_ROOT names another one")
    return "-arch=sm_" + built_for[1]


def compiled(rhopsi, kokkos, flag, folder, words, mode):
    """What ptxas says while the program is compiled."""
    free = ["--reassociate"] if mode == "reassociate" else []
    call([rhopsi, "emit", *words, "--dtype", "float", "--target", "cuda", "-o", folder, *free])
    made = os.path.join(folder, "build")
    call(["cmake", "-G", "Unix Makefiles", "-S", folder, "-B", made, f"-DKokkos_ROOT={kokkos}",
          f"-DCMAKE_CXX_COMPILER={kokkos}/bin/nvcc_wrapper", f"-DCMAKE_CXX_FLAGS={flag} -Xptxas=-v"])
    done = subprocess.run(["cmake", "--build", made, "--clean-first", "--target", "main.o"], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout


def kernels(text):
    """name, registers, and spilled bytes of each kernel"""
    found = []
    for line in text.splitlines():
        if entry := ENTRY.search(line):
            found.append({"kernel": entry[1], "registers": 0, "spilled": 0})
        elif found and (spilled := SPILLED.search(line)):
            found[-1]["spilled"] = int(spilled[1]) + int(spilled[2])
        elif found and (used := USED.search(line)):
            found[-1]["registers"] = int(used[1])
    return found


def measured(rhopsi, kokkos, flag, folder, case, mode):
    name, words, form = case
    there = os.path.join(folder, f"{mode}-{name}-{form}".replace(" ", "-").replace(",", ""))
    found = kernels(compiled(rhopsi, kokkos, flag, there, words, mode))
    if not found:
        raise RuntimeError(f"{name}, {form}, {mode}: the compiler told of no kernel")
    return {"program": name, "form": form, "mode": mode, "kernels": found}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", default="", help="programs whose names begin so")
    parser.add_argument("--modes", default="reassociate,strict")
    parser.add_argument("--jobs", type=int, default=2, help="compilers beside one another")
    parser.add_argument("--folder", metavar="DIR", help="for what is emitted (default: a fresh one)")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    only = tuple(filter(None, options.only.split(",")))
    rhopsi = find_rhopsi()
    kokkos = os.environ.get("Kokkos_ROOT") or kokkos_root(rhopsi)
    flag = architecture(kokkos)
    rows = []
    if options.folder:
        os.makedirs(options.folder, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wanted = [(case, mode) for mode in options.modes.split(",") for case in programs()
                  if not only or case[0].startswith(only)]
        made = pool.map(lambda each: measured(rhopsi, kokkos, flag, options.folder or temporary, *each), wanted)
        print(f"{'program':12} {'form':16} {'flags':12} {'kernels':>7} {'registers':>9} {'spilled':>7}")
        try:
            for row in made:
                rows.append(row)
                most = max(each["registers"] for each in row["kernels"])
                spilled = sum(each["spilled"] for each in row["kernels"])
                print(f"{row['program']:12} {row['form']:16} {row['mode']:12} {len(row['kernels']):7} "
                      f"{most:9} {spilled:7}", flush=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{' '.join(error.cmd)}\n{error.stdout or ''}{error.stderr or ''}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    spilling = [(row, each) for row in rows for each in row["kernels"] if each["spilled"]]
    for row, each in spilling:
        print(f"{row['program']}, {row['form']}, {row['mode']}: {each['spilled']} bytes spilled by {each['kernel']}")
    sys.exit(1 if spilling else 0)


if __name__ == "__main__":
    main()
