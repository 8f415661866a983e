# SPDX-License-Identifier: Apache-2.0
"""twins.py must find passages that differ in some names only, and no others."""
import pathlib
import shutil
import sys
import tempfile
import unittest

import twins

FUNCTION = """int {0}(const Table& table, int from, int to) {{
  int sum = 0;
  for (int at = from; at < to; ++at) {{
    if (table.holds(at) && table.value(at) > {1}) sum += table.value(at) * table.weight(at);
    else table.skip(at, from, to);
  }}
  return sum;
}}
"""
ENUMERATION = "enum class {0} {{ " + ", ".join("{0}%d" % number for number in range(40)) + " }};\n"


class Twins(unittest.TestCase):
    def pairs(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "runtime").mkdir()
            for name, text in files.items():
                (tree / "runtime" / f"{name}.cpp").write_text(text)
            return list(twins.twins_of(tree, twins.sources_of(tree)))

    def test_a_function_that_differs_in_names_is_a_twin_of_another_file_and_of_its_own(self):
        one, other = FUNCTION.format("total", "kLeast"), FUNCTION.format("weighed", "kMost")
        (pair,) = self.pairs(a=one, b="\n\n" + other)
        self.assertEqual([name for name, _, _ in pair], ["runtime/a.cpp", "runtime/b.cpp"])
        self.assertGreater(pair[1][1], 2)
        self.assertEqual(len(self.pairs(a=one + other)), 1)

    def test_three_are_two_pairs(self):
        self.assertEqual(len(self.pairs(**{name: FUNCTION.format(name, name) for name in "abc"})), 2)

    def test_words_that_differ_are_no_twins(self):
        self.assertEqual(self.pairs(a=ENUMERATION.format("first"), b=ENUMERATION.format("second")), [])

    def test_includes_and_licences_are_no_twins(self):
        head = "// SPDX-License-Identifier: Apache-2.0\n" + "".join(f"#include <header{at}>\n" for at in range(40))
        self.assertEqual(self.pairs(a=head, b=head), [])

    def test_the_report_is_read(self):
        report = "a/b.cpp: line 10-20       |c.hpp: line 3-13[61]\nTotal input: 2 files\n"
        self.assertEqual(list(twins.candidates(report)), [(("a/b.cpp", 10, 20), ("c.hpp", 3, 13))])


if __name__ == "__main__":
    sys.exit(77) if shutil.which("sim_c++") is None else unittest.main()
