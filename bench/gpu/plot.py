#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of what `./dev bench gpu --json FILE` wrote, or of a campaign: plot.py FILE FOLDER. Needs matplotlib."""

import json
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}


def size_of(case):
    """Bytes of the payload that a row is about, or None."""
    found = re.search(r"(\d+) (B|KiB|MiB) ", case + " ")
    return int(found[1]) * UNITS[found[2]] if found else None


def series(rows, start, end, value="value"):
    points = [(size_of(row["case"]), row[value]) for row in rows
              if row["case"].startswith(start) and row["case"].endswith(end) and row.get(value)]
    return sorted(points)


def draw(axes, rows, end, unit):
    for name, start, value, style in (("raw UCX", "two processes direct", "floor", "k--"),
                                      ("direct, two processes", "two processes direct", "value", "o-"),
                                      ("staged, two processes", "two processes staged", "value", "s-"),
                                      ("handed over, one PE", "same PE direct", "value", "^-")):
        if name.startswith("handed") and unit != "us":
            continue  # nothing is moved: a bandwidth says nothing
        points = series(rows, start, end, value)
        axes.plot([size for size, _ in points], [figure for _, figure in points], style, label=name)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("bytes of the payload")
    axes.set_ylabel(unit)
    axes.grid(True, which="major", alpha=0.3)
    axes.legend()


def main(file, folder):
    read = json.loads(Path(file).read_text())
    rows = read["rows"] if isinstance(read, dict) else read
    for name, end, unit, title in (("gpu_latency", " latency", "us", "One way from entry to entry"),
                                   ("gpu_bandwidth", " one way", "GB/s", "A window of payloads one way")):
        figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
        draw(axes, rows, end, unit)
        axes.set_title(f"{title}, device memory, two H200 with NVLink")
        figure.savefig(Path(folder) / f"{name}.png", dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
