# SPDX-License-Identifier: Apache-2.0
"""What is measured: functions of (programs, seen) that run one program and give values by the name of their series.
`seen` is what others have measured in the same round."""

import json
import re
import tempfile
from pathlib import Path

import placement
from naming import named, size_name
from programs import Failed


def word_us(programs):
    return programs.run("handoff", "--wake-ups", 0, "--milliseconds", 15).measurements()[placement.WORD]


def measuring(prefix, program, *arguments, processes=1):
    """One of bench/programs."""
    return lambda programs, seen: named(prefix, programs.run(program, *arguments, processes=processes).measurements())


def better_of_raw_ucx(lines):
    """The better of tagged and active messages, for each measurement. Latency in us, rate in M/s."""
    best = {}
    for line in lines:
        carrier, what, amount = re.fullmatch(r"(\w+) (latency|rate) (\d+) B", line["case"]).groups()
        if what == "latency":
            name = f"raw {size_name(int(amount))}"
            best[name] = min(best.get(name, float("inf")), line["value"])
        else:
            best["raw rate"] = max(best.get("raw rate", 0), line["value"] / 1e6)
    return best


def raw_ucx(sizes, messages):
    arguments = ("--repetitions", 3, "--sizes", ",".join(map(str, sizes)), "--round-trips", 70_000,
                 "--messages", messages)

    def run(programs, seen):
        output = programs.run("bench_raw_ucx", *arguments).output
        return better_of_raw_ucx([json.loads(line) for line in output.splitlines()])
    return run


def key_values(line):
    return dict(re.findall(r"(\w+)=(\S+)", line))


def triad(threads):
    def run(programs, seen):
        output = programs.run("bench_floors", "--threads", threads, "triad", "--megabytes", 128,
                              "--repetitions", 3).output
        return {"triad": float(key_values(output)["gb_per_s"])}
    return run


def openmp_jacobi(cells, iterations, threads):
    """The best of its static blockings."""
    def run(programs, seen):
        output = programs.run("bench_floors", "--threads", threads, "jacobi", "--cells", cells,
                              "--iterations", iterations).output
        blockings = [key_values(line) for line in output.splitlines()]
        best = min(float(blocking["ms_per_iteration"]) for blocking in blockings)
        return {f"openmp {threads}": best, "change": float(blockings[0]["change"])}
    return run


def jacobi3d(prefix, cells, blocks, iterations, *arguments, processes=1):
    """The change of the last step must be that of the floor, bit for bit: the same work was done."""
    def run(programs, seen):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "result.json"
            programs.run("jacobi3d", *arguments, "--cells", cells, "--blocks", f"{blocks}x{blocks}x{blocks}",
                         "--iterations", iterations, "--json", file, processes=processes)
            result = json.loads(file.read_text())
        if result["change"] != seen.get("change", result["change"]):
            raise Failed(f"jacobi3d, {prefix}: change {result['change']!r} is not the floor's {seen['change']!r}")
        return {prefix: result["ms_per_iteration"]}
    return run


def idle(prefix, seconds, *arguments, processes=1):
    """Processor time of a program that waits, its start and end included, in percent of one core."""
    def run(programs, seen):
        outcome = programs.run("idle", *arguments, "--seconds", seconds, processes=processes)
        at_once = programs.run("idle", *arguments, "--seconds", 0, processes=processes)
        return {f"{prefix} whole run": 100 * outcome.cpu_s / seconds,
                f"{prefix} waiting": 100 * max(0.0, outcome.cpu_s - at_once.cpu_s) / seconds}
    return run
