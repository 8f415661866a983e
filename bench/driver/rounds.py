# SPDX-License-Identifier: Apache-2.0
"""Measurements of several rounds. Only values of one round are compared with each other, because the machine changes
its speed between rounds: a ratio is the median of the rounds' ratios, not the ratio of two medians."""

from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Spread:
    median: float
    least: float
    most: float
    count: int

    @staticmethod
    def of(values):
        """None when there is no value."""
        values = list(values)
        return Spread(median(values), min(values), max(values), len(values)) if values else None


class Rounds:
    """What each round measured, by name of the series. A round may lack a series: a program failed in it."""

    def __init__(self):
        self.rounds = []

    def add(self, measured):
        self.rounds.append(dict(measured))

    def only(self, wanted):
        """The rounds for which `wanted` holds."""
        chosen = Rounds()
        chosen.rounds = [measured for measured in self.rounds if wanted(measured)]
        return chosen

    def spread(self, series):
        return Spread.of(measured[series] for measured in self.rounds if series in measured)

    def _pairs(self, series, floor):
        return [(measured[series], measured[floor]) for measured in self.rounds
                if series in measured and floor in measured]

    def ratio(self, series, floor):
        return Spread.of(value / base for value, base in self._pairs(series, floor) if base != 0)

    def difference(self, series, floor):
        return Spread.of(value - base for value, base in self._pairs(series, floor))
