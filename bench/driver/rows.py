# SPDX-License-Identifier: Apache-2.0
"""A row of the result: a series of measurements, the floor it is compared with, and what it must reach."""

from dataclasses import dataclass
from typing import Optional

import placement
from rounds import Spread


@dataclass(frozen=True)
class Target:
    """`of` is 'value', 'ratio' or 'difference'; `at_most` turns into 'at least' when False. `near` counts only rounds
    in which the cores are near each other, `any_round` also those that other programs disturb: they change no memory
    and no processor time."""
    of: str
    limit: float
    at_most: bool = True
    near: bool = False
    any_round: bool = False

    def text(self):
        sign = "<=" if self.at_most else ">="
        amount = {"value": f"{self.limit:g}", "ratio": f"{self.limit:g} x", "difference": f"floor + {self.limit:g}"}
        return f"{sign} {amount[self.of]}{' near' if self.near else ''}"

    def is_reached(self, figure):
        return figure <= self.limit if self.at_most else figure >= self.limit


@dataclass(frozen=True)
class Row:
    bench: str
    case: str
    unit: str
    series: str
    floor: Optional[str] = None  # a series
    target: Optional[Target] = None
    remark: str = ""  # where there is no target


@dataclass(frozen=True)
class Result:
    row: Row
    value: Optional[Spread]
    floor: Optional[Spread]
    ratio: Optional[Spread]
    difference: Optional[Spread]
    reached: Optional[bool]  # None: no target, or no round that could tell

    def verdict(self):
        if self.row.target is None:
            return self.row.remark
        return {True: "reached", False: "NOT reached", None: "cannot tell"}[self.reached]


def figure_of(target, row, rounds):
    if target.of == "value":
        return rounds.spread(row.series)
    compare = rounds.ratio if target.of == "ratio" else rounds.difference
    return compare(row.series, row.floor)


def counting(target, rounds):
    if target.any_round:
        return rounds
    return rounds.only(placement.is_near if target.near else is_quiet)


def is_quiet(measured):
    return not placement.is_disturbed(measured)


def is_reached(row, rounds):
    if row.target is None:
        return None
    figure = figure_of(row.target, row, counting(row.target, rounds))
    return None if figure is None else row.target.is_reached(figure.median)


def evaluate(row, rounds):
    """Disturbed rounds are shown when there are no others, and tell nothing of targets."""
    quiet = rounds.only(is_quiet)
    shown = quiet if quiet.spread(row.series) else rounds
    has_floor = row.floor is not None
    return Result(row, shown.spread(row.series), shown.spread(row.floor) if has_floor else None,
                  shown.ratio(row.series, row.floor) if has_floor else None,
                  shown.difference(row.series, row.floor) if has_floor else None, is_reached(row, rounds))
