# SPDX-License-Identifier: Apache-2.0
"""What is measured: functions of (programs, seen) that run one program with one MPI and give values by the name of
their series."""

import re
import time

from naming import named
from programs import Failed


def placed(processes, pes):
    """Options of ampirun."""
    return ("--processes", str(processes), "--pes", str(pes))


PLACES = {"one PE": placed(1, 1), "two PEs": placed(1, 2), "two processes": placed(2, 1)}


def measuring(mpi, prefix, program, *arguments, ranks, options=(), **more):
    def run(programs, _seen):
        outcome = mpi.of(programs).run(program, *arguments, ranks=ranks, options=options, **more)
        return named(prefix, outcome.measurements())
    return mpi.contender(run)


def start(mpi, prefix, ranks, options=()):
    """The program tells how long ago the time was that it is given, by the clock of the machine."""
    def run(programs, _seen):
        outcome = mpi.of(programs).run("ranks", "start", time.monotonic(), ranks=ranks, options=options)
        return named(prefix, outcome.measurements())
    return mpi.contender(run)


def memory_in_process(mpi, prefix, ranks, options=()):
    """Of a rank that shares its process: what so many more of them add to the first one's."""
    def run(programs, _seen):
        taken = [mpi.of(programs).run("ranks", "memory", ranks=count, options=options).measurements()["memory"]
                 for count in (1, 1 + ranks)]
        return {f"{prefix} memory": (taken[1] - taken[0]) / ranks}
    return mpi.contender(run)


def heat(mpi, prefix, ranks, cells, steps, options=()):
    """Milliseconds a step. All must find the same check sum."""
    def run(programs, seen):
        output = mpi.of(programs).run("heat", "-n", cells, "-s", steps, "-e", 50, ranks=ranks, options=options).output
        found = re.search(r"(\d+) steps in ([\d.]+) s\n.*check sum (\w+)", output)
        if found is None:
            raise Failed(f"heat, {prefix}: it printed {output!r}")
        if found[3] != seen.get("check sum", found[3]):
            raise Failed(f"heat, {prefix}: check sum {found[3]} is not {seen['check sum']}")
        return {f"{prefix} heat": 1e3 * float(found[2]) / int(found[1]), "check sum": found[3]}
    return mpi.contender(run)
