# SPDX-License-Identifier: Apache-2.0
"""Checks the English of pages and of comments.

Usage: english.py TREE. README.md and the pages of docs/ have no sentence of more than LONGEST words. Code, tables,
headings, targets of links and lists of options do not count, and a piece of `code` is one word. The pages of INHERITED
and the comments of headers that begin with one of BEGINNINGS have a number each, which may only shrink: whoever mends
some writes the new number there. Prints one line for each long sentence.
"""
import pathlib
import re
import sys

LONGEST = 35  # words
# Long sentences that are allowed in pages, together. A page belongs to the first group that holds it.
INHERITED = {("docs/results/",): 32}
# Comments `///` of headers that do not begin with a sentence or a noun phrase.
BEGINNINGS = ("What", "Whether", "Of", "As", "Who")
COMMENTS = 0
HEADERS = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing", "include", "examples", "bench", "tests")

FENCE = re.compile(r"\s*```")
ITEM = re.compile(r"\s*(?:[*+-]|\d+\.)\s+")
OPTION = re.compile(r"\s*[*+-]\s+`-")
QUOTED = re.compile(r"^> ?")
NO_PROSE = re.compile(r"\s*(?:\||#|<!--|!\[|---)")
SPAN = re.compile(r"(`+).+?\1")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
END = re.compile(r"[.!?][)\"'*_]*(?=\s+[\"'(*_]*[A-Z0-9`])")
COMMENT = re.compile(r"\s*///(?!/)<?\s*(\w*)")


def paragraphs(lines):
    """(number of the first line, text) of each paragraph and each item of a list."""
    begin, words, is_code, is_option = 0, [], False, False
    for number, line in enumerate([*lines, ""], 1):
        line = QUOTED.sub("", line)
        is_fence = FENCE.match(line) is not None
        is_new = not line.strip() or is_fence or is_code or NO_PROSE.match(line) or ITEM.match(line)
        if is_new:
            if words and not is_option:
                yield begin, " ".join(words)
            words, is_option = [], False
        if is_fence:
            is_code = not is_code
        elif not is_code and line.strip() and not NO_PROSE.match(line) and (words or not line.startswith("    ")):
            if not words:
                begin, is_option = number, OPTION.match(line) is not None
            words.append(ITEM.sub("", line, count=1).strip() if is_new else line.strip())


def sentences(paragraph):
    """The sentences of a paragraph, with `code` as it stands."""
    spans = []

    def hide(match):
        spans.append(match[0])
        return f"`{len(spans) - 1}`"

    text = LINK.sub(r"\1", SPAN.sub(hide, paragraph))
    at = 0
    for end in [*(match.end() for match in END.finditer(text)), len(text)]:
        yield re.sub(r"`(\d+)`", lambda match: spans[int(match[1])], text[at:end].strip())
        at = end


def words(sentence):
    """The number of words: whatever holds a letter or a digit, and `code`."""
    return sum(1 for word in SPAN.sub("code", sentence).split() if re.search(r"\w", word))


def long_sentences(lines):
    """(line on which the paragraph begins, words, sentence) of each sentence that is too long."""
    for number, paragraph in paragraphs(lines):
        for sentence in sentences(paragraph):
            if words(sentence) > LONGEST:
                yield number, words(sentence), sentence


def pages(tree):
    return [path.relative_to(tree).as_posix()
            for path in [*tree.glob("README.md"), *sorted((tree / "docs").rglob("*.md"))]]


def group_of(name, inherited):
    return next((group for group in inherited if any(name.startswith(prefix) for prefix in group)), None)


def page_faults(tree, inherited):
    """The long sentences of all pages: of a group only those that are more than it may have."""
    found = {}
    for name in pages(tree):
        for number, count, sentence in long_sentences((tree / name).read_text().splitlines()):
            group = group_of(name, inherited)
            found.setdefault(group, []).append(f"{name}:{number}: {count} words, at most {LONGEST}: {sentence}")
    for group, lines in found.items():
        if group is None:
            yield from lines
        elif len(lines) > inherited[group]:
            yield from lines
            yield f"{', '.join(group)}: {len(lines)} long sentences, at most {inherited[group]}"


def beginnings(lines):
    """(number, first word) of each comment `///` of a header."""
    was_comment = False
    for number, line in enumerate(lines, 1):
        comment = COMMENT.match(line)
        if comment and not was_comment:
            yield number, comment[1]
        was_comment = comment is not None


def odd_comments(tree):
    for folder in HEADERS:
        for path in sorted([*(tree / folder).rglob("*.hpp"), *(tree / folder).rglob("*.h")]):
            for number, word in beginnings(path.read_text(errors="replace").splitlines()):
                if word in BEGINNINGS:
                    yield f"{path.relative_to(tree)}:{number}: a comment begins with '{word}'"


def tree_faults(tree, inherited, comments):
    yield from page_faults(tree, inherited)
    found = list(odd_comments(tree))
    if len(found) > comments:
        yield from found
        yield f"{len(found)} comments of headers begin with {', '.join(BEGINNINGS)}: at most {comments}"


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1]), INHERITED, COMMENTS))
    print("\n".join(faults) if faults else "sentences are short")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
