#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MPI programs on Kaon, beside the same programs with Open MPI and MPICH, on two cores. Other MPIs are found in
.deps/mpi, where --fetch puts them, and in PATH; rows of those that are not there are left out."""

import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.append(str(Path(__file__).resolve().parent.parent / "driver"))

import implementations
import machine
import measuring
import placement
import report
from programs import Failed
from sections import QUICK, Extent, all_sections

MINUTES, QUICK_MINUTES, QUICK_ROUNDS = 3.5, 0.8, 3


def word_us(programs):
    """As bench_host measures it; None in a build without that program."""
    if not programs.has("handoff"):
        return None
    return programs.run("handoff", "--wake-ups", 0, "--milliseconds", 10).measurements()[placement.WORD]


def run_round(section, programs):
    observation, word = placement.Observation(), word_us(programs)
    seen, has_failed = measuring.run_contenders(section, programs)
    if word is None:
        return seen, has_failed, "cores unknown"
    seen.update(observation.result(word, word_us(programs)))
    return seen, has_failed, f"cores {placement.line_of(seen)}"


def parser_of():
    parser = measuring.parser_of("bench_ampi", __doc__, MINUTES)
    parser.add_argument("--quick", action="store_true", help="fewer cases and rounds, in a minute")
    measuring.add_baseline(parser)
    parser.add_argument("--open-mpi", metavar="DIR", help="where mpirun and mpicc of an Open MPI are")
    parser.add_argument("--mpich", metavar="DIR", help="where mpiexec and mpicc of an MPICH are")
    parser.add_argument("--fetch", action="store_true", help="get those that are missing from PyPI, into .deps/mpi")
    parser.add_argument("--alone", action="store_true", help="without other MPIs")
    return parser


def others_of(options, work):
    """The other MPIs that are there."""
    found = []
    for name, folder in (("Open MPI", options.open_mpi), ("MPICH", options.mpich)):
        if options.alone or options.builds_only:
            continue
        failure = implementations.fetch(name) if options.fetch and folder is None else None
        mpi, text = implementations.find(name, folder, work)
        measuring.say(f"beside {text} ({mpi.launcher[0]})" if mpi else f"without rows of {name}: {failure or text}")
        found += [mpi] if mpi else []
    return tuple(found)


def sections_of(parser, options, programs, work):
    folders = [programs.folder]
    if options.baseline is not None:
        folders.append(measuring.build_of(parser, options.baseline).folder)
    kaon, failure = implementations.builds(folders, work)
    if failure:
        parser.error(failure)
    sections = all_sections(kaon, others_of(options, work), QUICK if options.quick else Extent())
    return measuring.with_baseline(parser, options, sections)


def finish(all_rounds, results, failures):
    print(report.summary(results))
    disturbed = sum(len(rounds.only(placement.is_disturbed).rounds) for rounds in all_rounds)
    if disturbed:
        measuring.say(f"{disturbed} rounds were disturbed and tell nothing of targets: other programs use the cores")
    measuring.tell_failures(failures)
    return 1 if failures else 0


def run(parser, options, work):
    programs = measuring.find_programs(parser)
    sections = measuring.choose(parser, options, sections_of(parser, options, programs, Path(work)))
    if options.list:
        measuring.list_sections(sections)
        return 0
    if len(os.sched_getaffinity(0)) < 2:
        parser.error("this benchmark needs two cores")
    file = measuring.open_json(parser, options)
    all_rounds, results, failures = measuring.measure(sections, programs, options, run_round)
    if file:
        with file:
            file.write(report.as_json(results, machine.about()))
    return finish(all_rounds, results, failures)


def main(arguments):
    parser = parser_of()
    options = measuring.parse(parser, arguments)
    if options.quick:
        options.minutes, options.rounds = min(options.minutes, QUICK_MINUTES), min(options.rounds, QUICK_ROUNDS)
    with tempfile.TemporaryDirectory() as work:
        try:
            return run(parser, options, work)
        except Failed as error:
            parser.error(str(error))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
