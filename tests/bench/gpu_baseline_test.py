# SPDX-License-Identifier: Apache-2.0
"""./dev bench gpu --baseline: two builds in turns, on the emulation."""
import json
import re
import sys
import unittest
from pathlib import Path
from unittest import mock

import baseline
import gpu
import scale
from programs import Programs
from sections import all_sections
from two_builds import TwoBuilds

FLAGS = ("flag from a PE to a kernel and back", "flag from block to block and back")


def build(folder, value):
    """A build, or bundle, whose program of flags prints the value for each case."""
    for name in ("bin/kaonrun", "bench/flags"):
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = "\n".join(json.dumps({"case": case, "value": value, "unit": "us"}) for case in FLAGS)
        path.write_text(f"#!{sys.executable}\nprint({lines!r})\n")
        path.chmod(0o755)
    return Programs(folder)


class BaselineTest(TwoBuilds):
    def run_main(self, *arguments):
        """Of the section of flags."""
        return self.run_driver(gpu.main, "--device", "host", "--only", "flags", *arguments)

    def test_a_row_has_the_ratio_of_both_builds_and_slower_ones_are_named(self):
        build(self.ours, 3)
        build(self.older, 2)
        code, said = self.run_main("--baseline", str(self.older))
        row = self.rows()["from a PE to a kernel and back, over the baseline's"]
        self.assertEqual((code, row["value"], row["floor"], row["ratio"], row["rounds"]), (0, 3, 2, 1.5, 2))
        self.assertIn("2 of 2 rows are below 0.97 of the baseline's speed", said)
        self.assertIn("  flag, from block to block and back, over the baseline's: 0.667 of its speed", said)
        self.assertRegex(said, r"over the baseline's .* 1\.500\.\.1\.500 .*emulated")

    def test_without_it_no_row_compares_builds(self):
        build(self.ours, 3)
        code, said = self.run_main()
        self.assertEqual((code, len(self.rows())), (0, 2))
        self.assertNotIn("baseline", said)

    def test_only_rows_that_compare_the_builds(self):
        build(self.ours, 3)
        build(self.older, 3)
        self.run_main("--baseline", str(self.older), "--builds-only")
        self.assertEqual([case for case in self.rows() if "over the baseline's" not in case], [])
        self.assertEqual(len(self.rows()), 2)

    def test_a_folder_that_is_no_build_is_refused(self):
        build(self.ours, 3)
        code, said = self.run_main("--baseline", str(self.older))
        self.assertEqual(code, 2)
        self.assertIn("there is no bin/kaonrun in it", said)

    def test_a_baseline_that_lacks_a_program_has_no_row(self):
        build(self.ours, 3)
        build(self.older, 3)
        (self.older / "bench/flags").unlink()
        self.assertEqual(self.run_main("--baseline", str(self.older))[0], 0)
        self.assertFalse([case for case in self.rows() if "baseline" in case])


class SectionsTest(unittest.TestCase):
    def sections(self, its_scale, is_alone):
        older = mock.Mock(has=lambda name: True)
        found = (baseline.with_baseline(section, older, is_alone) for section in all_sections(its_scale))
        return [section for section in found if section]

    def test_a_baseline_runs_in_every_section(self):
        its_scale = scale.on_devices(2)
        self.assertEqual([section.name for section in self.sections(its_scale, True)],
                         [section.name for section in all_sections(its_scale)])

    def test_only_ucx_itself_and_what_is_computed_cannot_be_a_baselines(self):
        others = [contender for section in all_sections(scale.emulated()) for contender in section.contenders
                  if not isinstance(contender, baseline.KaonContender)]
        self.assertEqual([re.match(r"<function (\w+)", repr(other))[1] for other in others], ["contender", "rate_of"])

    def test_no_two_rows_have_one_name(self):
        for its_scale in (scale.on_devices(2), scale.emulated()):
            names = [(row.bench, row.case) for section in self.sections(its_scale, False) for row in section.rows]
            self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
