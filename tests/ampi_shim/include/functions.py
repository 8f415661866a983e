# SPDX-License-Identifier: Apache-2.0
"""Whether every function that mpi.h declares is in libmpi_abi.so and in ampirun.

Usage: functions.py COMPILER LIBRARY AMPIRUN INCLUDE_FOLDER...
Prints one line for each fault and exits with 1 when there is any.
"""
import subprocess
import sys

from abi_headers import Header

MARK = "kaon_mpi_functions"
WORD = 8  # bytes


def symbols(path, *options):
    """{name: (address, size, kind)} of what is defined there."""
    listed = subprocess.run(["nm", "--defined-only", "--print-size", *options, path], capture_output=True, text=True,
                            check=True).stdout
    rows = (line.split() for line in listed.splitlines())
    return {row[3]: (int(row[0], 16), int(row[1], 16), row[2]) for row in rows if len(row) == 4}


def declared(compiler, folders):
    """The names of all functions of the header, without those that begin with PMPI_."""
    names = Header(compiler, "mpi.h", folders).prototypes()
    return sorted(name for name in names if name.startswith(("MPI_", "MPIX_", "KAON_")))


def library_faults(names, exported):
    for name in names:
        own, profiling = exported.get(name), exported.get("P" + name)
        if own is None or profiling is None:
            yield f"{name} or P{name} is not in the library"
        elif own[2] != "W" or profiling[2] != "T" or own[0] != profiling[0]:
            yield f"{name} is not a weak name of P{name}: a profiling library could not take its place"
    for name in sorted(exported.keys() - set(names) - {"P" + name for name in names}):
        yield f"{name} is in the library and not in mpi.h"


def table_faults(names, defined):
    for name in names:
        if name not in defined:
            yield f"{name} is not in ampirun"
    words = defined[MARK][1] // WORD if MARK in defined else 0
    if words != len(names) + 2:  # a hash and a count are before them
        yield f"the table of ampirun has {words - 2} functions of {len(names)}"


def main():
    compiler, library, ampirun, *folders = sys.argv[1:]
    names, defined = declared(compiler, folders), symbols(ampirun)
    faults = [*library_faults(names, symbols(library, "--dynamic")), *table_faults(names, defined)]
    print("\n".join(faults) if faults else f"{len(names)} functions are in the library and in the table")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
