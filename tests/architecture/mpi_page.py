# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/mpi.md tells which functions of MPI are built.

Usage: mpi_page.py TREE [--write]. The table of families on the page must be the one that follows from the headers in
ampi_shim/include/kaon_mpi and the definitions in ampi_shim/interface; --write puts that in its place. Prints one line
for each fault.
"""
import pathlib
import re
import sys

PAGE = "docs/mpi.md"
HEADERS = "ampi_shim/include/kaon_mpi"
SOURCES = "ampi_shim/interface"
BEGIN, END = "<!-- functions -->\n", "<!-- end of functions -->\n"
PROTOTYPE = re.compile(r"^[A-Za-z]\w* \**((?:MPIX?|KAON)_\w+)\(", re.MULTILINE)
DEFINITION = re.compile(r"^[A-Za-z]\w* \**((?:MPIX?|KAON)_\w+)\([^;]*?\)\s*\{", re.MULTILINE)
# Functions that a macro of both_widths.hpp or collective_call.hpp defines: in two widths, and in three forms as well.
BOTH_WIDTHS = re.compile(r"^KAON_(?!COLLECTIVE)\w+\((MPI_\w+),", re.MULTILINE)
COLLECTIVE = re.compile(r"^KAON_COLLECTIVE\((MPI_\w+), (MPI_\w+),", re.MULTILINE)
TITLE = re.compile(r"Part of mpi\.h, which includes it\. (.*?)\.? \*/")


def families(tree):
    """[(file, title, names)] of the headers that declare functions."""
    for path in sorted((tree / HEADERS).glob("*.h")):
        text = path.read_text()
        names = PROTOTYPE.findall(text)
        title = TITLE.search(text)
        if names:
            yield path.name, title[1] if title else "", names


def defined_in(text):
    yield from DEFINITION.findall(text)
    of_two = BOTH_WIDTHS.findall(text)
    for name, nonblocking in COLLECTIVE.findall(text):
        of_two += [name, nonblocking, name + "_init"]
    for name in of_two:
        yield from (name, name + "_c")


def defined(tree):
    return {name for path in (tree / SOURCES).glob("*.cpp") for name in defined_in(path.read_text())}


def short(names):
    """Without MPI_, and `x, x_c` as `x(_c)`."""
    bare = [name.removeprefix("MPI_") for name in names]
    large = {name for name in bare if name.endswith("_c") and name[:-2] in bare}
    return [name + "(_c)" if name + "_c" in large else name for name in bare if name not in large]


def table(tree):
    built = defined(tree)
    lines = ["| header | what | built | not built |", "|---|---|---|---|"]
    total = [0, 0]
    for header, title, names in families(tree):
        missing = [name for name in names if name not in built]
        done = len(names) - len(missing)
        total = [total[0] + done, total[1] + len(names)]
        rest = "all of it" if len(missing) == len(names) > 1 else ", ".join(f"`{name}`" for name in short(missing))
        lines.append(f"| `{header}` | {title} | {done} of {len(names)} | {rest} |")
    lines.append(f"| | all | {total[0]} of {total[1]} | |")
    return "\n".join(lines) + "\n"


def parts(tree):
    """The page before, in, and behind the table."""
    before, begin, rest = (tree / PAGE).read_text().partition(BEGIN)
    inside, end, behind = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE}: the table of functions stands between {BEGIN.strip()} and {END.strip()}")
    return before + begin, inside, end + behind


def tree_faults(tree):
    _, written, _ = parts(tree)
    wanted = table(tree)
    for line in wanted.splitlines():
        if line not in written.splitlines():
            yield f"{PAGE}: not so in the tree any more; mpi_page.py --write puts this there: {line}"
    for line in written.splitlines():
        if line.strip() and line not in wanted.splitlines():
            yield f"{PAGE}: not so in the tree: {line}"


def main():
    tree = pathlib.Path(sys.argv[1])
    if "--write" in sys.argv[2:]:
        before, _, behind = parts(tree)
        (tree / PAGE).write_text(before + table(tree) + behind)
    faults = list(tree_faults(tree))
    print("\n".join(faults) if faults else "the page tells which functions are built")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
