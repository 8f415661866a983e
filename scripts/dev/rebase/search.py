# SPDX-License-Identifier: Apache-2.0
"""Code that was moved: where its tokens stand now, when they no longer stand where they did."""
import dataclasses

LEAST_TOKENS = 12  # that must be found together: fewer may be there by chance


@dataclasses.dataclass(frozen=True)
class Found:
    path: str
    begin: int  # number of a token
    tokens: int  # that are as they were, around the place and in it


class Search:
    def __init__(self, corpus):
        self.corpus = corpus

    def places(self, old_path, begin, end):
        """Where the old tokens [begin, end) may stand now, with the most of what was around them first."""
        old, renames = self.corpus.old_tokens(old_path), self.corpus.renames_of(old_path)
        texts = [token.text for token in old[begin:end]]
        wanted = {tuple(texts), tuple(renames.get(text, text) for text in texts)}
        found = {}
        for path in self.corpus.searched_files():
            for each in wanted:
                for at in self.corpus.searchable(path).find_all(each):
                    if not self.is_taken(path, at, at + end - begin, old_path, begin):
                        found[path, at] = Found(path, at, self.alike_around(old, begin, path, at, renames))
        return sorted((each for each in found.values() if each.tokens >= max(LEAST_TOKENS, end - begin)),
                      key=lambda each: -each.tokens)

    def is_taken(self, path, begin, end, old_path, old_begin):
        """Whether most of these tokens of today were there before, in another place than the one that is searched."""
        was = self.corpus.trees.old_path(path)
        alignment = None if was is None else self.corpus.alignment(was)
        if alignment is None:
            return False
        others = [i for i in range(begin, end) if i in alignment.to_old
                  and (was, alignment.to_old[i]) != (old_path, old_begin + i - begin)]
        return 2 * len(others) > end - begin

    def alike_around(self, old, old_begin, path, new_begin, renames):
        new = self.corpus.new_tokens(path)

        def is_alike(i):
            a, b = old_begin + i, new_begin + i
            if min(a, b) < 0 or a >= len(old) or b >= len(new):
                return False
            return new[b].text in (old[a].text, renames.get(old[a].text))
        first, last = 0, 0
        while is_alike(first - 1):
            first -= 1
        while is_alike(last):
            last += 1
        return last - first
