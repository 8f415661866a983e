# SPDX-License-Identifier: Apache-2.0
import sys
import tempfile
import unittest
from pathlib import Path

import contenders
import programs
from naming import size_name
from programs import Failed, Programs
from sections import all_sections


def script(folder, name, text):
    """A program of `folder`/bench in Python."""
    path = Path(folder) / "bench" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(0o755)


class SectionsTest(unittest.TestCase):
    def test_no_two_rows_have_one_name(self):
        names = [(row.bench, row.case) for section in all_sections() for row in section.rows]
        self.assertEqual(len(names), len(set(names)))

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

    def test_another_result_than_the_floors_is_a_failure(self):
        script(self.folder, "jacobi3d", """import json, sys
file = sys.argv[sys.argv.index("--json") + 1]
open(file, "w").write(json.dumps({"change": 0.5, "ms_per_iteration": 9.0}))""")
        ours = contenders.jacobi3d("ours", 256, 4, 40)
        self.assertEqual(ours(Programs(self.folder), {"change": 0.5}), {"ours": 9.0})
        with self.assertRaisesRegex(Failed, "is not the floor's"):
            ours(Programs(self.folder), {"change": 0.25})


if __name__ == "__main__":
    unittest.main()
