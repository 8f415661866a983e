# SPDX-License-Identifier: Apache-2.0
"""Runs of up to 4,096 PEs in one thread: steps and messages, which are exact, and memory that a PE keeps."""

from dataclasses import dataclass

import fits

OPERATIONS = ("creation", "broadcast", "broadcast and reduction", "quiescence")
LAST = "memory of a PE after quiescence"
BEGIN = "memory of a PE before the run"


FLOOD, FLOODED = 200, 1024  # batches that all PEs send to one at once, in runs of so many PEs at most: it takes memory


@dataclass(frozen=True)
class Shape:
    processes: int
    pes: int  # of each process
    host: int  # processes of each host; 0: all on one

    @property
    def all_pes(self):
        return self.processes * self.pes

    @property
    def name(self):
        hosts = "one host" if self.host == 0 else f"hosts of {self.host * self.pes}"
        return f"{self.processes} x {self.pes}, {hosts}"


# In each row one thing grows: what is not alike in two runs of a row comes of it.
CHAINS = tuple(Shape(processes, 1, 0) for processes in (16, 64, 256, 1024, 4096))
HOSTS = tuple(Shape(processes, 64, 1) for processes in (1, 4, 16, 64))
ROWS = {
    "PEs, of one process each, on one host": CHAINS[2:],
    "PEs, in processes of 64, each on a host of its own": HOSTS[1:],
    "PEs of the same process": tuple(Shape(1, pes, 0) for pes in (64, 256, 1024)),
    "hosts, of one PE": tuple(Shape(processes, 1, 1) for processes in (256, 1024, 4096)),
}


def measure(programs, seconds):
    """By shape, what the program says."""
    shapes = dict.fromkeys(shape for row in (CHAINS, HOSTS, *ROWS.values()) for shape in row)
    return {shape: programs.run("scale_loopback", "--processes", shape.processes, "--pes", shape.pes, "--host",
                                shape.host, "--batches", FLOOD if is_flooded(shape) else 0, seconds=seconds)
            for shape in shapes}


def is_flooded(shape):
    return shape in CHAINS and shape.all_pes <= FLOODED


def slopes(found, when=BEGIN):
    """By row, the line of a PE's memory in bytes."""
    return {name: fits.line([(shape.all_pes, found[shape][when]) for shape in row]) for name, row in ROWS.items()}


def contact_bytes(found):
    """Of both ends together, of a PE that has sent one message to another that it had not met."""
    shape = CHAINS[-1]
    grown = found[shape]["memory of a PE after one PE to all"] - found[shape][LAST]
    return grown * shape.all_pes / (shape.all_pes - 1)


def print_floods(found):
    print(f"\nAll PEs send {FLOOD} batches to one, those of a level of the tree at once (counted):")
    print("| PEs | under way to it at once | with messages | with nothing but credits |\n| --- | --- | --- | --- |")
    for shape in filter(is_flooded, CHAINS):
        numbers = (found[shape][f"all PEs to one {what}"] for what in ("most at once", "batches", "credits"))
        print(f"| {shape.all_pes} | " + " | ".join(f"{number:.0f}" for number in numbers) + " |")


def print_memory(found):
    print("\nMemory of a PE there, from operator new (counted; the machine's own queues are in it).")
    print("| run | before the run, kB | after array, trees and quiescence, kB |\n| --- | --- | --- |")
    for shape, of in found.items():
        print(f"| {shape.name} | {of[BEGIN] / 1e3:.1f} | {of[LAST] / 1e3:.1f} |")
    print("\nWhat it grows with before the run, and what an array and messages add to the growth (fitted):")
    after = slopes(found, LAST)
    for name, line in slopes(found).items():
        print(f"* {line.text('B', name)}; {after[name].b - line.b:+.2f} B")
    print(f"* {contact_bytes(found):.0f} B of both ends for each pair of PEs of different processes that have met")


def print_tables(found):
    print("\nOn the loopback machine, one PE a process: messages between PEs, the longest chain of them (steps), and"
          "\nthe most that one PE sends (counted).")
    print("| PEs | " + " | ".join(OPERATIONS) + " |")
    print("| --- |" + " --- |" * len(OPERATIONS))
    for shape in CHAINS:
        of = found[shape]
        cells = [f"{of[f'{what} messages']:.0f}, {of[f'{what} steps']:.0f} steps, {of[f'{what} most from one PE']:.0f}"
                 for what in OPERATIONS]
        print(f"| {shape.all_pes} | " + " | ".join(cells) + " |")
    print_floods(found)
    print_memory(found)
