# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import medians
import results
import tables
from store import KINDS, MOST_KEPT, Campaign, Refused, Store, campaign_of
from topics import TOPICS, Figure, Line

TARGET = {"of": "ratio", "limit": 1.2, "at_most": True, "text": "<= 1.2 x"}


def row(case="8 B", **figures):
    return {"bench": "latency", "case": case, "unit": "us", **figures}


def campaign(*rows, machine="a small one", date="2026-11-21"):
    return Campaign(date, "abcdef1", machine, "", rows)


class MediansTest(unittest.TestCase):
    def test_the_median_of_all_campaigns_counts_and_not_the_best(self):
        merged = medians.of_machine([campaign(row(value=value, ratio=value / 2)) for value in (9.0, 1.0, 4.0)])[0]
        self.assertEqual((merged.value, merged.least, merged.most, merged.ratio, merged.count), (4, 1, 9, 2, 3))

    def test_a_target_is_judged_by_the_median(self):
        rows = [campaign(row(value=1, ratio=ratio, target=TARGET)) for ratio in (1.1, 1.3, 1.4)]
        self.assertIs(medians.of_machine(rows)[0].reached, False)
        self.assertIs(medians.of_machine(rows[:1])[0].reached, True)

    def test_the_newest_target_counts_for_campaigns_that_had_another_or_none(self):
        old = campaign(row(value=1, ratio=1.1))
        new = campaign(row(value=1, ratio=1.28, target=TARGET), date="2026-12-01")
        self.assertIs(medians.of_machine([old, new])[0].reached, True)  # of 1.1 and 1.28

    def test_a_target_of_near_cores_is_judged_by_rounds_with_such_cores(self):
        rows = [campaign(row(value=1, ratio=1.5, target={**TARGET, "figure": figure})) for figure in (1.1, None, 1.15)]
        self.assertIs(medians.of_machine(rows)[0].reached, True)
        self.assertIsNone(medians.of_machine(rows[1:2])[0].reached)

    def test_figures_that_only_some_campaigns_kept_are_told(self):
        merged = medians.of_machine([campaign(row(ratio=1.1)), campaign(row(value=3, ratio=1.3))])[0]
        self.assertEqual((merged.value, round(merged.ratio, 9)), (3, 1.2))

    def test_machines_are_not_mixed(self):
        found = medians.by_machine([campaign(row(value=1), machine="old"), campaign(row(value=5), machine="new")])
        self.assertEqual({machine: rows[0].value for machine, rows in found.items()}, {"new": 5, "old": 1})


class StoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "rows.json"

    def main(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
            code = results.main(["--results", str(self.folder), *arguments])
        return code, said.getvalue()

    def add(self, *rows, commit="abcdef1"):
        self.file.write_text(json.dumps(rows))
        return self.main("add", "host", str(self.file), "--date", "2026-11-21", "--commit", commit)

    def test_two_campaigns_of_a_day_and_commit_are_both_kept(self):
        for value in (1.0, 3.0):
            self.assertEqual(self.add(row(value=value, machine="m"))[0], 0)
        self.assertEqual([one.file for one in Store(self.folder / "campaigns").campaigns("host")],
                         ["2026-11-21-abcdef1", "2026-11-21-abcdef1-2"])

    def test_only_the_last_five_campaigns_of_a_kind_are_kept(self):
        for i in range(7):
            self.add(row(value=1, machine="m"), commit=f"{9 - i}abcdef")
        self.assertEqual([one.commit[0] for one in Store(self.folder / "campaigns").campaigns("host")],
                         ["3", "6", "7", "8", "9"])  # the last of a day stays, though its number is the least

    def test_a_campaign_has_a_line_for_each_row(self):
        self.add(row("8 B", value=1.5, machine="m"), row("1 KiB", value=2, machine="m"))
        text = (self.folder / "campaigns/host/2026-11-21-abcdef1.json").read_text()
        self.assertEqual(text.splitlines()[1:],
                         ['{"bench":"latency","case":"8 B","unit":"us","value":1.5},',
                          '{"bench":"latency","case":"1 KiB","unit":"us","value":2}', "]}"])
        found = Store(self.folder / "campaigns").campaigns("host")[0]
        self.assertEqual(found.as_text(), text)

    def test_what_is_no_campaign_is_refused(self):
        for rows, commit, text in (([row(value=1)], "abcdef1", "do not tell one machine"),
                                   ([row(value=1, machine="m", emulated=True)], "abcdef1", "figures of the emulation"),
                                   ([], "abcdef1", "holds no rows"),
                                   ([row(value=1, machine="m")], "HEAD", "give the commit's number")):
            code, said = self.add(*rows, commit=commit)
            self.assertEqual(code, 2)
            self.assertIn(text, said)
        with self.assertRaises(Refused):
            campaign_of([row(value=1, machine="m")], "yesterday", "abcdef1", "")

    def test_the_report_stands_between_the_marks_of_the_page(self):
        self.add(row(value=2.5, machine="m", ratio=1.5, target=TARGET))
        page = self.folder / "host_messages.md"
        page.write_text("before\n" + "".join(f"{tables.BEGIN.format(mark)}\nold\n{tables.END.format(mark)}\n"
                                             for mark in ("summary", "campaigns")) + "after\n")
        self.assertEqual(self.main("check")[0], 1)
        self.assertEqual(self.main("report")[0], 0)
        self.assertEqual(self.main("check")[0], 0)
        text = page.read_text()
        self.assertTrue(text.startswith("before\n") and text.endswith("\nafter\n"))
        self.assertNotIn("old", text)
        self.assertIn("0 of 1 targets reached", text)
        self.assertIn("NOT reached", text)
        self.assertIn("* 0 of 1 targets are reached. Measured on m, 2026-11-21, medians of 1 campaign.", text)

    def test_a_page_without_the_marks_is_refused(self):
        self.add(row(value=2.5, machine="m"))
        (self.folder / "host_messages.md").write_text("nothing\n")
        code, said = self.main("report")
        self.assertEqual(code, 2)
        self.assertIn("lacks the lines", said)

    def test_a_row_without_a_page_is_refused(self):
        self.add({"bench": "a new one", "case": "8 B", "unit": "us", "value": 1, "machine": "m"})
        code, said = self.main("check")
        self.assertEqual(code, 2)
        self.assertIn("no page has rows of a new one", said)

    def test_rows_can_be_chosen_and_written_for_programs(self):
        self.add(row("8 B", value=1, machine="m"), row("1 KiB", value=2, machine="m"))
        written = self.folder / "out.json"
        code, said = self.main("--only", "KiB", "--json", str(written))
        self.assertEqual(code, 0)
        self.assertNotIn("8 B", said)
        self.assertEqual([(found["case"], found["value"]) for found in json.loads(written.read_text())], [("1 KiB", 2)])


class TopicsTest(unittest.TestCase):
    def test_a_sentence_has_the_figures_of_its_rows(self):
        rows = tables.by_name(medians.of_machine([campaign(row(value=2.5, floor=1.25))]))
        figures = (Figure("latency", "8 B"), Figure("latency", "8 B", "floor"))
        self.assertEqual(Line("{0} over {1}", figures).filled(rows), "2.5 over 1.25")
        self.assertIsNone(Line("{0}", (Figure("latency", "1 KiB"),)).filled(rows))

    def test_all_figures_of_pages_are_in_campaigns(self):
        """A case that gets another name would take its sentence and its bars away."""
        for topic, _, by_machine in results.topics_with_rows(Store(results.RESULTS / "campaigns")):
            machines = [tables.by_name(rows) for rows in by_machine.values()]
            bars = [figure for each in topic.chart.bars.values() for figure in each.values()] if topic.chart else []
            for figure in [*bars, *(figure for line in topic.lines for figure in line.figures)]:
                self.assertTrue(any(figure.among(rows) is not None for rows in machines), figure)

    def test_a_bench_is_on_one_page(self):
        benches = [(topic.kind, bench) for topic in TOPICS for bench in topic.benches]
        self.assertEqual(len(benches), len(set(benches)))


class PagesTest(unittest.TestCase):
    def test_campaigns_are_few_and_have_a_line_for_each_row(self):
        store = Store(results.RESULTS / "campaigns")
        for kind in KINDS:
            self.assertLessEqual(len(store.files(kind)), MOST_KEPT)
            for file, kept in zip(store.files(kind), store.campaigns(kind)):
                self.assertEqual(file.read_text(), kept.as_text())

    def test_docs_results_say_what_all_campaigns_say(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(results.main(["check"]), 0, said.getvalue())


if __name__ == "__main__":
    unittest.main()
