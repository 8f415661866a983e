# SPDX-License-Identifier: Apache-2.0
"""All that `./dev bench host` measures. A section is a group of contenders that take turns."""

import contenders as by
from balancing_sections import balancing
from bulk_sections import arguments_over_payloads, bulk_threads, bulk_two_processes
from crowded_sections import crowded_sections
from messages import PLACES, idle_rows, latency_rows, pingpong, rate_rows
from naming import size_name
from rows import Row, Target
from section import Section

SIZES = (8, 1024, 65536, 1 << 20, 4 << 20)
def open_mpi_rows():
    """Beside a program of another kind, whose messages are matched and whose receives are posted."""
    return (Row("latency", "two processes 8 B over Open MPI", "us", "two processes 8 B", "Open MPI 8 B",
                Target("ratio", 1.2, far=True)),
            Row("latency", "Open MPI 8 B over raw UCX", "us", "Open MPI 8 B", "raw 8 B"),
            Row("latency", "Open MPI 1 KiB", "us", "Open MPI 1 KiB"))


def two_processes(open_mpi):
    targets = {"8 B": Target("difference", 0.12, near=True), "1 KiB argument": Target("difference", 0.15),
               "64 KiB payload": Target("ratio", 1.2), "64 KiB payload into a landing": Target("ratio", 1.2),
               "1 MiB payload": Target("ratio", 1.1), "1 MiB payload into a landing": Target("ratio", 1.1)}
    peers = (open_mpi.measuring("latency", 8, 1024),) if open_mpi else ()
    return Section("latency between two processes",
                   (by.raw_ucx(SIZES, 0), pingpong("two processes", SIZES, processes=2), *peers),
                   (*latency_rows("two processes", SIZES, True, targets),
                    Row("latency", "two processes 8 B, far cores", "us", "two processes 8 B", "raw 8 B",
                        Target("difference", 0.15, far=True)),
                    *arguments_over_payloads("two processes"), *(open_mpi_rows() if open_mpi else ())))


def one_process():
    same_process = latency_rows("same process", SIZES, targets={"8 B": Target("value", 0.20, near=True)})
    first = same_process[0]
    with_floor = Row(first.bench, first.case, first.unit, first.series, "plain word", first.target)
    return Section("latency in one process",
                   (by.plain("plain", "handoff", "--wake-ups", 0),
                    pingpong("same process", SIZES, "--pes", 2), pingpong("same PE", SIZES, "--pes", 1)),
                   (with_floor, *same_process[1:],
                    *latency_rows("same PE", SIZES, targets={"8 B": Target("value", 0.05)})))


def at_least(limit):
    return Target("value", limit, at_most=False)


def rate():
    return Section("message rate",
                   (by.raw_ucx((8,), 500_000), by.measuring("one PE", "rate", "--pes", 1),
                    by.measuring("two threads crossing", "rate", "--pes", 2),
                    by.measuring("two processes crossing", "rate", "--pes", 1, processes=2)),
                   (*rate_rows("one PE", targets=(at_least(20), at_least(15))), *rate_rows("two threads crossing"),
                    *rate_rows("two processes crossing", "raw rate", (at_least(8), None))))


def fine_grained():
    """Few messages at once, to elements that were not touched for long. Threads must not be slower than processes."""
    cases = (("walk", "walk of 64 tokens"), ("search", "breadth-first search"))
    found = []
    for program, case in cases:
        found += [Row(program, f"{where} {case}", "M/s", f"{where} {case}") for where in ("one PE", "two processes")]
        found.append(Row(program, f"two threads {case} over two processes", "M/s", f"two threads {case}",
                         f"two processes {case}", Target("ratio", 1.0, at_most=False)))
    return Section("walks and searches",
                   tuple(by.measuring(where, program, *arguments, processes=processes) for program, _ in cases
                         for where, arguments, processes in (("one PE", ("--pes", 1), 1), *PLACES)), tuple(found))


def grains():
    """Small messages to random elements, each caused by another: direct, and by an entry that aggregates them."""
    targets = {("two processes", "16 B direct"): 8, ("two processes", "16 B aggregated"): 25}
    places = (*PLACES, ("four processes of 2 PEs", ("--pes", 2), 4))
    cases = [f"{size} B {way}" for size in (1, 16, 256) for way in ("direct", "aggregated")]
    return Section("small messages to random elements",
                   tuple(by.measuring(where, "grains", *arguments, processes=processes)
                         for where, arguments, processes in places),
                   tuple(Row("grains", f"{where} {case}", "M/s", f"{where} {case}",
                             target=at_least(targets[where, case]) if (where, case) in targets else None)
                         for where, _, _ in places for case in cases))


def late_sends():
    """Of an entry that sends and works in turns, after many short ones: see bench/programs/spaced.cpp."""
    found = []
    for where, _, processes in PLACES:
        for size in (8, 65536):
            floor = f"raw {size_name(size)}" if processes > 1 else None
            target = Target("difference" if floor and size > 8 else "value", 3)
            for work_us in (1000, 100):
                for to in ("", " to a PE that is awake"):
                    for which in ("median", "first"):
                        case = f"{where} {size_name(size)} every {work_us} us{to}, {which}"
                        found.append(Row("late sends", case, "us", case, floor, target))
    return Section("sends of a long entry", (by.raw_ucx((8, 65536), 0), *(
        by.measuring(where, "spaced", *arguments, "--sizes", "8,65536", processes=processes)
        for where, arguments, processes in PLACES)), tuple(found))


def elements():
    places = (("one PE", ("--pes", 1), 1), *PLACES)
    return Section("elements",
                   tuple(by.measuring(where, program, *arguments, processes=processes)
                         for where, arguments, processes in places for program in ("elements", "broadcast")) +
                   tuple(by.measuring(where, "broadcast", *arguments, "--elements", 2, processes=processes)
                         for where, arguments, processes in PLACES),
                   (Row("memory", "one PE empty element", "B", "one PE 100000 empty elements",
                        target=Target("value", 200, any_round=True)),
                    *(Row("creation", f"{where} 100000 elements, each", "ns", f"{where} 100000 elements made, each")
                      for where, _, _ in places),
                    Row("broadcast", "one PE 100000 elements and reduction, each", "ns", "one PE 100000 elements",
                        target=Target("value", 40)),
                    *(Row("broadcast", f"{where} {count} elements and reduction, each", "ns",
                          f"{where} {count} elements") for where, _, _ in PLACES for count in (100_000, 2))))


def objects():
    """Chares that come and go, and a search that is made of them."""
    places = (("one PE", ("--pes", 1), 1), *PLACES)
    times = {"single chares one after the other": 150, "single chares, many on the same PE": None,
             "single chares, many on the last PE": None, "elements inserted and deleted": 300, "elements inserted": None,
             "elements of a destroyed array": None, "arrays of 100 elements made": None,
             "arrays of 100 elements destroyed": None}
    def row(where, case, target):
        return Row("objects", f"{where} {case}, each", "ns", f"{where} {case}", target=target and Target("value", target))
    found = [row(where, case, target if where == "one PE" else None)
             for where, _, _ in places for case, target in times.items()]
    found.append(Row("objects", "two processes single chares made from another, each", "ns",
                     "two processes single chares, many on the last PE", target=Target("value", 500)))
    found.append(Row("memory", "one PE empty sparse element", "B", "one PE empty sparse element",
                     target=Target("value", 96, any_round=True)))
    found += [Row("sections", f"{where} {case}", "ns", f"{where} {case}", target=target and Target("value", target))
              for where, _, _ in places
              for case, target in (("a section made, each member", None), ("a section reached, each member", 30),
                                   ("a section reduces, each member", None), ("an array reached, each element", None),
                                   ("the same section, where elements have moved", None),
                                   ("the same array, where elements have moved", None))]
    for where, _, _ in PLACES:
        found.append(Row("tree search", f"{where} of ideal", "x", f"{where} search by chares, of ideal",
                         target=at_least(0.9)))
        found.append(Row("tree search", f"{where} OpenMP tasks of ideal", "x",
                         f"{where} search by OpenMP tasks, of ideal"))
    return Section("objects that come and go",
                   tuple(by.measuring(where, program, *arguments, processes=processes)
                         for where, arguments, processes in places for program in ("dynamic", "sections")) +
                   tuple(by.measuring(where, "tree_search", *arguments, processes=processes)
                         for where, arguments, processes in PLACES), tuple(found))


def jacobi():
    iterations = 40
    ours = lambda where, *arguments, processes=1: by.jacobi3d(  # noqa: E731
        where, 256, 4, iterations, *arguments, processes=processes)
    row = lambda where, threads, target=None: Row(  # noqa: E731
        "jacobi3d", f"256 64 {where}", "ms", where, f"openmp {threads}", target, floor_name=f"openmp {threads} program")
    return Section("jacobi3d",
                   (by.triad(2), by.OpenmpJacobi(256, iterations, 2), ours("two processes", "--pes", 1, processes=2),
                    ours("two threads", "--pes", 2), by.OpenmpJacobi(256, iterations, 1), ours("one PE", "--pes", 1)),
                   (Row("triad", "two threads", "GB/s", "triad"),
                    row("two processes", 2, Target("ratio", 1.08)), row("two threads", 2, Target("ratio", 1.06)),
                    row("one PE", 1)),
                   pause_s=0.4)


def asleep():
    """How late a PE is that sleeps, and what of a core it takes meanwhile: a PE that never slept would be early."""
    return Section("PEs that sleep",
                   (by.plain("plain", "handoff", "--milliseconds", 0),
                    *(by.measuring(where, "wakeup", *arguments, processes=processes)
                      for where, arguments, processes in PLACES),
                    *(by.idle(where, 5, *arguments, processes=processes) for where, arguments, processes in PLACES)),
                   (*(Row("wake-up", where, "us", f"{where} wake-up",
                          "plain wake-up" if processes > 1 else "plain wake-up by a word", Target("value", 12))
                      for where, _, processes in PLACES),
                    *(row for where, _, _ in PLACES for row in idle_rows(where))), most_rounds=5)


def flood():
    limit = Target("value", 8, any_round=True)
    return Section("flood of a slow receiver",
                   tuple(by.measuring(where, "flood", *arguments, processes=processes)
                         for where, arguments, processes in PLACES),
                   (Row("flood", "two threads, memory of the process", "MiB", "two threads receiver grows",
                        target=limit),
                    *(Row("flood", f"two processes, memory of the {end}", "MiB", f"two processes {end} grows",
                          target=limit) for end in ("receiver", "sender")),
                    *(Row("flood", f"{where}, time over the receiver's work", "x",
                          f"{where} time over the work alone") for where, _, _ in PLACES)), most_rounds=3)


def footprint():
    return Section("memory of PEs that do nothing",
                   (by.raw_peers(48), by.measuring("8 processes of 8 PEs", "footprint", "--pes", 8, processes=8)),
                   (Row("memory", "a PE in /dev/shm", "MB", "8 processes of 8 PEs shared memory",
                        target=Target("value", 1.2, any_round=True)),
                    Row("memory", "a contacted, silent peer", "B", "8 processes of 8 PEs peer", "raw peer",
                        Target("difference", 256, any_round=True))), most_rounds=3)


def start():
    counts = ((2, None), (8, 0.06), (64, 0.30))
    return Section("start to end of hello",
                   tuple(contender for count, _ in counts for contender in (by.hello(count), by.hello_alone(count))),
                   tuple(Row("start", f"hello, {count} processes", "s", f"hello {count}", f"hello alone {count}",
                             Target("value", limit) if limit else None) for count, limit in counts), most_rounds=5)


def all_sections(open_mpi=None):
    """`open_mpi`: see open_mpi.py; None: without it."""
    return (two_processes(open_mpi), one_process(), bulk_two_processes(open_mpi), bulk_threads(), rate(),
            fine_grained(), grains(), late_sends(), elements(), objects(), balancing(), jacobi(), asleep(), flood(),
            footprint(), start(),
            *crowded_sections())
