# SPDX-License-Identifier: Apache-2.0
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import contenders
import implementations
from programs import Failed
from rounds import Rounds
from rows import evaluate
from sections import QUICK, Extent, all_sections


def mpi(name, folder="work", most_ranks=1024):
    return implementations.Mpi(name, "mpicc", ("mpiexec", "-n"), Path(folder), (), most_ranks)


OTHERS = (mpi("Open MPI", most_ranks=64), mpi("MPICH", most_ranks=2))


def rows_of(sections):
    return {(row.bench, row.case): row for section in sections for row in section.rows}


def script(folder, name, text):
    path = Path(folder) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(0o755)
    return str(path)


class SectionsTest(unittest.TestCase):
    def test_no_two_rows_have_one_name(self):
        for others in ((), OTHERS[:1], OTHERS):
            for extent in (Extent(), QUICK):
                sections = all_sections(mpi("Kaon"), others, extent)
                names = [(row.bench, row.case) for section in sections for row in section.rows]
                self.assertEqual(len(names), len(set(names)))

    def test_targets_are_those_that_were_agreed(self):
        rows = rows_of(all_sections(mpi("Kaon"), OTHERS))
        for name, text in (
                (("latency", "one PE 8 B"), "<= 0.08"),
                (("latency", "two PEs 8 B"), "<= 0.25 near"),
                (("latency", "two processes 8 B over Open MPI"), "<= 1.5 x"),
                (("latency", "two processes 1 MiB over Open MPI"), "<= 1 x"),
                (("one-sided", "one PE put 8 B, allocated memory"), "<= 0.06"),
                (("one-sided", "two PEs put 8 B, allocated memory"), "<= 0.3"),
                (("one-sided", "two processes put 8 B, allocated memory over Open MPI"), "<= 1.2 x"),
                (("barrier", "2 ranks on two PEs over Open MPI"), "<= 0.5 near"),
                (("barrier", "64 ranks on two PEs over Open MPI"), "<= 4 near"),
                (("barrier", "256 ranks on two PEs"), "<= 14 near"),
                (("allreduce 8 B", "2 ranks on two PEs over Open MPI"), "<= 0.6 near"),
                (("allreduce 8 B", "256 ranks on two PEs"), "<= 16 near"),
                (("yield", "2 ranks on one PE"), "<= 35"), (("yield", "1000 ranks on one PE"), "<= 60"),
                (("memory", "an empty rank, globals shared"), "<= 12000"),
                (("start", "2 processes to MPI_Init returned over Open MPI"), "<= 0.08"),
                (("start", "1024 ranks on 2 processes to MPI_Init returned"), "<= 0.4"),
                (("stencil", "1024^2, 1 a core, two PEs over Open MPI"), "<= 1.05 x"),
                (("stencil", "1024^2, 4 a core, two processes over Open MPI"), "<= 1 x")):
            self.assertEqual(rows[name].target.text(), text, name)
        self.assertIsNone(rows["latency", "two processes 8 B over MPICH"].target)

    def test_without_other_mpis_only_values_are_judged(self):
        rows = rows_of(all_sections(mpi("Kaon"), ())).values()
        self.assertEqual({row.target.of for row in rows if row.target}, {"value"})
        self.assertFalse([row for row in rows if row.floor or "over" in row.case])

    def test_a_row_is_compared_with_the_same_case_of_the_other(self):
        rounds = Rounds()
        rounds.add({"two processes latency 8 B": 3.0, "Open MPI latency 8 B": 2.0, "MPICH latency 8 B": 6.0})
        rows = rows_of(all_sections(mpi("Kaon"), OTHERS))
        ratios = [evaluate(rows["latency", f"two processes 8 B over {other.name}"], rounds).ratio.median
                  for other in OTHERS]
        self.assertEqual(ratios, [1.5, 0.5])


class RunningTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def launcher(self, text):
        return implementations.Mpi("Kaon", "", (script(self.folder, "launch", text), "-n"), self.folder)

    def test_options_come_between_the_count_of_ranks_and_the_program(self):
        mpi = self.launcher("import json, sys\nprint(json.dumps({'case': ' '.join(sys.argv[1:]), 'value': 1}))")
        found = contenders.measuring(mpi, "here", "messages", 40, ranks=2, options=("--pes", "2"))(None, {})
        self.assertEqual(found, {f"here -n 2 --pes 2 {self.folder / 'messages'} 40": 1.0})

    def test_memory_is_what_more_ranks_add(self):
        mpi = self.launcher("import json, sys\nvalue = 5000 + 700 * int(sys.argv[2])\n"
                            "print(json.dumps({'case': 'memory', 'value': value}))")
        self.assertEqual(contenders.memory_in_process(mpi, "own", 10)(None, {}), {"own memory": 700.0})

    def test_a_stencil_with_other_digits_is_refused(self):
        mpi = self.launcher("print('9 x 9 cells on 1 x 1 ranks: 100 steps in 0.5 s\\nsteps 100, check sum 12ab')")
        run = contenders.heat(mpi, "here", 2, 9, 100)
        self.assertEqual(run(None, {}), {"here heat": 5.0, "check sum": "12ab"})
        with self.assertRaisesRegex(Failed, "check sum 12ab is not 34cd"):
            run(None, {"check sum": "34cd"})

    def test_a_run_that_hangs_is_ended(self):
        mpi = self.launcher("import time\ntime.sleep(60)")
        with self.assertRaisesRegex(Failed, "Kaon, 2 ranks, messages: not finished after 0.2 s"):
            mpi.run("messages", ranks=2, seconds=0.2)


class FindingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def find(self, name):
        return implementations.find(name, str(self.folder), self.folder / "work")

    def test_an_mpi_tells_its_version_and_compiles(self):
        script(self.folder, "mpiexec", "print('mpiexec (OpenRTE) 4.1.4 of Open MPI')")
        script(self.folder, "mpicc", "import sys\nopen(sys.argv[sys.argv.index('-o') + 1], 'w').close()")
        made, text = self.find("Open MPI")
        self.assertEqual((made.name, text), ("Open MPI", "Open MPI 4.1.4"))
        self.assertEqual(sorted(file.name for file in made.folder.iterdir()), sorted(implementations.SOURCES))

    def test_another_mpi_is_none(self):
        script(self.folder, "mpiexec", "print('HYDRA build details: Version: 5.0.2')")
        self.assertEqual(self.find("Open MPI"), (None, "there is no Open MPI; --fetch gets it from PyPI"))

    def test_what_is_missing_or_broken_is_told(self):
        script(self.folder, "mpiexec", "print('HYDRA build details: Version: 5.0.2')")
        self.assertIn("no mpicc beside", self.find("MPICH")[1])
        script(self.folder, "mpicc", "import sys\nsys.exit('no header')")
        self.assertIn("cannot compile messages.c: no header", self.find("MPICH")[1])

    def test_a_build_without_mpi_is_refused(self):
        with self.assertRaisesRegex(Failed, "KAON_BUILD_AMPI"):
            implementations.ours(self.folder, self.folder)

    def test_what_was_fetched_comes_before_the_path(self):
        with mock.patch.object(implementations, "FETCHED", self.folder):
            self.assertEqual(implementations.folders("MPICH", None), (None,))
            script(self.folder / "mpich" / "bin", "mpicc", "")
            self.assertEqual(implementations.folders("MPICH", None), (str(self.folder / "mpich" / "bin"), None))
            self.assertEqual(implementations.folders("MPICH", "mine"), ("mine",))
            self.assertIsNone(implementations.fetch("MPICH"))


if __name__ == "__main__":
    unittest.main()
