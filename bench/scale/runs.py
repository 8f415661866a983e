# SPDX-License-Identifier: Apache-2.0
"""Starts the programs that measure, under kaonrun where there are several processes, and looks at kaonrun meanwhile."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

HELD = "all is measured"


def measurements(output):
    """Value by case, of a program that prints one JSON object a line."""
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {line["case"]: float(line["value"]) for line in lines}


def descriptors_of(pid):
    """How many sockets and pipes a process has open."""
    links = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            links.append(os.readlink(link))
        except OSError:
            continue  # it was closed meanwhile
    return {kind: sum(link.startswith(f"{kind}:") for link in links) for kind in ("socket", "pipe")}


def processor_seconds_of(pid):
    """Of its one thread."""
    return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0]) / 1e9


@dataclass(frozen=True)
class Programs:
    build: Path

    def path(self, name):
        for place in ("bench", "bin"):
            if (self.build / place / name).exists():
                return str(self.build / place / name)
        sys.exit(f"there is no program {name} in {self.build}: build everything first, as ./dev bench does")

    def run(self, name, *arguments, seconds):
        done = subprocess.run([self.path(name), *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True,
                              timeout=seconds)
        return measurements(done.stdout)

    def run_held(self, processes, *arguments, seconds):
        """scale_processes with so many processes; it is let go when kaonrun has been looked at."""
        command = [self.path("kaonrun"), "-n", str(processes), self.path("scale_processes"), "--hold",
                   *map(str, arguments)]
        start = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                 process_group=0)
        limit = Timer(seconds, os.killpg, (child.pid, signal.SIGKILL))
        limit.start()
        try:
            return self.held(child, start)
        finally:
            limit.cancel()
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()

    @staticmethod
    def held(child, start):
        found = {}
        for line in child.stdout:
            found |= measurements(line)
            if HELD in found:
                break
        else:
            sys.exit(f"scale_processes ended with {child.wait()} before it had measured all")
        kaonrun = {f"{kind}s of kaonrun": count for kind, count in descriptors_of(child.pid).items()}
        kaonrun["processor time of kaonrun"] = processor_seconds_of(child.pid) * 1e3
        end = time.monotonic()
        child.stdin.write("\n")
        child.stdin.flush()
        child.stdout.read()
        if child.wait() != 0:
            sys.exit(f"kaonrun ended with {child.returncode}")
        times = {"main begins": found["clock when main began"] - start,
                 "all have begun": found["clock when all had begun"] - start, "end": time.monotonic() - end}
        return found | kaonrun | {name: seconds * 1e3 for name, seconds in times.items()}

    def launch(self, processes, seconds):
        """Milliseconds of kaonrun with processes that do nothing."""
        start = time.monotonic()
        subprocess.run([self.path("kaonrun"), "-n", str(processes), "true"], check=True, timeout=seconds)
        return (time.monotonic() - start) * 1e3
