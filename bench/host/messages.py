# SPDX-License-Identifier: Apache-2.0
"""Contenders and rows that several groups of sections have in common."""

import contenders as by
from naming import size_name
from rows import Row, Target

KINDS = ("argument", "payload", "payload into a landing")
PLACES = (("two threads", ("--pes", 2), 1), ("two processes", ("--pes", 1), 2))  # (name, arguments, processes)


def pingpong(prefix, sizes, *arguments, processes=1):
    sizes = ",".join(map(str, sizes))
    return by.measuring(prefix, "pingpong", *arguments, "--sizes", sizes, processes=processes)


def latency_rows(where, sizes, floors=False, targets=None):
    """One for 8 bytes in an integer, then one for each size and kind."""
    targets = targets or {}
    cases = [("8 B", 8)] + [(f"{size_name(size)} {kind}", size) for size in sizes for kind in KINDS]
    return tuple(Row("latency", f"{where} {case}", "us", f"{where} {case}",
                     f"raw {size_name(size)}" if floors else None, targets.get(case)) for case, size in cases)


def rate_rows(where, floor=None, targets=()):
    targets = targets or (None, None)
    return tuple(Row("rate", f"{where} {count} elements", "M/s", f"{where} {count} elements", floor, target)
                 for count, target in zip((1000, 100_000), targets))


def idle_rows(where):
    return (Row("idle", f"{where} whole run of 5 s", "% of a core", f"{where} whole run",
                target=Target("value", 2, any_round=True)),
            Row("idle", f"{where} waiting", "% of a core", f"{where} waiting"))
