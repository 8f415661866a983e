# SPDX-License-Identifier: Apache-2.0
"""Another build of Kaon, mostly an older one, that takes turns with this one: is any row slower by more than 2 %? Used
by `./dev bench host`, `gpu` and `ampi`."""

from dataclasses import dataclass, replace

from naming import named
from programs import Failed
from rows import Row, Target

PREFIX = "baseline"
SLOWER_BY = 0.02
LEAST_SPEED = 0.97  # of the baseline's: rows below it are named at the end, whether noise explains them or not
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


def against(row, is_judged=True):
    """The same series of both builds, whatever the row compares it with."""
    case = f"{row.case.split(' over ')[0]}, over the baseline's"
    return Row(row.bench, case, row.unit, row.series, f"{PREFIX} {row.series}",
               limit_for(row.unit) if is_judged else None, "" if is_judged else row.remark)


def with_baseline(section, baseline, is_alone, is_judged=True):
    """The section with the baseline's programs beside this build's, as far as the baseline has them; None when it has
    none. `is_alone`: only the rows that compare the builds. `is_judged`: they have a target."""
    is_shared = [isinstance(contender, KaonContender) and baseline.has(contender.program)
                 for contender in section.contenders]
    if not any(is_shared):
        return None if is_alone else section
    contenders = tuple(Turns(contender, baseline) if shared else contender
                       for contender, shared in zip(section.contenders, is_shared) if shared or not is_alone)
    rows = {}
    for row in section.rows:
        rows.setdefault(row.series, against(row, is_judged))
    return replace(section, contenders=contenders, rows=(() if is_alone else section.rows) + tuple(rows.values()))


def is_comparison(result):
    return (result.row.floor or "").startswith(f"{PREFIX} ")


def without_empty(results):
    """Rows that the baseline has no figures for are no rows of a comparison."""
    return [result for result in results if not is_comparison(result) or result.ratio is not None]


def speeds(result):
    """(median, low, high) of how fast this build is, in parts of the baseline's speed; None: a time is zero."""
    ratio = result.ratio
    if result.row.unit in HIGHER_IS_BETTER:
        return ratio.median, ratio.low, ratio.high
    return (1 / ratio.median, 1 / ratio.high, 1 / ratio.low) if ratio.low > 0 else None


def is_unclear(result):
    """Whether noise may explain the ratio: its interval holds 1, or all rounds were disturbed by other programs."""
    return result.ratio.low <= 1 <= result.ratio.high or (result.row.target is not None and result.figure is None)


def lines_of_slower(results):
    """The rows below the least speed, the slowest first; nothing when no row compares builds."""
    found = [(result, speeds(result)) for result in results if is_comparison(result) and result.ratio is not None]
    slower = sorted(((speed, result) for result, speed in found if speed and speed[0] < LEAST_SPEED),
                    key=lambda pair: pair[0][0])
    if not found:
        return []
    head = f"{len(slower)} of {len(found)} rows are below {LEAST_SPEED} of the baseline's speed"
    return [head, *(f"  {result.row.bench}, {result.row.case}: {median:.3f} of its speed ({low:.3f}..{high:.3f})"
                    f"{', unclear' if is_unclear(result) else ''}" for (median, low, high), result in slower)]
