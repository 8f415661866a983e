# SPDX-License-Identifier: Apache-2.0
"""mutants.py must find each kind of fault of a list, and nothing in a list without any."""
import pathlib
import tempfile
import unittest

import mutants

GOOD = """[[mutant]]
name = "the sum is a difference"
file = "a.hpp"
from = "a + b"
to = "a - b"
tests = ["a_test [sum]", "tests/a/b_test.cpp"]
"""


class Mutants(unittest.TestCase):
    def faults(self, *lists):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "tests/mutants").mkdir(parents=True)
            (tree / "tests/a").mkdir()
            (tree / "tests/a/b_test.cpp").write_text("")
            for name in ("a.hpp", "a.cpp"):
                (tree / name).write_text("return a + b; return c; return c;\n")
            for number, text in enumerate(lists):
                (tree / f"tests/mutants/{number}.toml").write_text(text)
            return "\n".join(mutants.tree_faults(tree))

    def test_a_good_list_has_no_fault(self):
        self.assertEqual(self.faults(GOOD), "")
        self.assertEqual(self.faults(GOOD + 'needs = ["a_program"]\nsurvives = "addition of zero"\n'), "")

    def test_text_that_is_not_there_once_is_a_fault(self):
        self.assertIn("its text is 0 times", self.faults(GOOD.replace("a + b", "a * b")))
        self.assertIn("its text is 2 times", self.faults(GOOD.replace("a + b", "return c")))
        self.assertIn("there is no b.hpp", self.faults(GOOD.replace('"a.hpp"', '"b.hpp"')))

    def test_a_mutant_that_changes_nothing_is_a_fault(self):
        self.assertIn("it changes nothing", self.faults(GOOD.replace("a - b", "a + b")))

    def test_a_mutant_that_lacks_a_key_or_has_an_unknown_one_is_a_fault(self):
        self.assertIn("has no 'to'", self.faults(GOOD.replace('to = "a - b"\n', "")))
        self.assertIn("'why' means nothing", self.faults(GOOD + 'why = "so"\n'))
        self.assertIn("there are no mutants", self.faults(""))
        self.assertIn("0.toml", self.faults("[[mutant]\n"))

    def test_tests_that_cannot_be_are_a_fault(self):
        self.assertIn("no test is meant", self.faults(GOOD.replace('"a_test [sum]", "tests/a/b_test.cpp"', "")))
        self.assertIn("neither an executable", self.faults(GOOD.replace("a_test", "a_program")))
        self.assertIn("there is no tests/a/c_test.cpp", self.faults(GOOD.replace("b_test.cpp", "c_test.cpp")))

    def test_a_source_whose_compilation_does_not_reach_the_mutant_is_a_fault(self):
        for name in ("a.hpp", "a.cpp"):
            listed = GOOD.replace("a.hpp", name)
            self.assertEqual("does not reach a.cpp" in self.faults(listed), name == "a.cpp")

    def test_two_of_one_name_are_a_fault(self):
        self.assertIn("two of the name", self.faults(GOOD, GOOD))

    def test_a_source_is_told_from_an_executable(self):
        self.assertEqual(mutants.subject_of("a_test [b],[c]"), mutants.Subject("a_test", "", "[b],[c]"))
        self.assertEqual(mutants.subject_of("tests/a/d/b_test.cpp x y"),
                         mutants.Subject("a_test", "tests/a/d/b_test.cpp", "x y"))


if __name__ == "__main__":
    unittest.main()
