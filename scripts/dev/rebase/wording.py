# SPDX-License-Identifier: Apache-2.0
"""The two texts of a fault, taken apart in the old file and put together again from the text of the new file, so that
they have its names, line breaks and comments."""
import bisect
import dataclasses

from tokens import tokens_of

MOST_AROUND = 60  # tokens that are added so that a text stands only once in its file


def common(first, second):
    """How many texts are the same at the begin."""
    count = 0
    while count < min(len(first), len(second)) and first[count].text == second[count].text:
        count += 1
    return count


@dataclasses.dataclass(frozen=True)
class Fault:
    texts: tuple  # to replace, and to put there, as they are listed
    begin: int  # numbers of tokens of the old file: what it replaces
    end: int
    head: str  # what the first token has before the fault's text
    tail: str
    lead: str  # white space and comments before the first token, and behind the last
    trail: str
    new: str  # the text that it puts there, with head and tail
    same_before: int  # tokens, at the begin of both texts
    same_behind: int

    @staticmethod
    def of(text, tokens, start, old, put_text):
        """None: no token is in it."""
        end = start + len(old)
        first = bisect.bisect_right([token.end for token in tokens], start)
        last = bisect.bisect_left([token.start for token in tokens], end)
        if first >= last:
            return None
        head = text[tokens[first].start:start] if tokens[first].start < start else ""
        tail = text[end:tokens[last - 1].end] if tokens[last - 1].end > end else ""
        lead, trail = text[start:tokens[first].start], text[tokens[last - 1].end:end]
        new = head + put_text + tail
        replaced, put = tokens[first:last], tokens_of(new)
        before = common(replaced, put)
        behind = min(common(replaced[::-1], put[::-1]), len(put) - before, len(replaced) - before)
        return Fault((old, put_text), first, last, head, tail, lead, trail, new, before, behind)

    def is_in_literal(self):
        """Whether it is about a part of one token, such as a word of a text."""
        return self.end == self.begin + 1 and bool(self.head or self.tail)

    def names(self):
        """Those that it brings in, or puts behind what it brings in."""
        return [token.text for token in tokens_of(self.new)[self.same_before:] if token.kind == "name"]

    def changes(self, number):
        """Whether it changes a token of the old file: the others only say where."""
        return self.begin + self.same_before <= number < self.end - self.same_behind


class Wording:
    """Of the tokens [begin, end) of a file of today."""

    def __init__(self, text, tokens, begin, end):
        self.text, self.tokens, self.begin, self.end = text, tokens, begin, end

    def start(self, number):
        return self.tokens[number].start if number < len(self.tokens) else len(self.text)

    def stop(self, number):
        return self.tokens[number].end if number >= 0 else 0

    def lead(self, lead):
        """What the new text has in the place of this white space before the first token."""
        gap = self.text[self.stop(self.begin - 1):self.start(self.begin)]
        if not lead or "\n" not in gap:
            return gap if lead else ""
        return gap[gap.rindex("\n") + ("\n" not in lead):]

    def trail(self, trail):
        gap = self.text[self.stop(self.end - 1):self.start(self.end)]
        line, line_end, _ = gap.partition("\n")
        if "\n" in trail:
            return line + line_end
        if trail.strip():  # a comment
            return line.rstrip()
        return gap if trail and not line_end else ""

    def has_once(self, old):
        """Whether the text stands here, around these tokens, and nowhere else."""
        if self.text.count(old) != 1:
            return False
        at = self.text.index(old)
        return at < self.stop(self.end - 1) and self.start(self.begin) < at + len(old)

    def of(self, fault, name_now):
        """(text to replace, text to put there). `name_now`: the new name of one that the fault brings in."""
        lead, trail = self.lead(fault.lead), self.trail(fault.trail)
        old = lead + self.text[self.start(self.begin):self.stop(self.end - 1)] + trail
        put = tokens_of(fault.new)
        new = self.replacement(fault, put, name_now) if put else fault.new
        if put:
            own_lead, own_trail = fault.new[:put[0].start], fault.new[put[-1].end:]
            new = (lead if own_lead == fault.lead else own_lead) + new
            new += trail if own_trail == fault.trail else own_trail
        start = self.start(self.begin) - len(lead)
        if fault.head and old.startswith(fault.head) and new.startswith(fault.head):
            old, new, start = old[len(fault.head):], new[len(fault.head):], start + len(fault.head)
        if fault.tail and old.endswith(fault.tail) and new.endswith(fault.tail):
            old, new = old[:-len(fault.tail)], new[:-len(fault.tail)]
        return self.unique(start, old, new)

    def replacement(self, fault, put, name_now):
        """The new text's own before and behind what changes, and between them the fault's, with new names."""
        before, behind = fault.same_before, fault.same_behind
        first = put[before - 1].end if before else put[0].start
        last = put[len(put) - behind].start if behind else put[-1].end
        text, at = "", first
        for token in put[before:len(put) - behind]:
            text += fault.new[at:token.start] + (name_now(token.text) if token.kind == "name" else token.text)
            at = token.end
        text += fault.new[at:last]
        head = self.text[self.start(self.begin):self.stop(self.begin + before - 1)] if before else ""
        rest = self.text[self.start(self.end - behind):self.stop(self.end - 1)] if behind else ""
        return head + text + rest

    def unique(self, start, old, new):
        """With more of what is around, as far as the text is not the only one of its kind."""
        for around in range(1, MOST_AROUND):
            if self.text.count(old) == 1:
                return old, new
            end = start + len(old)
            left = min(start, self.start(max(0, self.begin - around)))
            right = max(end, self.stop(min(len(self.tokens), self.end + around) - 1))
            before, behind = self.text[left:start], self.text[end:right]
            old, new, start = before + old + behind, before + new + behind, left
        return old, new

