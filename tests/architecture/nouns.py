# SPDX-License-Identifier: Apache-2.0
"""Checks that what docs/architecture.md names is in the tree.

Usage: nouns.py TREE. Each noun of the table of nouns must be a type that the file beside it defines, and each name of
a type elsewhere on the page, in backticks, must be one of the sources'. Prints one line for each fault.
"""
import pathlib
import re
import sys

PAGE = "docs/architecture.md"
LIBRARY = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing", "include")
TYPE = re.compile(r"\b(?:class|struct|enum class|concept|using)\s+(?:\[\[\w+\]\]\s+|alignas\(\w+\)\s+)?([A-Z]\w*)\b(?!\s*;)")
NAME = re.compile(r"`([A-Z][a-z]\w*)[^`]*`")


def table_of_nouns(lines):
    """(number, cells) of each row."""
    begin = next((at for at, line in enumerate(lines) if line.startswith("| noun |")), None)
    if begin is None:
        raise SystemExit(f"{PAGE} has no table of nouns")
    for number in range(begin + 2, len(lines)):
        if not lines[number].startswith("|"):
            return
        yield number + 1, [cell.strip() for cell in lines[number].strip("|").split("|")]


def files_of(cell):
    """The paths that a cell names; one without a folder is in the folder of the one before it."""
    folder = ""
    for name in re.findall(r"`([^`]+)`", cell):
        folder = name.rpartition("/")[0] if "/" in name else folder
        yield name if "/" in name else f"{folder}/{name}"


def types_in(path):
    return set(TYPE.findall(path.read_text(errors="replace")))


def types_of(tree, name):
    """What a file, or the headers of a folder, define; None when it is not there."""
    path = tree / name
    if path.is_dir():
        return set().union(*map(types_in, path.glob("*.hpp")))
    return types_in(path) if path.exists() else None


def row_faults(tree, where, cells):
    defined = set()
    for name in files_of(cells[1]):
        found = types_of(tree, name)
        if found is None:
            yield f"{where}: there is no {name}"
        defined |= found or set()
    for noun in NAME.findall(cells[0]):
        if noun not in defined:
            yield f"{where}: {noun} is no type of {cells[1]}"


def tree_faults(tree):
    lines = (tree / PAGE).read_text().splitlines()
    for number, cells in table_of_nouns(lines):
        yield from row_faults(tree, f"{PAGE}:{number}", cells)
    defined = set()
    for folder in LIBRARY:
        for path in sorted((tree / folder).rglob("*.[hc]pp")):
            defined |= types_in(path)
    for number, line in enumerate(lines, 1):
        for name in NAME.findall(line):
            if name not in defined:
                yield f"{PAGE}:{number}: no source defines {name}"


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else "what docs/architecture.md names is there")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
