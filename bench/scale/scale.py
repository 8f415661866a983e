#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How Kaon grows with its processes and PEs: `./dev bench scale [measure|simulate]`.

`measure` counts messages and memory of up to 4,096 PEs on the loopback machine, and times runs of up to 256 processes
here; --json keeps it. `simulate` takes what measured.json keeps, or another --record, and computes runs of up to
100,000 PEs; --plot draws it, which needs matplotlib.
"""
import argparse
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "driver")]

import loopback
import machine
import processes
import simulate
from runs import Programs

SECONDS = 600
TREE, QUIET = "broadcast and reduction", "quiescence"


def text_of(record):
    """JSON with a line for each run."""
    def lines_of(value):
        if isinstance(value, list):
            return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "]"
        if isinstance(value, dict) and any(isinstance(each, dict) for each in value.values()):
            return "{\n  " + ",\n  ".join(f"{json.dumps(str(k))}: {json.dumps(v)}" for k, v in value.items()) + "}"
        return json.dumps(value)
    return "{\n " + ",\n ".join(f"{json.dumps(key)}: {lines_of(value)}" for key, value in record.items()) + "\n}\n"


def measure(options):
    programs = Programs(Path(os.environ.get("KAON_BUILD", "build/release")))
    load = os.getloadavg()[0]
    found = loopback.measure(programs, SECONDS)
    loopback.print_tables(found)
    pairs = processes.measure_pairs(programs, options.rounds)
    processes.print_pairs(pairs)
    starts = processes.measure_starts(programs, options.rounds)
    processes.print_starts(starts)
    runs = processes.measure_runs(programs, options.processes, options.rounds)
    processes.print_runs(runs)
    if options.json:
        record = {**machine.about(), "date": options.date, "commit": options.commit, "note": options.note,
                  "load before": round(load, 2), "rounds": options.rounds, "pairs": pairs, "starts": starts,
                  "runs": runs, "loopback": [{**vars(shape), **of} for shape, of in found.items()]}
        Path(options.json).write_text(text_of(record), encoding="utf-8")


def print_costs(costs):
    print("Costs, us (measured, but for the latency between hosts):")
    print("| message | send | receive | latency | more in a tree | in a wave | to a sleeper |\n| --- |" + " --- |" * 6)
    for name, edge in (("within a process", costs.memory), ("between processes", costs.shared),
                       ("between hosts", costs.network)):
        print(f"| {name} | " + " | ".join(f"{1e6 * value:.3f}" for value in vars(edge).values()) + " |")
    print(f"A process begins in {1e3 * costs.begin.a:.1f} ms and {1e3 * costs.begin.b:.2f} ms for each PE, a first "
          f"message to another PE takes {1e6 * costs.connect:.0f} us, kaonrun starts a process in "
          f"{1e3 * costs.launch:.2f} ms and works {1e3 * costs.serve:.2f} ms for it in all (measured).")
    print("Assumed:", *simulate.ASSUMED, sep="\n* ")


def print_checks(record, costs):
    print("\nThe simulation beside what was counted and measured:")
    print("| run | simulated | here |\n| --- | --- | --- |")
    for of in record["loopback"]:
        if of["pes"] == 1 and of["host"] == 0 and of["processes"] >= 64:
            pes = of["processes"]
            wave = simulate.Wave(costs, simulate.Layout("", pes, pes), pes, "step").run()
            print(f"| {TREE}, {pes} PEs of a host | {wave.messages} messages, {2 * max(wave.depth)} steps | "
                  f"{of[f'{TREE} messages']:.0f} messages, {of[f'{TREE} steps']:.0f} steps |")
    cores = int(record["machine"].rpartition(", ")[2].split()[0])
    for count, found in record["runs"].items():
        modelled = simulate.start_of_host(costs, int(count), 1, cores)
        print(f"| start of {count} processes on {cores} cores | {1e3 * modelled:.0f} ms | "
              f"{found['main begins']:.0f} ms |")


def print_outcomes(outcomes):
    limits = f"start {simulate.TARGETS['start']:g} s, {TREE} {1e6 * simulate.TARGETS['tree']:g} us"
    print(f"\nSimulated (targets at 100,000 PEs: {limits}):")
    print(f"| hosts | PEs | start, s | down, us | {TREE}, us | the same of sleeping PEs, us | {QUIET}, us | messages | "
          "steps |\n| --- |" + " --- |" * 8)
    for name, rows in outcomes.items():
        for row in rows:
            times = (row.down, row.tree, row.woken, row.quiescence)
            print(f"| {name} | {row.pes} | {row.start:.2f} | " + " | ".join(f"{1e6 * time:.1f}" for time in times)
                  + f" | {row.messages} | {row.steps} |")


def print_centre(costs, outcomes):
    print("\nWere all processes started by one kaonrun, as those of a host are, and their contacts brought to each:")
    print("| processes of a PE | started in, s (along the measured line) | sockets and pipes | contacts, MB |")
    print("| --- | --- | --- | --- |")
    for row in next(iter(outcomes.values())):
        print(f"| {row.pes} | {row.pes * costs.launch:.1f} | {3 * row.pes} | {row.pes * costs.contact / 1e6:.2f} |")


def show_simulation(options):
    record = json.loads(Path(options.record).read_text(encoding="utf-8"))
    costs = simulate.Costs.of(record)
    print(f"Of {record['machine']}, {record['date']}, commit {record['commit']}; {record['note']}.\n")
    print_costs(costs)
    print_checks(record, costs)
    outcomes = simulate.simulate_all(costs, options.pes)
    print_outcomes(outcomes)
    print_centre(costs, outcomes)
    if options.plot:
        import plot  # pylint: disable=import-outside-toplevel  # of all that is here, it alone needs matplotlib
        plot.draw(record, outcomes, options.plot)


def options_of(arguments):
    parser = argparse.ArgumentParser(prog="bench_scale", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command")
    measuring = commands.add_parser("measure", help="count and time runs here")
    measuring.add_argument("--processes", type=int, nargs="+", default=[16, 32, 64, 128, 256])
    measuring.add_argument("--rounds", type=int, default=5)
    measuring.add_argument("--json", metavar="FILE", help="keep what was measured in this file")
    measuring.add_argument("--date", default="", help="of the measurement, to be kept")
    measuring.add_argument("--commit", default="", help="that was measured, to be kept")
    measuring.add_argument("--note", default="", help="what else a reader should know, to be kept")
    simulating = commands.add_parser("simulate", help="compute larger runs from what was measured")
    simulating.add_argument("--record", metavar="FILE", default=str(HERE / "measured.json"))
    simulating.add_argument("--pes", type=int, default=100_000, help="at most, in whole hosts")
    simulating.add_argument("--plot", metavar="FILE", help="draw it into this picture")
    return parser.parse_args(arguments or ["measure"])


if __name__ == "__main__":
    chosen = options_of(sys.argv[1:])
    (show_simulation if chosen.command == "simulate" else measure)(chosen)
