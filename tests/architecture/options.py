# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/options.md names the options and environment variables of the tree.

Usage: options.py TREE. Every option that the sources of programs, kaonrun, ampirun and ampicc define, every KAON_
variable that sources and scripts read, and the variables of UCX, devices, launchers and the C library that the
libraries read or set are in the page, under the program that they belong to; the page names no others. A default that
is one word of code is the one of the sources. Prints one line for each fault.
"""
import pathlib
import re
import sys

PAGE = "docs/options.md"
OWNERS = {"runtime/base/options.cpp": "program", "runtime/launch/kaonrun.cpp": "kaonrun",
          "ampi_shim/tools/ampirun/command_line.cpp": "ampirun"}
LIBRARIES = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing")
SCRIPTS = ("dev", "scripts/dev/*", "tests/packages/*", "bench/**/*.py", "bench/**/*.sh", "tests/**/*.py")
DECLARED = re.compile(r"\badd_(?:option|flag|flag_callback)\(\s*\"([^\"]+)\"(?:,\s*\w+\.(\w+))?")
VARIABLE = re.compile(r"(?:KAON|AMPI|UCX|CUDA|HIP|ROCR|PMIX|PMI|OMPI|SLURM|MALLOC|LD|GLIBC)_[A-Z0-9_]+")
LITERAL = re.compile(rf"\"({VARIABLE.pattern})\"")
READ_BY_TESTS = re.compile(r"\bgetenv\(\"(KAON_[A-Z_]+)\"\)")
READ_BY_SCRIPTS = re.compile(r"\$\{?(KAON_[A-Z_]+)|environ(?:\.get\(|\[)\"(KAON_[A-Z_]+)\"|\*\*os\.environ, \"(KAON_[A-Z_]+)\"")
SET_FOR_UCX = re.compile(r"\b(?:modify\(\w+|modify_global\(|ucs_global_opts_set_value\()(?:, )?\"([A-Z_]+)\"")
SETTINGS = {"KAON_TESTING": "runtime/base/testing_settings.cpp", "KAON_HOST_DEVICE": "gpu/backends/host_settings.cpp"}
WORDS = {"on": "true", "off": "false"}


def text_of(tree, name):
    path = tree / name
    return path.read_text(errors="replace") if path.is_file() else ""


def sources(tree, folders):
    for folder in folders:
        for path in sorted((tree / folder).rglob("*.?pp")):
            yield path.relative_to(tree).as_posix(), path.read_text()


def declared(text):
    """{option: field} of what one source declares; of hidden spellings, the field is empty."""
    found = {}
    for names, field in DECLARED.findall(text):
        for name in names.split(","):
            found[name.lstrip("!")] = field
    return found


def options_of_compilers(tree):
    """Of the script that ampicc and ampicxx are."""
    text = text_of(tree, "ampi_shim/tools/compilers/compiler.in")
    shown = text.partition("case $show in")[2]
    parts = [name for line in re.findall(r"^  ([a-z]+)\) ", shown, re.M) for name in line.split("|")]
    for patterns in re.findall(r"^ +(-[^)]*)\) show=", text, re.M):
        for pattern in patterns.split(" | "):
            if pattern.startswith("--") and pattern.endswith(":*"):
                continue  # the page says so once
            yield from [pattern[:-1] + part for part in parts] if pattern.endswith(":*") else [pattern]


def options_of_tree(tree):
    """{(owner, option): field}, and faults."""
    found, faults = {}, []
    for name, text in sources(tree, LIBRARIES):
        options = {} if "CLI" not in text else declared(text)
        if options and name not in OWNERS:
            faults.append(f"{name}: defines options: say in tests/architecture/options.py whose they are")
        found.update({(OWNERS.get(name), option): field for option, field in options.items()})
    for name, owner in OWNERS.items():
        if "\"-np\"" in text_of(tree, name):
            found[owner, "-np"] = ""
    for satisfied in re.findall(r"kSatisfied\{([^}]*)\}", text_of(tree, "ampi_shim/tools/ampirun/other_launchers.cpp")):
        found.update({("ampirun", option): "" for option in re.findall(r"\"(-[^\"]+)\"", satisfied)})
    for option in re.findall(r"argument == \"(-[^\"]+)\"", text_of(tree, "chares/run.cpp")):
        found["program", option] = ""
    found.update({("ampicc", option): "" for option in options_of_compilers(tree)})
    return found, faults


def removed(tree):
    """Variables of earlier versions, which are read for a hint alone."""
    return set(re.findall(r"\bRemoved\{\"[^\"]*\", \"(KAON_[A-Z_]+)\"", text_of(tree, "runtime/base/hints.cpp")))


def variables_of_tree(tree):
    found = set()
    for _, text in sources(tree, LIBRARIES):
        code = re.sub(r"//.*", "", text)
        found.update(LITERAL.findall(code))
        found.update(f"UCX_{name}" for name in SET_FOR_UCX.findall(code))
    for _, text in sources(tree, ("tests", "bench", "examples")):
        found.update(READ_BY_TESTS.findall(text))
    for pattern in SCRIPTS:
        for path in tree.glob(pattern):
            if path.is_file() and "architecture" not in path.parts:  # tests of the checks name what is not there
                found.update(name for names in READ_BY_SCRIPTS.findall(path.read_text(errors="replace"))
                             for name in names if name)
    for name in ("machine_ucx/ucx.conf", "cmake/KaonInstall.cmake"):
        found.update(re.findall(r"(?:^|\\n)(UCX_\w+)=", text_of(tree, name), re.M))
    if "@variable@" in text_of(tree, "ampi_shim/tools/compilers/compiler.in"):
        found.update(("AMPI_CC", "AMPI_CXX"))
    return found - removed(tree)


def settings_of_tree(tree):
    return {(variable, name) for variable, source in SETTINGS.items()
            for name in re.findall(r"setting\.name == \"(\w+)\"", text_of(tree, source))}


def rows(page):
    """(number, cells) of each row of the page's tables."""
    for number, line in enumerate(page.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("| ") and "`" in cells[0]:
            yield number, cells


def names_of(cell):
    return [text.split()[0] for text in re.findall(r"`([^`]+)`", cell)]


def default_of(tree, owner, field):
    """What the sources give a field of the owner's options, as a number, a word, true or false; None: not found."""
    source = next(name for name, each in OWNERS.items() if each == owner)
    for name in (source, source.replace(".cpp", ".hpp")):
        value = re.search(rf"^  \S+ {field} = ([^;{{]+);", text_of(tree, name), re.M)
        if value:
            return value[1].strip('"')
        if re.search(rf"^  std::string {field};", text_of(tree, name), re.M):
            return ""
    return None


def default_fault(tree, owner, options, cells):
    default = re.fullmatch(r"`([^` ]+)`", cells[2])
    fields = {options[owner, name] for name in names_of(cells[0]) if options.get((owner, name))}
    for field in fields if default else ():
        value = default_of(tree, owner, field)
        if value is not None and value != WORDS.get(default[1], default[1]):
            yield f"the default of {names_of(cells[0])[0]} is {value} in the sources, not {default[1]}"


class Page:
    def __init__(self, text):
        self.options, self.variables, self.settings = {}, {}, {}
        self.rows = list(rows(text))
        for number, cells in self.rows:
            for name in names_of(cells[0]):
                if name.startswith("-"):
                    self.options[cells[1], name] = number
                elif VARIABLE.fullmatch(name):
                    self.variables[name] = number
                elif "=" in name and cells[1].strip("`") in SETTINGS:
                    self.settings[cells[1].strip("`"), name.partition("=")[0]] = number
                    self.variables[cells[1].strip("`")] = number


def differences(what, in_tree, in_page, text):
    for name in sorted(in_tree - in_page.keys()):
        yield f"{PAGE}: {what} {text(name)} is missing"
    for name in sorted(in_page.keys() - in_tree):
        yield f"{PAGE}:{in_page[name]}: there is no {what} {text(name)}"


def tree_faults(tree):
    page = Page(text_of(tree, PAGE))
    options, faults = options_of_tree(tree)
    yield from faults
    yield from differences("option", set(options), page.options, lambda name: f"{name[1]} of {name[0]}")
    yield from differences("variable", variables_of_tree(tree), page.variables, str)
    yield from differences("setting", settings_of_tree(tree), page.settings, lambda name: f"{name[1]} of {name[0]}")
    for number, cells in page.rows:
        if len(cells) > 2 and cells[1] in OWNERS.values():
            yield from (f"{PAGE}:{number}: {fault}" for fault in default_fault(tree, cells[1], options, cells))


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else f"{PAGE} has the options and variables of the tree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
