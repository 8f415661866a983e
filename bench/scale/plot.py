# SPDX-License-Identifier: Apache-2.0
"""A picture of what was simulated, beside the targets and what was measured. Needs matplotlib."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

import simulate


def draw_start(axes, record, outcomes):
    measured = sorted((int(processes), found["main begins"] / 1e3) for processes, found in record["runs"].items())
    axes.plot(*zip(*measured), "k^", label="measured, but to the first entry: all on one host of 2 cores")
    for name, rows in outcomes.items():
        axes.plot([row.pes for row in rows], [row.start for row in rows], "o-", label=f"simulated: {name}")
    axes.axhline(simulate.TARGETS["start"], color="grey", linestyle="--", label="target at 100,000 PEs")
    axes.set_title("Start, to an answer of all PEs")
    axes.set_ylabel("s")


def draw_trees(axes, outcomes):
    for (name, rows), marker in zip(outcomes.items(), "os"):
        pes = [row.pes for row in rows]
        axes.plot(pes, [1e6 * row.tree for row in rows], f"C0{marker}-", label=f"broadcast and reduction: {name}")
        axes.plot(pes, [1e6 * row.woken for row in rows], f"C2{marker}--", label=f"the same of sleeping PEs: {name}")
        axes.plot(pes, [1e6 * row.quiescence for row in rows], f"C1{marker}:", label=f"quiescence: {name}")
    axes.axhline(1e6 * simulate.TARGETS["tree"], color="grey", linestyle="--",
                 label="target of broadcast and reduction at 100,000 PEs")
    axes.set_title("Trees, simulated")
    axes.set_ylabel("us")


def draw(record, outcomes, file):
    figure, (start, trees) = pyplot.subplots(1, 2, figsize=(12, 6.4), layout="constrained")
    draw_start(start, record, outcomes)
    draw_trees(trees, outcomes)
    for axes in (start, trees):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("PEs")
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.14))
    figure.savefig(file, dpi=110)
