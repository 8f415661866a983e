#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kaon on the processors of this machine, beside what the machine can do without it."""

import argparse
import os
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources

import contenders
import placement
import report
from programs import Failed, Programs
from rounds import Rounds
from rows import evaluate
from sections import all_sections


def say(text):
    print(text, file=sys.stderr, flush=True)


def run_round(section, programs):
    """What this round measured, and whether all of it worked."""
    seen, has_failed = {}, False
    observation, word = placement.Observation(), contenders.word_us(programs)
    for contender in section.contenders:
        try:
            seen.update(contender(programs, seen))
        except Failed as error:
            has_failed = True
            say(f"  {error}")
        time.sleep(section.pause_s)
    seen.update(observation.result(word, contenders.word_us(programs)))
    return seen, has_failed


def run_section(section, programs, count, until):
    """At least one round, and none more after `until`."""
    rounds, failures = Rounds(), 0
    say(f"{section.name}:")
    for i in range(min(count, section.most_rounds)):
        if i > 0 and time.monotonic() > until:
            say("  no time for more rounds")
            break
        measured, has_failed = run_round(section, programs)
        rounds.add(measured)
        failures += has_failed
        say(f"  round {i + 1}: cores {placement.line_of(measured)}")
    return rounds, failures


def parse(arguments):
    parser = argparse.ArgumentParser(prog="bench_host", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="write the rows to this file too")
    parser.add_argument("--rounds", type=int, default=5, help="of each section (default: 5)")
    parser.add_argument("--minutes", type=float, default=9,
                        help="fewer rounds when it takes longer (default: 9)")
    parser.add_argument("--only", metavar="TEXT", help="only sections with this in their name, or of this bench")
    parser.add_argument("--list", action="store_true", help="name the sections")
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error("--rounds takes a count of at least 1")
    if not options.minutes > 0:
        parser.error("--minutes takes a time above 0")
    return parser, options


def benches_of(section):
    return list(dict.fromkeys(row.bench for row in section.rows))


def is_meant(section, text):
    return text in section.name or text in benches_of(section)


def chosen_sections(parser, options):
    sections = [section for section in all_sections() if options.only is None or is_meant(section, options.only)]
    if not sections:
        parser.error(f"nothing is called '{options.only}'; --list names the sections and their benches")
    return sections


def measure(sections, programs, count, minutes):
    """All results in order, how many rounds were disturbed, and how many had a failure."""
    results, disturbed, failures, start = [], 0, 0, time.monotonic()
    for i, section in enumerate(sections):
        share = (i + 1) / len(sections)  # what one section leaves of its time is there for the next
        rounds, failed = run_section(section, programs, count, start + 60 * minutes * share)
        section_results = [evaluate(row, rounds) for row in section.rows]
        print(report.table(section_results), end="\n\n", flush=True)
        results += section_results
        disturbed += len(rounds.only(placement.is_disturbed).rounds)
        failures += failed
    return results, disturbed, failures


def finish(results, disturbed, failures):
    print(report.summary(results))
    if disturbed:
        say(f"{disturbed} rounds were disturbed and do not count: other programs use the cores")
    if failures:
        say(f"{failures} rounds lack a program that failed, see above")
    return 1 if failures else 0


def main(arguments):
    parser, options = parse(arguments)
    sections = chosen_sections(parser, options)
    if options.list:
        print("\n".join(f"{section.name}: {', '.join(benches_of(section))}" for section in sections))
        return 0
    if len(os.sched_getaffinity(0)) < 2:
        parser.error("this benchmark needs two cores")
    try:
        file = open(options.json, "w", encoding="utf-8") if options.json else None  # before minutes are spent
    except OSError as error:
        parser.error(f"--json {options.json}: {error.strerror}; name a file that can be written")
    # The programs lie beside the link that was called, not beside this file.
    programs = Programs(Path(sys.argv[0]).absolute().parent.parent)
    results, disturbed, failures = measure(sections, programs, options.rounds, options.minutes)
    if file:
        with file:
            file.write(report.as_json(results))
    return finish(results, disturbed, failures)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
