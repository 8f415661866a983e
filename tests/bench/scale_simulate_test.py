# SPDX-License-Identifier: Apache-2.0
import json
import unittest
from pathlib import Path

import fits
import loopback
import scale
import simulate
from simulate import Costs, Edge, Layout, Wave

RECORD = Path(simulate.__file__).with_name("measured.json")
ONE = Edge(send=1, receive=10, latency=100, step=1000, wave=0, wake=10_000)
COSTS = Costs(ONE, ONE, ONE, launch=2, serve=3, begin=fits.Line(4, 1, 0), connect=0, contact=0)
ONE_HOST = Layout("", 1 << 20, 1)


class LineTest(unittest.TestCase):
    def test_a_line_through_points_of_a_line_is_that_line(self):
        line = fits.line([(1, 5.0), (2, 7.0), (10, 23.0)])
        self.assertAlmostEqual(line.a, 3)
        self.assertAlmostEqual(line.b, 2)
        self.assertAlmostEqual(line.off, 0)


class WaveTest(unittest.TestCase):
    def test_two_pes_take_two_messages(self):
        wave = Wave(COSTS, ONE_HOST, 2, "step").run()
        self.assertEqual((wave.reached, wave.ended, wave.messages), (1111, 2222, 2))

    def test_a_pe_sends_to_those_below_it_one_after_the_other(self):
        self.assertEqual(Wave(COSTS, ONE_HOST, 5, "step").run().reached, 1111 + 3)

    def test_a_pe_takes_answers_one_after_the_other(self):
        self.assertEqual(Wave(COSTS, ONE_HOST, 3, "step").run().ended, 2222 + 1010)

    def test_who_sleeps_is_woken_on_the_way_down_alone(self):
        self.assertEqual(Wave(COSTS, ONE_HOST, 2, "step", sleep=True).run().ended, 2222 + 10_000)

    def test_news_cross_to_a_host_once(self):
        layout = Layout("", 64, 1)
        crossing = [child for pe in range(640) for child in layout.children(pe, 640) if child // 64 != pe // 64]
        self.assertEqual(sorted(crossing), [64 * host for host in range(1, 10)])

    def test_each_pe_is_below_one_other(self):
        layout = Layout("", 64, 64)
        below = [child for pe in range(1000) for child in layout.children(pe, 1000)]
        self.assertEqual(sorted(below), list(range(1, 1000)))


class StartTest(unittest.TestCase):
    def test_processes_wait_for_cores(self):
        # started at 2, 4 and 6; the third waits for the core of the first until 7; then kaonrun is busy 1 for each
        self.assertEqual(simulate.start_of_host(COSTS, 3, 1, 2), 12 + 3)


class RecordTest(unittest.TestCase):
    def test_messages_and_steps_are_those_that_were_counted(self):
        record = json.loads(RECORD.read_text(encoding="utf-8"))
        costs = Costs.of(record)
        for of in record["loopback"]:
            shape = loopback.Shape(of["processes"], of["pes"], of["host"])
            if shape in loopback.CHAINS:
                wave = Wave(costs, Layout("", shape.all_pes, shape.all_pes), shape.all_pes, "step").run()
                self.assertEqual((wave.messages, 2 * max(wave.depth)), (of[f"{scale.TREE} messages"],
                                                                       of[f"{scale.TREE} steps"]))

    def test_a_record_is_written_as_it_is_read(self):
        record = json.loads(RECORD.read_text(encoding="utf-8"))
        self.assertEqual(json.loads(scale.text_of(record)), record)


if __name__ == "__main__":
    unittest.main()
