# SPDX-License-Identifier: Apache-2.0
"""The same messages over Open MPI in the same rounds, where the machine has it: never needed. Our program for it is
compiled when the benchmark runs, by the mpicc beside mpirun."""

import os
import shutil
import subprocess
from pathlib import Path

from naming import named
from programs import Outcome, run_command

BENCH = Path(__file__).resolve().parent.parent
SOURCE = BENCH / "mpi" / "mpi_peer.c"
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


class OpenMpi:
    def __init__(self, mpirun, program):
        self.mpirun, self.program = mpirun, program

    def measuring(self, *arguments):
        def run(programs, seen):
            command = [self.mpirun, "-n", "2", self.program, *map(str, arguments)]
            outcome: Outcome = run_command(command, " ".join(["mpi_peer", *map(str, arguments)]), AS_ROOT)
            return named("Open MPI", outcome.measurements())
        return run


def says_open_mpi(mpirun):
    try:
        said = subprocess.run([mpirun, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=20, check=False, env={**os.environ, **AS_ROOT}).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    return "Open MPI" in said


def find(folder, work):
    """(OpenMpi or None, why there is none). `folder`: where mpirun and mpicc are, or None for the PATH; `work`: for what
    is compiled."""
    mpirun, mpicc = shutil.which("mpirun", path=folder), shutil.which("mpicc", path=folder)
    if mpirun is None or not says_open_mpi(mpirun):
        return None, "there is no mpirun of Open MPI"
    if mpicc is None or not SOURCE.exists():
        return None, "there is no mpicc beside mpirun" if mpicc is None else f"{SOURCE} is not here"
    program = str(Path(work) / "mpi_peer")
    built = subprocess.run([mpicc, "-O3", f"-I{BENCH.parent}", str(SOURCE), "-o", program], stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, text=True, check=False)
    if built.returncode != 0:
        return None, f"mpicc cannot compile {SOURCE.name}: {built.stdout.strip()[-300:]}"
    return OpenMpi(mpirun, program), ""
