#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long runs take to start and end, by launcher: `./dev bench launchers`.

In each round every contender runs once, in an order of its own. An empty program (`true`) says what the launcher takes,
a program of Kaon that says one line how much more Kaon does. srun is measured where SLURM_CONF names a cluster.
"""
import argparse
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import time

BUILD = pathlib.Path(os.environ.get("KAON_BUILD", "build/release"))
KAON = [str(BUILD / "tests/bin/printing_program"), "--pes", "1"]
EMPTY = ["true"]


def launchers(processes):
    """By name, the words before a program."""
    found = {"kaonrun": [str(BUILD / "bin/kaonrun"), "-n", str(processes)]}
    if mpirun := shutil.which("mpirun.openmpi"):
        found["mpirun"] = [mpirun, "--allow-run-as-root", "--oversubscribe", "-n", str(processes)]
    if "SLURM_CONF" in os.environ and (srun := shutil.which("srun")):
        found["srun"] = [srun, "--mpi=pmix", "-n", str(processes)]
    return found


def milliseconds(command):
    """Of one run, which must end well."""
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=120)
    took = 1000 * (time.perf_counter() - start)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return took


def measure(contenders, rounds):
    """By contender, the times of all rounds."""
    times = {name: [] for name in contenders}
    for _ in range(rounds):
        for name in random.sample(list(contenders), len(contenders)):
            times[name].append(milliseconds(contenders[name]))
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, nargs="+", default=[4, 64])
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    subprocess.run(["ninja", "-C", str(BUILD), "printing_program", "kaonrun"], check=True, stdout=subprocess.DEVNULL)
    print("| processes | launcher | an empty program, ms | Kaon's, ms | more, ms |")
    print("| --- | --- | --- | --- | --- |")
    for processes in options.processes:
        words = launchers(processes)
        contenders = {(name, what): before + program for name, before in words.items()
                      for what, program in (("empty", EMPTY), ("kaon", KAON)) if (name, what) != ("kaonrun", "empty")}
        times = measure(contenders, options.rounds)
        for name in words:
            kaon = statistics.median(times[name, "kaon"])
            empty = statistics.median(times[name, "empty"]) if (name, "empty") in times else None
            shown = ("", "") if empty is None else (f"{empty:.0f}", f"{kaon - empty:.0f}")
            print(f"| {processes} | {name} | {shown[0]} | {kaon:.0f} | {shown[1]} |", flush=True)


if __name__ == "__main__":
    main()
