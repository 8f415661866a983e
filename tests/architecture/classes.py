# SPDX-License-Identifier: Apache-2.0
"""How many public functions classes have, in formatted headers.

Usage: classes.py TREE. Prints one line for each fault and exits with 1 when there is any. Counted are distinct public
names, without constructors, operators and what is inherited: overloads are one thing to learn. It reads the layout
that clang-format gives: members stand two columns, access labels one, to the right of their class.
"""
import pathlib
import re
import sys

FOLDERS = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing")
MOST = 25
# Interfaces to a vendor: each function is a call of another's library.
VENDOR_INTERFACES = dict.fromkeys(("Driver", "HostDriver", "VendorDriver"), 45)

CLASS = re.compile(r"^( *)(?:template <.*> )?(class|struct)(?: \[\[\w+\]\]| alignas\(\w+\))? (\w+)[^;()]*\{$")
LABEL = re.compile(r"^( *)(public|protected|private):")
NO_DECLARATION = re.compile(r"^(?:friend|using|typedef|template|static_assert|requires|enum|#|//|return|throw|if|for)\b|^[#/}]")


def without_nests(text, opened, closed):
    """The text without what stands between such signs, however deep."""
    kept, depth = [], 0
    for sign in text:
        if sign == opened:
            depth += 1
        elif sign == closed and depth > 0:
            depth -= 1
        elif depth == 0:
            kept.append(sign)
    return "".join(kept)


def declared_function(line, of):
    """The name of the function whose declaration begins with this line of class `of`; None: it is no such line."""
    text = line.strip().partition("//")[0]
    if NO_DECLARATION.match(text) or "operator" in text:
        return None
    text = re.sub(r"\[\[.*?\]\]|->", "", text)
    text = without_nests(text, "<", ">")
    before, bracket, _ = text.partition("(")
    if not bracket or "=" in before or "{" in before:
        return None
    name = re.search(r"(~?\b[A-Za-z_]\w*)$", before.strip())
    if name is None or name[1] in (of, "~" + of, "alignas", "decltype", "explicit", "noexcept", "requires"):
        return None
    return name[1]


def classes_of(lines):
    """(name, its public functions) of each class of a header."""
    open_classes = []
    for line in lines:
        found = CLASS.match(line)
        indent = len(line) - len(line.lstrip())
        while open_classes and line.strip() and indent <= open_classes[-1]["indent"] and line.strip().startswith("}"):
            closed = open_classes.pop()
            yield closed["name"], closed["functions"]
        if open_classes:
            top = open_classes[-1]
            label = LABEL.match(line)
            if label and len(label[1]) == top["indent"] + 1:
                top["is_public"] = label[2] == "public"
            elif top["is_public"] and indent == top["indent"] + 2 and not found:
                name = declared_function(line, top["name"])
                if name:
                    top["functions"].add(name)
        if found:
            open_classes.append({"name": found[3], "indent": len(found[1]), "is_public": found[2] == "struct",
                                 "functions": set()})


def tree_faults(tree):
    seen = {}
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob("*.hpp")):
            for name, functions in classes_of(path.read_text(errors="replace").splitlines()):
                place, most = seen.get(name, (None, 0))
                if len(functions) >= most:
                    seen[name] = (path.relative_to(tree).as_posix(), len(functions))
    for name, (place, count) in sorted(seen.items()):
        most = VENDOR_INTERFACES.get(name, MOST)
        if count > most:
            yield f"{place}: {name} has {count} public functions, at most {most}: which of them belong together?"


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else f"classes have {MOST} public functions or fewer")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
