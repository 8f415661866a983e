# SPDX-License-Identifier: Apache-2.0
"""Checks that pages lead somewhere.

Usage: pages.py TREE. Every relative link of a page names a file that is there, and a heading where it names one; pages
of docs/ link within docs/, of which the HTML is made, and all of them are in the navigation of mkdocs.yml, or, where
their name begins with a number, in the index.md beside them. Where a block of the shell runs ./dev, kaonrun or a program
of the tree, these exist, and so do the options that they are given. Prints one line for each fault.
"""
import pathlib
import re
import sys

LINK = re.compile(r"(?<!`)\[[^\]`]*(?:`[^`]*`[^\]`]*)*\]\(([^)\s]+)\)")
NUMBERED = re.compile(r"/[0-9]{3}-[^/]*\.md$")
OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]+)")
NAMES_OF_OPTIONS = re.compile(r"--([a-z][a-z0-9-]+)|\"([a-z][a-z0-9-]+)\"")
OURS = re.compile(r"^\s+(?:\S+=\S+ )*(\./dev|\S*kaonrun|\./program|build/\S+|PREFIX/\S+)(?= |$)")
OTHERS = re.compile(r" (gdb|sh|perf|nsys|python3) .*")  # started by kaonrun; what follows is theirs
SOURCES = ("dev", "scripts/**/*", "runtime/**/*.?pp", "chares/**/*.?pp", "gpu/**/*.?pp", "ampi_shim/**/*", "bench/**/*",
           "examples/**/*.?pp", "tests/**/*.py")


def prose(lines):
    """(number, line) of each line that is no code."""
    is_code = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith("    "):
            yield number, line


def shell(lines):
    """(number, line) of each line of an indented block: what a user is to type."""
    is_code = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and line.startswith("    "):
            yield number, line.split("#")[0].rstrip()


def slug(heading):
    """The anchor of a heading, as Python-Markdown makes it."""
    text = re.sub(r"[^\w\s-]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def anchors(path):
    return {slug(line.lstrip("#")) for _, line in prose(path.read_text().splitlines()) if line.startswith("#")}


def link_faults(tree, page, lines):
    for number, line in prose(lines):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            path = (page.parent / name).resolve() if name else page
            where = f"{page.relative_to(tree)}:{number}"
            if not path.exists():
                yield f"{where}: there is no {target}"
            elif tree / "docs" in page.parents and tree / "docs" not in path.parents:
                yield f"{where}: {target} is outside of docs/: name it as `code`"
            elif anchor and anchor not in anchors(path):
                yield f"{where}: there is no heading #{anchor} in {path.name}"


def navigation_faults(tree):
    navigation = tree / "mkdocs.yml"
    named = set(re.findall(r"[\w/.-]+\.md", navigation.read_text())) if navigation.exists() else set()
    pages = {path.relative_to(tree / "docs").as_posix() for path in (tree / "docs").rglob("*.md")}
    numbered = {name for name in pages if NUMBERED.search(name)}
    yield from (f"mkdocs.yml: docs/{name} is not in its nav" for name in sorted(pages - named - numbered))
    for name in sorted(numbered - named):
        index = (tree / "docs" / name).with_name("index.md")
        if not index.exists() or f"]({name.rpartition('/')[2]})" not in index.read_text():
            yield f"{index.relative_to(tree)}: docs/{name} is not in it"
    yield from (f"mkdocs.yml: there is no docs/{name}" for name in sorted(named - pages))


def known_options(tree):
    """Whatever looks like one in sources: a page that names another one is certainly wrong."""
    found = set()
    for pattern in SOURCES:
        for path in tree.glob(pattern):
            if path.is_file() and path.suffix in (".hpp", ".cpp", ".sh", ".py", ".in", ""):
                found.update(a or b for a, b in NAMES_OF_OPTIONS.findall(path.read_text(errors="replace")))
    return found


def programs(tree):
    found = {path.parent.name for path in tree.glob("examples/*/*.cpp") if path.stem == path.parent.name}
    for path in tree.glob("examples/**/CMakeLists.txt"):
        found.update(re.findall(r"kaon_program\((\w+)", path.read_text()))
    return found | {f"tutorial{step}" for step in range(1, 9)}


def dev_faults(tree, words):
    usage = (tree / "dev").read_text()
    if words and not re.search(rf"^\./dev {re.escape(words[0])}\b", usage, re.M):
        yield f"there is no './dev {words[0]}'"
    elif words and words[0] == "run":
        at = 1
        while at < len(words) and words[at].startswith("--"):
            at += 2
        if at < len(words) and words[at].islower() and words[at] not in programs(tree):
            yield f"there is no program '{words[at]}'"


def shell_faults(tree, page, lines, options):
    for number, line in shell(lines):
        ours = OURS.match(line)
        if not ours:
            continue
        where = f"{page.relative_to(tree)}:{number}"
        if ours[1] == "./dev":
            yield from (f"{where}: {fault}" for fault in dev_faults(tree, line.split()[1:]))
        yield from (f"{where}: there is no option --{name}" for name in OPTION.findall(OTHERS.sub("", line)) if name not in options)


def tree_faults(tree):
    tree = tree.resolve()
    options = known_options(tree)
    yield from navigation_faults(tree)
    for page in sorted([*tree.glob("*.md"), *(tree / "docs").rglob("*.md")]):
        lines = page.read_text().splitlines()
        yield from link_faults(tree, page, lines)
        yield from shell_faults(tree, page, lines, options)


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else "pages lead somewhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
