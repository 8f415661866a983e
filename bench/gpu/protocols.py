# SPDX-License-Identifier: Apache-2.0
"""Which protocol UCX took for a payload in device memory. With UCX_PROTO_INFO=used in its environment, a program prints
at its end, for each kind of operation that it started, a table of sizes and protocols, with how often each was used."""

import re
from dataclasses import dataclass

from naming import size_name

WATCHED = {"UCX_PROTO_INFO": "used"}
CARRIER = "cuda_ipc"

LINE = re.compile(r"\[[\d.]+\] \[([^\]]*)\]\s+\|(.*)\|\s*$")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


@dataclass(frozen=True)
class Use:
    title: str  # as 'tagged message by ucp_tag_send* from cuda/GPU0'
    least: int  # bytes
    most: float
    description: str
    carrier: str  # as 'cuda_ipc/cuda'

    def holds(self, size):
        return self.least <= size <= self.most

    def is_announcement(self):
        """The receiver fetches, or the sender writes; which one of them, and how, is in a table of its own."""
        return "rendezvous" in self.description and not self.is_transfer()

    def is_transfer(self):
        return self.title.startswith("rendezvous data")

    def text(self):
        return f"{self.description.removeprefix('(?) ')}, {self.carrier}"


def bytes_of(text):
    if text == "inf":
        return float("inf")
    number, unit = re.fullmatch(r"(\d+)([KMGT]?)", text).groups()
    return int(number) * UNITS[unit]


def use_of(title, cells):
    """None when it was never used, or when the line is the head of a table."""
    count, sizes, description, carrier = cells
    if not count.isdigit() or int(count) == 0:
        return None
    ends = sizes.split("..")
    return Use(title, bytes_of(ends[0]), bytes_of(ends[-1]), description, carrier)


def uses_in(output):
    """Of all processes, whose lines may be mixed."""
    titles, uses = {}, []
    for process, line in matches(output):
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 1:
            titles[process] = cells[0]  # the last of the head's lines
        elif len(cells) == 4:
            uses.append(use_of(titles.get(process, ""), cells))
    return [use for use in uses if use]


def matches(output):
    found = (LINE.match(line) for line in output.splitlines())
    return [match.groups() for match in found if match]


def of_device_memory(uses):
    return [use for use in uses if re.search(r"\bcuda\b", use.title)]


def protocol_of(size, uses):
    """In words; None when no table tells. `uses` of device memory."""
    fitting = [use for use in uses if use.holds(size)]
    sent = [use for use in fitting if not use.is_transfer()]
    if any(use.is_announcement() for use in sent):
        # What the sender announced is an estimate where the receiver's table says what it did.
        sent = [use for use in fitting if use.is_transfer()] or sent
    return "; ".join(sorted({use.text() for use in sent})) or None


def series(where, size):
    """What a round calls it."""
    return f"{where} protocol {size_name(size)}"


def protocols_in(output, sizes, where):
    """For a round, by series."""
    uses = of_device_memory(uses_in(output))
    found = {size: protocol_of(size, uses) for size in sizes}
    return {series(where, size): protocol or "unknown" for size, protocol in found.items()}


def recorded(all_rounds, sizes, where):
    """All protocols that rounds saw, of each size that one saw."""
    seen = [measured for rounds in all_rounds for measured in rounds.rounds]
    by_size = {size: {measured[series(where, size)] for measured in seen if series(where, size) in measured}
               for size in sizes}
    return {size: sorted(protocols) for size, protocols in by_size.items() if protocols}


def is_right(protocol):
    """From device to device, whatever the size: rows say so, and Kaon is compared with UCX on the same way. Some messages
    of a size may have gone another way than the rest."""
    return all(CARRIER in way for way in protocol.split("; "))


def wrong(where, by_size):
    """A sentence for each size whose payloads did not take the way that its rows are about."""
    return [f"{where}, {size_name(size)}: UCX took '{protocol}', not {CARRIER}"
            for size, protocols in by_size.items() for protocol in protocols if not is_right(protocol)]
