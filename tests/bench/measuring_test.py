# SPDX-License-Identifier: Apache-2.0
import argparse
import contextlib
import io
import os
import signal
import unittest

import measuring
from rows import Row
from section import Section


def section_of(name, run):
    return Section(name, (lambda programs, seen: run(),), (Row("bench", name, "us", name),), pause_s=0)


def run_round(section, programs):
    seen, has_failed = measuring.run_contenders(section, programs)
    return seen, has_failed, "done"


def measure(*sections, rounds=2, minutes=1.0):
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        return measuring.measure(sections, None, argparse.Namespace(rounds=rounds, minutes=minutes), run_round)


class MeasuringTest(unittest.TestCase):
    def setUp(self):
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))

    def test_each_section_has_its_rounds(self):
        all_rounds, results, failures = measure(section_of("a", lambda: {"a": 1}), section_of("b", lambda: {"b": 2}))
        self.assertEqual([len(rounds.rounds) for rounds in all_rounds], [2, 2])
        self.assertEqual([result.value.median for result in results], [1, 2])
        self.assertEqual(failures, 0)

    def test_without_time_there_is_one_round(self):
        all_rounds, _, _ = measure(section_of("a", lambda: {"a": 1}), rounds=9, minutes=1e-9)
        self.assertEqual(len(all_rounds[0].rounds), 1)

    def test_what_was_measured_before_a_stop_counts(self):
        def stop_here():
            os.kill(os.getpid(), signal.SIGTERM)
            return {"b": 2}
        _, results, failures = measure(section_of("a", lambda: {"a": 1}), section_of("b", stop_here),
                                       section_of("c", lambda: {"c": 3}))
        self.assertEqual([result.row.case for result in results], ["a"])
        self.assertEqual(failures, 1)


if __name__ == "__main__":
    unittest.main()
