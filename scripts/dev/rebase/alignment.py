# SPDX-License-Identifier: Apache-2.0
"""Which token of a new text is which of the old text, and the renames that this shows."""
import collections
import difflib

from tokens import are_alike

SURE = 0.8  # share of the places of a name that must have got one new name, before all are taken to have it


class Names:
    """What became of each name, counted over all places where it stands."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)

    def add(self, old, new):
        self.counts[old][new] += 1

    def add_all(self, other):
        for old, counter in other.counts.items():
            self.counts[old].update(counter)

    def count(self, old, new):
        return self.counts[old][new] if old in self.counts else 0

    def places(self, old):
        return sum(self.counts[old].values()) if old in self.counts else 0

    def new_name(self, old):
        """The new name (the old one when it stays); None when nothing or too little shows it."""
        if not self.places(old):
            return None
        new, count = max(self.counts[old].items(), key=lambda item: item[1])
        return new if count >= SURE * self.places(old) else None

    def renames(self):
        changed = [old for old, counter in self.counts.items() if len(counter) > 1 or old not in counter]
        found = {old: self.new_name(old) for old in changed}
        return {old: new for old, new in found.items() if new not in (None, old)}


def pairs_between(old, new, renames):
    """(begin in old, begin in new, length) of what corresponds. `renames`: those known already."""
    if are_alike(old, new):
        return [(0, 0, len(old))] if old else []
    texts = [renames.get(token.text, token.text) for token in old]
    return list(pairs_by_text(old, new, texts, [token.text for token in new], True))


def pairs_by_text(old, new, texts, new_texts, is_large):
    matcher = difflib.SequenceMatcher(None, texts, new_texts, autojunk=is_large)
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and are_alike(old[a:a_end], new[b:b_end])):
            yield a, b, a_end - a
        elif kind == "replace" and is_large:  # a small part: the frequent tokens count there, too
            for inner_a, inner_b, length in pairs_by_text(old[a:a_end], new[b:b_end], texts[a:a_end],
                                                          new_texts[b:b_end], False):
                yield a + inner_a, b + inner_b, length


class Alignment:
    def __init__(self, old, new, renames):
        self.old, self.new = old, new
        self.to_new, self.to_old = {}, {}
        self.names, self.strings = Names(), Names()
        for a, b, length in pairs_between(old, new, renames):
            for i in range(length):
                self.add(a + i, b + i)

    def add(self, a, b):
        self.to_new[a], self.to_old[b] = b, a
        kept = {"name": self.names, "string": self.strings}.get(self.old[a].kind)
        if kept is not None:
            kept.add(self.old[a].text, self.new[b].text)

    def new_begin(self, begin, end):
        """Where the old tokens [begin, end) stand in the new text, one after the other; None: they no longer do."""
        first = self.to_new.get(begin)
        is_whole = first is not None and all(self.to_new.get(begin + i) == first + i for i in range(end - begin))
        return first if is_whole else None
