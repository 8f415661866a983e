# SPDX-License-Identifier: Apache-2.0
"""All that `./dev bench ampi` measures, on two cores. A section is a group of contenders that take turns."""

from dataclasses import dataclass

from contenders import PLACES, heat, measuring, memory_in_process, start
from naming import size_name
from rows import Row, Target
from section import Section

SIZES = (8, 512, 4096, 32 << 10, 256 << 10, 1 << 20, 4 << 20)  # those of programs/messages.c
WINDOW_SIZES = (8, 4096, 1 << 20)  # those of programs/windows.c
COLLECTIVES = ("barrier", "broadcast 8 B", "broadcast 64 KiB", "allreduce 8 B", "allreduce 64 KiB", "alltoall 8 B")
COUNTS = (2, 64, 256, 1024)
SLOW_S = 20  # that ranks of other MPIs get, who take cores from each other
TWO_PES, TWO_PROCESSES, ONE_PE = PLACES["two PEs"], PLACES["two processes"], PLACES["one PE"]


@dataclass(frozen=True)
class Extent:
    """How much is measured."""
    milliseconds: float = 40  # of each case
    counts: tuple = COUNTS  # of ranks in collectives
    cells: int = 1024
    steps: int = 200


QUICK = Extent(milliseconds=12, counts=(2, 64, 256), cells=512, steps=150)


def beside(others, bench, case, unit, series, series_of, target=None):
    """A row with the first of the other MPIs as its floor, and one for each more. Ratios are judged by Open MPI's."""
    if not others:
        return (Row(bench, case, unit, series, target=target if target and target.of == "value" else None),)
    rows = []
    for i, other in enumerate(others):
        is_judged = target and (other.name == "Open MPI" if target.of == "ratio" else i == 0)
        rows.append(Row(bench, f"{case} over {other.name}", unit, series, series_of(other),
                        target if is_judged else None))
    return tuple(rows)


def messages(kaon, others, extent):
    latency = {("one PE", 8): Target("value", 0.08), ("two PEs", 8): Target("value", 0.25, near=True),
               ("two processes", 8): Target("ratio", 1.5), ("two processes", 1 << 20): Target("ratio", 1.0)}
    rows = []
    for place in PLACES:
        cases = [("latency", size, "us", latency.get((place, size))) for size in SIZES]
        cases += [("bandwidth", size, "GB/s", None) for size in SIZES if size > 512] + [("rate", 8, "M/s", None)]
        for bench, size, unit, target in cases:
            series = f"{bench} {size_name(size)}"
            if place == "two processes":
                rows += beside(others, bench, f"{place} {size_name(size)}", unit, f"{place} {series}",
                               lambda other, name=series: f"{other.name} {name}", target)
            else:
                rows.append(Row(bench, f"{place} {size_name(size)}", unit, f"{place} {series}", target=target))
    run = [measuring(kaon, place, "messages", extent.milliseconds, ranks=2, options=options)
           for place, options in PLACES.items()]
    run += [measuring(other, other.name, "messages", extent.milliseconds, ranks=2) for other in others]
    return Section("messages", tuple(run), tuple(rows))


def windows(kaon, others, extent):
    """One-sided operations with their flush, in memory that a program brought and that MPI allocated."""
    limits = {"one PE": Target("value", 0.06), "two PEs": Target("value", 0.3), "two processes": Target("ratio", 1.2)}
    cases = [(memory, f"{kind} {size_name(size)}", size) for memory in ("own", "allocated")
             for kind, sizes in (("put", WINDOW_SIZES), ("get", WINDOW_SIZES), ("add", (8,))) for size in sizes]
    rows = []
    for place in PLACES:
        for memory, case, size in cases:
            target = limits[place] if (memory, case, size) == ("allocated", "put 8 B", 8) else None
            compared = others if place == "two processes" else ()
            rows += beside(compared, "one-sided", f"{place} {case}, {memory} memory", "us", f"{place} {memory} {case}",
                           lambda other, name=f"{memory} {case}": f"{other.name} {name}", target)
    run = [measuring(kaon, place, "windows", extent.milliseconds, ranks=2, options=options)
           for place, options in PLACES.items()]
    run += [measuring(other, other.name, "windows", extent.milliseconds, ranks=2) for other in others]
    return Section("one-sided communication", tuple(run), tuple(rows))


def of_collectives(kaon, others, extent, counts, **more):
    limits = {("barrier", 2): 0.5, ("barrier", 64): 4, ("barrier", 256): 14,
              ("allreduce 8 B", 2): 0.6, ("allreduce 8 B", 256): 16}
    run, rows = [], []
    for count in counts:
        compared = tuple(other for other in others if count <= other.most_ranks)
        for where, options in (("two PEs", TWO_PES), ("two processes", TWO_PROCESSES)):
            prefix = f"{count} ranks on {where}"
            run.append(measuring(kaon, prefix, "collectives", extent.milliseconds, ranks=count, options=options))
            for case in COLLECTIVES:
                limit = limits.get((case, count)) if where == "two PEs" else None
                rows += beside(compared, case, prefix, "us", f"{prefix} {case}",
                               lambda other, name=case, ranks=count: f"{other.name} {ranks} {name}",
                               Target("value", limit, near=True) if limit else None)
        run += [measuring(other, f"{other.name} {count}", "collectives", extent.milliseconds, ranks=count,
                          seconds=SLOW_S) for other in compared]
    return Section(f"collectives of {counts[0]}{' and more' if len(counts) > 1 else ''} ranks", tuple(run), tuple(rows),
                   **more)


def collectives(kaon, others, extent):
    """Two, and more than cores, which are slow with MPIs that spin: fewer rounds."""
    return (of_collectives(kaon, others, extent, extent.counts[:1]),
            of_collectives(kaon, others, extent, extent.counts[1:], most_rounds=3))


def yields(kaon, extent):
    limits = {2: 35, 1000: 60}
    run = [measuring(kaon, f"{count} ranks", "ranks", "yield", extent.milliseconds, ranks=count, options=ONE_PE)
           for count in limits]
    rows = [Row("yield", f"{count} ranks on one PE", "ns", f"{count} ranks yield", target=Target("value", limit))
            for count, limit in limits.items()]
    rows += [Row("yield", f"{count} ranks on one PE, a probe in vain", "ns", f"{count} ranks look") for count in limits]
    return Section("ranks of one PE in turn", tuple(run), tuple(rows))


def memory(kaon, others):
    run = (memory_in_process(kaon, "shared globals", 1000, (*ONE_PE, "--share-globals")),
           memory_in_process(kaon, "own globals", 1000, ONE_PE),
           *(measuring(other, other.name, "ranks", "memory", ranks=2) for other in others))
    shared = Row("memory", "an empty rank, globals shared", "B", "shared globals memory",
                 target=Target("value", 12_000, any_round=True))
    rows = beside(others, "memory", "an empty rank", "B", "own globals memory", lambda other: f"{other.name} memory")
    return Section("memory of a rank", run, (shared, *rows), most_rounds=2)


def starts(kaon, others):
    run = (start(kaon, "2 ranks", 2, TWO_PROCESSES), start(kaon, "1024 ranks", 1024, TWO_PROCESSES),
           *(start(other, other.name, 2) for other in others))
    two = beside(others, "start", "2 processes to MPI_Init returned", "s", "2 ranks start",
                 lambda other: f"{other.name} start", Target("value", 0.08))
    return Section("start", run, (*two, Row("start", "1024 ranks on 2 processes to MPI_Init returned", "s",
                                            "1024 ranks start", target=Target("value", 0.4))))


def stencil(kaon, others, extent):
    """One rank a core, and four. The floor is the other MPI at one a core: nobody would start it with more."""
    cases = [(f"{each} a core, {where}", 2 * each, options, limit) for each, limit in ((1, 1.05), (4, 1.0))
             for where, options in (("two PEs", TWO_PES), ("two processes", TWO_PROCESSES))]
    run = [heat(kaon, case, ranks, extent.cells, extent.steps, options) for case, ranks, options, _ in cases]
    run += [heat(other, other.name, 2, extent.cells, extent.steps) for other in others]
    rows = [row for case, _, _, limit in cases
            for row in beside(others, "stencil", f"{extent.cells}^2, {case}", "ms", f"{case} heat",
                              lambda other: f"{other.name} heat", Target("ratio", limit))]
    return Section("stencil", tuple(run), tuple(rows))


def all_sections(kaon, others, extent=Extent()):
    """`others`: those of the other MPIs that are there, Open MPI first."""
    return (messages(kaon, others, extent), windows(kaon, others, extent), *collectives(kaon, others, extent),
            yields(kaon, extent), memory(kaon, others), starts(kaon, others), stencil(kaon, others, extent))
