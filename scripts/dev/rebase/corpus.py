# SPDX-License-Identifier: Apache-2.0
"""Tokens, alignments and renames of all files that are asked about."""
import bisect

from alignment import Alignment, Names
from tokens import are_alike, tokens_of

SUFFIXES = (".hpp", ".cpp", ".h", ".c", ".cu")
SEPARATOR = "\x1f"  # between the texts of tokens, where they are searched


class Searchable:
    """The tokens of a file as one text, which is searched quickly."""

    def __init__(self, tokens):
        self.begins, at = [], 0
        for token in tokens:
            self.begins.append(at)
            at += len(token.text) + 1
        self.text = SEPARATOR + SEPARATOR.join(token.text for token in tokens) + SEPARATOR

    def find_all(self, texts):
        """The numbers of the tokens at which they begin."""
        wanted, at = SEPARATOR + SEPARATOR.join(texts) + SEPARATOR, -1
        while (at := self.text.find(wanted, at + 1)) >= 0:
            yield bisect.bisect_left(self.begins, at)


class Corpus:
    def __init__(self, trees):
        self.trees = trees
        self.names, self.renames = Names(), {}  # of all files that were learned from
        self.caches = {"old": {}, "new": {}, "searchable": {}, "first": {}, "final": {}, "renames": {}}
        self.words_now = None

    def cached(self, kind, path, make):
        cache = self.caches[kind]
        if path not in cache:
            cache[path] = make()
        return cache[path]

    def old_tokens(self, path):
        if not self.trees.is_changed(path):
            return self.new_tokens(path)
        return self.cached("old", path, lambda: tokens_of(self.trees.old_text(path)))

    def new_tokens(self, path):
        return self.cached("new", path, lambda: tokens_of(self.trees.new_text(path)))

    def searchable(self, path):
        return self.cached("searchable", path, lambda: Searchable(self.new_tokens(path)))

    def aligned(self, path, renames):
        """Of an old path; None: the file is gone."""
        new_path = self.trees.new_path(path)
        return None if new_path is None else Alignment(self.old_tokens(path), self.new_tokens(new_path), renames)

    def learn(self, paths):
        """What renames the files show, each by itself. With those, more of each file is recognized later."""
        self.trees.read(paths)
        for path in paths:
            first = self.cached("first", path, lambda path=path: self.aligned(path, {}))
            if first is not None:
                self.names.add_all(first.names)
        self.renames = self.names.renames()

    def alignment(self, path):
        return self.cached("final", path, lambda: self.align_again(path))

    def align_again(self, path):
        first = self.cached("first", path, lambda: self.aligned(path, {}))
        if first is None or are_alike(first.old, first.new):
            return first
        return self.aligned(path, {**self.renames, **first.names.renames()})

    def renames_of(self, path):
        """For the names of an old file, and for those of all files."""
        def make():
            alignment = self.alignment(path)
            return {**self.renames, **(alignment.names.renames() if alignment is not None else {})}
        return self.cached("renames", path, make)

    def searched_files(self):
        """Those of today that may have got code of other files."""
        return sorted(path for path in self.trees.changed
                      if path.endswith(SUFFIXES) and (self.trees.root / path).is_file())

    def has_word(self, name):
        """Whether any source of today has the name. Those that did not change have it as ever."""
        if self.words_now is None:
            known = {path for path in self.trees.old_paths if path.endswith(SUFFIXES)}
            paths = set(self.searched_files()) | {path for path in known if not self.trees.is_changed(path)}
            self.words_now = {token.text for path in paths for token in self.new_tokens(path) if token.kind == "name"}
        return name in self.words_now
