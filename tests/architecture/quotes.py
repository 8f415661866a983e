# SPDX-License-Identifier: Apache-2.0
"""Checks that code on pages is code of the tree.

Usage: quotes.py TREE. Behind a line `<!-- from PATH -->` a block of code consists of lines of that file, one behind
the other, perhaps less indented; behind `<!-- all of PATH -->` it is the whole file. In docs/ and in CONTRIBUTING.md every
block of C++, C or CMake has such a line (code for other systems is of another language, such as `charm`), and a program
of examples/ that is quoted is one that a test runs. Prints one line for each fault.
"""
import pathlib
import re
import sys
import textwrap

LANGUAGES_OF_OURS = ("cpp", "c", "cmake")
MARK = re.compile(r"^<!-- (from|all of) (\S+) -->$")


def blocks(lines):
    """(number of the first line, language, mark or None, text) of each block of code."""
    begin = None
    for at, line in enumerate(lines):
        if not line.startswith("```"):
            continue
        if begin is None:
            begin = at
            continue
        mark = MARK.match(lines[begin - 1]) if begin > 0 else None
        yield begin + 1, lines[begin][3:].strip(), mark, "\n".join(lines[begin + 1:at]) + "\n"
        begin = None


def holds(source, quoted):
    """Whether the quoted lines stand in the source, all indented by the same number of spaces more."""
    texts = {textwrap.indent(quoted, " " * more) for more in range(0, 9)}
    return any(("\n" + source).find("\n" + text) >= 0 for text in texts)


def quote_faults(where, tree, mark, quoted):
    path = tree / mark[2]
    if not path.is_file():
        yield f"{where}: there is no {mark[2]}"
        return
    source = path.read_text()
    if mark[1] == "all of" and source != quoted:
        yield f"{where}: {mark[2]} reads otherwise"
    elif mark[1] == "from" and not holds(source, quoted):
        yield f"{where}: these lines are not in {mark[2]}"


def promises(name):
    return name == "CONTRIBUTING.md" or name.startswith("docs/")


def is_run(tree, path):
    """Whether a file is no example, or one of a program that a test names."""
    parts = path.split("/")
    if parts[0] != "examples":
        return True
    tests = [*(tree / "tests").rglob("CMakeLists.txt"), *(tree / "examples").rglob("CMakeLists.txt")]
    runs = "\n".join(line for test in tests for line in test.read_text().splitlines() if not line.startswith("#"))
    return re.search(rf"(test|foreach|set)\b[^\n]*\b{re.escape(parts[1])}", runs) is not None


def page_faults(tree, name):
    lines = (tree / name).read_text().splitlines()
    for number, language, mark, quoted in blocks(lines):
        if mark:
            yield from quote_faults(f"{name}:{number}", tree, mark, quoted)
            if not is_run(tree, mark[2]):
                yield f"{name}:{number}: no test runs {mark[2]}"
        elif language in LANGUAGES_OF_OURS and promises(name):
            yield f"{name}:{number}: say which file this is from: <!-- from PATH -->"


def tree_faults(tree):
    for path in sorted([*tree.glob("*.md"), *(tree / "docs").rglob("*.md")]):
        yield from page_faults(tree, path.relative_to(tree).as_posix())


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else "what pages quote is so in the tree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
