# SPDX-License-Identifier: Apache-2.0
"""How long functions are, how comments begin, and whether tests of threads say so, in formatted sources.

Usage: form.py TREE. Prints one line for each fault and exits with 1 when there is any. It needs no compiler, so it
also sees what this machine cannot compile, and tests, whose macros hide their length from clang-tidy.
"""
import pathlib
import re
import sys

SOURCES = {".hpp", ".cpp", ".cu"}
FOLDERS = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing", "include", "examples", "bench", "tests")
MAX_FUNCTION_LINES = 40
# Lists of sentences, with nothing to name: what begins them, and how long they may be.
LISTS = {"consteval bool refuse() {": 50}
STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'')
RAW_STRING = re.compile(r'R"([^(\s]*)\(.*?\)\1"', re.DOTALL)
FOREIGN_COMMENT = re.compile(r"/\*\*|//!")
# Folders whose tests ThreadSanitizer leaves out, but for those with this line: see kaon_test_folder. Of ampi_shim's all
# but program/, whose tests change stacks without telling it.
OF_ONE_THREAD = re.compile(r"tests/(?:ampi_shim/(?!program/)|chares/|device/|multiprocess/|runtime/).*_test\.cpp$")
THREADS = re.compile(r"^#include <thread>|\bkaon::run\(|\bSession session|\brun_ranks_on_threads\(", re.MULTILINE)
SAYS_THREADS = re.compile(r"^// threads: ", re.MULTILINE)
# An expression that Catch2's macros name more than once, and that g++ therefore awaits more than once.
AWAITED_IN_MACRO = re.compile(r"\b(?:CHECK|REQUIRE)(?:_FALSE|_THAT)?\([^;]*(?<!operator )\bco_await\b")
# Braces that hold declarations or values, not statements; what stands before them on their line.
NO_FUNCTION = re.compile(r"\b(?:namespace|enum|class|struct|union)\b[^()]*$|extern \S+\s*$|[=(,{]\s*$|^\s*$|\breturn\b")


def without_strings(text):
    """The text with its strings emptied, line by line as it was."""
    text = RAW_STRING.sub(lambda found: "\n" * found[0].count("\n"), text)
    return STRING.sub('""', text)


def begins_function(before):
    return not NO_FUNCTION.search(re.sub(r"\b(?:template|requires) ?<.*?> |\balignas\(\w+\) ", "", before))


def long_functions(lines):
    """(number of the line, lines of the body) of each outermost function that is too long."""
    depth, begin, outside = 0, None, None
    for number, line in enumerate(lines, 1):
        for at, sign in enumerate(line):
            if sign == "{":
                if begin is None and begins_function(line[:at]):
                    begin, outside = number, depth
                depth += 1
            elif sign == "}":
                depth -= 1
                if begin is not None and depth == outside:
                    if number - begin - 1 > LISTS.get(lines[begin - 1].strip(), MAX_FUNCTION_LINES):
                        yield begin, number - begin - 1
                    begin = None


def file_faults(name, text):
    if OF_ONE_THREAD.match(name) and THREADS.search(text) and not SAYS_THREADS.search(text):
        yield f"{name}: has threads: say which in a line '// threads: ...', and ThreadSanitizer sees it"
    lines = without_strings(text).splitlines()
    for number, line in enumerate(lines, 1):
        if FOREIGN_COMMENT.search(line):
            yield f"{name}:{number}: what describes an interface is written behind ///"
        if AWAITED_IN_MACRO.search(line):
            yield f"{name}:{number}: g++ awaits more than once within a macro: CHECK_AWAITED of tests/support/awaited.hpp"
    for number, length in long_functions([line.partition("//")[0] for line in lines]):
        yield f"{name}:{number}: a function of {length} lines, at most {MAX_FUNCTION_LINES}: name its paragraphs"


def tree_faults(tree):
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in SOURCES:
                yield from file_faults(path.relative_to(tree).as_posix(), path.read_text(errors="replace"))


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else "functions are short, comments have one dialect")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
