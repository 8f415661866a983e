# SPDX-License-Identifier: Apache-2.0
"""Runs programs that were compiled with the header of another MPI that has the standard's binary interface.

Usage: other_abi_program.py COMPILER WHEEL_FOLDER LIBRARY AMPIRUN TREE SOURCE...
Each source is compiled with that header (see abi_headers.py) and must end well as four ranks. Exits with 77 when there is
no such header to be had.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from abi_headers import SKIPPED, other_header

SECONDS = 60


def fault(place, compiler, library, ampirun, tree, source):
    """What went wrong with a source, or None."""
    program = place / pathlib.Path(source).stem
    made = subprocess.run([compiler, "-std=gnu11", f"-I{place}", f"-I{tree}", source, "-o", str(program), library],
                          capture_output=True, text=True, check=False)
    if made.returncode:
        return made.stderr
    done = subprocess.run([ampirun, "-n", "4", str(program)], capture_output=True, text=True, check=False,
                          timeout=SECONDS)
    return f"{source} ended with {done.returncode}: {done.stderr}" if done.returncode else None


def main():
    compiler, wheel_folder, library, ampirun, tree, *sources = sys.argv[1:]
    header = other_header(pathlib.Path(wheel_folder))
    if header is None:
        return SKIPPED
    with tempfile.TemporaryDirectory() as place:
        shutil.copy(header, pathlib.Path(place) / "mpi.h")
        faults = [fault(pathlib.Path(place), compiler, library, ampirun, tree, source) for source in sources]
    for each in filter(None, faults):
        print(each)
    return 1 if any(faults) else 0


if __name__ == "__main__":
    sys.exit(main())
