# SPDX-License-Identifier: Apache-2.0
"""Makes docs/nouns.md of the headers, and checks that pages name types that exist.

Usage: nouns.py [--write] TREE. The page lists each type at namespace scope that a header of the library defines and
comments: its name, its file and the first sentence of its comment. `--write` writes the page. Without it, one line is
printed for each fault: the page differs from the headers, or the architecture page or a decision names, in backticks,
a type that no source defines.
"""
import pathlib
import re
import sys

MADE = "docs/nouns.md"
PAGES = ("docs/architecture.md", "docs/decisions/*.md")
LIBRARY = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing", "include")
TYPE = re.compile(r"\b(?:class|struct|enum class|concept|using)\s+(?:\[\[\w+\]\]\s+|alignas\(\w+\)\s+)?([A-Z]\w*)\b(?!\s*;)")
NAME = re.compile(r"`([A-Z][a-z]\w*)[^`]*`")

# clang-format puts what stands in a namespace at the beginning of the line.
DEFINITION = re.compile(r"^(?!template <template)(?:template <.*> )?(?:class|struct|union|enum class|concept) "
                        r"(?:\[\[\w+\]\] |alignas\([^)]*\) )*([A-Z]\w*)(?! *<)(?: final)?(?: *[:={]| *$)")
BEFORE_A_DEFINITION = re.compile(r"^(?:template <|requires\b|\s)")
HIDDEN = re.compile(r"^namespace (?:[\w:]*\bdetail\b[\w:]* )?\{")
END_OF_SENTENCE = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?<=[.!?])\s+")
HEAD = """# Nouns

The types of Kaon, by folder: each type at namespace scope of a library's header, with the first sentence of its comment.
This page is made from the headers. After a change to a comment, run `python3 tests/architecture/nouns.py --write .` to
make it again.
"""


def first_sentence(comment):
    return END_OF_SENTENCE.split(" ".join(comment), maxsplit=1)[0].strip()


def commented_types(lines):
    """(name, first sentence) of each type that a header defines at namespace scope and comments."""
    comment, hidden = [], False
    for line in lines:
        if line.startswith("//"):
            text = line.lstrip("/").strip()
            comment = [] if text.startswith("---") else [*comment, text]  # the heading of a part is no comment
            continue
        if line.startswith("namespace"):
            hidden = bool(HIDDEN.match(line))
        elif line.startswith("}  // namespace"):
            hidden = False
        found = DEFINITION.match(line)
        if found and comment and not hidden:
            yield found[1], first_sentence(comment)
        if not BEFORE_A_DEFINITION.match(line) or found:
            comment = []


def as_cell(text):
    """Text as it reads in a cell of a table: its signs mean nothing to Markdown outside of `code`."""
    parts = text.split("`")
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"([*_\[\]|])", r"\\\1", parts[at].replace("&", "&amp;").replace("<", "&lt;"))
    return "`".join(parts)


def made_page(tree):
    """What docs/nouns.md has to be."""
    folders = {}
    for folder in LIBRARY:
        for path in sorted((tree / folder).rglob("*.hpp")):
            for name, sentence in commented_types(path.read_text(errors="replace").splitlines()):
                where = path.parent.relative_to(tree).as_posix()
                folders.setdefault(where, []).append(f"| `{name}` | `{path.name}` | {as_cell(sentence)} |")
    page = HEAD
    for folder, rows in sorted(folders.items()):
        page += f"\n## {folder}/\n\n| type | file | what it is |\n| --- | --- | --- |\n" + "\n".join(sorted(rows)) + "\n"
    return page


def made_faults(tree):
    made = made_page(tree).splitlines()
    page = (tree / MADE).read_text().splitlines() if (tree / MADE).exists() else []
    differing = next((at for at in range(max(len(made), len(page))) if made[at:at + 1] != page[at:at + 1]), None)
    if differing is not None:
        row = (made[differing:differing + 1] or ["nothing"])[0]
        yield f"{MADE}:{differing + 1}: the headers say: {row}"
        yield f"{MADE}: it is made from the headers: run `python3 tests/architecture/nouns.py --write .`"


def types_in(path):
    return set(TYPE.findall(path.read_text(errors="replace")))


def name_faults(tree):
    defined = set()
    for folder in LIBRARY:
        for path in sorted((tree / folder).rglob("*.[hc]pp")):
            defined |= types_in(path)
    for pattern in PAGES:
        for page in sorted(tree.glob(pattern)):
            for number, line in enumerate(page.read_text().splitlines(), 1):
                for name in NAME.findall(line):
                    if name not in defined:
                        yield f"{page.relative_to(tree)}:{number}: no source defines {name}"


def main():
    tree = pathlib.Path(sys.argv[-1])
    if "--write" in sys.argv[1:]:
        (tree / MADE).write_text(made_page(tree))
    faults = [*made_faults(tree), *name_faults(tree)]
    print("\n".join(faults) if faults else f"{MADE} says what the headers say, and pages name types that exist")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
