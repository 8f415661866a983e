# SPDX-License-Identifier: Apache-2.0
"""Another build of Kaon, an older one mostly, that takes turns with this one: is any row slower by more than 2 %?"""

from dataclasses import dataclass, replace

from naming import named
from programs import Failed
from rows import Row, Target

PREFIX = "baseline"
SLOWER_BY = 0.02
HIGHER_IS_BETTER = ("M/s", "GB/s")


@dataclass(frozen=True)
class KaonContender:
    """A contender that runs one program of Kaon's, so that another build's may run in its place."""
    program: str
    run: object

    def __call__(self, programs, seen):
        return self.run(programs, seen)


class Turns:
    """This build's program and the baseline's, one after the other; who is first changes with each round."""

    def __init__(self, contender, baseline):
        self.contender, self.baseline, self.is_baseline_first = contender, baseline, False

    def __call__(self, programs, seen):
        order = [(programs, ""), (self.baseline, PREFIX)]
        if self.is_baseline_first:
            order.reverse()
        self.is_baseline_first = not self.is_baseline_first
        found, failure = {}, None
        for build, prefix in order:
            try:
                measured = self.contender(build, dict(seen))
                found.update(named(prefix, measured) if prefix else measured)
            except Failed as error:
                failure = failure or Failed(f"{'the baseline: ' if prefix else ''}{error}")
        seen.update(found)
        if failure:
            raise failure
        return found


def limit_for(unit):
    if unit in HIGHER_IS_BETTER:
        return Target("ratio", 1 - SLOWER_BY, at_most=False, is_tie_unclear=True)
    return Target("ratio", 1 + SLOWER_BY, is_tie_unclear=True)


def against(row):
    """The same series of both builds."""
    return Row(row.bench, f"{row.case}, over the baseline's", row.unit, row.series, f"{PREFIX} {row.series}",
               limit_for(row.unit))


def with_baseline(section, baseline, is_alone):
    """The section with the baseline's programs beside this build's, as far as the baseline has them; None when it has
    none. `is_alone`: only the rows that compare the builds."""
    is_shared = [isinstance(contender, KaonContender) and baseline.has(contender.program)
                 for contender in section.contenders]
    if not any(is_shared):
        return None if is_alone else section
    contenders = tuple(Turns(contender, baseline) if shared else contender
                       for contender, shared in zip(section.contenders, is_shared) if shared or not is_alone)
    rows = {row.series: against(row) for row in section.rows}  # one for each series
    return replace(section, contenders=contenders, rows=(() if is_alone else section.rows) + tuple(rows.values()))


def without_empty(results):
    """Rows that the baseline has no figures for are no rows of a comparison."""
    return [result for result in results
            if not (result.row.floor or "").startswith(f"{PREFIX} ") or (result.ratio is not None)]
