# SPDX-License-Identifier: Apache-2.0
"""How many passages of the sources nearly equal another one.

Usage: twins.py TREE. Prints each pair of such passages, the number of pairs a file, and exits with 1 when these are more
than MOST. Debian's `similarity-tester` finds passages of the same structure; those count that also have most of their
words in common, in one order: two enumerations of different names are alike in structure only. Exits with 77 where the
tester is not installed.
"""
import difflib
import pathlib
import re
import subprocess
import sys

SOURCES = ("*.hpp", "*.cpp", "*.cu", "*.h")
FOLDERS = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing", "include", "examples", "bench", "tests")
SHORTEST = 60  # tokens: shorter passages that are alike are mostly idioms
COMMON = 0.6  # of the words
# Pairs a file. It may only get smaller: who takes twins away writes what is left, rounded up.
MOST = 0.10
# Lists of one entry a number, which C++20 cannot compute: their entries are alike, and none can go.
LISTS = {"runtime/archive/bindings.hpp", "runtime/archive/fields.hpp"}

PAIR = re.compile(r"(.+?): line (\d+)-(\d+)\s*\|(.+?): line (\d+)-(\d+)\s*\[\d+\]$")
COMMENT = re.compile(r"//.*|/\*.*?\*/", re.DOTALL)
WORD = re.compile(r'[A-Za-z_]\w*|"(?:[^"\\\n]|\\.)*"|\d[\w.]*')


def sources_of(tree):
    return sorted(path.relative_to(tree).as_posix() for folder in FOLDERS for kind in SOURCES
                  for path in (tree / folder).rglob(kind))


def candidates(report):
    """(file, first line, last line) of both passages of each pair that the tester prints."""
    for line in report.splitlines():
        found = PAIR.match(line)
        if found:
            yield tuple((found[at], int(found[at + 1]), int(found[at + 2])) for at in (1, 4))


class Passages:
    """Reads passages of a tree, each file once."""

    def __init__(self, tree):
        self.tree, self.files = tree, {}

    def words(self, passage):
        name, first, last = passage
        if name not in self.files:
            self.files[name] = (self.tree / name).read_text(errors="replace").splitlines()
        return WORD.findall(COMMENT.sub("", "\n".join(self.files[name][first - 1:last])))

    def are_twins(self, one, other):
        return difflib.SequenceMatcher(None, self.words(one), self.words(other), False).ratio() >= COMMON


def twins_of(tree, names):
    report = subprocess.run(["sim_c++", "-i", "-n", "-T", "-F", "-r", str(SHORTEST)], input="\n".join(names) + "\n",
                            cwd=tree, capture_output=True, text=True, check=True).stdout
    passages = Passages(tree)
    for one, other in candidates(report):
        if not (one[0] == other[0] and one[0] in LISTS) and passages.are_twins(one, other):
            yield one, other


def main():
    tree = pathlib.Path(sys.argv[1])
    names = sources_of(tree)
    try:
        twins = sorted(twins_of(tree, names))
    except FileNotFoundError:
        print("sim_c++ is missing: install the package similarity-tester")
        return 77
    for one, other in twins:
        print(f"{one[0]}:{one[1]}-{one[2]} nearly equals {other[0]}:{other[1]}-{other[2]}")
    share = len(twins) / max(1, len(names))
    print(f"{len(twins)} pairs of near twins in {len(names)} files: {share:.3f} a file, at most {MOST}")
    return 1 if share > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
