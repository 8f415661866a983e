# SPDX-License-Identifier: Apache-2.0
"""All that `./dev bench host` measures. A section is a group of contenders that take turns."""

import contenders as by
from naming import size_name
from rows import Row, Target
from section import Section

SIZES = (8, 1024, 65536, 1 << 20, 4 << 20)
CROWDED_SIZES = (1024, 65536)
KINDS = ("argument", "payload", "payload into a landing")


def pingpong(prefix, sizes, *arguments, processes=1):
    sizes = ",".join(map(str, sizes))
    return by.measuring(prefix, "pingpong", *arguments, "--sizes", sizes, processes=processes)


def latency_rows(where, sizes, floors=False, targets=None):
    """One for 8 bytes in an integer, then one for each size and kind."""
    targets = targets or {}
    cases = [("8 B", 8)] + [(f"{size_name(size)} {kind}", size) for size in sizes for kind in KINDS]
    return tuple(Row("latency", f"{where} {case}", "us", f"{where} {case}",
                     f"raw {size_name(size)}" if floors else None, targets.get(case)) for case, size in cases)


def two_processes():
    targets = {"8 B": Target("difference", 0.12), "1 KiB argument": Target("difference", 0.15),
               "64 KiB payload": Target("ratio", 1.2), "64 KiB payload into a landing": Target("ratio", 1.2),
               "1 MiB payload": Target("ratio", 1.1), "1 MiB payload into a landing": Target("ratio", 1.1)}
    return Section("latency between two processes",
                   (by.raw_ucx(SIZES, 0), pingpong("two processes", SIZES, processes=2)),
                   latency_rows("two processes", SIZES, True, targets))


def one_process():
    same_process = latency_rows("same process", SIZES, targets={"8 B": Target("value", 0.20, near=True)})
    first = same_process[0]
    with_floor = Row(first.bench, first.case, first.unit, first.series, "plain word", first.target)
    return Section("latency in one process",
                   (by.measuring("plain", "handoff", "--wake-ups", 0),
                    pingpong("same process", SIZES, "--pes", 2), pingpong("same PE", SIZES, "--pes", 1)),
                   (with_floor, *same_process[1:],
                    *latency_rows("same PE", SIZES, targets={"8 B": Target("value", 0.05)})))


def rate_rows(where, floor=None, targets=()):
    targets = targets or (None, None)
    return tuple(Row("rate", f"{where} {count} elements", "M/s", f"{where} {count} elements", floor, target)
                 for count, target in zip((1000, 100_000), targets))


def rate():
    at_least = lambda limit: Target("value", limit, at_most=False)  # noqa: E731
    return Section("message rate",
                   (by.raw_ucx((8,), 500_000), by.measuring("one PE", "rate", "--pes", 1),
                    by.measuring("two threads crossing", "rate", "--pes", 2),
                    by.measuring("two processes crossing", "rate", "--pes", 1, processes=2)),
                   (*rate_rows("one PE", targets=(at_least(20), at_least(15))), *rate_rows("two threads crossing"),
                    *rate_rows("two processes crossing", "raw rate", (at_least(8), None))))


def elements():
    return Section("elements",
                   (by.measuring("one PE", "elements", "--pes", 1), by.measuring("one PE", "broadcast", "--pes", 1),
                    by.measuring("two threads", "broadcast", "--pes", 2),
                    by.measuring("two processes", "broadcast", "--pes", 1, processes=2)),
                   (Row("memory", "one PE empty element", "B", "one PE 100000 empty elements",
                        target=Target("value", 200, any_round=True)),
                    Row("broadcast", "one PE 100000 elements and reduction, each", "ns", "one PE 100000 elements",
                        target=Target("value", 40)),
                    *(Row("broadcast", f"{where} 100000 elements and reduction, each", "ns", f"{where} 100000 elements")
                      for where in ("two threads", "two processes"))))


def jacobi():
    iterations = 40
    ours = lambda where, *arguments, processes=1: by.jacobi3d(  # noqa: E731
        where, 256, 4, iterations, *arguments, processes=processes)
    target = Target("ratio", 1.08)
    return Section("jacobi3d",
                   (by.triad(2), by.openmp_jacobi(256, iterations, 2), ours("two processes", "--pes", 1, processes=2),
                    ours("two threads", "--pes", 2), by.openmp_jacobi(256, iterations, 1), ours("one PE", "--pes", 1)),
                   (Row("triad", "two threads", "GB/s", "triad"),
                    Row("jacobi3d", "256 64 two processes", "ms", "two processes", "openmp 2", target),
                    Row("jacobi3d", "256 64 two threads", "ms", "two threads", "openmp 2", target),
                    Row("jacobi3d", "256 64 one PE", "ms", "one PE", "openmp 1")),
                   pause_s=0.4)


def wake_up():
    return Section("wake-up of a PE that sleeps",
                   (by.measuring("plain", "handoff", "--milliseconds", 0),
                    by.measuring("two threads", "wakeup", "--pes", 2),
                    by.measuring("two processes", "wakeup", "--pes", 1, processes=2)),
                   tuple(Row("wake-up", where, "us", f"{where} wake-up", "plain wake-up")
                         for where in ("two threads", "two processes")))


def idle_rows(where):
    return (Row("idle", f"{where} whole run of 5 s", "% of a core", f"{where} whole run",
                target=Target("value", 2, any_round=True)),
            Row("idle", f"{where} waiting", "% of a core", f"{where} waiting"))


def idle():
    return Section("processor time of a program that waits",
                   (by.idle("two threads", 5, "--pes", 2), by.idle("two processes", 5, "--pes", 1, processes=2)),
                   (*idle_rows("two threads"), *idle_rows("two processes")), most_rounds=3)


def crowded_places():
    """4 PEs on 2 cores: (name, arguments, processes)."""
    return (("4 PEs threads", ("--pes", 4), 1), ("4 PEs two processes", ("--pes", 2), 2))


def crowded_messages():
    contenders, rows = [], []
    for where, arguments, processes in crowded_places():
        contenders += [pingpong(where, CROWDED_SIZES, *arguments, processes=processes),
                       by.measuring(where, "rate", *arguments, processes=processes)]
        rows += [*latency_rows(where, CROWDED_SIZES), *rate_rows(where)]
    return Section("messages, 4 PEs on 2 cores", tuple(contenders), tuple(rows))


def crowded_elements():
    contenders, rows = [], []
    for where, arguments, processes in crowded_places():
        contenders += [by.measuring(where, program, *arguments, processes=processes)
                       for program in ("elements", "broadcast", "wakeup")]
        rows += [Row("memory", f"{where} empty element", "B", f"{where} 100000 empty elements"),
                 Row("broadcast", f"{where} 100000 elements and reduction, each", "ns", f"{where} 100000 elements"),
                 Row("wake-up", where, "us", f"{where} wake-up")]
    return Section("elements, 4 PEs on 2 cores", tuple(contenders), tuple(rows))


def crowded_jacobi():
    contenders, rows = [by.openmp_jacobi(256, 40, 2)], []
    for where, arguments, processes in crowded_places():
        contenders.append(by.jacobi3d(where, 256, 4, 40, *arguments, processes=processes))
        rows.append(Row("jacobi3d", f"256 64 {where}", "ms", where, "openmp 2"))
    return Section("jacobi3d, 4 PEs on 2 cores", tuple(contenders), tuple(rows), pause_s=0.4)


def crowded_idle():
    contenders = tuple(by.idle(where, 5, *arguments, processes=processes)
                       for where, arguments, processes in crowded_places())
    return Section("processor time of 4 PEs that wait", contenders,
                   tuple(row for where, _, _ in crowded_places() for row in idle_rows(where)), most_rounds=2)


def all_sections():
    return (two_processes(), one_process(), rate(), elements(), jacobi(), wake_up(), idle(), crowded_messages(),
            crowded_elements(), crowded_jacobi(), crowded_idle())
