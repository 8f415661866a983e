# SPDX-License-Identifier: Apache-2.0
"""The list of mutants, tests/mutants/*.toml: small faults, each of which a test must see. `./dev mutants` builds and
tests them; this reads the list and checks that each is still about the tree as it is.

Usage: mutants.py TREE. Prints one line for each fault and exits with 1 when there is any.

Each [[mutant]] has
  name      what goes wrong, as a sentence
  file      the source that it changes
  from, to  text that is there once, and what stands in its place
  tests     those who see it: "runtime_test [queue]", an executable of Catch2 cases with a filter, for which all that the
            file reaches is compiled; or "tests/runtime/work/run_queue_test.cpp [queue]", one source of an executable,
            which alone is compiled: for headers, whose functions the linker then takes from there. "[#x_test]" as the
            filter of an executable: the cases of its source x_test.cpp
  needs     more to build, such as programs that the tests start (may be left out)
  survives  why no test can see it (may be left out)
"""
import dataclasses
import pathlib
import re
import sys
import tomllib

FOLDER = "tests/mutants"
KEYS = {"name", "file", "from", "to", "tests"}
MORE_KEYS = {"needs", "survives"}
SUBJECT = re.compile(r"^([a-z_]+_test|tests/([a-z_]+)/[\w/]+_test\.cpp)(?: (.+))?$")


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    file: str
    old: str
    new: str
    tests: tuple
    needs: tuple = ()
    survives: str = ""
    listed_in: str = ""


@dataclasses.dataclass(frozen=True)
class Subject:
    """What is run: cases of an executable, or of one source of it."""
    target: str
    source: str  # empty: all of them
    filter: str


def subject_of(text):
    found = SUBJECT.match(text)
    if not found:
        return None
    if found[2]:
        return Subject(f"{found[2]}_test", found[1], found[3] or "")
    return Subject(found[1], "", found[3] or "")


def mutant_of(table, listed_in):
    return Mutant(table["name"], table["file"], table["from"], table["to"], tuple(table["tests"]),
                  tuple(table.get("needs", ())), table.get("survives", ""), listed_in)


def table_faults(where, table):
    for key in sorted(KEYS - set(table)):
        yield f"{where}: it has no '{key}'"
    for key in sorted(set(table) - KEYS - MORE_KEYS):
        yield f"{where}: '{key}' means nothing here"
    for text in table.get("tests", ()):
        if subject_of(text) is None:
            yield f"{where}: '{text}' is neither an executable of tests nor a source of one"
    if not table.get("tests", True):
        yield f"{where}: no test is meant for it"


def read(tree):
    """(mutants, faults of their form)."""
    mutants, faults = [], []
    for path in sorted((tree / FOLDER).glob("*.toml")):
        name = path.relative_to(tree).as_posix()
        try:
            tables = tomllib.loads(path.read_text()).get("mutant", [])
        except tomllib.TOMLDecodeError as error:
            faults.append(f"{name}: {error}")
            continue
        for number, table in enumerate(tables, 1):
            found = list(table_faults(f"{name}: mutant {number} ({table.get('name', 'without name')})", table))
            faults += found
            if not found:
                mutants.append(mutant_of(table, name))
    return mutants, faults


def mutant_faults(tree, mutant, texts):
    where = f"{mutant.listed_in}: {mutant.name}"
    path = tree / mutant.file
    if not path.is_file():
        yield f"{where}: there is no {mutant.file}"
        return
    text = texts.setdefault(mutant.file, path.read_text())
    if (count := text.count(mutant.old)) != 1:
        yield f"{where}: its text is {count} times in {mutant.file}, not once"
    if mutant.old == mutant.new:
        yield f"{where}: it changes nothing"
    for test in mutant.tests:
        source = subject_of(test).source
        if source and not (tree / source).is_file():
            yield f"{where}: there is no {source}"
        if source and mutant.file.endswith(".cpp"):
            yield f"{where}: {source} alone is compiled, which does not reach {mutant.file}: name its executable"


def tree_faults(tree):
    mutants, faults = read(tree)
    yield from faults
    texts, names = {}, set()
    for mutant in mutants:
        yield from mutant_faults(tree, mutant, texts)
        if mutant.name in names:
            yield f"{mutant.listed_in}: there are two of the name '{mutant.name}'"
        names.add(mutant.name)
    if not mutants and not faults:
        yield f"{FOLDER}: there are no mutants"


def main():
    tree = pathlib.Path(sys.argv[1])
    faults = list(tree_faults(tree))
    print("\n".join(faults) if faults else f"{len(read(tree)[0])} mutants are about the tree as it is")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
