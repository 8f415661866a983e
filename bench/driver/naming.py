# SPDX-License-Identifier: Apache-2.0
"""Names of series."""


def named(prefix, measurements):
    return {f"{prefix} {case}": value for case, value in measurements.items()}


def size_name(size):
    """As bench/programs name sizes."""
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"
