# SPDX-License-Identifier: Apache-2.0
"""Runs of up to 256 processes of one PE on this machine, of which there are more than cores."""

import random
from statistics import median

import fits

# (name in the measurements, unit, what grows there with the number of processes)
FITTED = (("launch", "ms"), ("main begins", "ms"), ("all have begun", "ms"), ("end", "ms"),
          ("a first send to a PE of another process", "us"), ("creation, with the connections of a tree", "us"),
          ("broadcast and reduction", "us"), ("quiescence", "us"), ("processor time of a PE with 0 below it", "us"),
          ("processor time of a PE with 4 below it", "us"), ("processor time of kaonrun", "ms"),
          ("processor time of a process until then", "ms"), ("Rss of a process", "MB"), ("Pss of a process", "MB"),
          ("Anonymous of a process", "MB"), ("heap of the last process", "B"),
          ("sockets of kaonrun", ""), ("pipes of kaonrun", ""))
SECONDS = 120
PAIRS = {"between processes": (2, 1), "within a process": (1, 2)}  # processes, PEs of each
PES_OF_A_PROCESS = (1, 4, 16, 64)


def medians(rounds):
    """Of each case that all rounds tell of."""
    return {case: median(found[case] for found in rounds) for case in rounds[0]
            if all(case in found for found in rounds) and not case.startswith("clock")}


def measure_runs(programs, counts, rounds):
    """By number of processes."""
    found = {processes: [] for processes in counts}
    for _ in range(rounds):
        for processes in random.sample(list(counts), len(counts)):
            repetitions = max(20, 4000 // processes)
            run = programs.run_held(processes, "--pes", 1, "--repetitions", repetitions, seconds=SECONDS)
            run["launch"] = programs.launch(processes, SECONDS)
            found[processes].append(run)
    return {processes: medians(runs) for processes, runs in found.items()}


def measure_pairs(programs, rounds):
    """What a message costs: two PEs that have a core each."""
    return {name: medians([programs.run_held(processes, "--pes", pes, "--repetitions", 2000, seconds=SECONDS)
                           for _ in range(rounds)]) for name, (processes, pes) in PAIRS.items()}


def measure_starts(programs, rounds):
    """By PEs of each of two processes, milliseconds of processor time until its PEs have begun."""
    case = "processor time of a process until then"
    return {pes: median(programs.run_held(2, "--pes", pes, "--repetitions", 5, seconds=SECONDS)[case]
                        for _ in range(rounds)) for pes in PES_OF_A_PROCESS}


def print_runs(runs):
    names = [(name, unit) for name, unit in FITTED if name in next(iter(runs.values()))]
    print("\nRuns of processes with one PE each (measured, medians):")
    print("| | " + " | ".join(str(processes) for processes in runs) + " | fitted: a + b * n |")
    print("| --- |" + " --- |" * (len(runs) + 1))
    for name, unit in names:
        points = [(processes, found[name]) for processes, found in runs.items()]
        line = fits.line(points)
        cells = " | ".join(f"{value:.4g}" for _, value in points)
        print(f"| {name}{', ' + unit if unit else ''} | {cells} | {line.a:.4g} + {line.b:.4g} n, "
              f"off by {100 * line.off:.0f} % at most |")


def print_pairs(pairs):
    names = ("a send", "between two at the receiver", "one way", "one way to a PE that sleeps",
             "broadcast and reduction", "quiescence")
    print("\nTwo PEs with a core each, us (measured, medians):")
    print("| | " + " | ".join(names) + " |\n| --- |" + " --- |" * len(names))
    for where, found in pairs.items():
        print(f"| {where} | " + " | ".join(f"{found[name]:.3f}" for name in names) + " |")


def print_starts(starts):
    line = fits.line(list(starts.items()))
    print("\nProcessor time of one of two processes until its PEs have begun, ms (measured, medians):")
    print("| PEs | " + " | ".join(map(str, starts)) + " | fitted |\n| --- |" + " --- |" * (len(starts) + 1))
    print("| | " + " | ".join(f"{value:.1f}" for value in starts.values()) + f" | {line.a:.3g} + {line.b:.3g} n |")
