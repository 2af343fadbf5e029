"""A REC specification for Maude, and what Maude says about it."""

import re
import shutil
import subprocess
import tempfile

def available():
    return shutil.which("maude") is not None


def sections(text):
    """Pairs of a section's name and its text."""
    text = re.sub(r"%[^\n]*", "", text)
    parts = re.split(r"\b(SORTS|CONS|OPNS|VARS|RULES|EVAL|END-SPEC)\b", text)
    name = parts[0].split()[1]
    return name, list(zip(parts[1::2], parts[2::2]))


def equation(line):
    rule, _, conditions = line.partition(" if ")
    left, right = (side.strip() for side in rule.split(" -> "))
    if not conditions:
        return f"  eq {left} = {right} ."
    conditions = conditions.replace("-><-", "==").replace("->/<-", "=/=")
    return f"  ceq {left} = {right} if {conditions.replace(' and-if ', ' and ')} ."


def from_rec(text):
    """The module and the terms to reduce. Every declaration and rule has a line of its own."""
    name, parts = sections(text)
    lines, terms = [f"fmod {name.upper()} is"], []
    for section, body in parts:
        entries = [line.strip() for line in body.splitlines() if line.strip()]
        if section == "SORTS":
            lines.append(f"  sorts {' '.join(entries)} .")
        elif section in ("CONS", "OPNS"):
            lines += [f"  op {entry}{' [ctor]' if section == 'CONS' else ''} ."
                      for entry in entries]
        elif section == "VARS":
            lines += [f"  vars {entry} ." for entry in entries]
        elif section == "RULES":
            lines += [equation(entry) for entry in entries]
        elif section == "EVAL":
            terms += entries
    return "\n".join(lines + ["endfm"]) + "\n", terms


def reduce(text):
    """Seconds, rewrites and the normal form, without blanks, of a specification's one term."""
    module, terms = from_rec(text)
    with tempfile.NamedTemporaryFile("w", suffix=".maude") as file:
        file.write(f"set show command off .\n{module}\nred {terms[0]} .\nquit\n")
        file.flush()
        # Terms are nested deep, and Maude follows them by recursion.
        command = f"ulimit -s unlimited; maude -no-banner -no-ansi-color -no-wrap {file.name}"
        out = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    found = re.search(r"rewrites: (\d+) in (\d+)ms cpu \((\d+)ms real\).*?\nresult [^:]*:(.*)",
                      out.stdout, re.S)
    if not found:
        raise RuntimeError(f"Maude gave no result: {out.stdout[-300:]}{out.stderr[-300:]}")
    result = re.sub(r"\s+", "", found[4]).removesuffix("Bye.")
    return int(found[2]) / 1000, int(found[1]), result
