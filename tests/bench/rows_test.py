# SPDX-License-Identifier: Apache-2.0
import json
import unittest

import placement
import report
from rounds import Rounds
from rows import Row, Target, evaluate


def rounds_of(*measured, word=0.05, others=0.0):
    rounds = Rounds()
    for one in measured:
        rounds.add({placement.WORD: word, placement.OTHERS: others, **one})
    return rounds


def row(target=None, floor="floor"):
    return Row("latency", "two processes 8 B", "us", "ours", floor, target)


class RowsTest(unittest.TestCase):
    def test_targets_may_be_of_the_value_the_ratio_or_the_difference(self):
        rounds = rounds_of({"ours": 3.0, "floor": 2.0})
        for target, reached in ((Target("value", 3), True), (Target("value", 2.9), False),
                                (Target("value", 3.1, at_most=False), False), (Target("value", 3, at_most=False), True),
                                (Target("ratio", 1.5), True), (Target("ratio", 1.4), False),
                                (Target("difference", 1), True), (Target("difference", 0.9), False)):
            self.assertEqual(evaluate(row(target), rounds).reached, reached, target)

    def test_a_target_for_near_cores_counts_only_such_rounds(self):
        target = Target("value", 0.2, near=True)
        rounds = rounds_of({"ours": 0.7}, {"ours": 0.8}, word=0.26)
        self.assertIsNone(evaluate(row(target), rounds).reached)
        rounds.rounds += rounds_of({"ours": 0.15}).rounds
        result = evaluate(row(target), rounds)
        self.assertTrue(result.reached)
        self.assertEqual(result.value.median, 0.7)  # all rounds are shown

    def test_a_target_for_far_cores_counts_only_such_rounds(self):
        target = Target("value", 0.2, far=True)
        rounds = rounds_of({"ours": 0.1})
        self.assertIsNone(evaluate(row(target), rounds).reached)
        rounds.rounds += rounds_of({"ours": 0.3}, word=0.26).rounds
        self.assertIs(evaluate(row(target), rounds).reached, False)
        self.assertEqual(target.text(), "<= 0.2 far")

    def test_a_difference_that_may_be_none_is_not_held_against_a_row(self):
        target = Target("ratio", 1.02, is_tie_unclear=True)
        noisy = rounds_of(*({"ours": ours, "floor": 1.0} for ours in (0.9, 1.05, 1.2)))
        self.assertIsNone(evaluate(row(target), noisy).reached)
        clear = rounds_of(*({"ours": ours, "floor": 1.0} for ours in (1.03, 1.05, 1.2)))
        self.assertIs(evaluate(row(target), clear).reached, False)
        fast = rounds_of(*({"ours": ours, "floor": 1.0} for ours in (0.9, 1.01, 1.2)))
        self.assertIs(evaluate(row(target), fast).reached, True)

    def test_disturbed_rounds_are_not_counted(self):
        rounds = rounds_of({"ours": 9.0, "floor": 1.0}, others=0.8)
        result = evaluate(row(Target("ratio", 1.5)), rounds)
        self.assertEqual(result.value.median, 9)  # there is nothing else to show
        self.assertIsNone(result.reached)
        rounds.rounds += rounds_of({"ours": 2.0, "floor": 2.0}).rounds
        result = evaluate(row(Target("ratio", 1.5)), rounds)
        self.assertEqual(result.value.median, 2)
        self.assertTrue(result.reached)

    def test_disturbed_rounds_tell_of_what_others_do_not_change(self):
        rounds = rounds_of({"ours": 9.0}, others=0.8)
        self.assertTrue(evaluate(row(Target("value", 10, any_round=True)), rounds).reached)
        self.assertIsNone(evaluate(row(Target("value", 10)), rounds).reached)

    def test_a_row_that_was_not_measured_reaches_nothing(self):
        result = evaluate(row(Target("value", 1)), rounds_of({"floor": 1.0}))
        self.assertIsNone(result.value)
        self.assertIsNone(result.reached)


class PlacementTest(unittest.TestCase):
    def test_rounds_are_near_far_or_disturbed(self):
        for word, others, name in ((0.05, 0.0, "near"), (0.26, 0.0, "far"), (0.05, 0.5, "disturbed"),
                                   (65.0, 0.0, "disturbed")):
            self.assertEqual(placement.name_of({placement.WORD: word, placement.OTHERS: others}), name)

    def test_cores_that_moved_apart_during_a_round_were_not_near(self):
        measured = placement.Observation().result(0.05, 0.26)
        self.assertEqual(measured[placement.WORD], 0.26)
        self.assertGreaterEqual(measured[placement.OTHERS], 0)


class ReportTest(unittest.TestCase):
    def test_json_has_the_figures_and_null_where_there_is_no_floor(self):
        rounds = rounds_of({"ours": 3.0, "floor": 2.0})
        rows = json.loads(report.as_json([evaluate(row(), rounds), evaluate(row(floor=None), rounds)]))
        common = {"bench": "latency", "case": "two processes 8 B", "value": 3.0, "unit": "us", "least": 3.0,
                  "most": 3.0, "rounds": 1}
        self.assertEqual(rows, [{**common, "floor": 2.0, "ratio": 1.5, "difference": 1.0},
                                {**common, "floor": None, "ratio": None, "difference": None}])

    def test_json_tells_the_target_and_what_it_was_measured_on(self):
        rounds = rounds_of({"ours": 3.0, "floor": 2.0})
        found = json.loads(report.as_json([evaluate(row(Target("ratio", 1.4)), rounds)], {"machine": "a small one"}))[0]
        self.assertEqual(found["target"], {"of": "ratio", "limit": 1.4, "at_most": True, "text": "<= 1.4 x",
                                           "figure": 1.5})
        self.assertIs(found["reached"], False)
        self.assertEqual(found["machine"], "a small one")

    def test_a_floor_that_several_programs_compete_for_is_named(self):
        rounds = rounds_of({"ours": 3.0, "floor": 2.0, "won": "avx2"}, {"ours": 3.0, "floor": 2.0, "won": "sse2"},
                           {"ours": 3.0, "floor": 2.0, "won": "avx2"})
        result = evaluate(Row("jacobi3d", "here", "ms", "ours", "floor", floor_name="won"), rounds)
        self.assertEqual(report.floor_lines([result]), ["the floor of jacobi3d, here: avx2 (2), sse2 (1)"])
        self.assertEqual(json.loads(report.as_json([result]))[0]["floor_name"], "avx2")

    def test_json_leaves_out_what_was_not_measured(self):
        self.assertEqual(json.loads(report.as_json([evaluate(row(), rounds_of({"floor": 1.0}))])), [])

    def test_the_table_says_what_was_reached(self):
        rounds = rounds_of({"ours": 3.0, "floor": 2.0})
        results = [evaluate(row(Target("ratio", limit)), rounds) for limit in (1.6, 1.4)]
        lines = report.table(results).splitlines()
        self.assertEqual(lines[1].split()[-4:], ["<=", "1.6", "x", "reached"])
        self.assertEqual(lines[2].split()[-2:], ["NOT", "reached"])
        self.assertIn("1 of 2 targets reached", report.summary(results))

    def test_columns_are_aligned(self):
        rounds = rounds_of({"ours": 1234567.0, "floor": 0.001})
        head, line = report.table([evaluate(row(), rounds)]).splitlines()
        self.assertEqual(head.index("value") + len("value"), line.index("1234567") + len("1234567"))


if __name__ == "__main__":
    unittest.main()
