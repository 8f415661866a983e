#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long runs take to start and end, by launcher: `./dev bench launchers`.

In each round every contender runs once, in an order of its own. An empty program (`true`) says what the launcher takes,
a program of Kaon that says one line how much more Kaon does. srun is measured in the cluster that SLURM_CONF names, or
else in the one of the tests, whose daemons are started for it.
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
import time

BUILD = pathlib.Path(os.environ.get("KAON_BUILD", "build/release"))
KAON = [str(BUILD / "tests/bin/printing_program"), "--pes", "1"]
EMPTY = ["true"]
LIMIT = 30  # seconds of one run


def launchers(processes):
    """By name, the words before a program."""
    found = {"kaonrun": [str(BUILD / "bin/kaonrun"), "-n", str(processes)]}
    if mpirun := shutil.which("mpirun.openmpi"):
        found["mpirun"] = [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", str(processes)]
    if "SLURM_CONF" in os.environ and (srun := shutil.which("srun")):
        found["srun"] = [srun, "--mpi=pmix", "--overcommit", "-N", "1", "-n", str(processes)]
    return found


def milliseconds(command):
    """Of one run, which must end well; None: it hangs."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    took = 1000 * (time.perf_counter() - start)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return took


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


def median(times, name):
    """None where there is none."""
    return statistics.median(times[name]) if name in times else None


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
    print("| processes | launcher | an empty program, ms | Kaon's, ms | more, ms |")
    print("| --- | --- | --- | --- | --- |")
    for processes in options.processes:
        words = launchers(processes)
        contenders = {(name, what): before + program for name, before in words.items()
                      for what, program in (("empty", EMPTY), ("kaon", KAON)) if (name, what) != ("kaonrun", "empty")}
        times = measure(contenders, options.rounds)
        for name in words:
            kaon, empty = median(times, (name, "kaon")), median(times, (name, "empty"))
            more = None if kaon is None or empty is None else kaon - empty
            shown = ["" if value is None else f"{value:.0f}" for value in (empty, kaon, more)]
            print(f"| {processes} | {name} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
