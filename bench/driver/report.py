# SPDX-License-Identifier: Apache-2.0
"""The results as a table for people and as JSON."""

import json

import baseline

HEAD = ("bench", "case", "value", "min", "max", "unit", "floor", "ratio", "ratio's interval", "difference",
        "must reach", "")
LEFT = {0, 1, 5, 10, 11}  # columns of text


def number(value):
    if value is None:
        return "-"
    if abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.1f}"


def median(spread):
    return None if spread is None else spread.median


def interval(spread):
    """Where the true median of the ratio is, most probably."""
    return "-" if spread is None else f"{spread.low:.3f}..{spread.high:.3f}"


def cells(result):
    row, value = result.row, result.value
    spread = (value.median, value.least, value.most) if value else (None, None, None)
    return (row.bench, row.case, *map(number, spread), row.unit, number(median(result.floor)),
            number(median(result.ratio)), interval(result.ratio), number(median(result.difference)),
            row.target.text() if row.target else "", result.verdict())


def table(results):
    lines = [HEAD, *map(cells, results)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    return "\n".join(
        "  ".join(text.ljust(width) if i in LEFT else text.rjust(width)
                  for i, (text, width) in enumerate(zip(line, widths))).rstrip()
        for line in lines)


def summary(results):
    """What was reached of what must be."""
    wanted = [result for result in results if result.row.target]
    open_ends = [f"  {result.row.bench}, {result.row.case}: {result.verdict()} ({result.row.target.text()})"
                 for result in wanted if result.reached is not True]
    return "\n".join([f"{len(wanted) - len(open_ends)} of {len(wanted)} targets reached", *open_ends,
                      *baseline.lines_of_slower(results)])


def floor_lines(results):
    """Which programs were the floors, where several compete."""
    return [f"the floor of {result.row.bench}, {result.row.case}: " +
            ", ".join(f"{name} ({count})" for name, count in result.floor_names)
            for result in results if result.floor_names]


def as_object(result):
    """What later readers need to judge the row again, alone or with the same row of other campaigns."""
    row, target = result.row, result.row.target
    found = {"bench": row.bench, "case": row.case, "value": result.value.median, "unit": row.unit,
             "floor": median(result.floor), "ratio": median(result.ratio), "difference": median(result.difference),
             "least": result.value.least, "most": result.value.most, "rounds": result.value.count}
    if target:
        found["target"] = {"of": target.of, "limit": target.limit, "at_most": target.at_most, "text": target.text(),
                           "figure": median(result.figure)}
        found["reached"] = result.reached
    if result.floor_names:
        found["floor_name"] = result.floor_names[0][0]
    return found


def as_json(results, about=None):
    """A list of objects; rows without a value are left out. `about` is told in each."""
    return json.dumps([{**as_object(result), **(about or {})} for result in results if result.value], indent=1) + "\n"
