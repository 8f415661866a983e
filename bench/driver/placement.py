# SPDX-License-Identifier: Apache-2.0
"""What holds for a round as a whole. Where has the host put the two cores: near each other (one cache) or far apart?
Nothing in the machine tells; the time to pass a word from one core to the other does, measured at the start and at the
end of each round. And do other programs use the cores?"""

import os
import resource
import time

WORD = "word at best"  # microseconds, one way; the best of many short windows, so that a busy core hardly matters
OTHERS = "cores used by others"
NEAR_BELOW_US = 0.12
FAR_BELOW_US = 1.0
MOST_OTHERS = 0.1  # cores


def busy_seconds():
    """Of all cores, by all programs, since the machine started."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, irq, softirq = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """Of this program and the programs that it started and that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class Observation:
    """From its making to `result()`."""

    def __init__(self):
        self.start, self.busy, self.own = time.monotonic(), busy_seconds(), own_seconds()

    def result(self, word_before, word_after):
        others = busy_seconds() - self.busy - (own_seconds() - self.own)
        return {WORD: max(word_before, word_after), OTHERS: max(0.0, others / (time.monotonic() - self.start))}


def name_of(measured):
    if is_disturbed(measured):
        return "disturbed"
    return "near" if measured[WORD] < NEAR_BELOW_US else "far"


def is_near(measured):
    return name_of(measured) == "near"


def is_disturbed(measured):
    """A round that nobody observed counts as quiet."""
    if WORD not in measured:
        return False
    return measured[OTHERS] > MOST_OTHERS or measured[WORD] > FAR_BELOW_US


def line_of(measured):
    """As 'near, 8 B 0.056 us, others use 0.02 cores'."""
    return f"{name_of(measured)}, 8 B {measured[WORD]:.3f} us, others use {measured[OTHERS]:.2f} cores"
