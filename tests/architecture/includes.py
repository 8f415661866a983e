# SPDX-License-Identifier: Apache-2.0
"""How many headers each front door includes, and how many units each header reaches.

Usage: includes.py TREE [--list DOOR]. Prints one line for each fault and exits with 1 when there is any; with a door,
it prints the door's headers instead, each with the per cent of all units that include it. Counted are headers of this
tree, included directly or not. Conditions of the preprocessor are not evaluated: both branches count.
"""
import collections
import pathlib
import re
import sys

ROOTS = ("include/kaon", "runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing", "examples", "bench", "tests")
UNITS = {".cpp", ".cu", ".c"}
SOURCES = UNITS | {".hpp", ".h", ".cuh"}
# A header may reach this many per cent of the units; one of BASE may reach more.
MOST = 20
BASE = "runtime/base"
MOST_OF_BASE = 40
UNLIMITED = ("include/kaon", "tests", "examples", "bench")  # they reach those who chose to include them
# What each door may include. These numbers may only get smaller: who includes less writes the new number here.
DOORS = {
    "include/kaon/kaon.hpp": 173,
    "include/kaon/gpu.hpp": 174,
    "include/kaon/kernel.hpp": 16,
    "include/kaon/device_entry.hpp": 45,
    "ampi_shim/include/mpi.h": 32,
}
# Headers that a door must not include, directly or not.
KEPT_OUT = {
    "include/kaon/kaon.hpp": ("runtime/pe/process.hpp", "runtime/ports/machine.hpp", "runtime/work/helper_threads.hpp"),
}
# Headers that reach more units, and how many per cent; a folder's number is that of its widest header without a row.
# These numbers may only get smaller; SLACK is for units that come and go.
WIDE = {
    "chares": 38,
    "chares/collectives": 38,
    "chares/elements": 42,
    "chares/elements/element_table.hpp": 41,
    "chares/entries": 39,
    "chares/lifecycle": 38,
    "chares/migration": 38,
    "chares/sending": 39,
    "chares/waits": 39,
    "gpu/backends": 26,
    "runtime/archive": 54,
    "runtime/base": 63,
    "runtime/base/namespaces.hpp": 80,
    "runtime/exchange": 48,
    "runtime/memory": 42,
    "runtime/memory/pool.hpp": 54,
    "runtime/messages": 50,
    "runtime/payloads": 49,
    "runtime/pe": 41,
    "runtime/pe/held_sends.hpp": 48,
    "runtime/pe/parker.hpp": 48,
    "runtime/pe/pe.hpp": 48,
    "runtime/ports": 53,
    "runtime/work": 53,
    "runtime/work/scheduler.hpp": 52,
    "runtime/work/work.hpp": 58,
}
SLACK = 2
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


def files_of(tree):
    """{path in the tree: file}; the links of include/kaon, which lead to the other roots, are not followed."""
    found = {}
    for root in ROOTS:
        for path in sorted((tree / root).rglob("*")):
            name = path.relative_to(tree).as_posix()
            is_linked = root == "include/kaon" and path.parent != tree / root
            if path.suffix in SOURCES and not is_linked and path.is_file():
                found[name] = path
    return found


def included(name, header, files):
    """The file of the tree that an include in `name` leads to, or None."""
    beside = (pathlib.PurePosixPath(name).parent / header).as_posix()
    for place in ("include/" + header, header.removeprefix("kaon/"), beside, "ampi_shim/include/" + header):
        if place in files:
            return place
    return None


def read_edges(files):
    """{file: the files that it includes itself}."""
    edges = {}
    for name, path in files.items():
        places = (included(name, header, files) for header in INCLUDE.findall(path.read_text(errors="replace")))
        edges[name] = {place for place in places if place is not None}
    return edges


def reached_from(name, edges):
    """The files that a file includes, directly or not."""
    seen, waiting = set(), [name]
    while waiting:
        for place in edges.get(waiting.pop(), set()) - seen:
            seen.add(place)
            waiting.append(place)
    return seen


def shares_of(edges):
    """{header: the per cent of the units that include it}."""
    units = [name for name in edges if pathlib.PurePosixPath(name).suffix in UNITS]
    counts = collections.Counter()
    for unit in units:
        counts.update(reached_from(unit, edges))
    return {name: 100 * count / len(units) for name, count in counts.items()}


def door_faults(edges, doors, kept_out):
    for door, most in doors.items():
        headers = reached_from(door, edges)
        if len(headers) > most:
            yield f"{door}: includes {len(headers)} headers, at most {most}: `includes.py . --list {door}` names them"
        elif len(headers) < most:
            yield f"{door} includes {len(headers)} headers now: write so in DOORS of tests/architecture/includes.py"
        for header in sorted(headers & set(kept_out.get(door, ()))):
            yield f"{door}: includes {header}, which must stay out of it"


def widest_of(shares, wide):
    """{row: (share, header)}: of each folder the header that reaches the most units; headers of `wide` by themselves."""
    widest = {}
    for header, share in sorted(shares.items()):
        row = header if header in wide else header.rpartition("/")[0]
        if not row.startswith(UNLIMITED):
            widest[row] = max(widest.get(row, (0, "")), (share, header))
    return widest


def width_faults(shares, wide):
    widest = widest_of(shares, wide)
    for row, (share, header) in sorted(widest.items()):
        most = wide.get(row, MOST_OF_BASE if row == BASE else MOST)
        if share > most:
            yield f"{header}: a change compiles {share:.1f} % of the units again, at most {most} %"
    for row, most in sorted(wide.items()):
        share = widest.get(row, (0, ""))[0]
        if share + SLACK < most:
            yield f"{row} reaches {share:.1f} % of the units now: write so in WIDE of tests/architecture/includes.py"


def tree_faults(tree, doors=None, kept_out=None, wide=None):
    edges = read_edges(files_of(tree))
    yield from door_faults(edges, DOORS if doors is None else doors, KEPT_OUT if kept_out is None else kept_out)
    yield from width_faults(shares_of(edges), WIDE if wide is None else wide)


def print_door(tree, door):
    edges = read_edges(files_of(tree))
    shares = shares_of(edges)
    for header in sorted(reached_from(door, edges), key=lambda header: -shares.get(header, 0)):
        print(f"{shares.get(header, 0):5.1f} % {header}")


def main():
    tree = pathlib.Path(sys.argv[1])
    if sys.argv[2:3] == ["--list"]:
        print_door(tree, sys.argv[3])
        return 0
    faults = list(tree_faults(tree))
    doors = ", ".join(f"{pathlib.PurePosixPath(door).name} {most}" for door, most in DOORS.items())
    print("\n".join(faults) if faults else f"headers of the front doors: {doors}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
