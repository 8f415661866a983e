# SPDX-License-Identifier: Apache-2.0
"""What the scaling benchmark measures: Jacobi3D on 1, 2, 4... devices beside the program by hand."""

import math
from dataclasses import dataclass

import contenders as by
from rows import Row, Target
from scale import Box
from section import Section
from section_rows import row

CUTS = {1: (1, 1, 1), 8: (2, 2, 2), 64: (4, 4, 4)}  # blocks a device, and along each axis of its part of the box
PROCESSES, THREADS = "a process each", "in one process"


@dataclass(frozen=True)
class Effort:
    """How much of each case is run."""
    microseconds: float  # of all iterations of a run
    least: int  # iterations
    most: int
    us_a_block: float  # of the host, for each block and iteration
    points_a_us: float  # that a device sweeps

    def iterations(self, points, blocks):
        """Both of one device."""
        each = max(points / self.points_a_us, blocks * self.us_a_block)
        return int(min(max(self.microseconds / each, self.least), self.most))


ON_DEVICES = Effort(500_000, 50, 4_000, 9.0, 2e5)
EMULATED = Effort(1, 4, 4, 1.0, 1.0)


@dataclass(frozen=True)
class Problem:
    """A box that grows with the devices (weak), or stays."""
    is_weak: bool
    edge: int  # points of the cube, of each device if it grows

    def name(self):
        return f"{self.edge}^3 {'a device' if self.is_weak else 'in all'}"

    def cells(self, devices):
        return (self.edge * (devices if self.is_weak else 1), self.edge, self.edge)

    def points_each(self, devices):
        return math.prod(self.cells(devices)) // devices

    def box(self, devices, blocks, effort):
        x, y, z = CUTS[blocks]
        return Box("x".join(map(str, self.cells(devices))), f"{x * devices}x{y}x{z}",
                   effort.iterations(self.points_each(devices), blocks))


def series(problem, devices, blocks, how):
    return f"{problem.name()}, on {devices}, {blocks} blocks each, {how}"


def hand(problem, devices, what="jacobi3d"):
    return f"{what} by hand, {problem.name()}, on {devices}"


def best(problem, devices):
    return f"{problem.name()}, on {devices}, best cut"


def ways(devices):
    return (PROCESSES, THREADS) if devices > 1 else (PROCESSES,)


def timed(scale, name, box, devices, how, *more):
    """The clock starts when memory is there and the processes know each other, as that of the program by hand does."""
    processes, pes = (devices, 1) if how == PROCESSES else (1, devices)
    return by.jacobi3d(name, scale, box, processes=processes, pes=pes,
                       more=(*more, "--warm-up", max(1, box.iterations // 10)))


def jacobi3d(scale, problem, devices, blocks, how):
    """Every way must find the digits of every other one of the same box and count of iterations."""
    return timed(scale, series(problem, devices, blocks, how), problem.box(devices, blocks, scale.effort), devices, how)


def planes_only(scale, problem, devices, blocks, how):
    return timed(scale, f"planes of {series(problem, devices, blocks, how)}", problem.box(devices, blocks, scale.effort),
                 devices, how, "--sends-only")


def by_hand(scale, problem, devices):
    """Under names without the way, of which the better one counts."""
    box = problem.box(devices, 1, scale.effort)
    arguments = ("--json", "--box", box.cells, "--devices", devices, "--repetitions", 3,
                 "--steps", max(10, min(1000, box.iterations // 3)))

    def run(programs, seen):
        measured = by.floors_series(programs.run("gpu_floors", *arguments).measurements())
        return {hand(problem, devices, name.split(" by hand")[0]): value for name, value in measured.items()}
    return run


def best_cuts(problem, counts):
    """The fastest of all cuts and ways of this round, on each count of devices."""
    def run(programs, seen):
        found = {}
        for devices in counts:
            times = [seen[name] for blocks in CUTS for how in ways(devices)
                     for name in [series(problem, devices, blocks, how)] if name in seen]
            if times:
                found[best(problem, devices)] = min(times)
        return found
    return run


def floors_of(scale, problem, counts):
    return () if scale.is_emulated else tuple(by_hand(scale, problem, devices) for devices in counts)


def cases(counts):
    return tuple((devices, blocks, how) for devices in counts for blocks in CUTS for how in ways(devices))


def efficiency_rows(scale, problem, counts, targets):
    """Of the best cut on each count; of the program by hand beside it. A box that grows: 1 is ideal. One that stays:
    how many times faster."""
    bench, most = "efficiency" if problem.is_weak else "speed-up", counts[-1]
    found = []
    for devices in counts[1:]:
        target = targets.get((problem.name(), bench)) if devices == most else None
        found.append(row(scale, bench, f"{problem.name()}, 1 over {devices}", "us", best(problem, 1), best(problem, devices),
                         target))
        if not scale.is_emulated:
            found.append(Row(bench, f"by hand, {problem.name()}, 1 over {devices}", "us", hand(problem, 1),
                             hand(problem, devices)))
    return found


def problem_section(scale, problem, counts, targets):
    rows = [row(scale, "jacobi3d", series(problem, *case), "us", series(problem, *case), hand(problem, case[0]))
            for case in cases(counts)]
    for devices in counts:
        target = targets.get((problem.name(), "jacobi3d")) if devices == counts[-1] else None
        rows.append(row(scale, "jacobi3d", best(problem, devices), "us", best(problem, devices),
                        hand(problem, devices), target))
    return Section(problem.name(),
                   (*floors_of(scale, problem, counts), *(jacobi3d(scale, problem, *case) for case in cases(counts)),
                    best_cuts(problem, counts)),
                   tuple(rows + efficiency_rows(scale, problem, counts, targets)), pause_s=0)


def planes_section(scale, problem, counts):
    """What communication takes when nothing is computed beside it."""
    rows = [row(scale, "planes", f"planes of {series(problem, *case)}", "us", f"planes of {series(problem, *case)}",
                hand(problem, case[0], "planes")) for case in cases(counts[1:])]
    return Section(f"planes of {problem.name()}",
                   (*floors_of(scale, problem, counts[1:]),
                    *(planes_only(scale, problem, *case) for case in cases(counts[1:]))),
                   tuple(rows), most_rounds=1, pause_s=0)


TARGETS = {("256^3 a device", "efficiency"): Target("ratio", 0.95, at_most=False),
           ("1024^3 a device", "efficiency"): Target("ratio", 0.97, at_most=False),
           ("512^3 in all", "jacobi3d"): Target("ratio", 1.10)}


def all_sections(scale, counts):
    """`counts`: of devices, from 1 on."""
    problems = [Problem(is_weak, edge) for is_weak, edge in scale.problems]
    return (*(problem_section(scale, problem, counts, TARGETS) for problem in problems),
            *(planes_section(scale, problem, counts) for problem in problems if len(counts) > 1))
