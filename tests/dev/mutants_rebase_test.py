# SPDX-License-Identifier: Apache-2.0
"""./dev mutants --rebase in small trees of git: what follows the sources, and what stays because nothing is sure."""
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = "tests/mutants/all.toml"

QUEUE = """#include "queue.hpp"

// All of a queue.
void Queue::push(Item item) {
  check_open(item, "a queue that is closed takes nothing, and says so");
  items_.push_back(item);  // the newest is the last
  wake(item.owner, count_);
}

bool Queue::has_room(int wanted) const {
  if (wanted < 0) return false;
  return count_ + wanted <= most_ && !is_closed_;
}

void Queue::close() {
  is_closed_ = true;
  wake(owner_, count_);
}
"""
TEST = """TEST_CASE("a queue takes what it is given", "[queue][room]") {
  CHECK(Queue{}.has_room(1));
}
"""


def fault(old, new, name="it is wrong", file="a/queue.cpp", tests=("a_test [queue]",)):
    return {"name": name, "file": file, "from": old, "to": new, "tests": list(tests)}


def listed(faults):
    tables = ("".join(f"{key} = {lines(value)}\n" for key, value in each.items()) for each in faults)
    return "# A comment.\n" + "".join(f"\n[[mutant]]\n{table}" for table in tables)


def lines(value):
    if isinstance(value, list):
        return "[\n" + "".join(f"  {lines(each)},\n" for each in value) + "]"
    return '"""' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""'


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("a/queue.cpp", QUEUE)
        self.write("tests/a/queue_test.cpp", TEST)

    def git(self, *arguments):
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments]
        subprocess.run(command, cwd=self.root, check=True, capture_output=True)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self, *faults):
        self.write(LIST, listed(faults))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def change(self, *replacements, file="a/queue.cpp", to=None):
        text = (self.root / file).read_text()
        for old, new in replacements:
            self.assertIn(old, text)
            text = text.replace(old, new)
        if to:
            (self.root / file).unlink()
        self.write(to or file, text)

    def rebase(self, *arguments):
        """(exit code, what is printed, the faults now)."""
        done = subprocess.run([sys.executable, str(ROOT / "scripts/dev/mutants_rebase.py"), str(self.root), *arguments],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr, tomllib.loads((self.root / LIST).read_text())["mutant"]

    def follow(self, **wanted):
        """The only fault must follow, and have these values then."""
        code, said, (found,) = self.rebase()
        self.assertEqual(code, 0, said)
        self.assertIn("1 follow the tree", said)
        self.assertEqual({key: found[key] for key in wanted}, wanted)
        self.assertEqual((self.root / found["file"]).read_text().count(found["from"]), 1)

    def stay(self, reason):
        before = (self.root / LIST).read_text()
        code, said, _ = self.rebase()
        self.assertRegex(f"{code}: {said}", f"^1: (.*\n)*STUCK +{LIST}: it is wrong: .*{reason}")
        self.assertEqual((self.root / LIST).read_text(), before)


class Follows(Tree):
    def test_renamed_names_in_a_file_that_was_moved_without_git(self):
        self.commit(fault("  if (wanted < 0) return false;\n", "  if (wanted < count_) return false;\n"))
        self.change(("wanted", "asked"), ("count_", "size_"), to="b/line.cpp")
        self.follow(file="b/line.cpp", **{"from": "  if (asked < 0) return false;\n",
                                          "to": "  if (asked < size_) return false;\n"})

    def test_a_line_that_was_broken(self):
        self.commit(fault("return count_ + wanted <= most_ && !is_closed_;", "return count_ + wanted <= most_;"))
        self.change(("<= most_ &&", "<=\n             most_ &&\n        "))
        self.follow(**{"from": "return count_ + wanted <=\n             most_ &&\n         !is_closed_;",
                       "to": "return count_ + wanted <=\n             most_;"})

    def test_a_string_that_was_split_and_a_comment_that_was_reworded(self):
        self.commit(fault('nothing, and says so");\n  items_.push_back(item);  // the newest is the last\n',
                          'nothing, and says so");\n'))
        self.change(("takes nothing, and", 'takes nothing, "\n             "and'), ("the newest is the last", "last"))
        self.follow(**{"from": 'nothing, "\n             "and says so");\n  items_.push_back(item);  // last\n'})

    def test_a_function_that_was_moved_to_another_file_with_a_new_name(self):
        self.commit(fault("  is_closed_ = true;\n", ""))
        text = QUEUE[QUEUE.index("void Queue::close"):]
        self.change((text, ""), ("Queue", "Line"))
        self.write("a/closing.cpp", '#include "line.hpp"\n\n' + text.replace("Queue", "Line"))
        self.follow(file="a/closing.cpp", **{"from": "  is_closed_ = true;\n", "to": ""})

    def test_a_function_that_was_moved_within_its_file(self):
        self.commit(fault("wake(owner_, count_)", "wake(owner_, 0)"))
        text = QUEUE[QUEUE.index("void Queue::close"):]
        self.write("a/queue.cpp", text.replace("count_", "size_") + "\n"
                   + QUEUE.replace(text, "").replace("count_", "size_"))
        self.follow(**{"from": "wake(owner_, size_)", "to": "wake(owner_, 0)"})

    def test_a_text_that_is_no_longer_the_only_one_of_its_kind(self):
        self.commit(fault("wake(item.owner, count_);", "wake(item.owner, 0);"))
        self.change(("wake(owner_, count_)", "wake(item.owner, count_)"))
        code, said, (found,) = self.rebase()
        self.assertEqual((code, found["from"].count("wake(item.owner, count_);")), (0, 1), said)
        changed = (self.root / "a/queue.cpp").read_text().replace(found["from"], found["to"])
        self.assertLess(changed.index("wake(item.owner, 0)"), changed.index("has_room"))

    def test_names_that_only_the_fault_brings_in(self):
        self.commit(fault("is_closed_ = true;", "push(Item{});"))
        self.change(("push(", "add("), ("Item", "Entry"))
        self.follow(to="add(Entry{});")

    def test_a_string_beside_the_change_may_change_and_is_shown(self):
        self.commit(fault('check_open(item, "a queue that is closed takes nothing, and says so");\n  items_',
                          'check_open(item, "a queue that is closed takes nothing, and says so");\n  count_'))
        self.change(("a queue that is closed takes nothing, and says so", "closed"))
        self.assertIn("LOOK AT", self.rebase()[1])

    def test_what_is_as_it_was_is_not_touched(self):
        for each in ("items_.push_back(item);", "that is closed"):
            self.commit(fault(each, ""))
            before = (self.root / LIST).read_text()
            self.change(("wanted", "asked"), ("takes nothing", 'takes "\n  "nothing'))
            self.assertEqual((self.rebase()[0], (self.root / LIST).read_text()), (0, before))
            self.write("a/queue.cpp", QUEUE)

    def test_all_else_of_a_list_stays(self):
        self.commit(fault("wanted < 0", "false") | {"needs": ["x"], "survives": "no one\nknows"},
                    fault("is_closed_ = true;", "", name="another"))
        expected = (self.root / LIST).read_text().replace('from = """wanted < 0"""', 'from = "asked < 0"')
        self.change(("wanted", "asked"))
        self.assertEqual((self.rebase()[0], (self.root / LIST).read_text()), (0, expected))

    def test_a_second_time_changes_nothing(self):
        self.commit(fault("wanted < 0", "wanted > 0"))
        self.change(("wanted", "asked"), to="b/line.cpp")
        self.rebase()
        before = (self.root / LIST).read_text()
        self.assertEqual((self.rebase()[0], (self.root / LIST).read_text()), (0, before))

    def test_a_change_of_the_second_of_the_commit(self):
        self.commit(fault("wanted < 0", "wanted > 0"))
        self.git("config", "core.trustctime", "false")
        file, index, time = self.root / "a/queue.cpp", self.root / ".git/index", (1_000_000_000, 1_000_000_000)
        os.utime(file, time)
        self.git("add", "-A")
        self.change(("wanted", "wished"))
        os.utime(file, time)
        os.utime(index, time)
        self.follow(to="wished > 0")

    def test_an_older_revision(self):
        self.commit(fault("wanted < 0", "wanted > 0"))
        self.change(("wanted", "asked"))
        self.git("commit", "-q", "-a", "-m", "y")
        self.assertEqual(self.rebase("HEAD")[0], 1)
        code, _, (found,) = self.rebase("HEAD~1")
        self.assertEqual((code, found["from"]), (0, "asked < 0"))
        self.assertEqual(self.rebase("nothing")[0], 2)


class Stays(Tree):
    def test_code_that_is_gone(self):
        self.commit(fault("  items_.push_back(item);", ""))
        self.change(("  items_.push_back(item);  // the newest is the last\n", ""))
        self.stay("its code is gone")

    def test_code_that_became_other_code(self):
        self.commit(fault("count_ + wanted <= most_", "true"))
        self.change(("count_ + wanted <= most_", "count_ + wanted + 1 <= most_"))
        self.stay("more than names changed in it; it is near: count_ [+] wanted [+] 1")

    def test_a_name_that_took_the_place_of_another(self):
        self.commit(fault("  items_.push_back(item);", ""))
        self.change(("items_.push_back(item)", "owner_.push_back(item)"))
        self.stay("'owner_' stands where 'items_' stood")

    def test_a_statement_that_has_a_condition_now(self):
        self.commit(fault("  is_closed_ = true;\n", ""))
        self.change(("  is_closed_ = true", "  if (count_ > 0) is_closed_ = true"))
        self.stay("it was a statement of its own, and stands behind '[)]' now")

    def test_code_that_may_be_in_either_of_two_files(self):
        self.commit(fault("is_closed_ = true;", ""))
        text = QUEUE[QUEUE.index("void Queue::close"):]
        self.change((text, ""))
        self.write("a/first.cpp", text)
        self.write("a/second.cpp", text)
        self.stay("any of several places: a/first.cpp:2, a/second.cpp:2")

    def test_few_tokens_that_are_elsewhere_by_chance(self):
        self.commit(fault("is_closed_ = true;", ""))
        self.change(("is_closed_ = true;", ""))
        self.write("a/other.cpp", "void Other::end() { is_closed_ = true; }\n")
        self.stay("its code is gone")

    def test_equal_code_that_was_elsewhere_before(self):
        text = QUEUE[QUEUE.index("void Queue::close"):]
        self.write("a/other.cpp", f"int before;\n{text}")
        self.commit(fault("is_closed_ = true;", ""))
        self.change((text, ""))
        self.change(("before", "after"), file="a/other.cpp")
        self.stay("its code is gone")

    def test_names_that_the_fault_brings_in_and_that_have_several_new_names(self):
        self.commit(fault("is_closed_ = true;", "count_ = 0;"))
        self.change(("wake(item.owner, count_)", "wake(item.owner, size_)"))
        self.stay("it brings in 'count_', which has got several new names")

    def test_a_text_that_was_not_there(self):
        self.commit(fault("is_closed_ = false;", ""))
        self.stay("its text was 0 times in a/queue.cpp")


class Tests(Tree):
    def followed(self, test):
        self.commit(fault("wanted < 0", "wanted > 0", tests=(test,)))
        self.change(("a queue takes what it is given", "a line takes all, always"), ("[room]", "[space]"),
                    file="tests/a/queue_test.cpp", to="tests/b/line_test.cpp")
        code, said, found = self.rebase()
        self.assertEqual(code, 0, said)
        return found[0]["tests"][0]

    def test_sources_that_were_moved(self):
        self.assertEqual(self.followed("a_test [#queue_test]"), "b_test [#line_test]")

    def test_cases_and_tags_that_have_other_names(self):
        self.assertEqual(self.followed("a_test [queue][room]"), "b_test [queue][space]")

    def test_a_case_is_named_as_far_as_a_filter_can(self):
        self.assertEqual(self.followed("a_test a queue takes*"), "b_test a line takes all*")

    def test_sources_of_one_folder_that_are_in_two_now(self):
        for test, now in (("[#queue_test]", "b_test [#line_test]"), ("[queue]", "b_test [queue]"),
                          ("more*", "a_test more*")):
            self.setUp()
            self.write("tests/a/more_test.cpp", 'TEST_CASE("more of it", "[more]") { CHECK(is_more()); }\n')
            self.assertEqual(self.followed(f"a_test {test}"), now)

    def test_an_executable_of_which_parts_are_in_two_folders_now(self):
        self.write("tests/a/more_test.cpp", 'TEST_CASE("more of it", "[queue]") { CHECK(is_more()); }\n')
        self.commit(fault("wanted < 0", "wanted > 0", tests=("a_test [queue]",)))
        self.change(file="tests/a/queue_test.cpp", to="tests/b/queue_test.cpp")
        self.stay("the sources of a_test are in several folders now: a, b")

    def test_a_function_that_went_from_a_header_to_a_source(self):
        self.write("a/queue.hpp", QUEUE.replace("Queue::", "Deque::").replace("count_", "size_"))
        self.commit(fault("wanted < 0", "wanted > 0", tests=("tests/a/queue_test.cpp",), file="a/queue.hpp"))
        self.change(file="a/queue.hpp", to="a/deque.cpp")
        self.follow(file="a/deque.cpp", tests=["a_test [#queue_test]"])

    def test_a_source_that_is_gone(self):
        self.write("a/queue.hpp", QUEUE)
        self.commit(fault("wanted < 0", "", tests=("tests/a/queue_test.cpp",), file="a/queue.hpp"))
        (self.root / "tests/a/queue_test.cpp").unlink()
        self.stay("there is no tests/a/queue_test.cpp any more")


if __name__ == "__main__":
    unittest.main()
