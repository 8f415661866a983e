# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

import baseline
import contenders
import host
import placement
import report
from programs import Failed, Programs
from quick_sections import quick_sections
from rounds import Rounds
from rows import Row, evaluate
from section import Section


def build(folder, **values):
    """A build folder whose programs each print one value of the case 'it'."""
    for name, value in values.items():
        path = Path(folder) / "bench" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"""#!{sys.executable}
print('{{"case": "it", "value": {value}, "unit": "us"}}')
""")
        path.chmod(0o755)
    return Programs(folder)


def section_of(*names, unit="us"):
    return Section("all", tuple(contenders.measuring(name, name) for name in names),
                   tuple(Row("bench", name, unit, f"{name} it") for name in names))


class BaselineTest(unittest.TestCase):
    def setUp(self):
        self.folders = []
        for _ in range(2):
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            self.folders.append(folder.name)

    def test_both_builds_are_measured_in_one_round(self):
        ours, older = build(self.folders[0], walk=2), build(self.folders[1], walk=1)
        compared = baseline.with_baseline(section_of("walk"), older, True)
        self.assertEqual(compared.contenders[0](ours, {}), {"walk it": 2, "baseline walk it": 1})

    def test_who_is_first_changes_with_each_round(self):
        ours, older = build(self.folders[0]), build(self.folders[1])
        order = []
        contender = baseline.KaonContender("any", lambda programs, seen: order.append(programs) or {"it": 1})
        turns = baseline.Turns(contender, older)
        for _ in range(2):
            turns(ours, {})
        self.assertEqual(order, [ours, older, older, ours])

    def test_what_the_baseline_lacks_is_not_compared(self):
        ours, older = build(self.folders[0], walk=2, flood=3), build(self.folders[1], walk=1)
        compared = baseline.with_baseline(section_of("walk", "flood"), older, True)
        rounds = Rounds()
        rounds.add(compared.contenders[0](ours, {}))
        results = baseline.without_empty([evaluate(row, rounds) for row in compared.rows])
        self.assertEqual([result.row.case for result in results], ["walk, over the baseline's"])
        self.assertIsNone(baseline.with_baseline(section_of("flood"), older, True))

    def test_a_baseline_that_fails_is_named_and_hides_nothing_of_ours(self):
        ours, older = build(self.folders[0], walk=2), build(self.folders[1], walk=1)
        (Path(self.folders[1]) / "bench" / "walk").write_text(f"#!{sys.executable}\nraise SystemExit('too old')\n")
        turns = baseline.with_baseline(section_of("walk"), older, True).contenders[0]
        seen = {}
        with self.assertRaisesRegex(Failed, "the baseline: walk: ended with 1: too old"):
            turns(ours, seen)
        self.assertEqual(seen, {"walk it": 2})

    def test_times_may_not_grow_and_rates_may_not_fall_by_more_than_2_percent(self):
        for unit, value, reached in (("us", 1.019, True), ("us", 1.021, False), ("M/s", 0.981, True),
                                     ("GB/s", 0.979, False), ("M/s", 1.5, True)):
            rounds = Rounds()
            for _ in range(3):
                rounds.add({"walk it": value, "baseline walk it": 1})
            row = baseline.against(section_of("walk", unit=unit).rows[0])
            self.assertIs(evaluate(row, rounds).reached, reached, (unit, value))

    def speeds_of(self, **values):
        """What is said of rows in these units, whose values are those of the baseline's 1."""
        rounds, rows = Rounds(), []
        for unit, value in values.items():
            unit = unit.replace("_", "/")
            rows.append(baseline.against(Row("bench", unit, unit, f"{unit} it")))
            rounds.add({f"{unit} it": value, f"baseline {unit} it": 1})
        return baseline.lines_of_slower([evaluate(row, rounds) for row in rows])

    def test_rows_below_097_of_the_speed_are_named_the_slowest_first(self):
        self.assertEqual(self.speeds_of(us=1.04, ns=1.02, M_s=0.96, GB_s=0.98, s=2),
                         ["3 of 5 rows are below 0.97 of the baseline's speed",
                          "  bench, s, over the baseline's: 0.500 of its speed (0.500..0.500)",
                          "  bench, M/s, over the baseline's: 0.960 of its speed (0.960..0.960)",
                          "  bench, us, over the baseline's: 0.962 of its speed (0.962..0.962)"])
        self.assertEqual(self.speeds_of(us=0.5, M_s=2), ["0 of 2 rows are below 0.97 of the baseline's speed"])

    def test_what_noise_may_explain_is_unclear(self):
        row = baseline.against(section_of("walk").rows[0])
        disturbed = {placement.WORD: 0.05, placement.OTHERS: 1.0}
        for values, more, unclear in (((0.9, 1.1, 1.2), {}, True), ((1.1, 1.1, 1.2), {}, False),
                                      ((1.1, 1.1, 1.2), disturbed, True)):
            rounds = Rounds()
            for value in values:
                rounds.add({"walk it": value, "baseline walk it": 1, **more})
            self.assertIs(baseline.lines_of_slower([evaluate(row, rounds)])[1].endswith(", unclear"), unclear)

    def test_the_summary_names_them(self):
        rounds = Rounds()
        rounds.add({"walk it": 2, "baseline walk it": 1})
        plain = section_of("walk").rows[0]
        self.assertIn("1 of 1 rows are below", report.summary([evaluate(baseline.against(plain), rounds)]))
        self.assertNotIn("below", report.summary([evaluate(plain, rounds)]))

    def test_a_speed_has_the_interval_of_the_median(self):
        rounds = Rounds()
        for value in (1.0, 1.25, 2.0):
            rounds.add({"walk it": value, "baseline walk it": 1})
        result = evaluate(baseline.against(section_of("walk").rows[0]), rounds)
        self.assertEqual(baseline.speeds(result), (0.8, 0.5, 1.0))

    def test_a_series_that_is_compared_with_two_others_is_one_row(self):
        older = build(self.folders[1], walk=1)
        section = Section("all", (contenders.measuring("walk", "walk"),),
                          tuple(Row("bench", f"walk over {other}", "us", "walk it", other) for other in ("x", "y")))
        self.assertEqual([row.case for row in baseline.with_baseline(section, older, True).rows],
                         ["walk, over the baseline's"])

    def test_rows_that_are_not_judged_keep_their_remark(self):
        row = baseline.against(Row("bench", "walk", "us", "walk it", remark="emulated"), False)
        self.assertEqual((row.target, row.remark), (None, "emulated"))

    def test_a_full_run_keeps_its_rows_and_floors(self):
        older = build(self.folders[1], walk=1)
        compared = baseline.with_baseline(section_of("walk", "flood"), older, False)
        self.assertEqual(len(compared.contenders), 2)
        self.assertEqual([row.case for row in compared.rows],
                         ["walk", "flood", "walk, over the baseline's", "flood, over the baseline's"])


class QuickTest(unittest.TestCase):
    def run_main(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            with self.assertRaises(SystemExit) as end:
                raise SystemExit(host.main(arguments))
        return end.exception.code, said.getvalue()

    def test_it_is_one_section_of_the_message_path(self):
        self.assertEqual(self.run_main("--quick", "--list")[1].splitlines(),
                         ["message path: latency, rate, broadcast"])

    def test_it_ends_within_two_minutes_whatever_else_is_asked(self):
        options = host.parse(host.parser_of(), ["--quick", "--minutes", "60"])
        self.assertLess(options.minutes, 2)
        self.assertEqual(host.parse(host.parser_of(), ["--quick", "--minutes", "0.5"]).minutes, 0.5)

    def test_every_contender_is_one_that_a_baseline_can_run(self):
        for section in quick_sections():
            for contender in section.contenders:
                self.assertIsInstance(contender, baseline.KaonContender)

    def test_only_rows_of_builds_need_another_build(self):
        code, said = self.run_main("--builds-only")
        self.assertEqual(code, 2)
        self.assertIn("name it by --baseline", said)

    def test_a_folder_without_a_build_is_refused(self):
        code, said = self.run_main("--quick", "--list", "--baseline", tempfile.gettempdir())
        self.assertEqual(code, 2)
        self.assertIn("there is no bin/kaonrun in it", said)


if __name__ == "__main__":
    unittest.main()
