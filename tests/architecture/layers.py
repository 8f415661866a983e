# SPDX-License-Identifier: Apache-2.0
"""Checks a source tree against the table of layers in docs/architecture.md.

Usage: layers.py TREE. Prints one line for each fault and exits with 1 when there is any.
"""
import pathlib
import re
import sys

SOURCES = {".hpp", ".cpp", ".h", ".cu", ".cuh"}
MAX_LINES = 300
# Folders that may include a vendor's headers, and how these begin.
VENDORS = {
    "UCX": (re.compile(r"^(ucp|ucs|uct|ucm)/"), ("machine_ucx",)),
    "CUDA": (re.compile(r"^(cuda|cooperative_groups|nvml|cub/|thrust/)"), ("gpu/backends",)),
    "HIP": (re.compile(r"^(hip/|hipcub/|rocm|rocprim/)"), ("gpu/backends",)),
    "PMIx": (re.compile(r"^pmix"), ("runtime/launch/pmix",)),
}
# Floors are measured with the vendor's library itself; tests may look at what it did.
VENDOR_USERS = ("bench", "tests")
# What a user writes without Kaon may stand in an example: sources in the vendor's own language.
VENDOR_SOURCES = (".cu", ".hip")
# What is installed: included from anywhere as "kaon/FOLDER/x.hpp", and each of its folders is a row of the table.
LIBRARY = ("runtime", "gpu", "machine_ucx", "chares", "ampi_shim", "testing", "include")
# Folders whose rows stand from the lowest one to the highest, so that no two of them include each other.
ORDERED = ("chares", "gpu/resident")
FRONT_DOOR = re.compile(r"^kaon/[a-z_]+\.hpp$")  # the users' headers, in include/kaon
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Row:
    """What a folder may include: a set of folders, or None for all. A library of its own is meant only by its name."""
    def __init__(self, may, is_library):
        self.may, self.is_library = may, is_library


def read_table(tree):
    """The rows of the table as {folder: Row}."""
    rows = {}
    for line in (tree / "docs/architecture.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 4 or not re.match(r"^`[a-z_/]+/`", cells[0]):
            continue
        targets = set(re.findall(r"`([a-z_/]+?)/?`", cells[3]))
        for folder in re.findall(r"`([a-z_/]+?)/`", cells[0]):
            rows[folder] = Row(None if cells[3] == "all" else targets, bool(cells[1]))
    if not rows:
        raise SystemExit("docs/architecture.md has no table of layers")
    rows["tests"] = Row(None, True)
    return rows


def is_within(folder, outer):
    return folder == outer or folder.startswith(outer + "/")


def order_faults(rows):
    """Rows of an ordered folder that name one of it, or a folder around it, before all that they name have stood."""
    for outer in ORDERED:
        above = [folder for folder in rows if is_within(folder, outer)]
        while above:
            folder = above.pop(0)
            for target in sorted(rows[folder].may or ()):
                if any(is_within(each, target) for each in above):
                    yield f"docs/architecture.md: {folder} may not name {target}, which does not stand before it"


def layer_of(path, layers):
    """The innermost row of the table that holds `path`, or None."""
    holders = [layer for layer in layers if path.startswith(layer + "/")]
    return max(holders, key=len, default=None)


def may_include(row, target, rows):
    """Whether a row names the target or, unless that is a library of its own, a folder around it."""
    if row.may is None or target in row.may:
        return True
    return not rows[target].is_library and any(target.startswith(each + "/") for each in row.may)


def folder_of(header):
    """The path in the tree of what is included as "kaon/..." ; None for headers of others."""
    if FRONT_DOOR.match(header):
        return "include/" + header
    if header.startswith("kaon/"):
        return header.removeprefix("kaon/")
    top = header.split("/")[0]
    return None if top in LIBRARY else header


def include_faults(where, layer, quoted, header, rows, beside):
    for vendor, (pattern, homes) in VENDORS.items():
        is_users_own = layer == "examples" and where.split(":")[0].endswith(VENDOR_SOURCES)
        if pattern.match(header) and layer not in homes + VENDOR_USERS and not is_users_own:
            yield f"{where}: {vendor} is included outside {homes[0]}/: {header}"
    path = folder_of(header)
    target = layer_of(path, rows) if path else None
    if target is None:
        # an example is written as a user writes a program: its own headers by their bare names
        if quoted and not (layer == "examples" and (beside / header).exists()):
            yield f'{where}: "{header}" does not name its layer: write "kaon/FOLDER/{header}"'
        return
    if quoted == bool(FRONT_DOOR.match(header)):
        marks = "in angle brackets, as users do" if quoted else "in quotation marks, it is ours"
        yield f'{where}: write "{header}" {marks}'
    if target != layer and not may_include(rows[layer], target, rows):
        yield f"{where}: {layer} must not include {target}: {header}"


def file_faults(path, name, rows):
    layer = layer_of(name, rows)
    if layer.split("/")[0] in LIBRARY and layer != name.rpartition("/")[0]:
        yield f"{name}: its folder is no row of the table in docs/architecture.md"
    lines = path.read_text(errors="replace").splitlines()
    if len(lines) > MAX_LINES:
        yield f"{name}: {len(lines)} lines, at most {MAX_LINES} are rows; a second noun wants a file of its own"
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:2]):
        yield f"{name}: the first line must be // SPDX-License-Identifier: Apache-2.0"
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            yield from include_faults(f"{name}:{number}", layer, found[1] == '"', found[2], rows, path.parent)


def tree_faults(tree):
    rows = read_table(tree)
    yield from order_faults(rows)
    for layer in sorted({layer.split("/")[0] for layer in rows}):
        for path in sorted((tree / layer).rglob("*")):
            name = path.relative_to(tree).as_posix()
            if path.suffix in SOURCES and not name.startswith("examples/installed/"):
                yield from file_faults(path, name, rows)


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else "every include points down")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
