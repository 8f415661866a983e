# SPDX-License-Identifier: Apache-2.0
"""Moves one fault from the old tree to the tree as it is."""
import dataclasses

from search import Search
from tokens import can_be_renamed
from wording import Fault, Wording


BEFORE_STATEMENTS = ("", ";", "{", "}", ":")


class Stuck(Exception):
    """The fault cannot be moved surely; the text says why."""


@dataclasses.dataclass(frozen=True)
class Moved:
    file: str
    old: str
    new: str
    remark: str = ""


class Mover:
    def __init__(self, corpus):
        self.corpus, self.trees, self.search = corpus, corpus.trees, Search(corpus)

    def move(self, file, old, new):
        if file not in self.trees.old_paths:
            raise Stuck(f"{file} is not in {self.trees.revision[:12]}")
        text = self.trees.old_text(file)
        if (count := text.count(old)) != 1:
            raise Stuck(f"its text was {count} times in {file} at {self.trees.revision[:12]}, not once")
        tokens = self.corpus.old_tokens(file)
        fault = Fault.of(text, tokens, text.index(old), old, new)
        if fault is None:
            raise Stuck("its text has no code, only comments or white space")
        path, begin, alignment = self.place(file, fault)
        return self.worded(file, fault, path, begin, alignment)

    def place(self, file, fault):
        """(path, number of the first token) in the tree of today; and the alignment that showed it, if one did."""
        alignment = self.corpus.alignment(file)
        begin = alignment.new_begin(fault.begin, fault.end) if alignment is not None else None
        if begin is not None:
            return self.trees.new_path(file), begin, alignment
        found = self.search.places(file, fault.begin, fault.end)
        if not found:
            raise Stuck(self.why_not(alignment, fault))
        if len(found) > 1 and found[1].tokens == found[0].tokens:
            raise Stuck("it may be in any of several places: " + ", ".join(
                f"{each.path}:{self.line(each)}" for each in found if each.tokens == found[0].tokens))
        return found[0].path, found[0].begin, None

    def line(self, found):
        start = self.corpus.new_tokens(found.path)[found.begin].start
        return self.trees.new_text(found.path).count("\n", 0, start) + 1

    def why_not(self, alignment, fault):
        if alignment is None:
            return "its file is gone, and its code is nowhere else"
        kept = [i for i in range(fault.begin, fault.end) if i in alignment.to_new]
        if 2 * len(kept) < fault.end - fault.begin:
            return "its code is gone"
        new_begin, new_end = alignment.to_new[kept[0]], alignment.to_new[kept[-1]] + 1
        is_now = " ".join(token.text for token in alignment.new[new_begin:new_end])
        return f"more than names changed in it; it is near: {is_now}"

    def require_renames(self, alignment, fault):
        """A name that became another one in this place alone, and one that was there already, was hardly renamed: a
        statement took the place of another."""
        old_words = {token.text for token in alignment.old}
        for i in range(fault.begin, fault.end):
            was, is_now = alignment.old[i], alignment.new[alignment.to_new[i]]
            if was.text == is_now.text:
                continue
            if was.kind == "string" and fault.changes(i):
                raise Stuck(f"the string {was.text}, which it changes, is {is_now.text} now")
            if was.kind == "name" and is_now.text in old_words and not self.is_rename(alignment, was.text, is_now.text):
                raise Stuck(f"'{is_now.text}' stands where '{was.text}' stood, and was there before")

    def is_rename(self, alignment, old, new):
        return alignment.names.count(old, new) > 1 or self.corpus.names.count(old, new) > 1

    def worded(self, file, fault, path, begin, alignment):
        new_tokens = self.corpus.new_tokens(path)
        here = new_tokens[begin:begin + fault.end - fault.begin]
        was = self.corpus.old_tokens(file)[fault.begin:fault.end]
        assert all(can_be_renamed(*pair) for pair in zip(was, here))
        wording = Wording(self.trees.new_text(path), new_tokens, begin, begin + len(here))
        renames = {a.text: b.text for a, b in zip(was, here) if a.kind == "name"}
        if self.is_as_it_was(file, fault, wording, was, here):
            return Moved(path, *fault.texts)
        if alignment is not None:
            self.require_renames(alignment, fault)
        old, new = wording.of(fault, lambda name: self.name_now(file, name, renames))
        strings = [a.text for a, b in zip(was, here) if a.kind == "string" and a.text != b.text]
        self.require_statement(file, fault, path, begin)
        if old == new:
            raise Stuck("it would change nothing")
        return Moved(path, old, new, f"a string beside its change is another: {strings[0]}" if strings else "")

    def is_as_it_was(self, file, fault, wording, was, here):
        """Then its texts stay as their author wrote them."""
        is_same = wording.has_once(fault.texts[0]) and (
            fault.is_in_literal() or [a.text for a in was] == [b.text for b in here])
        kept = {token.text: token.text for token in was}
        return is_same and all(self.name_now(file, name, kept) == name for name in fault.names())

    def require_statement(self, file, fault, path, begin):
        """A statement that has got a condition before it cannot be taken out any more: the next one would get it."""
        def before(tokens, number):
            return tokens[number - 1].text if number > 0 else ""
        was, is_now = before(self.corpus.old_tokens(file), fault.begin), before(self.corpus.new_tokens(path), begin)
        if fault.same_before == 0 and was in BEFORE_STATEMENTS and is_now not in BEFORE_STATEMENTS:
            raise Stuck(f"it was a statement of its own, and stands behind '{is_now}' now")

    def name_now(self, file, name, renames):
        """Of a name that the fault brings in."""
        if name in renames:
            return renames[name]
        alignment = self.corpus.alignment(file)
        for names in ([alignment.names] if alignment is not None else []) + [self.corpus.names]:
            if names.places(name):
                if (found := names.new_name(name)) is None:
                    raise Stuck(f"it brings in '{name}', which has got several new names")
                return found
        if self.was_word(file, name) and not self.corpus.has_word(name):
            raise Stuck(f"it brings in '{name}', which is gone")
        return name

    def was_word(self, file, name):
        tokens = self.corpus.old_tokens(file)
        return any(token.text == name for token in tokens)


