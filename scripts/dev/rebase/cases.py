# SPDX-License-Identifier: Apache-2.0
"""The tests that a fault names, in the tree as it is: sources that moved, cases and tags that have other names."""
import collections
import pathlib
import re

from alignment import Names
from tokens import tokens_of

TAG = re.compile(r"\[([^\]]+)\]")
PLAIN = re.compile(r"[^,\[\]*\\\"~]*")  # what of a name needs no escape in a filter


def cases_in(tokens):
    """(name, tags) of each case, as written in the source."""
    for i, token in enumerate(tokens[:-2]):
        if token.text.endswith("TEST_CASE") and tokens[i + 1].text == "(" and tokens[i + 2].kind == "string":
            has_tags = i + 4 < len(tokens) and tokens[i + 3].text == "," and tokens[i + 4].kind == "string"
            yield plain(tokens[i + 2]), tuple(TAG.findall(tokens[i + 4].text)) if has_tags else ()


def plain(token):
    return token.text[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def matches(pattern, name):
    """As Catch2 has it: a star at an end, and no difference between capitals and small letters."""
    wanted, name = pattern.strip().strip('"').lower(), name.lower()
    if wanted.startswith("*") and wanted.endswith("*"):
        return wanted.strip("*") in name
    if wanted.endswith("*"):
        return name.startswith(wanted[:-1])
    return name.endswith(wanted[1:]) if wanted.startswith("*") else name == wanted


class Cases:
    """All cases of the sources of tests in one of the two trees."""

    def __init__(self, tokens_by_path):
        self.by_path = {path: list(cases_in(tokens)) for path, tokens in tokens_by_path.items()}
        self.tags = {tag for cases in self.by_path.values() for _, tags in cases for tag in tags}
        self.names = [name for cases in self.by_path.values() for name, _ in cases]

    def has(self, wanted):
        return any(matches(wanted, name) for name in self.names)

    def folders_with(self, wanted):
        """The folders of tests in which a case passes the filter; of several filters, the first one."""
        tags = set(TAG.findall(wanted.split(",")[0].split("~")[0]))
        return {path.split("/")[1] for path, cases in self.by_path.items() for name, of_case in cases
                if (tags <= set(of_case) if tags else matches(wanted, name))}


def is_test(path):
    return path.startswith("tests/") and path.endswith("_test.cpp")


class Follower:
    def __init__(self, corpus):
        self.corpus, self.trees = corpus, corpus.trees
        self.old_tests = sorted(filter(is_test, self.trees.old_paths))
        self.stems, self.folders = collections.defaultdict(set), collections.defaultdict(set)
        self.names, self.tags, self.renamed = Names(), Names(), {}
        for path in self.old_tests:
            now = self.trees.new_path(path)
            if now is not None:
                self.stems[pathlib.Path(path).stem].add(pathlib.Path(now).stem)
                self.folders[path.split("/")[1]].add(now.split("/")[1])
        self.old = Cases({path: corpus.old_tokens(path) for path in self.old_tests})
        self.new = Cases({path: corpus.new_tokens(path) for path in self.new_tests()})
        self.learn()

    def new_tests(self):
        kept = {path for path in self.old_tests if not self.trees.is_changed(path)}
        return sorted(kept | {path for path in self.trees.changed if is_test(path)})

    def learn(self):
        """Which case became which, by the strings of sources that changed."""
        for path in self.old_tests:
            alignment = self.corpus.alignment(path) if self.trees.is_changed(path) else None
            if alignment is None:
                continue
            for old, counter in alignment.strings.counts.items():
                for new, count in counter.items():
                    self.add(old, new, count)

    def add(self, old, new, count):
        old_tags, new_tags = TAG.findall(old), TAG.findall(new)
        if len(old_tags) == len(new_tags):
            for pair in zip(old_tags, new_tags):
                self.tags.add(*pair)
        if old != new and not old_tags:
            (name,), (new_name,) = tokens_of(old), tokens_of(new)
            self.renamed[plain(name)] = plain(new_name)

    def follow(self, test, file):
        """(the test as it is named now, what is wrong with it or ''). `file`: where the fault is now. A source of tests
        alone reaches headers only; for other files its executable is named."""
        subject, _, wanted = test.partition(" ")
        if "/" not in subject:
            return self.with_target(subject, wanted)
        found, wrong = self.with_source(subject, wanted)
        if file.endswith(".cpp") and not wrong:
            source, _, wanted = found.partition(" ")
            found = f"{source.split('/')[1]}_test {wanted or f'[#{pathlib.Path(source).stem}]'}"
        return found, wrong

    def with_source(self, source, wanted):
        now = self.trees.new_path(source)
        if now is None or not (self.trees.root / now).is_file():
            return f"{source} {wanted}".strip(), f"there is no {source} any more"
        wanted, wrong = self.filter_now(wanted)
        return f"{now} {wanted}".strip(), wrong

    def with_target(self, target, wanted):
        folders = self.folders_of(target, wanted)
        wanted, wrong = self.filter_now(wanted)
        if len(folders) > 1:
            folders = folders & self.new.folders_with(wanted) or folders
        if len(folders) == 1:
            target = f"{next(iter(folders))}_test"
        elif len(folders) > 1:
            wrong = wrong or f"the sources of {target} are in several folders now: {', '.join(sorted(folders))}"
        return f"{target} {wanted}".strip(), wrong

    def folders_of(self, target, wanted):
        """Where the sources of the executable are now, or the one that the filter names."""
        folder = target.removesuffix("_test")
        if match := re.fullmatch(r"\[#(\w+)\]", wanted):
            paths = [path for path in self.old_tests
                     if path.split("/")[1] == folder and pathlib.Path(path).stem == match[1]]
            moved = {now.split("/")[1] for now in map(self.trees.new_path, paths) if now}
            return moved or self.folders.get(folder, set())
        return self.folders.get(folder, set())

    def filter_now(self, wanted):
        if not wanted.startswith("["):
            return self.name_now(wanted) if wanted else ("", "")
        wrong = []
        found = TAG.sub(lambda match: f"[{self.tag_now(match[1], wrong)}]", wanted)
        return found, "; ".join(wrong)

    def tag_now(self, tag, wrong):
        if tag.startswith("#"):
            stems = self.stems.get(tag[1:], set())
            if len(stems) != 1:
                wrong.append(f"there is no one source {tag[1:]} any more")
            return f"#{next(iter(stems))}" if len(stems) == 1 else tag
        if tag in self.new.tags or tag not in self.old.tags:
            return tag
        now = self.tags.new_name(tag)
        if now is None or now not in self.new.tags:
            wrong.append(f"no test has the tag [{tag}]")
            return tag
        return now

    def name_now(self, wanted):
        if self.new.has(wanted) or not self.old.has(wanted):
            return wanted, ""
        became = {new for old, new in self.renamed.items() if matches(wanted, old) and new in self.new.names}
        if len(became) != 1:
            return wanted, f"no test is named '{wanted}'"
        name = became.pop()
        begin = PLAIN.match(name)[0]
        return (name if begin == name else begin + "*"), ""
