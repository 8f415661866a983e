#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""On a machine with GPUs, in the folder of a bundle: how long runs of programs without devices take from start to end,
as they are, and where UCX loads its modules for devices all the same. The two take turns."""
import argparse
import os
import random
import statistics
import subprocess
import time

CONTENDERS = {"modules left out": {}, "all modules": {"UCX_MODULES": "all"}}


def milliseconds(processes, variables):
    """Of one run, which must end well."""
    start = time.perf_counter()
    subprocess.run(["bin/kaonrun", "-n", str(processes), "bin/hello", "--pes", "1"], env={**os.environ, **variables},
                   stdout=subprocess.DEVNULL, check=True, timeout=60)
    return 1000 * (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    print("| processes | " + " | ".join(f"{name}, ms" for name in CONTENDERS) + " |")
    print("| --- |" + " --- |" * len(CONTENDERS))
    for processes in options.processes:
        times = {name: [] for name in CONTENDERS}
        for _ in range(options.rounds):
            for name in random.sample(list(CONTENDERS), len(CONTENDERS)):
                times[name].append(milliseconds(processes, CONTENDERS[name]))
        medians = " | ".join(f"{statistics.median(each):.0f}" for each in times.values())
        print(f"| {processes} | {medians} |", flush=True)


if __name__ == "__main__":
    main()
