#!/usr/bin/env python3
"""Normal forms by rhopsi, interpreted and compiled, and by Maude, side by side: the same rules
and terms, in turn.

Prints medians and ratios, and writes them as JSON. Normal forms have to agree. Without Maude
(Debian package `maude`) only rhopsi is measured. Times are of the processor, for rewriting alone:
reading, compiling rules and printing are not in them.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "specs", "burgers"))
sys.path.insert(0, os.path.join(ROOT, "benchmarks", "peers"))

import maude  # noqa: E402
import problems  # noqa: E402
from fields import find_rhopsi  # noqa: E402


def normalize(rhopsi, text, compiled=False):
    """What --stats says, and the normal form."""
    with tempfile.NamedTemporaryFile("w", suffix=".rec") as file:
        file.write(text)
        file.flush()
        command = [rhopsi, "normalize", "--trs", file.name, "--stats"]
        out = subprocess.run(command + (["--compiled"] if compiled else []), check=True,
                             capture_output=True, text=True)
    term, stats = out.stdout.rstrip().rsplit("\n", 1)
    return json.loads(stats), re.sub(r"\s+", "", term)


def check_equal(one, other):
    if one != other:
        raise RuntimeError(f"normal forms differ: {one[:200]} and {other[:200]}")


def first_less_rest(values):
    return values[0] - sum(values[1:])


def times(seconds):
    return {"median": statistics.median(seconds), "min": min(seconds), "max": max(seconds)}


def measure(options, texts, others):
    """Seconds for the first text, less those of the second where there is one."""
    seconds = {"interpreted": [], "compiled": [], "maude": []}
    result = {}
    for _ in range(options.runs):
        mine = [normalize(options.rhopsi, text) for text in texts]
        seconds["interpreted"].append(first_less_rest([each[0]["cpu_seconds"] for each in mine]))
        result = {"rewrites": first_less_rest([each[0]["rewrites"] for each in mine]),
                  "bytes_peak": mine[0][0]["bytes_peak"]}
        if "compiled" in others:
            again = [normalize(options.rhopsi, text, True) for text in texts]
            for one, other in zip(mine, again):
                check_equal(one[1], other[1])
                check_equal(str(one[0]["rewrites"]), str(other[0]["rewrites"]))
            seconds["compiled"].append(
                first_less_rest([each[0]["cpu_seconds"] for each in again]))
        if "maude" in others and options.peer:
            theirs = [maude.reduce(text) for text in texts]
            for one, other in zip(mine, theirs):
                check_equal(one[1], other[2])
            seconds["maude"].append(first_less_rest([each[0] for each in theirs]))
    for name, each in seconds.items():
        result[name] = times(each) if each else None
    return result


def ratio(result, name):
    if result["maude"] and result[name] and result[name]["median"] > 0:
        return result["maude"]["median"] / result[name]["median"]
    return None


def cell(result, name):
    each = result[name]
    if not each:
        return f"{'':>10}{'':>8}"
    rate = result["rewrites"] / each["median"] / 1e6 if each["median"] > 0 else math.inf
    return f"{each['median']:>10.4f}{rate:>8.1f}"


def row(name, result):
    ratios = "".join(f"{each:>{width}.2f}" if each else ""
                     for each, width in ((ratio(result, "interpreted"), 8),
                                         (ratio(result, "compiled"), 9)))
    cells = "".join(cell(result, each) for each in ("interpreted", "compiled", "maude"))
    print(f"{name:24}{result['rewrites']:>10}{cells}{ratios}", flush=True)


def group(title, rows, options, others=("compiled", "maude")):
    """`rows`: name, generator, size and size of a quick run."""
    print(f"\n{title}")
    print(f"{'':24}{'rewrites':>10}{'seconds':>10}{'M/s':>8}{'compiled':>10}{'M/s':>8}"
          f"{'Maude':>10}{'M/s':>8}{'ratio':>8}{'ratio c.':>9}")
    results = {}
    for name, problem, size, quick in rows:
        text = problem(quick if options.quick else size)
        texts = text if isinstance(text, list) else [text]
        results[name] = measure(options, texts, others)
        row(name, results[name])
    for name in ("interpreted", "compiled"):
        ratios = [each for each in (ratio(result, name) for result in results.values()) if each]
        if ratios:
            print(f"geometric mean of the ratios, {name}: {statistics.geometric_mean(ratios):.2f}")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5, help="runs of each (default 5)")
    parser.add_argument("--quick", action="store_true", help="small terms: only that all works")
    parser.add_argument("--json", help="file for the results")
    parser.add_argument("--rhopsi", default=None, help="the command to measure")
    options = parser.parse_args()
    options.rhopsi = options.rhopsi or find_rhopsi()
    options.peer = maude.available()
    if not options.peer:
        print("maude is not installed: scripts/setup --peers", file=sys.stderr)
    for name, problem, size in problems.COMPARED:
        mine = normalize(options.rhopsi, problem(size)[0])[1]
        check_equal(mine, normalize(options.rhopsi, problem(size)[0], True)[1])
        if options.peer:
            check_equal(mine, maude.reduce(problem(size)[0])[2])
        print(f"{name}: the normal forms agree")
    results = {
        "indexing": group("Indexing by rules, terms made beforehand", problems.INDEXING, options),
        "recursive": group("Recursive functions", problems.RECURSIVE, options),
        # Alone: terms like these take Maude minutes to read.
        "rule_counts": group("As many steps by sets of more and more rules",
                             problems.RULE_COUNTS, options, others=())}
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
