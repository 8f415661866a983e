# SPDX-License-Identifier: Apache-2.0
"""includes.py must count headers once each, follow every way to include one, and find each kind of fault."""
import pathlib
import tempfile
import unittest

import includes

DOOR = "include/kaon/door.hpp"
TREE = {
    DOOR: '#include "kaon/chares/a.hpp"\n#include "kaon/runtime/base/c.hpp"\n',
    "chares/a.hpp": '#pragma once\n  #  include "kaon/runtime/base/c.hpp"\n#include <vector>\n// #include "kaon/gpu/d.hpp"\n',
    "runtime/base/c.hpp": "",
    "gpu/d.hpp": "",
    "chares/one.cpp": '#include "kaon/chares/a.hpp"\n',
    "examples/two/two.cpp": '#include "own.hpp"\n',
    "examples/two/own.hpp": "#include <kaon/door.hpp>\n",
    "tests/three.cpp": '#include "kaon/gpu/d.hpp"\n',
    "tests/four.c": "#include <mpi.h>\n",
    "ampi_shim/include/mpi.h": "",
}
ALL_WIDE = {"chares": 50, "runtime/base": 50, "gpu": 25, "ampi_shim/include": 25}


class Includes(unittest.TestCase):
    def in_tree(self, function, changed=None):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for path, content in {**TREE, **(changed or {})}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return function(tree)

    def faults(self, doors=None, kept_out=None, wide=None, changed=None):
        return self.in_tree(lambda tree: list(includes.tree_faults(
            tree, doors or {DOOR: 2}, kept_out or {}, ALL_WIDE if wide is None else wide)), changed)

    def test_headers_of_a_door_are_counted_once(self):
        edges = self.in_tree(lambda tree: includes.read_edges(includes.files_of(tree)))
        self.assertEqual(includes.reached_from(DOOR, edges), {"chares/a.hpp", "runtime/base/c.hpp"})

    def test_links_of_the_door_are_not_followed(self):
        def linked(tree):
            (tree / "include/kaon/chares").symlink_to("../../chares")
            return includes.files_of(tree)
        self.assertEqual(set(self.in_tree(linked)), set(TREE))

    def test_shares_are_of_all_units(self):
        shares = self.in_tree(lambda tree: includes.shares_of(includes.read_edges(includes.files_of(tree))))
        self.assertEqual(shares, {"chares/a.hpp": 50, "runtime/base/c.hpp": 50, DOOR: 25, "examples/two/own.hpp": 25,
                                  "gpu/d.hpp": 25, "ampi_shim/include/mpi.h": 25})

    def test_a_tree_within_its_limits_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_a_door_may_only_include_less(self):
        self.assertIn("includes 2 headers, at most 1", self.faults({DOOR: 1})[0])
        self.assertIn("includes 2 headers now", self.faults({DOOR: 3})[0])

    def test_what_is_kept_out_of_a_door_stays_out(self):
        self.assertIn("includes runtime/base/c.hpp, which must stay out",
                      self.faults(kept_out={DOOR: ["runtime/base/c.hpp", "gpu/d.hpp"]})[0])

    def test_a_header_that_reaches_too_many_units_is_a_fault(self):
        self.assertIn("chares/a.hpp: a change compiles 50.0 % of the units again, at most 49 %",
                      self.faults(wide={**ALL_WIDE, "chares": 49})[0])
        without = {folder: most for folder, most in ALL_WIDE.items() if folder not in ("gpu", "runtime/base")}
        self.assertEqual([fault.partition(":")[0] for fault in self.faults(wide=without)],
                         ["gpu/d.hpp", "runtime/base/c.hpp"])

    def test_a_header_with_a_row_of_its_own_does_not_count_for_its_folder(self):
        wide = {**ALL_WIDE, "chares/a.hpp": 50}
        del wide["chares"]
        self.assertEqual(self.faults(wide=wide), [])

    def test_a_folder_that_is_known_may_only_get_narrower(self):
        self.assertEqual(self.faults(wide={**ALL_WIDE, "chares": 52}), [])
        self.assertIn("chares reaches 50.0 % of the units now", self.faults(wide={**ALL_WIDE, "chares": 53})[0])
        self.assertIn("gone reaches 0.0 % of the units now", self.faults(wide={**ALL_WIDE, "gone": 30})[0])


if __name__ == "__main__":
    unittest.main()
