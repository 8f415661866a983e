# SPDX-License-Identifier: Apache-2.0
"""What ./dev says of builds and tests that somebody waits for, and what its help lists."""
import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def shown(lines, seconds):
    """What is said, away from a terminal, of these lines of ninja's or ctest's."""
    script = "source scripts/dev/say.sh; source scripts/dev/build.sh; show_progress 'building release'"
    run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, input="".join(lines), text=True,
                         stderr=subprocess.PIPE, env={"KAON_PROGRESS_SECONDS": str(seconds), "PATH": "/usr/bin:/bin"})
    return run.returncode, run.stderr.splitlines()


class Progress(unittest.TestCase):
    NINJA = ["ninja: Entering directory `build/release'\n", "[0/2] Re-checking globbed directories...\n",
             "[1/3] Building CXX object a.o\n", "a warning\n", "[2/3] Building CXX object b.o\n", "[3/3] Linking b\n"]

    def test_steps_are_said_with_how_many_there_are(self):
        code, said = shown(self.NINJA, 0)
        self.assertEqual(code, 0)
        self.assertEqual(said, [f"./dev: building release: step {n} of 3" for n in (1, 2, 3)])

    def test_within_a_minute_only_the_first_is_said(self):
        self.assertEqual(shown(self.NINJA, 3600), (0, ["./dev: building release: step 1 of 3"]))

    def test_nothing_is_said_when_nothing_is_to_be_done(self):
        self.assertEqual(shown(["ninja: no work to do.\n"], 0), (0, []))

    def test_steps_of_ctest_are_understood(self):
        lines = ["      Start 17: one\n", " 1/20 Test #17: one ......   Passed    0.10 sec\n"]
        self.assertEqual(shown(lines, 0), (0, ["./dev: building release: step 1 of 20"]))


class TimeForLegs(unittest.TestCase):
    def left_out(self, minutes, passed):
        """Of two legs that take 10 and 30 minutes, begun when so many minutes have passed."""
        script = ("source scripts/dev/test.sh; kMinutes[short]=10; kMinutes[long]=30; SECONDS=$((60 * PASSED)); "
                  "for leg in short long; do ! fits $leg || echo begun; done; echo left out: \"${left_out[*]}\"")
        run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                             env={**minutes, "PASSED": str(passed), "PATH": "/usr/bin:/bin"}, check=True)
        return run.stdout.split("left out: ")[1].split()

    def test_a_leg_that_would_end_too_late_is_left_out(self):
        limit = {"KAON_TEST_MINUTES": "80"}
        self.assertEqual(self.left_out(limit, 40), [])
        self.assertEqual(self.left_out(limit, 60), ["long"])
        self.assertEqual(self.left_out(limit, 75), ["short", "long"])

    def test_without_a_limit_all_are_begun(self):
        self.assertEqual(self.left_out({}, 1000), [])


class Help(unittest.TestCase):
    def help_text(self):
        return subprocess.run([ROOT / "dev", "help"], text=True, stdout=subprocess.PIPE, check=True).stdout

    def test_every_preset_is_listed(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        line = re.search(r"^\./dev build.*?\)", self.help_text(), re.MULTILINE | re.DOTALL)[0]
        for preset in presets:
            if not preset.get("hidden"):
                self.assertRegex(line, rf"\b{preset['name']}\b")

    def test_install_is_listed_and_wants_a_place(self):
        self.assertIn("./dev install PREFIX", self.help_text())
        run = subprocess.run([ROOT / "dev", "install"], text=True, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 2)
        self.assertIn("./dev install /opt/kaon", run.stderr)

    def test_install_refuses_what_it_does_not_know(self):
        self.assertIn("./dev install --sanitize address|thread PREFIX", self.help_text())
        for arguments, sentence in ((["--sanitize", "memory", "/opt/kaon"], "--sanitize takes address or thread"),
                                    (["--sanitize"], "--sanitize takes address or thread"),
                                    (["--sanitize", "thread"], "where to?"),
                                    (["--sanitise"], "'--sanitise' is no option")):
            run = subprocess.run([ROOT / "dev", "install", *arguments], text=True, stderr=subprocess.PIPE)
            self.assertEqual(run.returncode, 2)
            self.assertIn(sentence, run.stderr)


if __name__ == "__main__":
    unittest.main()
