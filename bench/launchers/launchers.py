#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long runs take to start and end, by launcher: `./dev bench launchers`.

In each round every contender runs once, in an order of its own: an empty program, which says one line (`echo`), an empty
program of MPI (Open MPI's, where its compiler is there), which says one line between MPI_Init and MPI_Finalize, and one
of Kaon that says one line in its first entry. Measured are the time until the first line is here and the whole run. srun
is measured in the cluster that SLURM_CONF names, or else in the one of the tests, whose daemons are started for it.
"""
import argparse
import os
import pathlib
import random
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

BUILD = pathlib.Path(os.environ.get("KAON_BUILD", "build/release"))
KAON = [str(BUILD / "tests/bin/printing_program"), "--pes", "1"]
EMPTY = ["echo", "begun"]
LIMIT = 30  # seconds of one run
MPI_SOURCE = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  puts("begun");
  fflush(stdout);
  return MPI_Finalize();
}
"""


def programs(folder):
    """By name, the words of each program. Not under every launcher: see `contenders_of`."""
    found = {"empty": EMPTY, "kaon": KAON}
    if compiler := shutil.which("mpicc.openmpi"):
        source, mpi = folder / "empty_mpi.c", folder / "empty_mpi"
        source.write_text(MPI_SOURCE)
        subprocess.run([compiler, "-O2", str(source), "-o", str(mpi)], check=True)
        found["mpi"] = [str(mpi)]
    return found


def launchers(processes):
    """By name, the words before a program."""
    found = {"kaonrun": [str(BUILD / "bin/kaonrun"), "-n", str(processes)]}
    if mpirun := shutil.which("mpirun.openmpi"):
        found["mpirun"] = [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", str(processes)]
    if "SLURM_CONF" in os.environ and (srun := shutil.which("srun")):
        found["srun"] = [srun, "--mpi=pmix", "--overcommit", "-N", "1", "-n", str(processes)]
    return found


def milliseconds(command):
    """Of one run, which must end well: until its first line is here, and until it has ended. None: it hangs."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as run:
            limit = threading.Timer(LIMIT, run.kill)
            limit.start()
            run.stdout.readline()
            first = time.perf_counter()
            run.stdout.read()
            code = run.wait()
            is_late = not limit.is_alive()
            limit.cancel()
        if is_late:
            return None
        if code != 0:
            errors.seek(0)
            sys.exit(f"{' '.join(command)} ended with {code}: {errors.read().decode(errors='replace')}")
    return 1000 * (first - start), 1000 * (time.perf_counter() - start)


def measure(contenders, rounds):
    """By contender, the times of all rounds. Who hangs once is not asked again and has no times."""
    times = {name: [] for name in contenders}
    for _ in range(rounds):
        for name in random.sample(list(times), len(times)):
            took = milliseconds(contenders[name])
            if took is None:
                print(f"'{' '.join(contenders[name])}' had not ended after {LIMIT} s", file=sys.stderr)
                del times[name]
            else:
                times[name].append(took)
    return times


def medians(times, name):
    """Until the first line and of the whole run; nothing where there are none."""
    return [statistics.median(column) for column in zip(*times[name])] if times.get(name) else []


def contenders_of(processes, its_programs):
    """By (launcher, program), the command. kaonrun starts programs of Kaon alone."""
    return {(launcher, program): before + words for launcher, before in launchers(processes).items()
            for program, words in its_programs.items() if launcher != "kaonrun" or program == "kaon"}


def row(processes, launcher, program, times):
    """One line of the table: the medians, and how much they are above the empty program's."""
    mine, empty = medians(times, (launcher, program)), medians(times, (launcher, "empty"))
    shown = [f"{value:.0f}" for value in mine] or ["hung"] * 2
    more = [f"{value - floor:+.0f}" for value, floor in zip(mine, empty)] or [""] * 2
    return f"| {processes} | {launcher} | {program} | {shown[0]} | {more[0]} | {shown[1]} | {more[1]} |"


def in_cluster_of_tests():
    """This program again, with the same arguments, where srun finds a cluster."""
    again = shlex.join([sys.executable, *sys.argv])
    subprocess.run(["ninja", "-C", str(BUILD), "launchers_test"], check=True, stdout=subprocess.DEVNULL)
    sys.stdout.flush()
    test = [str(BUILD / "tests/bin/launchers_test"), "a command within a cluster of Slurm"]
    sys.exit(subprocess.run(test, env={**os.environ, "KAON_COMMAND": again}, check=False).returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, nargs="+", default=[4, 64])
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    if "SLURM_CONF" not in os.environ and shutil.which("slurmctld"):
        in_cluster_of_tests()
    subprocess.run(["ninja", "-C", str(BUILD), "printing_program", "kaonrun"], check=True, stdout=subprocess.DEVNULL)
    print("| processes | launcher | program | first line, ms | above the empty | whole run, ms | above the empty |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        its_programs = programs(pathlib.Path(folder))
        for processes in options.processes:
            contenders = contenders_of(processes, its_programs)
            times = measure(contenders, options.rounds)
            for launcher, program in contenders:
                print(row(processes, launcher, program, times), flush=True)


if __name__ == "__main__":
    main()
