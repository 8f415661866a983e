# SPDX-License-Identifier: Apache-2.0
"""pages.py must find links, programs and options that lead nowhere."""
import pathlib
import tempfile
import unittest

import pages

TREE = {
    "dev": "./dev run PROGRAM\n./dev test [--all]\n",
    "mkdocs.yml": "nav:\n  - A: a.md\n  - B: deep/b.md\n",
    "docs/a.md": "# A page\n",
    "docs/deep/b.md": "# B\n\n## What `it` is: [a](../a.md)?\n",
    "README.md": "# Kaon\n",
    "examples/hello/hello.cpp": "",
    "runtime/options.cpp": 'add("--pes"); add("pin");',
}


class Pages(unittest.TestCase):
    def faults(self, text="", name="docs/a.md", **files):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for path, content in {**TREE, name: TREE.get(name, "") + text, **files}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return "\n".join(pages.tree_faults(tree))

    def test_links_that_lead_somewhere_are_no_fault(self):
        self.assertEqual(self.faults("[b](deep/b.md) and [it](deep/b.md#what-it-is-a), [own](#a-page), [web](https://a.b)\n"), "")
        self.assertEqual(self.faults("[a](docs/a.md)\n", "README.md"), "")

    def test_links_that_lead_nowhere_are(self):
        self.assertIn("docs/a.md:2: there is no deep/c.md", self.faults("[c](deep/c.md)\n"))
        self.assertIn("there is no heading #what in b.md", self.faults("[it](deep/b.md#what)\n"))
        self.assertIn("there is no heading #b in a.md", self.faults("[it](#b)\n"))
        self.assertIn("outside of docs/", self.faults("[readme](../README.md)\n"))
        self.assertEqual(self.faults("```cpp\nx[i](y)\n```\n"), "")

    def test_the_navigation_has_all_pages_and_no_others(self):
        self.assertIn("docs/c.md is not in its nav", self.faults(**{"docs/c.md": "# C\n"}))
        self.assertIn("there is no docs/d.md", self.faults(**{"mkdocs.yml": TREE["mkdocs.yml"] + "  - D: d.md\n"}))

    def test_an_index_has_the_numbered_pages_beside_it(self):
        page = {"docs/deep/001-c.md": "# C\n"}
        self.assertIn("docs/deep/index.md: docs/deep/001-c.md is not in it", self.faults(**page))
        nav = {"mkdocs.yml": TREE["mkdocs.yml"] + "  - I: deep/index.md\n"}
        self.assertIn("001-c.md is not in it", self.faults(**page, **nav, **{"docs/deep/index.md": "# I\n"}))
        self.assertEqual(self.faults(**page, **nav, **{"docs/deep/index.md": "# I\n\n[C](001-c.md)\n"}), "")

    def test_commands_that_exist_are_no_fault(self):
        for line in ("./dev run --pes 2 hello --pes 1", "kaonrun -n 2 ./program --pes 1  # --nothing",
                     "kaonrun -n 2 gdb --args ./program", "cmake --build build", "./dev test --all"):
            self.assertEqual(self.faults(f"\n    {line}\n", **{"runtime/b.cpp": '"--all"'}), "", line)

    def test_commands_that_do_not_exist_are(self):
        self.assertIn("there is no './dev walk'", self.faults("\n    ./dev walk\n"))
        self.assertIn("there is no program 'bye'", self.faults("\n    ./dev run --pes 2 bye\n"))
        for line in ("kaonrun -n 2 ./program --threads 3", "./program --threads=3", "A=b build/bin/hello --threads"):
            self.assertIn("docs/a.md:3: there is no option --threads", self.faults(f"\n    {line}\n"))


if __name__ == "__main__":
    unittest.main()
