# SPDX-License-Identifier: Apache-2.0
"""Merged rows as text, and where that text stands in docs/results."""

import re

from report import number

HEAD = ("bench", "case", "median", "least", "most", "unit", "campaigns", "floor", "ratio", "difference", "must reach",
        "")
LEFT = {0, 1, 5, 10, 11}  # columns of text
VERDICTS = {True: "reached", False: "NOT reached", None: ""}
BEGIN, END = "<!-- {} begins: ./dev bench results report writes it -->", "<!-- {} ends -->"


def cells(row):
    return (row.bench, row.case, number(row.value), number(row.least), number(row.most), row.unit, str(row.count),
            number(row.floor), number(row.ratio), number(row.difference), row.target["text"] if row.target else "",
            VERDICTS[row.reached])


def table(rows):
    lines = [HEAD, *map(cells, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    return "\n".join(
        "  ".join(text.ljust(width) if i in LEFT else text.rjust(width)
                  for i, (text, width) in enumerate(zip(line, widths))).rstrip()
        for line in lines)


def floors(rows):
    return [f"The floor of {row.bench}, {row.case}: {row.floor_name}." for row in rows if row.floor_name]


def campaign_lines(campaigns):
    return [f"* {campaign.date}, commit {campaign.commit}{': ' + campaign.note if campaign.note else ''}"
            for campaign in campaigns]


def machine_text(machine, campaigns, rows):
    """One machine's part of the report."""
    wanted, others = [row for row in rows if row.target], [row for row in rows if not row.target]
    reached = sum(row.reached is True for row in wanted)
    lines = [f"### {machine}", "", f"Medians of {len(campaigns)} campaign{'s' if len(campaigns) > 1 else ''}; {reached} of {len(wanted)} targets reached.",
             "", *campaign_lines(campaigns), "", "```", table(wanted), "```"]
    if others:
        lines += ["", "Rows without a target:", "", "```", table(others), "```"]
    if floors(rows):
        lines += ["", *floors(rows)]
    return "\n".join(lines)


def report(campaigns, rows_by_machine):
    return "\n\n".join(machine_text(machine, [campaign for campaign in campaigns if campaign.machine == machine], rows)
                       for machine, rows in rows_by_machine.items())


def by_name(rows):
    return {(row.bench, row.case): row for row in rows}


def dates(campaigns):
    days = sorted({campaign.date for campaign in campaigns})
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def summary(topic, campaigns, rows_by_machine):
    """Of the machine of the newest campaign: the sentences of the topic, and what was reached."""
    machine, rows = next(iter(rows_by_machine.items()))
    wanted = [row for row in rows if row.target]
    lines = [line for line in (each.filled(by_name(rows)) for each in topic.lines) if line]
    own = [campaign for campaign in campaigns if campaign.machine == machine]
    lines.append(f"{sum(row.reached is True for row in wanted)} of {len(wanted)} targets are reached. "
                 f"Measured on {machine}, {dates(own)}, medians of {len(own)} campaign{'s' if len(own) > 1 else ''}.")
    return "\n".join(f"* {line}" for line in lines)


def replaced(page, name, text):
    """`page` with what stands between the marks of `name` replaced; None when it lacks the marks."""
    begin, end = BEGIN.format(name), END.format(name)
    parts = re.split(f"({re.escape(begin)}\n).*?({re.escape(end)})", page, flags=re.DOTALL)
    return parts[0] + parts[1] + text + "\n" + parts[2] + parts[3] if len(parts) == 4 else None
