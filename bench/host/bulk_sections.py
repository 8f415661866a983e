# SPDX-License-Identifier: Apache-2.0
"""Bulk data in two patterns, each beside a floor of the same pattern: buffers that nobody touches, as in benchmarks, and
what arrived modified and sent on, as in programs. See bench/programs/exchange.cpp."""

import contenders as by
from naming import size_name
from rows import Row, Target
from section import Section

SIZES = (65536, 1 << 20, 4 << 20)
WINDOW = 8  # balls of each end, both ways
PATTERNS = ("fixed", "handed on")


def arguments_over_payloads(where, sizes=(65536, 1 << 20)):
    """A vector as an argument, beside the same bytes in a payload."""
    return tuple(Row("argument", f"{where} {size_name(size)} argument over a payload", "us",
                     f"{where} {size_name(size)} argument", f"{where} {size_name(size)} payload",
                     Target("ratio", 1.3) if size == 1 << 20 else None) for size in sizes)


def exchange(where, *arguments, processes=1):
    return by.measuring(where, "exchange", *arguments, "--sizes", ",".join(map(str, SIZES)), "--window", WINDOW,
                        processes=processes)


def limit(kind, way, size):
    """Payloads are held to their floors, arguments to payloads."""
    if kind != "payload":
        return None
    if way == "both ways":
        return Target("ratio", 0.9, at_most=False)
    return Target("ratio", {65536: 1.2, 1 << 20: 1.1}[size]) if size < 4 << 20 else None


def pattern_rows(where, floor, has_floor=lambda pattern: True):
    """`floor`: the prefix of its series."""
    found = []
    for way, unit in (("one ball", "us"), ("both ways", "GB/s")):
        for pattern in PATTERNS:
            for size in SIZES:
                for kind in ("payload", "argument"):
                    case = f"{way} {pattern} {size_name(size)}"
                    base = f"{floor} {case}" if has_floor(pattern) else None
                    found.append(Row("bulk", f"{where} {case} {kind}", unit, f"{where} {case} {kind}", base,
                                     limit(kind, way, size) if base else None))
    return tuple(found)


def over_payloads(where):
    ball = f"{where} one ball handed on 1 MiB"
    return (Row("argument", f"{ball} argument over a payload", "us", f"{ball} argument", f"{ball} payload",
                Target("ratio", 1.3)),)


def open_mpi_rows():
    return tuple(Row("bulk", f"Open MPI {way} {pattern} {size_name(size)}", unit,
                     f"Open MPI {way} {pattern} {size_name(size)}", f"raw {way} {pattern} {size_name(size)}")
                 for way, unit in (("one ball", "us"), ("both ways", "GB/s")) for pattern in PATTERNS
                 for size in SIZES)


def bulk_two_processes(open_mpi):
    peers = (open_mpi.measuring("balls", WINDOW, *SIZES),) if open_mpi else ()
    return Section("bulk data between two processes",
                   (by.raw_patterns(SIZES, WINDOW, 25), exchange("two processes", "--pes", 1, processes=2), *peers),
                   (*pattern_rows("two processes", "raw"), *over_payloads("two processes"),
                    *(open_mpi_rows() if open_mpi else ())))


def bulk_threads():
    """What nobody touches is not moved either: only what is modified has a floor, a buffer that two threads share."""
    sizes = ",".join(map(str, SIZES))
    return Section("bulk data between two threads",
                   (by.plain("plain", "handoff", "--balls", sizes, "--window", WINDOW, "--milliseconds", 25),
                    exchange("two threads", "--pes", 2)),
                   pattern_rows("two threads", "plain", lambda pattern: pattern == "handed on"))
