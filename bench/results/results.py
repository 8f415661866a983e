#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the last campaigns say together. `add KIND FILE` keeps what a benchmark wrote with --json, instead of the oldest
campaign of the kind when there are five; `report` writes the medians of all that are kept into docs/results/KIND.md;
`check` fails when these pages say anything else; without a command the medians are printed."""

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "driver")]

import medians
import tables
from store import KINDS, Refused, Store, campaign_of

RESULTS = HERE.parent.parent / "docs" / "results"
MARK = "campaigns"


def pages(store, results):
    """(file, its text now, its text as the store gives it) of each kind that has campaigns."""
    for kind in KINDS:
        campaigns = store.campaigns(kind)
        file = results / f"{kind}.md"
        if not campaigns:
            continue
        page = file.read_text(encoding="utf-8")
        wanted = tables.replaced(page, MARK, tables.report(campaigns, medians.by_machine(campaigns)))
        if wanted is None:
            raise Refused(f"{file} lacks the lines '{tables.BEGIN.format(MARK)}' and '{tables.END.format(MARK)}'")
        yield file, page, wanted


def write_report(store, results):
    for file, page, wanted in pages(store, results):
        if wanted != page:
            file.write_text(wanted, encoding="utf-8")
        print(f"{file}: {'written' if wanted != page else 'nothing new'}")
    return 0


def check(store, results):
    stale = [str(file) for file, page, wanted in pages(store, results) if wanted != page]
    for file in stale:
        print(f"{file} is not what the campaigns say: run ./dev bench results report")
    return 1 if stale else 0


def add(store, options):
    try:
        rows = json.loads(Path(options.file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refused(f"{options.file}: {error}") from None
    print(store.add(options.kind, campaign_of(rows, options.date, options.commit, options.note)))
    return 0


def show(store, options):
    found = {kind: medians.by_machine(store.campaigns(kind)) for kind in KINDS}
    kept = {(kind, machine): [row for row in rows if options.only is None or options.only in f"{row.bench} {row.case}"]
            for kind, machines in found.items() for machine, rows in machines.items()}
    for (kind, machine), rows in kept.items():
        print(f"{kind}, {machine}\n{tables.table(rows)}\n")
    if options.json:
        Path(options.json).write_text(json.dumps(
            [{"kind": kind, "machine": machine, **row.as_object()} for (kind, machine), rows in kept.items()
             for row in rows], indent=1) + "\n", encoding="utf-8")
    return 0


def list_campaigns(store):
    for kind in KINDS:
        for campaign in store.campaigns(kind):
            print(f"{kind} {campaign.file}: {campaign.machine}, {len(campaign.rows)} rows")
    return 0


def parser_of():
    parser = argparse.ArgumentParser(prog="bench_results", description=__doc__)
    parser.add_argument("--results", metavar="DIR", type=Path, default=RESULTS, help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="name the campaigns")
    parser.add_argument("--only", metavar="TEXT", help="print only rows with this in their name")
    parser.add_argument("--json", metavar="FILE", help="write what is printed to this file too")
    commands = parser.add_subparsers(dest="command")
    new = commands.add_parser("add", help="keep the rows of a campaign")
    new.add_argument("kind", choices=KINDS)
    new.add_argument("file", help="what the benchmark wrote with --json")
    new.add_argument("--date", required=True, help="of the campaign, as 2026-11-21")
    new.add_argument("--commit", required=True, help="that was measured")
    new.add_argument("--note", default="", help="what else a reader should know")
    commands.add_parser("report", help="write the medians into docs/results")
    commands.add_parser("check", help="whether docs/results has the medians of all campaigns")
    return parser


def main(arguments):
    options = parser_of().parse_args(arguments)
    store = Store(options.results / "campaigns")
    try:
        if options.command == "add":
            return add(store, options)
        if options.command == "report":
            return write_report(store, options.results)
        if options.command == "check":
            return check(store, options.results)
        return list_campaigns(store) if options.list else show(store, options)
    except Refused as error:
        print(f"bench_results: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
