# SPDX-License-Identifier: Apache-2.0
"""quotes.py must find code on a page that is not so in the tree."""
import pathlib
import tempfile
import unittest

import quotes

SOURCE = "class A {\n  void run();\n\n  int a;\n};\n"


class Quotes(unittest.TestCase):
    def faults(self, page, name="docs/guide.md", **files):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for path, content in {name: page, "runtime/a.hpp": SOURCE, **files}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return "\n".join(quotes.tree_faults(tree))

    def block(self, text, mark="<!-- from runtime/a.hpp -->\n", language="cpp"):
        return f"# Page\n\n{mark}```{language}\n{text}```\n"

    def test_what_is_quoted_as_it_is_is_no_fault(self):
        for text in ("class A {\n  void run();\n", "void run();\n\nint a;\n", "};\n"):
            self.assertEqual(self.faults(self.block(text)), "")
        self.assertEqual(self.faults(self.block(SOURCE, "<!-- all of runtime/a.hpp -->\n")), "")

    def test_other_lines_are_a_fault(self):
        for text in ("void run(int);\n", "void run();\nint a;\n", "lass A {\n", "class A\n"):
            self.assertIn("docs/guide.md:4: these lines are not in runtime/a.hpp", self.faults(self.block(text)))

    def test_a_part_is_not_all(self):
        self.assertIn("reads otherwise", self.faults(self.block("};\n", "<!-- all of runtime/a.hpp -->\n")))

    def test_a_file_that_is_gone_is_a_fault(self):
        self.assertIn("there is no b.hpp", self.faults(self.block("};\n", "<!-- from b.hpp -->\n")))

    def test_pages_that_promise_quote_all_code(self):
        self.assertIn("say which file", self.faults(self.block("int b;\n", "")))
        self.assertIn("say which file", self.faults(self.block("int b;\n", "", "c"), "docs/results/other.md"))
        self.assertEqual(self.faults(self.block("int b;\n", "", "sh")), "")
        self.assertEqual(self.faults(self.block("int b;\n", "", "charm")), "")
        self.assertEqual(self.faults(self.block("int b;\n", ""), "README.md"), "")

    def test_an_example_that_no_test_runs_is_a_fault(self):
        page = self.block(SOURCE, "<!-- all of examples/shapes/a.hpp -->\n")
        source = {"examples/shapes/a.hpp": SOURCE}
        self.assertIn("no test runs examples/shapes/a.hpp", self.faults(page, **source))
        self.assertIn("no test runs", self.faults(page, **source, **{"tests/CMakeLists.txt": "# a test of shapes\n"}))
        self.assertEqual(self.faults(page, **source, **{"tests/CMakeLists.txt": "kaon_example_test(shapes)\n"}), "")


if __name__ == "__main__":
    unittest.main()
