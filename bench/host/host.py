#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kaon on the processors of this machine, beside what the machine can do without it."""

import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.append(str(Path(__file__).resolve().parent.parent / "driver"))

import contenders
import machine
import measuring
import open_mpi
import placement
import report
from quick_sections import quick_sections
from sections import all_sections

QUICK_MINUTES, QUICK_ROUNDS = 1.9, 1000


def run_round(section, programs):
    observation, word = placement.Observation(), contenders.word_us(programs)
    seen, has_failed = measuring.run_contenders(section, programs)
    seen.update(observation.result(word, contenders.word_us(programs)))
    return seen, has_failed, f"cores {placement.line_of(seen)}"


def finish(results, disturbed, failures):
    print(report.summary(results))
    if disturbed:
        measuring.say(f"{disturbed} rounds were disturbed and do not count: other programs use the cores")
    measuring.tell_failures(failures)
    return 1 if failures else 0


def parser_of():
    parser = measuring.parser_of("bench_host", __doc__, minutes=20)
    parser.add_argument("--quick", action="store_true",
                        help="only the message path, in two minutes: as many short rounds as that allows; with --baseline, "
                             "only rows that compare the builds")
    measuring.add_baseline(parser)
    parser.add_argument("--mpi", metavar="DIR", help="where mpirun and mpicc of Open MPI are, when not in the PATH")
    return parser


def parse(parser, arguments):
    options = measuring.parse(parser, arguments)
    if options.quick:
        options.minutes, options.rounds = min(options.minutes, QUICK_MINUTES), QUICK_ROUNDS
        options.builds_only = True
    return options


def sections_of(parser, options, work):
    """`work`: a folder for what is compiled."""
    if options.quick:
        sections = quick_sections()
    else:
        peer, reason = open_mpi.find(options.mpi, work)
        if peer is None:
            measuring.say(f"without rows of Open MPI: {reason}")
        sections = all_sections(peer)
    return measuring.with_baseline(parser, options, sections)


def run(parser, options, sections):
    if len(os.sched_getaffinity(0)) < 2:
        parser.error("this benchmark needs two cores")
    file = measuring.open_json(parser, options)
    all_rounds, results, failures = measuring.measure(sections, measuring.find_programs(parser), options, run_round)
    if file:
        with file:
            file.write(report.as_json(results, machine.about()))
    return finish(results, sum(len(rounds.only(placement.is_disturbed).rounds) for rounds in all_rounds), failures)


def main(arguments):
    parser = parser_of()
    options = parse(parser, arguments)
    with tempfile.TemporaryDirectory() as work:
        sections = measuring.choose(parser, options, sections_of(parser, options, work))
        if options.list:
            measuring.list_sections(sections)
            return 0
        return run(parser, options, sections)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
