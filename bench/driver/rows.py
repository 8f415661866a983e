# SPDX-License-Identifier: Apache-2.0
"""A row of the result: a series of measurements, the floor it is compared with, and what it must reach."""

from dataclasses import dataclass
from typing import Optional

import placement
from rounds import Spread


@dataclass(frozen=True)
class Target:
    """`of` is 'value', 'ratio' or 'difference'; `at_most` turns into 'at least' when False. `near` and `far` count only
    rounds in which the cores are near each other, or are not; `any_round` also those that other programs disturb: they
    change no memory and no processor time. `is_tie_unclear`: missing the limit is only told when the interval of the
    figure leaves out 1, no difference at all."""
    of: str
    limit: float
    at_most: bool = True
    near: bool = False
    far: bool = False
    any_round: bool = False
    is_tie_unclear: bool = False

    def text(self):
        sign = "<=" if self.at_most else ">="
        amount = {"value": f"{self.limit:g}", "ratio": f"{self.limit:g} x", "difference": f"floor + {self.limit:g}"}
        return f"{sign} {amount[self.of]}{' near' if self.near else ''}{' far' if self.far else ''}"

    def is_met_by(self, number):
        return number <= self.limit if self.at_most else number >= self.limit

    def is_reached(self, figure):
        """`figure`: the Spread of what the target is of. None when it cannot be told."""
        if self.is_met_by(figure.median):
            return True
        return None if self.is_tie_unclear and figure.low <= 1 <= figure.high else False

    def counts(self, measured):
        """Whether a round tells of it."""
        if self.any_round:
            return True
        if placement.is_disturbed(measured):
            return False
        if self.near or self.far:
            return placement.is_near(measured) == self.near
        return True


@dataclass(frozen=True)
class Row:
    bench: str
    case: str
    unit: str
    series: str
    floor: Optional[str] = None  # a series
    target: Optional[Target] = None
    remark: str = ""  # where there is no target
    floor_name: Optional[str] = None  # a series of texts: what the floor was, where several programs compete for it


@dataclass(frozen=True)
class Result:
    row: Row
    value: Optional[Spread]
    floor: Optional[Spread]
    ratio: Optional[Spread]
    difference: Optional[Spread]
    figure: Optional[Spread]  # what the target is of, in the rounds that tell of it
    reached: Optional[bool]  # None: no target, or no round that could tell
    floor_names: tuple = ()  # (name, rounds in which it was the floor)

    def verdict(self):
        if self.row.target is None:
            return self.row.remark
        return {True: "reached", False: "NOT reached", None: "cannot tell"}[self.reached]


def figure_of(target, row, rounds):
    if target.of == "value":
        return rounds.spread(row.series)
    compare = rounds.ratio if target.of == "ratio" else rounds.difference
    return compare(row.series, row.floor)


def is_quiet(measured):
    return not placement.is_disturbed(measured)


def evaluate(row, rounds):
    """Disturbed rounds are shown when there are no others, and tell nothing of targets."""
    target = row.target
    figure = figure_of(target, row, rounds.only(target.counts)) if target else None
    quiet = rounds.only(is_quiet)
    shown = quiet if quiet.spread(row.series) else rounds
    has_floor = row.floor is not None
    return Result(row, shown.spread(row.series), shown.spread(row.floor) if has_floor else None,
                  shown.ratio(row.series, row.floor) if has_floor else None,
                  shown.difference(row.series, row.floor) if has_floor else None, figure,
                  target.is_reached(figure) if figure else None,
                  tuple(rounds.names(row.floor_name)) if row.floor_name else ())
