# SPDX-License-Identifier: Apache-2.0
"""A row of a figure on devices."""

from rows import Row

EMULATED = "emulated: no figures of a device"


def row(scale, bench, case, unit, series, floor=None, target=None):
    """On the emulation there is nothing to compare with."""
    if scale.is_emulated:
        return Row(bench, case, unit, series, remark=EMULATED)
    return Row(bench, case, unit, series, floor, target)
