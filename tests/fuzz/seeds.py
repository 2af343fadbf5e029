#!/usr/bin/env python3
"""Writes the inputs that a fuzzer of TARGET begins with into FOLDER, each under the digest of its bytes: what
is kept in tests/fuzz, and what files of the repository hold.

usage: seeds.py TARGET FOLDER
"""
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ("corpus", "regressions")
LONGEST = 16384  # targets.hpp


def kept(target):
    for kind in KEPT:
        for path in sorted((ROOT / "tests/fuzz" / kind / target).glob("*")):
            yield path.read_bytes()


def specifications(folders):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.mg")):
            yield path.read_bytes()
    for page in sorted((ROOT / "docs/errors").glob("*.md")):
        for name, text in re.findall(r"^```(\S+\.mg)\n(.*?)^```", page.read_text(), re.M | re.S):
            yield text.encode()


def modules(text):
    """A large file in pieces: its head with each declaration alone, so that inputs stay short."""
    head = re.match(rb"(?s).*?^package[^;]*;", text, re.M)
    if not head or len(text) < 2048:
        return [text]
    parts = re.split(rb"\n\n(?=\S)", text[head.end():])
    return [text] + [head.group() + b"\n" + part for part in parts if len(part) > 40]


def parser():
    for text in specifications(("specs", "rules", "tests/errors", "tests/unit", "frontend/driver/project")):
        yield from modules(text)


def elaborator():
    """No pieces, and little that imports much of the library: each input elaborates what it imports anew."""
    for text in specifications(("specs/smooth", "specs/wave", "tests/errors")):
        yield re.sub(rb"(?m)^package [\w.]+", b"package fuzz", text, count=1)


def systems():
    """Texts in brackets, from tests of the readers and the prints of examples."""
    for path in sorted((ROOT / "tests").rglob("*_test.cpp")) + sorted((ROOT / "docs/errors").glob("E013*.md")):
        text = path.read_text()
        for each in re.findall(r'R"\w*\((.*?)\)\w*"', text, re.S) + re.findall(r"^```\S+\.(?:trs|ari|rec)\n(.*?)^```", text, re.M | re.S):
            if re.search(r"\(format |\(RULES|REC-SPEC", each):
                yield each.encode()
        for each in re.findall(r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)', text):
            joined = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', each))
            if re.search(r"\(format |\(RULES|REC-SPEC", joined):
                yield joined.encode().decode("unicode_escape").encode()


def npy(kind, shape, fortran, version):
    text = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
    count = 1
    for length in shape:
        count *= length
    width = 2 if version == 1 else 4
    data = bytes(range(1, 256)) * 4
    return (b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(width, "little") + text
            + data[: count * int(kind[2])])


def arrays():
    for kind in ("<f4", "<f8", "<i4", "<i8", "|b1", ">f8", "<u2"):
        for shape in ((), (0,), (3,), (2, 3), (1, 2, 2)):
            for fortran in (False, True):
                for version in (1, 2):
                    yield npy(kind, shape, fortran, version)


def certificates():
    return ()


def main():
    target, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for source in (kept(target), globals()[target]()):
        for data in source:
            if len(data) > LONGEST:
                continue
            path = folder / hashlib.sha1(data).hexdigest()
            count += not path.exists()
            path.write_bytes(data)
    print(f"{target}: {count} inputs to begin with")


if __name__ == "__main__":
    main()
