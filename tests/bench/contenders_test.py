# SPDX-License-Identifier: Apache-2.0
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import contenders
import open_mpi
import programs
from naming import size_name
from programs import Failed, Programs
from quick_sections import quick_sections
from sections import all_sections


def script(folder, name, text):
    """A program of `folder`/bench in Python."""
    path = Path(folder) / "bench" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(0o755)


def rows_of(sections):
    return {(row.bench, row.case): row for section in sections for row in section.rows}


class SectionsTest(unittest.TestCase):
    def test_no_two_rows_have_one_name(self):
        peer = open_mpi.OpenMpi("mpirun", "mpi_peer")
        for sections in (all_sections(), all_sections(peer), quick_sections()):
            names = [(row.bench, row.case) for section in sections for row in section.rows]
            self.assertEqual(len(names), len(set(names)))

    def test_targets_are_those_that_were_agreed(self):
        rows = rows_of(all_sections(open_mpi.OpenMpi("mpirun", "mpi_peer")))
        for name, text in (
                (("late sends", "two threads 8 B every 1000 us, median"), "<= 3"),
                (("late sends", "two processes 8 B every 1000 us, median"), "<= 3"),
                (("walk", "two threads walk of 64 tokens over two processes"), ">= 1 x"),
                (("argument", "two processes 1 MiB argument over a payload"), "<= 1.3 x"),
                (("latency", "two processes 8 B over Open MPI"), "<= 1.2 x far"),
                (("wake-up", "two processes"), "<= 12"),
                (("jacobi3d", "256 64 two threads"), "<= 1.06 x"),
                (("jacobi3d", "256 64 two processes"), "<= 1.08 x"),
                (("flood", "two processes, memory of the receiver"), "<= 8"),
                (("memory", "a PE in /dev/shm"), "<= 1.2"),
                (("memory", "a contacted, silent peer"), "<= floor + 256"),
                (("start", "hello, 64 processes"), "<= 0.3")):
            self.assertEqual(rows[name].target.text(), text, name)

    def test_without_open_mpi_nothing_is_compared_with_it(self):
        self.assertFalse([name for name in rows_of(all_sections()) if "Open MPI" in name[1]])

    def test_the_rows_that_others_look_for_are_there(self):
        names = {(row.bench, row.case) for section in all_sections() for row in section.rows}
        self.assertIn(("latency", "two processes 8 B"), names)
        self.assertIn(("jacobi3d", "256 64 two processes"), names)


class ReadingTest(unittest.TestCase):
    def test_the_better_of_tagged_and_active_messages_is_the_floor(self):
        lines = [{"case": "tag latency 65536 B", "value": 6.0}, {"case": "am latency 65536 B", "value": 7.0},
                 {"case": "tag rate 8 B", "value": 20e6}, {"case": "am rate 8 B", "value": 25e6}]
        self.assertEqual(contenders.better_of_raw_ucx(lines), {"raw 64 KiB": 6.0, "raw rate": 25.0})

    def test_sizes_are_named_as_the_programs_name_them(self):
        self.assertEqual([size_name(size) for size in (8, 1000, 1024, 65536, 4 << 20)],
                         ["8 B", "1000 B", "1 KiB", "64 KiB", "4 MiB"])


class PatternsTest(unittest.TestCase):
    def test_the_better_setting_of_ucx_is_the_floor(self):
        self.assertEqual(contenders.better({}, "one ball fixed 1 MiB", 7.0), 7.0)
        self.assertEqual(contenders.better({"one ball fixed 1 MiB": 5.0}, "one ball fixed 1 MiB", 7.0), 5.0)
        self.assertEqual(contenders.better({"both ways fixed 1 MiB": 5.0}, "both ways fixed 1 MiB", 7.0), 7.0)


class ProgramsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_measurements_are_read_line_by_line(self):
        script(self.folder, "two", """print('{"case": "a", "value": 1.5, "unit": "us"}\\nsaid aside')
print('{"case": "b", "value": 2, "unit": "us"}')""")
        measured = contenders.measuring("here", "two")(Programs(self.folder), {})
        self.assertEqual(measured, {"here a": 1.5, "here b": 2.0})

    def test_a_program_that_fails_is_named_with_what_it_said(self):
        script(self.folder, "broken", "import sys; sys.exit('no such thing')")
        with self.assertRaisesRegex(Failed, "broken 7: ended with 1: no such thing"):
            Programs(self.folder).run("broken", 7)

    def test_a_program_that_does_not_end_is_ended(self):
        script(self.folder, "stuck", "import signal; signal.pause()")
        before, programs.TIMEOUT_S = programs.TIMEOUT_S, 0.2
        self.addCleanup(setattr, programs, "TIMEOUT_S", before)
        with self.assertRaisesRegex(Failed, "stuck: not finished"):
            Programs(self.folder).run("stuck")

    def test_a_missing_program_says_what_to_do(self):
        with self.assertRaisesRegex(Failed, "build everything first"):
            Programs(self.folder).run("absent")

    def test_later_rounds_measure_only_the_fastest_floors(self):
        script(self.folder, "bench_floors", """import sys
among = sys.argv[sys.argv.index("--among") + 1].split(",") if "--among" in sys.argv else ["a/b/1x1", "c/d/2x2"]
for i, program in enumerate(among):
    print(f"openmp_jacobi cells=8 threads=2 program={program} example=c change=0.5 ms_per_iteration={9 - i}")
print("asked for", " ".join(sys.argv[1:]), file=sys.stderr)""")
        floor = contenders.OpenmpJacobi(256, 40, 2)
        seen = floor(Programs(self.folder), {})
        self.assertEqual(seen, {"openmp 2": 8.0, "openmp 2 program": "c/d/2x2, the example's kernel in c", "change": 0.5})
        self.assertEqual(floor.finalists, ["a/b/1x1", "c/d/2x2"])
        floor.finalists = ["c/d/2x2"]
        self.assertEqual(floor(Programs(self.folder), {})["openmp 2"], 9.0)

    def test_iterations_that_warm_up_count_as_those_of_the_floors_do(self):
        self.assertEqual(contenders.ms_of_each({"ms_per_iteration": 9.0}), 9.0)
        self.assertEqual(contenders.ms_of_each({"ms_per_iteration": 9.0, "iterations": 10, "warm_up": 2,
                                                "warm_up_ms": 28.0}), 10.0)

    def test_another_result_than_the_floors_is_a_failure(self):
        script(self.folder, "jacobi3d", """import json, sys
file = sys.argv[sys.argv.index("--json") + 1]
open(file, "w").write(json.dumps({"change": 0.5, "ms_per_iteration": 9.0}))""")
        ours = contenders.jacobi3d("ours", 256, 4, 40)
        self.assertEqual(ours(Programs(self.folder), {"change": 0.5}), {"ours": 9.0})
        with self.assertRaisesRegex(Failed, "is not the floor's"):
            ours(Programs(self.folder), {"change": 0.25})


class OpenMpiTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def make(self, name, text):
        path = Path(self.folder) / name
        path.write_text(f"#!{sys.executable}\n{text}\n")
        path.chmod(0o755)

    def test_another_mpi_is_not_taken_for_it(self):
        self.make("mpirun", "print('HYDRA build details')")
        self.assertEqual(open_mpi.find(self.folder, self.folder), (None, "there is no mpirun of Open MPI"))

    def test_without_a_compiler_there_are_no_rows(self):
        self.make("mpirun", "print('mpirun (Open MPI) 5.0.11')")
        self.assertEqual(open_mpi.find(self.folder, self.folder)[1], "there is no mpicc beside mpirun")

    def test_what_cannot_be_compiled_is_told(self):
        self.make("mpirun", "print('mpirun (Open MPI) 5.0.11')")
        self.make("mpicc", "import sys; sys.exit('no mpi.h')")
        self.assertIn("no mpi.h", open_mpi.find(self.folder, self.folder)[1])

    def test_it_is_run_in_two_processes_and_named(self):
        self.make("mpirun", """import sys
assert sys.argv[1:] == ["-n", "2", "peer", "latency", "8"] or "--version" in sys.argv, sys.argv
print('{"case": "8 B", "value": 0.37, "unit": "us"}')""")
        with mock.patch.dict(os.environ, {}):
            peer = open_mpi.OpenMpi(f"{self.folder}/mpirun", "peer")
            self.assertEqual(peer.measuring("latency", 8)(None, {}), {"Open MPI 8 B": 0.37})


if __name__ == "__main__":
    unittest.main()
