# SPDX-License-Identifier: Apache-2.0
"""Where the host has put the two cores: near each other (one cache) or far apart. Nothing in the machine tells; the
time to pass a word from one core to the other does, measured at the start of each round."""

SERIES = "calibration word"  # microseconds, one way
NEAR_BELOW_US = 0.08
FAR_BELOW_US = 0.6


def name_of(word_us):
    if word_us < NEAR_BELOW_US:
        return "near"
    return "far" if word_us < FAR_BELOW_US else "disturbed"  # something else uses the cores


def is_near(measured):
    return SERIES in measured and name_of(measured[SERIES]) == "near"


def is_disturbed(measured):
    return SERIES in measured and name_of(measured[SERIES]) == "disturbed"


def line_of(measured):
    """As 'near 0.034 us'."""
    if SERIES not in measured:
        return "not known"
    return f"{name_of(measured[SERIES])} {measured[SERIES]:.3f} us"
