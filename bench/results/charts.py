# SPDX-License-Identifier: Apache-2.0
"""The charts on top of the pages of docs/results. Needs matplotlib."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

from report import number

# Beside Charm++, an Intel processor with two cores far from each other, 21 November 2026, both in turns: the text of
# docs/results/host.md. Charm++'s time over Kaon's, from the least to the most that was seen.
CHARM = (("64 processes on two cores", 660, 660), ("broadcast with reduction", 30, 30), ("creation of elements", 25, 25),
         ("memory of an empty element", 653 / 40, 653 / 40), ("random walk on one PE", 12, 12),
         ("message on one PE", 6.6, 6.6), ("message between processes", 3, 8), ("Jacobi3D, the same kernel", 0.94, 1),
         ("message to a PE that sleeps", 0.09, 0.2))


def values_of(chart, rows):
    """(contender, [value or None of each thing compared]) of each contender."""
    contenders = dict.fromkeys(name for figures in chart.bars.values() for name in figures)
    for name in contenders:
        yield name, [figures[name].among(rows) if name in figures else None for figures in chart.bars.values()]


def draw(chart, rows, machine, file):
    series = list(values_of(chart, rows))
    figure, axes = pyplot.subplots(figsize=(7.5, 1.2 + 0.27 * len(series) * len(chart.bars)), layout="constrained")
    height = 0.8 / len(series)
    for i, (name, values) in enumerate(series):
        places = [at + i * height for at, value in enumerate(values) if value is not None]
        bars = axes.barh(places, [value for value in values if value is not None], height, label=name, align="edge")
        axes.bar_label(bars, [number(value) for value in values if value is not None], fontsize=8, padding=2)
    seen = [value for _, values in series for value in values if value is not None]
    if max(seen) > 20 * min(seen):
        axes.set_xscale("log")
    axes.margins(x=0.12)
    axes.set_yticks([at + 0.4 for at in range(len(chart.bars))], list(chart.bars))
    finish(figure, axes, f"{chart.title}: {chart.unit}", machine, file)


def finish(figure, axes, title, machine, file):
    axes.invert_yaxis()
    axes.set_title(f"{title}\n{machine}", fontsize=10)
    axes.grid(True, axis="x", alpha=0.3)
    if axes.get_legend_handles_labels()[1]:
        figure.legend(loc="outside lower center", ncols=3, fontsize=9)
    figure.savefig(file, dpi=100, metadata={"Software": None})
    pyplot.close(figure)


def draw_charm(file):
    figure, axes = pyplot.subplots(figsize=(7.5, 3.6), layout="constrained")
    most = [most for _, _, most in CHARM]
    texts = [number(high) if low == high else f"{number(low)} to {number(high)}" for _, low, high in CHARM]
    axes.bar_label(axes.barh([name for name, _, _ in CHARM], most), texts, fontsize=8, padding=2)
    axes.set_xscale("log")
    axes.margins(x=0.15)
    axes.axvline(1, color="black", linewidth=1)
    finish(figure, axes, "Charm++ over Kaon: above 1 Kaon is better", "Intel, two cores far from each other, 21 November 2026", file)
