# SPDX-License-Identifier: Apache-2.0
"""Moves the faults of tests/mutants to the tree as it is, from the revision at which their texts stood in it.

Usage: mutants_rebase.py TREE [REVISION]; without one, HEAD. ./dev mutants --rebase runs it. It follows files that were
moved, new names, new line breaks, code that went elsewhere, and sources, cases and tags of tests that have new names. It
prints each fault that it cannot move surely with the reason, and leaves it as it is; then the exit code is 1.
"""
import pathlib
import sys
import tomllib

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else pathlib.Path.cwd()
HERE = pathlib.Path(__file__).resolve()
sys.path[:0] = [str(HERE.parent / "rebase"), str(HERE.parents[2] / "tests/architecture")]
import lists  # noqa: E402
import mutants as kept_list  # noqa: E402
from cases import Follower  # noqa: E402
from corpus import SUFFIXES, Corpus  # noqa: E402
from moving import Mover, Stuck  # noqa: E402
from trees import GitFailed, Trees, git, text_of  # noqa: E402


class Rebase:
    def __init__(self, root, revision):
        self.root, self.trees = root, Trees(root, revision)
        self.corpus = Corpus(self.trees)
        self.paths = sorted((root / kept_list.FOLDER).glob("*.toml"))
        self.tables = {path: tomllib.loads(path.read_text()).get("mutant", []) for path in self.paths}
        self.before = self.faults_before()
        self.corpus.learn(sorted(path for path in self.trees.old_paths
                                 if path.endswith(SUFFIXES) and self.trees.is_changed(path)))
        self.mover, self.follower = Mover(self.corpus), Follower(self.corpus)
        self.stuck, self.remarks, self.moved = [], [], 0

    def faults_before(self):
        """(file, from, to) of all faults that the lists had at the revision."""
        listed = [path for path in self.trees.old_paths if path.startswith(kept_list.FOLDER) and path.endswith(".toml")]
        tables = [tomllib.loads(text_of(git(self.root, "show", f"{self.trees.revision}:{path}"))) for path in listed]
        return {(each["file"], each["from"], each["to"]) for table in tables for each in table.get("mutant", [])}

    def is_up_to_date(self, table):
        """It was written since the revision, for the tree as it is."""
        path = self.root / table["file"]
        return ((table["file"], table["from"], table["to"]) not in self.before and path.is_file()
                and path.read_text().count(table["from"]) == 1)

    def changes_of(self, where, table):
        """New values by key, of those that change."""
        if self.is_up_to_date(table):
            return {}
        try:
            moved = self.mover.move(table["file"], table["from"], table["to"])
        except Stuck as reason:
            self.stuck.append((where, str(reason)))
            return {}
        if moved.remark:
            self.remarks.append(f"{where}: {moved.remark}")
        values = {"file": moved.file, "from": moved.old, "to": moved.new,
                  "tests": self.tests_of(where, table, moved.file)}
        return {key: value for key, value in values.items() if table[key] != value}

    def tests_of(self, where, table, file):
        found = []
        for test in table["tests"]:
            now, wrong = self.follower.follow(test, file)
            found.append(now)
            if wrong:
                self.stuck.append((where, f"its test '{test}': {wrong}"))
        return found

    def run(self):
        for path in self.paths:
            name = path.relative_to(self.root).as_posix()
            changes = {}
            for number, table in enumerate(self.tables[path]):
                if values := self.changes_of(f"{name}: {table['name']}", table):
                    changes[number] = values
            if changes:
                path.write_text(lists.changed(path.read_text(), changes))
                self.moved += len(changes)

    def report(self):
        """Prints what is left to do; gives the exit code."""
        wrong = [fault for fault in kept_list.tree_faults(self.root)
                 if not any(fault.startswith(f"{where}: ") for where, _ in self.stuck)]
        stuck = [f"{where}: {reason}" for where, reason in self.stuck]
        for title, lines in (("LOOK AT", self.remarks), ("STUCK", stuck), ("WRONG", wrong)):
            for line in lines:
                print(f"{title:8} {line}")
        count = sum(map(len, self.tables.values()))
        print(f"{count} faults since {self.trees.revision[:12]}: {self.moved} follow the tree, {len(self.stuck)} stuck")
        return 1 if self.stuck or wrong else 0


def main():
    try:
        rebase = Rebase(ROOT, sys.argv[2] if len(sys.argv) > 2 else "HEAD")
    except GitFailed as error:
        print(f"./dev mutants --rebase: {error}", file=sys.stderr)
        return 2
    rebase.run()
    return rebase.report()


if __name__ == "__main__":
    sys.exit(main())
