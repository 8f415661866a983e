# SPDX-License-Identifier: Apache-2.0
"""Straight lines through what was measured."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """a + b * n."""
    a: float
    b: float
    off: float  # the farthest point from it, as a part of that point's value

    def at(self, n):
        return self.a + self.b * n

    def text(self, unit, per):
        return f"{self.a:.4g} + {self.b:.4g} * n {unit}, n {per} (no point farther off than {100 * self.off:.0f} %)"


def line(points):
    """The least squares of (n, value) pairs, of relative errors: else the largest n alone would count."""
    weights = [1 / value**2 for _, value in points]
    total = sum(weights)
    mean_n = sum(w * n for w, (n, _) in zip(weights, points)) / total
    mean = sum(w * value for w, (_, value) in zip(weights, points)) / total
    spread = sum(w * (n - mean_n)**2 for w, (n, _) in zip(weights, points))
    b = sum(w * (n - mean_n) * (value - mean) for w, (n, value) in zip(weights, points)) / spread
    a = mean - b * mean_n
    return Line(a, b, max(abs(a + b * n - value) / value for n, value in points))
