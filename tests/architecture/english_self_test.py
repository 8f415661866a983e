# SPDX-License-Identifier: Apache-2.0
"""english.py must find long sentences and odd comments, and nothing in code, tables and lists of options."""
import pathlib
import tempfile
import unittest

import english

LONG = "Word " + "word " * (english.LONGEST - 1) + "end."  # one word too many
SHORT = "Word " + "word " * (english.LONGEST - 2) + "end."


class English(unittest.TestCase):
    def long_ones(self, *lines):
        return [number for number, _, _ in english.long_sentences(lines)]

    def faults(self, inherited=None, comments=0, **files):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for name, text in files.items():
                path = tree / name.replace("__", "/").replace("_md", ".md").replace("_hpp", ".hpp")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(english.tree_faults(tree, inherited or {}, comments))

    def test_a_sentence_may_have_so_many_words_and_no_more(self):
        self.assertEqual(self.long_ones(SHORT), [])
        self.assertEqual(self.long_ones("Short.", "", LONG), [3])

    def test_a_sentence_goes_over_lines_and_ends_at_a_full_stop(self):
        half = "word " * 20
        self.assertEqual(self.long_ones(f"Word {half}", f"{half}end."), [1])
        self.assertEqual(self.long_ones(f"Word {half}end. Word", f"{half}end."), [])
        self.assertEqual(self.long_ones(f"Word {half}end). `Code`", f"{half}end."), [])

    def test_a_colon_a_number_and_a_name_of_a_file_end_none(self):
        half = "word " * 20
        for between in ("word: Word", "3.5 word", "a.hpp word"):
            self.assertEqual(self.long_ones(f"Word {half}{between} {half}end."), [1], between)

    def test_paragraphs_items_and_headings_end_sentences(self):
        half = "word " * 20
        for between in (["", ""], ["* item"], ["  1. item"], ["# Heading"], ["| a | table |"], ["<!-- from a.cpp -->"]):
            self.assertEqual(self.long_ones(f"Word {half}", *between, f"{half}end."), [], between)

    def test_items_and_quoted_paragraphs_have_sentences_too(self):
        self.assertEqual(self.long_ones(f"* {LONG}"), [1])
        self.assertEqual(self.long_ones(f"2. {LONG}"), [1])
        self.assertEqual(self.long_ones("> A box.", ">", f"> * {LONG}"), [3])

    def test_code_tables_and_headings_are_no_sentences(self):
        self.assertEqual(self.long_ones("```text", LONG, "```", "Short."), [])
        self.assertEqual(self.long_ones("", "    " + LONG), [])
        self.assertEqual(self.long_ones("| " + LONG + " |"), [])
        self.assertEqual(self.long_ones("# " + LONG), [])
        self.assertEqual(self.long_ones("![" + LONG + "](a.png)"), [])

    def test_lists_of_options_do_not_count(self):
        self.assertEqual(self.long_ones(f"* `--option`: {LONG}", f"* {LONG}"), [2])

    def test_code_is_one_word_and_targets_of_links_are_none(self):
        almost = "Word " + "word " * (english.LONGEST - 3)
        self.assertEqual(self.long_ones(almost + "`a + b + c. D` end."), [])
        self.assertEqual(self.long_ones(almost + "[word](a.md) end."), [])
        self.assertEqual(self.long_ones(almost + "[word word](a.md) end."), [1])

    def test_pages_are_the_first_one_and_those_of_docs(self):
        found = self.faults(README_md=LONG, docs__a_md=LONG, docs__b__c_md=LONG, other_md=LONG)
        self.assertEqual([fault.split(":")[0] for fault in found], ["README.md", "docs/a.md", "docs/b/c.md"])
        self.assertIn(f"{english.LONGEST + 1} words, at most {english.LONGEST}: Word word", found[0])

    def test_inherited_sentences_may_not_become_more(self):
        two = f"{LONG}\n\n{LONG}\n"
        inherited = {("docs/a.md", "docs/b/"): 3}
        self.assertEqual(self.faults(inherited, docs__a_md=two, docs__b__c_md=LONG), [])
        found = self.faults(inherited, docs__a_md=two, docs__b__c_md=two)
        self.assertEqual(len(found), 5)
        self.assertEqual(found[-1], "docs/a.md, docs/b/: 4 long sentences, at most 3")

    def test_comments_that_begin_oddly_are_counted(self):
        header = "/// What it is. Whose?\nint a;\n/// The place.\n/// Of it.\nint b;\n  /// Whether it is.\n  int c;\n"
        found = self.faults(comments=1, gpu__a_hpp=header)
        self.assertEqual(found[:2], ["gpu/a.hpp:1: a comment begins with 'What'", "gpu/a.hpp:6: a comment begins with 'Whether'"])
        self.assertIn("2 comments", found[2])
        self.assertEqual(self.faults(comments=2, gpu__a_hpp=header), [])

    def test_other_comments_and_other_files_are_not(self):
        self.assertEqual(self.faults(gpu__a_hpp="// What it is.\n//// What?\n/// Whatever.\n", gpu__a_cpp="/// What.\n"), [])


if __name__ == "__main__":
    unittest.main()
