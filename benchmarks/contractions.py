#!/usr/bin/env python3
"""Products of matrices beside OpenBLAS, reductions and a chain of operations beside the triad.

    benchmarks/contractions.py [--side 1024] [--rounds 5] [--steps 9] [--threads 1 2] [--json FILE]

The programs are emitted from specs/contractions. `reassociate` is -ffast-math, which makes one
operation of a product and a sum; `strict` -ffp-contract=off, whose results are those of the
elements as they are written, bit for bit. Every round runs each of them once, one after the other;
figures are medians, ratios are the least of the rounds' (of times over the peer's of that round).
OpenBLAS is called through its C interface; where it is not installed, products stand alone.
"""

import argparse
import ctypes
import ctypes.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))

from programs import call, find_rhopsi, kokkos_root  # noqa: E402

SPEC = os.path.join(ROOT, "specs", "contractions", "contractions.mg")
PEER = os.path.join(ROOT, "benchmarks", "peers", "contractions.cpp")
MODES = {"strict": "OFF", "reassociate": "ON"}
BYTES = {"float": 4, "double": 8}
TYPES = {"float": numpy.float32, "double": numpy.float64}


def openblas():
    """The library, or nothing. It takes its kernels by the processor's name, which those of some
    virtual machines are unknown to it; what the processor can do is known to numpy's own tests."""
    wide = " avx512f " in open("/proc/cpuinfo", encoding="utf-8").read()
    if wide:
        os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
    for name in [os.environ.get("OPENBLAS", ""), "libopenblas.so.0", "libopenblas.so"]:
        try:
            if name:
                return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def blas_seconds(library, kind, a, b, steps, threads):
    """Seconds of one product."""
    library.openblas_set_num_threads(threads)
    c = numpy.zeros((a.shape[0], b.shape[1]), dtype=a.dtype)
    function = library.cblas_sgemm if kind == "float" else library.cblas_dgemm
    number = ctypes.c_float if kind == "float" else ctypes.c_double
    pointer = [ctypes.c_void_p(each.ctypes.data) for each in (a, b, c)]
    m, k, n = a.shape[0], a.shape[1], b.shape[1]
    times = []
    for _ in range(steps):
        begin = time.perf_counter()
        function(101, 111, 111, m, n, k, number(1), pointer[0], k, pointer[1], n, number(0),
                 pointer[2], n)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def build(rhopsi, folder, kokkos, kind, mode, machine):
    there = os.path.join(folder, kind)
    if not os.path.isdir(there):
        call([rhopsi, "emit", SPEC, "-p", "Contractions", "--dtype", kind, "--target", "openmp",
              "-o", there], env=dict(os.environ, RHOPSI_MACHINE=machine))
    made = os.path.join(there, mode)
    call(["cmake", "-S", there, "-B", made, f"-DKokkos_ROOT={kokkos}",
          "-DRHOPSI_FAST_MATH=" + MODES[mode]])
    call(["cmake", "--build", made, "-j2"])
    return os.path.join(made, "Contractions")


def seconds(program, entry, folder, inputs, steps, threads, out=None):
    words = [program, "--entry", entry, "--repeat", str(steps), "--quiet", "--json"]
    for name, array in inputs.items():
        file = os.path.join(folder, f"{entry}-{name}.npy")
        if not os.path.exists(file):
            numpy.save(file, array)
        words += ["--in", f"{name}={file}"]
    if out:
        words += ["--out", f"C={out}"]
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="spread",
                       OMP_PLACES="threads")
    line = call(words, env=environment).rstrip().rsplit("\n", 1)[-1]
    return json.loads(line)["seconds_per_step"]


def in_order(a, b):
    """The product as its elements are written: one sum after the other, each product rounded."""
    c = a[:, :1] * b[:1, :]
    for k in range(1, a.shape[1]):
        c += a[:, k:k + 1] * b[k:k + 1, :]
    return c


def check(got, a, b, mode, kind):
    rows = slice(0, None, max(1, a.shape[0] // 37))
    want = in_order(a[rows], b)
    if mode == "strict":
        right = numpy.array_equal(got[rows], want)
    else:
        scale = numpy.abs(a[rows]) @ numpy.abs(b)
        right = (numpy.abs(got[rows] - want) <= a.shape[1] * numpy.finfo(TYPES[kind]).eps * scale).all()
    if not right:
        raise RuntimeError(f"the product ({kind}, {mode}) is wrong")


def products(options, programs, peer, folder, library):
    rng = numpy.random.default_rng(1)
    side, rows = options.side, []
    for kind in BYTES:
        a, b = (rng.random((side, side)).astype(TYPES[kind]) - 0.5 for _ in range(2))
        there = os.path.join(folder, "in-" + kind)
        os.makedirs(there, exist_ok=True)
        for mode in MODES:
            out = os.path.join(there, "C.npy")
            seconds(programs[kind, mode], "product", there, {"A": a, "B": b}, 1, 1, out)
            check(numpy.load(out), a, b, mode, kind)
        for threads in options.threads:
            peak = statistics.median(float(each) for each in call(
                [peer, "fma", str(BYTES[kind])], env=dict(os.environ, OMP_NUM_THREADS=str(threads))).split())
            times = {name: [] for name in [*MODES, "OpenBLAS"]}
            for _ in range(options.rounds):
                for mode in MODES:
                    times[mode].append(seconds(programs[kind, mode], "product", there,
                                               {"A": a, "B": b}, options.steps, threads))
                if library:
                    times["OpenBLAS"].append(blas_seconds(library, kind, a, b, options.steps, threads))
            for name, found in times.items():
                if not found:
                    continue
                rate = 2 * side**3 / statistics.median(found)
                ratio = min((mine / theirs for mine, theirs in zip(found, times["OpenBLAS"])),
                            default=None)
                rows.append({"what": "product", "type": kind, "flags": name, "threads": threads,
                             "seconds": statistics.median(found), "rate": rate, "of_peak": rate / peak,
                             "ratio": ratio})
    return rows


def streams(options, programs, peer, folder):
    """Bytes that have to be read and written at least, against the triad's in the same round."""
    rng = numpy.random.default_rng(2)
    side = 4 * options.side
    matrix, vector, other = rng.random((side, side)), rng.random(side * side), rng.random(side * side)
    tall = rng.random(side)
    forms = {"columns": ({"A": matrix}, side * side), "rows": ({"A": matrix}, side * side),
             "apply": ({"A": matrix, "x": tall}, side * side),
             "total": ({"x": vector}, side * side),
             "chain": ({"x": vector, "y": other}, 3 * side * side)}
    there = os.path.join(folder, "in-streams")
    os.makedirs(there, exist_ok=True)
    rows = []
    for threads in options.threads:
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
        for mode in MODES:
            rates, shares = {}, {}
            for _ in range(options.rounds):
                triad = statistics.median(
                    float(each) for each in call([peer, "triad", str(side * side)], env=environment).split())
                for name, (inputs, elements) in forms.items():
                    took = seconds(programs["double", mode], name, there, inputs, options.steps, threads)
                    rates.setdefault(name, []).append(8 * elements / took)
                    shares.setdefault(name, []).append(8 * elements / took / triad)
            for name in forms:
                rows.append({"what": name, "type": "double", "flags": mode, "threads": threads,
                             "rate": statistics.median(rates[name]),
                             "of_triad": statistics.median(shares[name])})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--side", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=9)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rhopsi, library = find_rhopsi(), openblas()
    kokkos = kokkos_root(rhopsi)
    with tempfile.TemporaryDirectory() as folder:
        peer = os.path.join(folder, "peer")
        call(["g++", "-std=c++20", "-O3", "-march=native", "-ffast-math", "-fopenmp", PEER, "-o", peer])
        programs = {(kind, mode): build(rhopsi, folder, kokkos, kind, mode, "standard")
                    for kind in BYTES for mode in MODES}
        print(f"load {os.getloadavg()[0]:.1f}; OpenBLAS {'found' if library else 'not found'}")
        print(f"{'product':10}{'type':8}{'flags':13}{'threads':>8}{'s':>9}{'GFLOP/s':>9}{'of peak':>9}"
              f"{'ratio':>8}")
        table = products(options, programs, peer, folder, library)
        for row in table:
            ratio = f"{row['ratio']:8.2f}" if row["ratio"] else ""
            print(f"{options.side:<10}{row['type']:8}{row['flags']:13}{row['threads']:8}{row['seconds']:9.4f}"
                  f"{row['rate'] / 1e9:9.1f}{row['of_peak']:9.2f}{ratio}", flush=True)
        print(f"{'stream':10}{'type':8}{'flags':13}{'threads':>8}{'GB/s':>9}{'of triad':>10}")
        more = streams(options, programs, peer, folder)
        for row in more:
            print(f"{row['what']:10}{row['type']:8}{row['flags']:13}{row['threads']:8}"
                  f"{row['rate'] / 1e9:9.1f}{row['of_triad']:10.2f}", flush=True)
        print(f"load {os.getloadavg()[0]:.1f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(table + more, file, indent=1)


if __name__ == "__main__":
    main()
