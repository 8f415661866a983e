# SPDX-License-Identifier: Apache-2.0
import unittest

from rounds import Rounds, Spread


def rounds_of(*measured):
    rounds = Rounds()
    for one in measured:
        rounds.add(one)
    return rounds


class RoundsTest(unittest.TestCase):
    def test_a_spread_has_the_median_and_the_extremes(self):
        self.assertEqual(Spread.of([3, 1, 2]), Spread(2, 1, 3, 3, 1, 3))
        self.assertEqual(Spread.of([4, 1, 2, 3]).median, 2.5)

    def test_the_median_lies_between_bounds_that_leave_out_what_is_unlikely(self):
        # Of 20 values, the true median lies below the 6th smallest in 2.1 % of all cases and below the 7th in 5.8 %.
        spread = Spread.of(range(20))
        self.assertEqual((spread.low, spread.high), (5, 14))
        spread = Spread.of(range(8))  # below the smallest in 0.4 %, the second in 3.5 %, the third in 14 %
        self.assertEqual((spread.low, spread.high), (1, 6))

    def test_few_values_tell_no_more_than_their_extremes(self):
        for count in (1, 2, 3, 5):
            spread = Spread.of(range(count))
            self.assertEqual((spread.low, spread.high), (0, count - 1))

    def test_texts_are_counted_those_seen_most_often_first(self):
        rounds = rounds_of({"won": "b"}, {"won": "a"}, {"won": "a"}, {})
        self.assertEqual(rounds.names("won"), [("a", 2), ("b", 1)])

    def test_no_values_have_no_spread(self):
        self.assertIsNone(Spread.of([]))
        self.assertIsNone(rounds_of({"a": 1}).spread("b"))

    def test_a_ratio_is_taken_in_each_round_and_then_its_median(self):
        # The machine is three times slower in the second round: the medians' own ratio would be 4 / 3.
        rounds = rounds_of({"ours": 2, "floor": 1}, {"ours": 12, "floor": 6}, {"ours": 4, "floor": 3})
        self.assertEqual(rounds.ratio("ours", "floor"), Spread(2, 4 / 3, 2, 3, 4 / 3, 2))

    def test_a_difference_is_taken_in_each_round(self):
        rounds = rounds_of({"ours": 2, "floor": 1}, {"ours": 12, "floor": 6}, {"ours": 4, "floor": 1})
        self.assertEqual(rounds.difference("ours", "floor"), Spread(3, 1, 6, 3, 1, 6))

    def test_a_round_without_one_of_the_two_is_no_pair(self):
        rounds = rounds_of({"ours": 2}, {"floor": 6}, {"ours": 5, "floor": 2})
        self.assertEqual(rounds.ratio("ours", "floor"), Spread(2.5, 2.5, 2.5, 1, 2.5, 2.5))
        self.assertEqual(rounds.spread("ours").count, 2)

    def test_a_floor_of_zero_gives_a_difference_but_no_ratio(self):
        rounds = rounds_of({"ours": 2, "floor": 0})
        self.assertIsNone(rounds.ratio("ours", "floor"))
        self.assertEqual(rounds.difference("ours", "floor").median, 2)

    def test_rounds_are_chosen_by_what_they_measured(self):
        rounds = rounds_of({"a": 1}, {"a": 5}, {"a": 3}).only(lambda measured: measured["a"] > 2)
        self.assertEqual(rounds.spread("a"), Spread(4, 3, 5, 2, 3, 5))


if __name__ == "__main__":
    unittest.main()
