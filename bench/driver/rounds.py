# SPDX-License-Identifier: Apache-2.0
"""Measurements of several rounds. Only values of one round are compared with each other, because the machine changes
its speed between rounds: a ratio is the median of the rounds' ratios, not the ratio of two medians."""

from dataclasses import dataclass
from math import comb
from statistics import median

CONFIDENCE = 0.9


def rank_of_bound(count):
    """How far from the ends of so many sorted values an interval may begin that holds the true median, with the
    confidence above whatever their distribution: 0 is the end itself, which with few values is not enough either."""
    outside, rank = 0.0, 0
    while rank < (count - 1) // 2:
        outside += 2 * comb(count, rank) / 2 ** count
        if outside + 2 * comb(count, rank + 1) / 2 ** count > 1 - CONFIDENCE:
            break
        rank += 1
    return rank


@dataclass(frozen=True)
class Spread:
    median: float
    least: float
    most: float
    count: int
    low: float  # the true median is between these two, most probably
    high: float

    @staticmethod
    def of(values):
        """None when there is no value."""
        values = sorted(values)
        if not values:
            return None
        rank = rank_of_bound(len(values))
        return Spread(median(values), values[0], values[-1], len(values), values[rank], values[-1 - rank])


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

    def names(self, series):
        """The texts of a series, those seen most often first, each with how often."""
        seen = [measured[series] for measured in self.rounds if series in measured]
        return sorted(((name, seen.count(name)) for name in set(seen)), key=lambda pair: (-pair[1], pair[0]))

    def _pairs(self, series, floor):
        return [(measured[series], measured[floor]) for measured in self.rounds
                if series in measured and floor in measured]

    def ratio(self, series, floor):
        return Spread.of(value / base for value, base in self._pairs(series, floor) if base != 0)

    def difference(self, series, floor):
        return Spread.of(value - base for value, base in self._pairs(series, floor))
