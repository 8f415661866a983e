# SPDX-License-Identifier: Apache-2.0
"""./dev test --only takes the legs that --all has, and the workflow's jobs are all of them."""
import re
import subprocess
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]


def dev(*words):
    return subprocess.run([TREE / "dev", *words], capture_output=True, text=True)


def legs():
    """As a wrong name has them listed."""
    return dev("test", "--only", "none").stderr.split("there are:")[1].split()


class Legs(unittest.TestCase):
    def test_a_leg_that_there_is_not_is_refused_before_anything_is_done(self):
        for wrong in ("none", "release,none", "", "rel"):
            with self.subTest(wrong):
                outcome = dev("test", "--only", wrong)
                self.assertEqual(outcome.returncode, 2)
                self.assertIn("release asan", outcome.stderr.lower())
                self.assertEqual(outcome.stdout, "")

    def test_an_option_that_there_is_not_names_those_that_there_are(self):
        outcome = dev("test", "--some")
        self.assertEqual(outcome.returncode, 2)
        self.assertIn("--only LEG", outcome.stderr)

    def test_each_leg_has_a_function_and_the_minutes_that_it_takes(self):
        script = (TREE / "scripts/dev/test.sh").read_text()
        for leg in legs():
            with self.subTest(leg):
                self.assertRegex(script, rf"(?m)^leg_{leg}\(\)")
                self.assertIn(f"[{leg}]=", script)

    def test_the_jobs_of_the_workflow_are_all_legs(self):
        workflow = (TREE / ".github/workflows/ci.yml").read_text()
        jobs = re.findall(r"(?m)^ +- ([a-z_,]+)$", workflow)
        self.assertEqual({leg for job in jobs for leg in job.split(",")}, set(legs()))


if __name__ == "__main__":
    unittest.main()
