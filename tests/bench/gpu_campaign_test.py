# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import gpu

SCRIPT = Path(gpu.__file__).resolve().parent / "campaign.sh"


class CampaignTest(unittest.TestCase):
    """With a bundle whose programs only note that they ran."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bundle, self.out = Path(folder.name) / "bundle", Path(folder.name) / "out"
        (self.bundle / "bench/gpu").mkdir(parents=True)
        shutil.copy(SCRIPT, self.bundle / "bench/gpu")
        self.ran = Path(folder.name) / "ran"
        for name in ("tests/gpu_test", "tests/device_test", "bin/kaonrun", "bin/jacobi3d"):
            self.make(name, f'echo "$0 $*" >> {self.ran}')
        (self.bundle / "bench/gpu/gpu.py").write_text(
            f"import sys\nopen({str(self.ran)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n")

    def make(self, name, text):
        path = self.bundle / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def run_script(self, *arguments, **environment):
        done = subprocess.run(["bash", str(self.bundle / "bench/gpu/campaign.sh"), *arguments], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environment})
        return done.returncode, done.stdout

    def calls(self):
        return self.ran.read_text().splitlines() if self.ran.exists() else []

    def test_only_the_chosen_parts_run(self):
        code, said = self.run_script(str(self.out), "host", "suite")
        self.assertEqual(code, 0, said)
        self.assertEqual(len(self.calls()), 1)
        self.assertIn("gpu_test [gpu]", self.calls()[0])

    def test_tests_that_take_their_device_from_outside_find_the_programs_of_the_bundle(self):
        self.make("tests/device_test", f'echo "$0 $* on $KAON_DEVICE from $KAON_BUNDLE" >> {self.ran}')
        code, said = self.run_script(str(self.out), "host", "paths")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.calls(), [f"tests/device_test [outside] on host from {self.bundle.resolve()}"])

    def test_sections_of_the_benchmark_can_be_chosen(self):
        code, said = self.run_script(str(self.out), "host", "bench:hops")
        self.assertEqual(code, 0, said)
        words = self.calls()[0].split()
        self.assertEqual(words[words.index("--only") + 1], "hops")
        self.assertEqual(words[words.index("--device") + 1], "host")
        self.assertGreater(float(words[words.index("--minutes") + 1]), 0)
        self.assertLessEqual(float(words[words.index("--minutes") + 1]), 5)

    def test_another_bundle_takes_turns_wherever_the_script_is_called(self):
        self.run_script(str(self.out), "host", "bench", BASELINE=os.path.relpath(self.out))
        words = self.calls()[0].split()
        self.assertEqual(words[words.index("--baseline") + 1], str(self.out.resolve()))

    def test_the_benchmark_has_no_more_minutes_than_are_left(self):
        self.run_script(str(self.out), "host", "bench", LIMIT_S="105")
        words = self.calls()[0].split()
        self.assertLessEqual(float(words[words.index("--minutes") + 1]), 1)

    def test_steps_that_find_no_time_are_told_and_do_not_run(self):
        code, said = self.run_script(str(self.out), "host", LIMIT_S="0")
        self.assertEqual(code, 1)
        self.assertEqual(self.calls(), [])
        self.assertIn("FAIL (no time)    0 s  device suite", said)
        self.assertIn("bench gpu", said)

    def test_a_step_that_fails_is_told_with_what_it_said(self):
        self.make("tests/gpu_test", "echo no such device; exit 3")
        code, said = self.run_script(str(self.out), "host", "suite")
        self.assertEqual(code, 1)
        self.assertIn("no such device", said)
        self.assertIn("FAIL (3)", said)

    def test_unknown_parts_and_devices_are_refused(self):
        for arguments, text in (((), "give the folder"), ((str(self.out), "rocm"), "not 'rocm'"),
                                ((str(self.out), "host", "sweet"), "there is no part 'sweet'")):
            code, said = self.run_script(*arguments)
            self.assertEqual(code, 2)
            self.assertIn(text, said)
            self.assertEqual(self.calls(), [])


if __name__ == "__main__":
    unittest.main()
