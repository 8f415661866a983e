# SPDX-License-Identifier: Apache-2.0
"""What is measured: functions of (programs, seen) that run one program and give values by the name of their series.
`seen` is what others have measured in the same round."""

import json
import re
import tempfile
from pathlib import Path

import placement
from baseline import KaonContender
from naming import named, size_name
from programs import Failed, run_command


def word_us(programs):
    return programs.run("handoff", "--wake-ups", 0, "--milliseconds", 15).measurements()[placement.WORD]


def plain(prefix, program, *arguments):
    """One of bench/programs that is no program of Kaon's: a floor."""
    return lambda programs, seen: named(prefix, programs.run(program, *arguments).measurements())


def measuring(prefix, program, *arguments, processes=1):
    """One of bench/programs."""
    return KaonContender(program, lambda programs, seen: named(
        prefix, programs.run(program, *arguments, processes=processes).measurements()))


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


RENDEZVOUS = ("32k", "128k")  # bytes from which the receiver fetches; which is better differs by pattern and machine


def better(found, case, value):
    """Of two values of a floor: the lower time, the higher rate."""
    if case not in found:
        return value
    return max(found[case], value) if case.startswith("both ways") else min(found[case], value)


def raw_patterns(sizes, window, milliseconds):
    """Balls of bench/ucx_floor/ucx_balls.hpp, with the better of two settings of UCX for each."""
    arguments = ("--repetitions", 1, "--patterns", ",".join(map(str, sizes)), "--window", window,
                 "--milliseconds", milliseconds)

    def run(programs, seen):
        best = {}
        for bytes_ in RENDEZVOUS:
            measured = programs.run("bench_raw_ucx", *arguments, "--rendezvous", bytes_).measurements()
            best.update({case: better(best, case, value) for case, value in measured.items()})
        return named("raw", best)
    return run


def raw_peers(count):
    return lambda programs, seen: named("raw", programs.run("bench_raw_ucx", "--peers", count).measurements())


def key_values(line):
    return dict(re.findall(r"(\w+)=(\S+)", line))


def triad(threads):
    def run(programs, seen):
        output = programs.run("bench_floors", "--threads", threads, "triad", "--megabytes", 128,
                              "--repetitions", 3).output
        return {"triad": float(key_values(output)["gb_per_s"])}
    return run


class OpenmpJacobi:
    """The best of the plain OpenMP programs that bench/floors knows. The first round tries all, later ones only those
    that were the fastest then."""

    def __init__(self, cells, iterations, threads):
        self.threads, self.finalists = threads, None
        self.arguments = ("--threads", threads, "jacobi", "--cells", cells, "--iterations", iterations)

    def __call__(self, programs, seen):
        among = ("--among", ",".join(self.finalists)) if self.finalists else ()
        lines = programs.run("bench_floors", *self.arguments, *among).output.splitlines()
        finalists = [key_values(line) for line in lines]
        self.finalists = [line["program"] for line in finalists]
        best = min(finalists, key=lambda line: float(line["ms_per_iteration"]))
        return {f"openmp {self.threads}": float(best["ms_per_iteration"]), "change": float(best["change"]),
                f"openmp {self.threads} program": f"{best['program']}, the example's kernel in {best['example']}"}


def ms_of_each(result):
    """Of all iterations, as the floors count them; programs of older builds know no other time."""
    if "warm_up" not in result:
        return result["ms_per_iteration"]
    later = result["iterations"] - result["warm_up"]
    return (result["ms_per_iteration"] * later + result["warm_up_ms"]) / result["iterations"]


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
        return {prefix: ms_of_each(result)}
    return KaonContender("jacobi3d", run)


def idle(prefix, seconds, *arguments, processes=1):
    """Processor time of a program that waits, its start and end included, in percent of one core."""
    def run(programs, seen):
        outcome = programs.run("idle", *arguments, "--seconds", seconds, processes=processes)
        at_once = programs.run("idle", *arguments, "--seconds", 0, processes=processes)
        return {f"{prefix} whole run": 100 * outcome.cpu_s / seconds,
                f"{prefix} waiting": 100 * max(0.0, outcome.cpu_s - at_once.cpu_s) / seconds}
    return KaonContender("idle", run)


def hello(processes):
    """Seconds from the start to the end of a run of so many processes of one PE each."""
    return KaonContender("hello", lambda programs, seen: {
        f"hello {processes}": programs.run("hello", "--pes", 1, processes=processes).wall_s})


def hello_alone(count):
    """The same program as so many runs of one process at once, which know nothing of each other."""
    def run(programs, seen):
        text = 'i=0; while [ $i -lt "$2" ]; do "$1" --pes 1 >/dev/null & i=$((i + 1)); done; wait'
        outcome = run_command(["sh", "-c", text, "sh", programs.path("hello"), str(count)], f"{count} times hello")
        return {f"hello alone {count}": outcome.wall_s}
    return run
