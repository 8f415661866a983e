# SPDX-License-Identifier: Apache-2.0
"""./dev bench ampi --baseline: two builds in turns, each with programs of its own compiler."""
import json
import sys
import unittest
from pathlib import Path
from unittest import mock

import ampi
import baseline
import implementations
from sections import Extent, all_sections
from two_builds import TwoBuilds

COMPILER = """import pathlib, sys
made = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
made.write_text({mark!r})
"""
LAUNCHER = """import json, pathlib, sys
program = next(word for word in sys.argv if word.endswith("ranks"))
assert pathlib.Path(program).read_text() == {mark!r}, "compiled by another build"
for case in ("yield", "look"):
    print(json.dumps({{"case": case, "value": {value}, "unit": "ns"}}))
"""


def build(folder, value):
    """A build whose programs print the value, if its own compiler made them."""
    for name, text in (("kaonrun", ""), ("ampicc", COMPILER), ("ampirun", LAUNCHER)):
        path = folder / "bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{sys.executable}\n" + text.format(mark=str(folder), value=value))
        path.chmod(0o755)


class BaselineTest(TwoBuilds):
    def run_main(self, *arguments):
        """Of ranks in turn."""
        with mock.patch("os.sched_getaffinity", lambda process: {0, 1}):
            return self.run_driver(ampi.main, "--alone", "--only", "yield", *arguments)

    def test_each_build_runs_what_its_own_compiler_made(self):
        build(self.ours, 30)
        build(self.older, 20)
        code, said = self.run_main("--baseline", str(self.older))
        row = self.rows()["2 ranks on one PE, over the baseline's"]
        self.assertEqual((code, row["value"], row["floor"], row["ratio"], row["reached"]), (0, 30, 20, 1.5, False),
                         said)
        self.assertIn("4 of 4 rows are below 0.97 of the baseline's speed", said)
        self.assertIn("  yield, 1000 ranks on one PE, over the baseline's: 0.667 of its speed", said)
        self.assertEqual(len(self.rows()), 8)

    def test_only_rows_that_compare_the_builds(self):
        for folder in (self.ours, self.older):
            build(folder, 30)
        code, said = self.run_main("--baseline", str(self.older), "--builds-only")
        self.assertEqual((code, len(self.rows())), (0, 4))
        self.assertIn("4 of 4 targets reached\n0 of 4 rows are below", said)

    def test_a_build_may_be_compared_with_itself(self):
        build(self.ours, 30)
        self.run_main("--baseline", str(self.ours))
        self.assertEqual(self.rows()["2 ranks on one PE, over the baseline's"]["ratio"], 1)

    def test_a_build_without_mpi_is_refused(self):
        for folder in (self.ours, self.older):
            build(folder, 30)
        (self.older / "bin/ampicc").unlink()
        code, said = self.run_main("--baseline", str(self.older))
        self.assertEqual(code, 2)
        self.assertIn(f"there is no bin/ampicc in {self.older}", said)


class SectionsTest(unittest.TestCase):
    def test_only_other_mpis_cannot_be_a_baselines(self):
        other = implementations.Mpi("Open MPI", "mpicc", ("mpiexec",), Path("work"))
        sections = all_sections(implementations.Builds({}), (other,), Extent())
        is_ours = [isinstance(contender, baseline.KaonContender)
                   for section in sections for contender in section.contenders]
        self.assertGreater(is_ours.count(True), is_ours.count(False))
        for section in all_sections(implementations.Builds({}), (), Extent()):
            for contender in section.contenders:
                self.assertIsInstance(contender, baseline.KaonContender)

    def test_no_two_rows_have_one_name(self):
        others = tuple(implementations.Mpi(name, "mpicc", ("mpiexec",), Path("work")) for name in ("Open MPI", "MPICH"))
        older = mock.Mock(has=lambda name: True)
        names = [(row.bench, row.case) for section in all_sections(implementations.Builds({}), others, Extent())
                 for row in baseline.with_baseline(section, older, False).rows]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
