# SPDX-License-Identifier: Apache-2.0
"""nouns.py must make the page of the headers, and find a page that differs and names without a type."""
import pathlib
import tempfile
import unittest

import nouns

HEADER = """// SPDX-License-Identifier: Apache-2.0
namespace kaon::runtime {

class Later;
/// Runs work of the size 0.5, e.g. messages. It has
/// two lines.
class Pe final : public Scheduler {
 public:
  /// The inner one.
  struct Inner {};
};

/// A queue of `T`, of *all* sizes < 5
/// that there are.
template <class T>
  requires std::movable<T>
class [[nodiscard]] Queue {
};

/// A specialization.
template <>
struct Queue<int> {};

// --- a part
struct Plain {};
// In a header that no other library reads.
class Within {};
namespace detail {
/// Nobody's.
struct Hidden {};
}  // namespace detail

/// Of a function.
void run();
struct AlsoPlain {};

/// How a thing ends.
enum class End : int { well, badly };
}  // namespace kaon::runtime
"""
ROWS = """
## runtime/work/

| type | file | what it is |
| --- | --- | --- |
| `End` | `pe.hpp` | How a thing ends. |
| `Pe` | `pe.hpp` | Runs work of the size 0.5, e.g. messages. |
| `Queue` | `pe.hpp` | A queue of `T`, of \\*all\\* sizes &lt; 5 that there are. |
| `Within` | `pe.hpp` | In a header that no other library reads. |
"""


class Nouns(unittest.TestCase):
    def faults(self, made=nouns.HEAD + ROWS, page="", decision=""):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            files = {nouns.MADE: made, "docs/architecture.md": page, "docs/decisions/001-a.md": decision,
                     "runtime/work/pe.hpp": HEADER}
            for path, content in files.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return "\n".join([*nouns.made_faults(tree), *nouns.name_faults(tree)])

    def test_a_page_made_from_the_headers_is_no_fault(self):
        self.assertEqual(self.faults(), "")

    def test_a_page_that_differs_is_a_fault(self):
        self.assertIn("docs/nouns.md:12: the headers say: | `Pe` |", self.faults(nouns.HEAD + ROWS.replace("Runs", "Ran")))
        self.assertIn("--write", self.faults(nouns.HEAD + ROWS.replace("Runs", "Ran")))
        self.assertIn("docs/nouns.md:15: the headers say: nothing", self.faults(nouns.HEAD + ROWS + "more\n"))
        self.assertIn("docs/nouns.md:1:", self.faults(""))

    def test_a_name_that_no_source_defines_is_a_fault(self):
        self.assertIn("docs/architecture.md:2: no source defines Gone",
                      self.faults(page="\nThe `Gone::way` of `Pe::route`.\n"))
        self.assertIn("docs/decisions/001-a.md:1: no source defines Gone", self.faults(decision="`Gone<int>`\n"))
        self.assertIn("no source defines Later", self.faults(page="`Later`\n"))
        self.assertEqual(self.faults(page="The `Queue<int>` and a `variable`.\n", decision="`Pe`\n"), "")


if __name__ == "__main__":
    unittest.main()
