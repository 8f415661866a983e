# SPDX-License-Identifier: Apache-2.0
"""nouns.py must find names without a type, and files that are not there."""
import pathlib
import tempfile
import unittest

import nouns

TABLE = """
| noun | file | what it is | owned by |
| --- | --- | --- | --- |
"""
SOURCES = {"runtime/a.hpp": "class Later;\nstruct Pe {};\n", "runtime/work/b.hpp": "template <class T>\nclass Queue {\n"}


class Nouns(unittest.TestCase):
    def faults(self, page):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for path, content in {nouns.PAGE: TABLE + page, **SOURCES}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return "\n".join(nouns.tree_faults(tree))

    def test_rows_that_are_right_are_no_fault(self):
        self.assertEqual(self.faults("| `Pe` | `runtime/a.hpp` | it | |\n| `Queue<T>` | `runtime/work/` | it | `Pe` |\n"), "")
        self.assertEqual(self.faults("| `Pe`, `Queue` | `runtime/a.hpp`, `runtime/work/b.hpp` | both | |\n"), "")

    def test_a_noun_that_is_defined_elsewhere_is_a_fault(self):
        self.assertIn("Queue is no type of", self.faults("| `Queue` | `runtime/a.hpp` | it | |\n"))

    def test_a_declaration_is_no_definition(self):
        self.assertIn("Later is no type of", self.faults("| `Later` | `runtime/a.hpp` | it | |\n"))

    def test_a_file_that_is_gone_is_a_fault(self):
        self.assertIn("there is no runtime/c.hpp", self.faults("| `Pe` | `runtime/a.hpp`, `c.hpp` | it | |\n"))

    def test_a_name_that_no_source_defines_is_a_fault(self):
        self.assertIn("docs/architecture.md:6: no source defines Gone", self.faults("\n\nThe `Gone::way` of `Pe::route`.\n"))
        self.assertEqual(self.faults("\n\nThe `Queue<int>` and a `variable`.\n"), "")


if __name__ == "__main__":
    unittest.main()
