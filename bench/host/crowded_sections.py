# SPDX-License-Identifier: Apache-2.0
"""More PEs than cores."""

import contenders as by
from messages import idle_rows, latency_rows, pingpong, rate_rows
from rows import Row
from section import Section

SIZES = (1024, 65536)


def places():
    """4 PEs on 2 cores: (name, arguments, processes)."""
    return (("4 PEs threads", ("--pes", 4), 1), ("4 PEs two processes", ("--pes", 2), 2))


def messages():
    contenders, rows = [], []
    for where, arguments, processes in places():
        contenders += [pingpong(where, SIZES, *arguments, processes=processes),
                       by.measuring(where, "rate", *arguments, processes=processes)]
        rows += [*latency_rows(where, SIZES), *rate_rows(where)]
    return Section("messages, 4 PEs on 2 cores", tuple(contenders), tuple(rows))


def elements():
    contenders, rows = [], []
    for where, arguments, processes in places():
        contenders += [by.measuring(where, program, *arguments, processes=processes)
                       for program in ("elements", "broadcast", "wakeup")]
        rows += [Row("memory", f"{where} empty element", "B", f"{where} 100000 empty elements"),
                 Row("broadcast", f"{where} 100000 elements and reduction, each", "ns", f"{where} 100000 elements"),
                 Row("wake-up", where, "us", f"{where} wake-up")]
    return Section("elements, 4 PEs on 2 cores", tuple(contenders), tuple(rows))


def jacobi():
    contenders, rows = [by.OpenmpJacobi(256, 40, 2)], []
    for where, arguments, processes in places():
        contenders.append(by.jacobi3d(where, 256, 4, 40, *arguments, processes=processes))
        rows.append(Row("jacobi3d", f"256 64 {where}", "ms", where, "openmp 2", floor_name="openmp 2 program"))
    return Section("jacobi3d, 4 PEs on 2 cores", tuple(contenders), tuple(rows), pause_s=0.4)


def idle():
    contenders = tuple(by.idle(where, 5, *arguments, processes=processes) for where, arguments, processes in places())
    return Section("processor time of 4 PEs that wait", contenders,
                   tuple(row for where, _, _ in places() for row in idle_rows(where)), most_rounds=2)


def crowded_sections():
    return (messages(), elements(), jacobi(), idle())
