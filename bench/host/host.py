#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kaon on the processors of this machine, beside what the machine can do without it."""

import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.append(str(Path(__file__).resolve().parent.parent / "driver"))

import contenders
import measuring
import placement
import report
from sections import all_sections


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


def main(arguments):
    parser = measuring.parser_of("bench_host", __doc__)
    options = measuring.parse(parser, arguments)
    sections = measuring.choose(parser, options, all_sections())
    if options.list:
        measuring.list_sections(sections)
        return 0
    if len(os.sched_getaffinity(0)) < 2:
        parser.error("this benchmark needs two cores")
    file = measuring.open_json(parser, options)
    all_rounds, results, failures = measuring.measure(sections, measuring.find_programs(parser), options, run_round)
    if file:
        with file:
            file.write(report.as_json(results))
    return finish(results, sum(len(rounds.only(placement.is_disturbed).rounds) for rounds in all_rounds), failures)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
