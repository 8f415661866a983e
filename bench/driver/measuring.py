# SPDX-License-Identifier: Apache-2.0
"""What all drivers of benchmarks do: options, the rounds of each section, the end."""

import argparse
import signal
import sys
import time
from pathlib import Path

import baseline
import report
from programs import Failed, Programs
from rounds import Rounds
from rows import evaluate


class Stopped(Exception):
    """Somebody asks for the end, as `timeout` does by SIGTERM."""


def stop(_signal, _frame):
    raise Stopped


def say(text):
    print(text, file=sys.stderr, flush=True)


def run_contenders(section, programs):
    """What they measured in one round, and whether all of them worked."""
    seen, has_failed = {}, False
    for contender in section.contenders:
        try:
            seen.update(contender(programs, seen))
        except Failed as error:
            has_failed = True
            say(f"  {error}")
        time.sleep(section.pause_s)
    return seen, has_failed


def run_section(section, programs, count, until, run_round):
    """At least one round, and none more after `until`."""
    rounds, failures = Rounds(), 0
    say(f"{section.name}:")
    for i in range(min(count, section.most_rounds)):
        if i > 0 and time.monotonic() > until:
            say("  no time for more rounds")
            break
        measured, has_failed, remark = run_round(section, programs)
        rounds.add(measured)
        failures += has_failed
        say(f"  round {i + 1}: {remark}")
    return rounds, failures


def measure(sections, programs, options, run_round):
    """The rounds of each section, all results in order, and how many rounds had a failure. `run_round` gives what was
    measured, whether something failed, and a remark. Whole sections that were measured before a stop count."""
    all_rounds, results, failures, start = [], [], 0, time.monotonic()
    signal.signal(signal.SIGTERM, stop)
    for i, section in enumerate(sections):
        until = start + 60 * options.minutes * (i + 1) / len(sections)  # what a section leaves is there for the next
        try:
            rounds, failed = run_section(section, programs, options.rounds, until, run_round)
        except Stopped:
            say(f"stopped in '{section.name}': it and what follows is missing")
            return all_rounds, results, failures + 1
        section_results = baseline.without_empty([evaluate(row, rounds) for row in section.rows])
        print("\n".join([report.table(section_results), *report.floor_lines(section_results)]), end="\n\n", flush=True)
        all_rounds.append(rounds)
        results += section_results
        failures += failed
    return all_rounds, results, failures


def parser_of(name, description, minutes=9):
    parser = argparse.ArgumentParser(prog=name, description=description)
    parser.add_argument("--json", metavar="FILE", help="write the rows to this file too")
    parser.add_argument("--rounds", type=int, default=5, help="of each section (default: 5)")
    parser.add_argument("--minutes", type=float, default=minutes,
                        help=f"fewer rounds when it takes longer (default: {minutes})")
    parser.add_argument("--only", metavar="TEXT", help="only sections with this in their name, or of this bench")
    parser.add_argument("--list", action="store_true", help="name the sections")
    return parser


def add_baseline(parser):
    parser.add_argument("--baseline", metavar="DIR",
                        help="the build folder, or bundle, of another build, which takes turns with this one: rows say "
                             "whether this one is slower by more than 2 %%")
    parser.add_argument("--builds-only", action="store_true", help="with --baseline, only such rows")


def with_baseline(parser, options, sections, is_judged=True):
    """The sections that the options ask for, with the programs of the baseline, if they name one."""
    if options.baseline is None:
        return sections
    other = build_of(parser, options.baseline)
    compared = (baseline.with_baseline(section, other, options.builds_only, is_judged) for section in sections)
    return tuple(section for section in compared if section)


def parse(parser, arguments):
    options = parser.parse_args(arguments)
    if getattr(options, "builds_only", False) and options.baseline is None:
        parser.error("--builds-only needs another build: name it by --baseline")
    if options.rounds < 1:
        parser.error("--rounds takes a count of at least 1")
    if not options.minutes > 0:
        parser.error("--minutes takes a time above 0")
    return options


def choose(parser, options, sections):
    chosen = [section for section in sections if options.only is None or section.is_meant(options.only)]
    if not chosen:
        parser.error(f"nothing is called '{options.only}'; --list names the sections and their benches")
    return chosen


def list_sections(sections):
    print("\n".join(f"{section.name}: {', '.join(section.benches())}" for section in sections))


def open_json(parser, options):
    """None when no file is wanted. Before minutes are spent."""
    try:
        return open(options.json, "w", encoding="utf-8") if options.json else None
    except OSError as error:
        parser.error(f"--json {options.json}: {error.strerror}; name a file that can be written")


def find_programs(parser):
    """The folder with the launcher above the script or the link that was called: a build folder, or a bundle."""
    script = Path(sys.argv[0]).absolute()
    for folder in script.parents:
        if (folder / "bin" / "kaonrun").exists():
            return Programs(folder)
    parser.error(f"no bin/kaonrun in a folder above {script}; start this by ./dev bench, or from a bundle")


def build_of(parser, folder):
    """The programs of another build."""
    if not (Path(folder) / "bin" / "kaonrun").exists():
        parser.error(f"--baseline {folder}: there is no bin/kaonrun in it; name a build folder, as build/release of "
                     "another checkout, or a bundle")
    return Programs(Path(folder).absolute())


def tell_failures(failures):
    if failures:
        say(f"{failures} rounds lack a program that failed, see above")
