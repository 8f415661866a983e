# SPDX-License-Identifier: Apache-2.0
"""Starts the programs that measure, and reads what they print."""

import json
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 60


class Failed(Exception):
    """A program ended badly; the text says which and how."""


@dataclass(frozen=True)
class Outcome:
    output: str
    errors: str  # what it said beside
    wall_s: float
    cpu_s: float  # of the program and all processes that it waited for

    def measurements(self):
        """Value by case, of a program that prints one JSON object a line."""
        lines = [json.loads(line) for line in self.output.splitlines() if line.startswith("{")]
        return {line["case"]: float(line["value"]) for line in lines}


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Programs:
    """The programs of one build folder: `bin` those of users, `bench` those that only measure."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def has(self, name):
        return any((self.folder / place / name).exists() for place in ("bench", "bin"))

    def path(self, name):
        for place in ("bench", "bin"):
            if (self.folder / place / name).exists():
                return str(self.folder / place / name)
        raise Failed(f"there is no program {name} in {self.folder}: build everything first, as ./dev bench does")

    def run(self, name, *arguments, processes=1, environment=None):
        """`environment`: variables beside those that are there."""
        command = [self.path(name), *map(str, arguments)]
        if processes > 1:
            command = [self.path("kaonrun"), "-n", str(processes), *command]
        return run_command(command, " ".join([name, *map(str, arguments)]), environment)


def run_command(command, title, environment=None, seconds=None):
    """Any program, for so many seconds at most, else TIMEOUT_S; `title` names it in errors."""
    cpu_before, start = cpu_seconds(), time.monotonic()
    # A session of its own, so that a run that hangs goes with all its processes.
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True, start_new_session=True, env={**os.environ, **(environment or {})})
    output, errors = finish(child, title, TIMEOUT_S if seconds is None else seconds)
    return Outcome(output, errors, time.monotonic() - start, cpu_seconds() - cpu_before)


def finish(child, title, seconds):
    try:
        output, errors = child.communicate(timeout=seconds)
    except BaseException as stop:  # also Ctrl-C: nothing may be left running
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        if not isinstance(stop, subprocess.TimeoutExpired):
            raise
        raise Failed(f"{title}: not finished after {seconds} s, ended") from None
    if child.returncode != 0:
        raise Failed(f"{title}: ended with {child.returncode}: {errors.strip()[-400:]}")
    return output, errors
