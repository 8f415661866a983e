# SPDX-License-Identifier: Apache-2.0
"""Elements that move: what that costs, and what a program whose work wanders gains by it."""

import re

import contenders as by
from messages import PLACES
from programs import Failed
from rows import Row, Target
from section import Section

PARTICLES = ("--particles", 12_000, "--steps", 60, "--every", 2)
STRATEGIES = ("none", "greedy", "refine", "gossip", "automatic")


def drifting(where, strategy, *arguments, processes=1):
    """The program of examples/molecules: its seconds, and the busiest PE's load over the mean."""
    def run(programs, seen):
        output = programs.run("molecules", *arguments, *PARTICLES, "--strategy", strategy, processes=processes).output
        found = re.search(r": ([0-9.]+) s, busiest PE ([0-9.]+) of the mean, digest (\w+)", output)
        if found is None:
            raise Failed(f"molecules said nothing of its time: {output}")
        digest = int(found[3], 16)
        if digest != seen.get("digest", digest):
            raise Failed(f"molecules by {strategy}, {where}: other particles than before")
        return {f"{where} drifting by {strategy}": float(found[1]), "digest": digest,
                f"{where} busiest by {strategy}": float(found[2])}
    return by.KaonContender("molecules", run)


def measured_rows(where, are_processes):
    def row(case, unit, limit=None):
        return Row("balancing", f"{where} {case}", unit, f"{where} {case}", target=limit and Target("value", limit))
    rows = [row("greedy of 100000 elements over 1024 PEs", "ms", 50), row("greedy of 1000 elements over 64 PEs", "ms"),
            row("greedy, 100000 elements of 8 B, a step of main's", "ms", 50),
            row("greedy, 100000 elements of 8 B, a barrier of all", "ms"),
            row("gossip, 100000 elements of 8 B, a step of main's", "ms"),
            row("greedy, 1000 elements of 8 B, a step of main's", "ms"),
            row("none, 100000 elements of 8 B, a barrier of all", "ms"),
            row("rotate, 10000 elements of 1 KiB, for each moved by main", "us", 2 if are_processes else None),
            row("rotate, 10000 elements of 1 KiB, for each moved at the barrier", "us", 2 if are_processes else None),
            row("rotate, elements of 1 MiB of the host, for each", "us"),
            row("rotate, elements of 1 MiB of the device, for each", "us")]
    rows += [row(f"messages between elements of a PE, {kind}, each", "ns")
             for kind in ("not measured", "timed", "timed and counted")]
    return rows


def drifting_rows(where):
    rows = [Row("drifting particles", f"{where} not balanced", "s", f"{where} drifting by none")]
    for strategy in STRATEGIES[1:]:
        is_target = strategy == "greedy"
        rows.append(Row("drifting particles", f"{where} by {strategy}", "s", f"{where} drifting by {strategy}",
                        f"{where} drifting by none", Target("ratio", 1 / 1.6) if is_target else None))
        rows.append(Row("drifting particles", f"{where} by {strategy}, busiest over mean", "x",
                        f"{where} busiest by {strategy}", target=Target("value", 1.1) if is_target else None))
    return rows


def balancing():
    runs = [by.measuring(where, "balance", *arguments, *device, processes=processes)
            for where, arguments, processes in PLACES for device in ((), ("--device", "host"))]
    runs += [drifting(where, strategy, *arguments, processes=processes)
             for where, arguments, processes in PLACES for strategy in STRATEGIES]
    rows = [row for where, _, processes in PLACES for row in measured_rows(where, processes > 1)]
    rows += [row for where, _, _ in PLACES for row in drifting_rows(where)]
    return Section("balancing", tuple(runs), tuple(rows), most_rounds=5)
