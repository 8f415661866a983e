#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A picture of what bench/gpu/scaling.sh wrote, or of a campaign: plot_scaling.py FILE PICTURE. Needs matplotlib."""

import json
import re
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

COLORS = {1: "C0", 8: "C1", 64: "C2"}
STYLES = {"a process each": "o-", "in one process": "s--"}


def problems(rows):
    """Names, as '256^3 a device', in the order of the file."""
    return list(dict.fromkeys(row["case"].split(", on ")[0] for row in rows if row["bench"] == "jacobi3d"))


def lines(rows, problem):
    """{(blocks, how): [(devices, microseconds)]}, and [(devices, microseconds)] of the program by hand."""
    found, hand = {}, {}
    for row in rows:
        parts = re.fullmatch(rf"{re.escape(problem)}, on (\d+), (\d+) blocks each, (.*)", row["case"])
        if parts is None or row["bench"] != "jacobi3d":
            continue
        devices, blocks, how = int(parts[1]), int(parts[2]), parts[3]
        found.setdefault((blocks, how), []).append((devices, row["value"]))
        if row.get("floor"):
            hand[devices] = row["floor"]
    return found, sorted(hand.items())


def draw(axes, rows, problem):
    found, hand = lines(rows, problem)
    for (blocks, how), points in sorted(found.items()):
        axes.plot(*zip(*sorted(points)), STYLES[how], color=COLORS[blocks],
                  label=f"{blocks} block{'s' if blocks > 1 else ''} a GPU, {how}")
    if hand:
        axes.plot(*zip(*hand), "k:", linewidth=2, label="by hand")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    counts = sorted({devices for points in found.values() for devices, _ in points})
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.set_title(problem.replace("a device", "a GPU"))
    axes.set_xlabel("GPUs")
    axes.set_ylabel("us an iteration")
    axes.grid(True, which="both", alpha=0.3)


def main(file, picture):
    read = json.loads(Path(file).read_text(encoding="utf-8"))
    rows = read["rows"] if isinstance(read, dict) else read
    machine = read.get("machine", "") if isinstance(read, dict) else rows[0]["machine"]
    names = problems(rows)
    figure, panels = pyplot.subplots(1, len(names), figsize=(4 * len(names), 4.6), layout="constrained", squeeze=False)
    for axes, name in zip(panels[0], names):
        draw(axes, rows, name)
    figure.legend(*panels[0][0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.suptitle(f"Jacobi3D, doubles, {machine}")
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
