# SPDX-License-Identifier: Apache-2.0
"""The manual pages and completions that an installation has, made from this tree."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("kaonrun", "ampirun")


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([sys.executable, "-B", TREE / "cmake/manual.py", TREE, "1.2.3", cls.folder.name, *PROGRAMS], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def text(self, name):
        return (pathlib.Path(self.folder.name) / name).read_text()

    def completed(self, program, *words):
        """What bash offers for the last word."""
        script = f'. "{self.folder.name}/{program}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _{program}; printf "%s\\n" "${{COMPREPLY[@]}}"'
        run = subprocess.run(["bash", "-c", script, "bash", program, *words], capture_output=True, text=True, check=True,
                             cwd=self.folder.name)
        return run.stdout.split()

    def test_a_page_has_the_options_the_variables_and_the_codes(self):
        for text in ("\\-\\-peer\\-timeout S", "\\-\\-queue\\-limit\\-mib MIB", "(\\fBKAON_PES\\fR)", "KAON_FETCH_UP_TO", "a deadlock",
                     "Kaon 1.2.3"):
            self.assertIn(text, self.text("kaonrun.1"))
        for text in ("\\-\\-ranks\\-per\\-process K", "CUDA_VISIBLE_DEVICES", "MPI_Abort"):
            self.assertIn(text, self.text("ampirun.1"))
        self.assertNotIn("\\-\\-ranks", self.text("kaonrun.1"))

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_groff_takes_a_page_without_a_warning(self):
        for program in PROGRAMS:
            run = subprocess.run(["groff", "-man", "-ww", "-z", pathlib.Path(self.folder.name) / f"{program}.1"],
                                 capture_output=True, text=True, check=True)
            self.assertEqual(run.stderr, "")

    def test_options_are_completed_before_the_program(self):
        self.assertEqual(self.completed("kaonrun", "--ti"), ["--timeout-start"])
        self.assertEqual(self.completed("kaonrun", "-n", "2", "--la"), ["--label"])
        self.assertEqual(self.completed("kaonrun", "--pe"), ["--peer-timeout"])
        self.assertEqual(sorted(self.completed("ampirun", "--pe")), ["--peer-timeout", "--pes"])

    def test_options_of_the_runtime_are_completed_behind_the_program_of_kaonrun(self):
        self.assertEqual(self.completed("kaonrun", "-n", "2", "./program", "--pe"), ["--pes"])
        self.assertEqual(self.completed("ampirun", "-n", "2", "./program", "--pe"), [])

    def test_values_are_completed_where_they_are_few(self):
        self.assertEqual(self.completed("kaonrun", "-n", "2", "./program", "--device", "cu"), ["cuda"])
        self.assertEqual(self.completed("kaonrun", "-n", "2", "./program", "--device", "=", "cu"), ["cuda"])
        self.assertEqual(self.completed("ampirun", "--transport", "="), ["direct", "staged"])
        self.assertEqual(self.completed("kaonrun", "-n", ""), [])

    def test_files_are_completed_as_programs_and_arguments(self):
        self.assertIn("kaonrun.1", self.completed("kaonrun", "-n", "2", "kaonr"))
        self.assertIn("kaonrun.1", self.completed("kaonrun", "-n", "2", "./program", "kaonr"))


if __name__ == "__main__":
    unittest.main()
