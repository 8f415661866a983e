# SPDX-License-Identifier: Apache-2.0
"""UCX's own measuring program, ucx_perftest, between two processes with a device each: a floor that we did not write."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from naming import size_name
from programs import Failed, run_command

TRANSPORTS = "posix,cma,tcp,cuda_copy,cuda_ipc"  # as our own floor takes
START_S = 10  # until the server must listen


def find(folder):
    """(program, folder of its libraries), or None: of a bundle, of the UCX that ./dev fetched, or in the PATH."""
    fetched = Path(__file__).resolve().parents[2] / ".deps" / "ucx-wheel" / "libucx"
    for program, libraries in ((Path(folder) / "bin" / "ucx_perftest", Path(folder) / "lib"),
                               (fetched / "bin" / "ucx_perftest", fetched / "lib")):
        if program.exists():
            return str(program), str(libraries)
    program = shutil.which("ucx_perftest")
    return (program, "") if program else None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def round_trips(size):
    return min(max(int(50_000 / (16 + size / 150_000)), 10), 2000)


def messages(size):
    return min(max((4 << 30) // size, 16), 4096)


def batch(sizes, memory):
    """The tests, one a line, named after their sizes."""
    lines = []
    for size in sizes:
        common = f"-s {size} -m {memory}"
        lines += [f"latency_{size} -t tag_lat {common} -n {round_trips(size)} -w 20",
                  f"rate_{size} -t tag_bw {common} -n {messages(size)} -w 10 -O 64"]
    return "\n".join(lines) + "\n"


def series_in(output):
    """From the lines of comma-separated values that -v prints: name, iterations, latency (percentile, of the last part,
    of all), bandwidth in MiB/s (of the last part, of all) ... Lines before the last of a test name a thread."""
    found = {}
    for line in output.splitlines():
        cells = line.split(",")
        what, _, size = cells[0].partition("_")
        if what not in ("latency", "rate") or not size.isdigit() or len(cells) < 7 or "[" in cells[1]:
            continue
        if what == "latency":
            found[f"ucx_perftest latency {size_name(int(size))}"] = float(cells[4])
        else:
            found[f"ucx_perftest one way {size_name(int(size))}"] = float(cells[6]) * (1 << 20) / 1e9
    return found


def environment(libraries, device):
    found = {"UCX_TLS": os.environ.get("UCX_TLS", TRANSPORTS)}
    if libraries:
        found["LD_LIBRARY_PATH"] = libraries
    if device is not None:
        found["CUDA_VISIBLE_DEVICES"] = device
    return found


def devices_of(scale):
    """One for each process; on the emulation none."""
    if scale.is_emulated:
        return (None, None)
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",")
    return visible[0], visible[1 % len(visible)]


def run_client(command, server, variables):
    """Again while the server does not listen yet."""
    until = time.monotonic() + START_S
    while True:
        try:
            return run_command(command, "ucx_perftest", variables)
        except Failed:
            if time.monotonic() > until or server.poll() is not None:
                raise
            time.sleep(0.2)


def contender(scale, work):
    """`work`: a folder for the list of tests."""
    file = Path(work) / "perftest.txt"

    def run(programs, seen):
        found = find(programs.folder)
        if found is None:
            raise Failed("ucx_perftest is not here")
        program, libraries = found
        file.write_text(batch(scale.sizes, "host" if scale.is_emulated else "cuda"), encoding="utf-8")
        command = [program, "-p", str(free_port()), "-b", str(file), "-v"]
        first, second = devices_of(scale)
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env={**os.environ, **environment(libraries, second)}) as server:
            try:
                outcome = run_client([program, "127.0.0.1", *command[1:]], server, environment(libraries, first))
            finally:
                server.kill()
        measured = series_in(outcome.output)
        if not measured:
            raise Failed(f"ucx_perftest printed no figures: {outcome.errors.strip()[-300:]}")
        return measured
    return run
