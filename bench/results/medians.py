# SPDX-License-Identifier: Apache-2.0
"""What all campaigns of one machine say together: medians, never the best."""

from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import Optional


@dataclass(frozen=True)
class Merged:
    """A row of all campaigns that had it; figures that none had are None."""
    bench: str
    case: str
    unit: str
    count: int  # campaigns
    value: Optional[float]
    least: Optional[float]  # of the campaigns' values
    most: Optional[float]
    floor: Optional[float]
    ratio: Optional[float]
    difference: Optional[float]
    target: Optional[dict]  # of the newest campaign that had one
    reached: Optional[bool]
    floor_name: str  # the one that most campaigns name

    def as_object(self):
        return {key: value for key, value in self.__dict__.items() if value not in (None, "")}


def figures(rows, key):
    return [row[key] for row in rows if row.get(key) is not None]


def middle(values):
    return median(values) if values else None


def judged(row, of):
    """What the row's target is of, in the rounds that told of it; of older campaigns, which did not keep that, in all."""
    target = row.get("target", {})
    return target["figure"] if "figure" in target else row.get(of)


def is_reached(target, rows):
    if target is None:
        return None
    figure = middle([figure for figure in (judged(row, target["of"]) for row in rows) if figure is not None])
    if figure is None:
        return None
    return figure <= target["limit"] if target["at_most"] else figure >= target["limit"]


def merged(rows):
    """Of the same row of several campaigns, the oldest first."""
    values = figures(rows, "value")
    found = {key: middle(figures(rows, key)) for key in ("value", "floor", "ratio", "difference")}
    targets = figures(rows, "target")
    target = targets[-1] if targets else None
    names = Counter(figures(rows, "floor_name")).most_common(1)
    return Merged(rows[0]["bench"], rows[0]["case"], rows[0]["unit"], len(rows), found["value"],
                  min(values, default=None), max(values, default=None), found["floor"], found["ratio"],
                  found["difference"], target, is_reached(target, rows),
                  names[0][0] if names else "")


def of_machine(campaigns):
    """The rows of all campaigns, in the order of the newest that has them."""
    by_name = {}
    for campaign in campaigns:
        for row in campaign.rows:
            by_name.setdefault((row["bench"], row["case"]), []).append(row)
    order = {}
    for campaign in reversed(campaigns):
        for row in campaign.rows:
            order.setdefault((row["bench"], row["case"]), len(order))
    return [merged(by_name[name]) for name in order]


def by_machine(campaigns):
    """Rows by machine, that of the newest campaign first."""
    machines = dict.fromkeys(campaign.machine for campaign in reversed(campaigns))
    return {machine: of_machine([campaign for campaign in campaigns if campaign.machine == machine])
            for machine in machines}
