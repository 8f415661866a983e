# SPDX-License-Identifier: Apache-2.0
"""The message path in two minutes: many short rounds, for a look at a change or a comparison of two builds."""

import contenders as by
from messages import PLACES, latency_rows, pingpong
from rows import Row
from section import Section

SIZES = (1024, 65536)
EVERYWHERE = (("one PE", ("--pes", 1), 1), *PLACES)
SHORT = ("--milliseconds", 20)


def quick_sections():
    """Only options that the oldest builds know too."""
    contenders, rows = [], []
    for where, arguments, processes in EVERYWHERE:
        contenders += [pingpong(where, SIZES, *arguments, *SHORT, processes=processes),
                       by.measuring(where, "rate", *arguments, "--elements", 1000, "--milliseconds", 60,
                                    processes=processes),
                       by.measuring(where, "broadcast", *arguments, "--milliseconds", 60, processes=processes)]
        rows += [*latency_rows(where, SIZES), Row("rate", f"{where} 1000 elements", "M/s", f"{where} 1000 elements"),
                 Row("broadcast", f"{where} 100000 elements and reduction, each", "ns", f"{where} 100000 elements")]
    return (Section("message path", tuple(contenders), tuple(rows), most_rounds=1000, pause_s=0.02),)
