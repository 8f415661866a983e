#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the last campaigns say together. `add KIND FILE` keeps what a benchmark wrote with --json, instead of the oldest
campaign of the kind when there are five; `report` writes the medians of all that are kept into the pages of docs/results
(bench/results/topics.py says which page has which rows), `charts` draws the charts on top of them; `check` fails when
these pages say anything else; without a command the medians are printed."""

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
from topics import TOPICS

RESULTS = HERE.parent.parent / "docs" / "results"


def require_pages(store):
    """Each row is on a page."""
    known = {(topic.kind, bench) for topic in TOPICS for bench in topic.benches}
    for kind in KINDS:
        for campaign in store.campaigns(kind):
            for row in campaign.rows:
                if (kind, row["bench"]) not in known:
                    raise Refused(f"no page has rows of {row['bench']}: name one for it in bench/results/topics.py")


def topics_with_rows(store):
    """(topic, its campaigns, their rows by machine) of each page that has rows."""
    for topic in TOPICS:
        campaigns = [campaign.only(topic.benches) for campaign in store.campaigns(topic.kind)]
        campaigns = [campaign for campaign in campaigns if campaign.rows]
        if campaigns:
            yield topic, campaigns, medians.by_machine(campaigns)


def pages(store, results):
    """(file, its text now, its text as the store gives it) of each page that has rows."""
    require_pages(store)
    for topic, campaigns, rows in topics_with_rows(store):
        file = results / f"{topic.page}.md"
        wanted = page = file.read_text(encoding="utf-8") if file.exists() else ""
        for mark, text in (("summary", tables.summary(topic, campaigns, rows)), ("campaigns", tables.report(campaigns, rows))):
            wanted = tables.replaced(wanted, mark, text)
            if wanted is None:
                raise Refused(f"{file} lacks the lines '{tables.BEGIN.format(mark)}' and '{tables.END.format(mark)}'")
        yield file, page, wanted


def draw_charts(store, results):
    try:
        import charts
    except ImportError as error:
        raise Refused(f"{error}: install matplotlib, as in `pip install matplotlib` in a virtual environment") from None
    charts.draw_charm(results / "host.png")
    for topic, campaigns, by_machine in topics_with_rows(store):
        if topic.chart:
            machine, rows = next(iter(by_machine.items()))
            dates = tables.dates([campaign for campaign in campaigns if campaign.machine == machine])
            charts.draw(topic.chart, tables.by_name(rows), f"{machine}, {dates}", results / f"{topic.page}.png")
    return 0


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
    commands.add_parser("charts", help="draw the charts of these pages; needs matplotlib")
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
        if options.command == "charts":
            return draw_charts(store, options.results)
        if options.command == "check":
            return check(store, options.results)
        return list_campaigns(store) if options.list else show(store, options)
    except Refused as error:
        print(f"bench_results: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
