# SPDX-License-Identifier: Apache-2.0
"""A group of contenders that take turns, and the rows that come of what they measure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """A contender is a function of (programs, seen): values by the name of their series. `seen` is what others have
    measured in the same round."""
    name: str
    contenders: tuple
    rows: tuple
    most_rounds: int = 100
    pause_s: float = 0.2  # after each contender: the host slows down who uses both cores for long

    def benches(self):
        return list(dict.fromkeys(row.bench for row in self.rows))

    def is_meant(self, text):
        return text in self.name or text in self.benches()
