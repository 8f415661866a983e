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
    "CUDA": (re.compile(r"^(cuda|cooperative_groups|nvml|cub/|thrust/)"), ("gpu",)),
    "HIP": (re.compile(r"^(hip/|hipcub/|rocm|rocprim/)"), ("gpu",)),
}
# Floors are measured with the vendor's library itself; tests may look at what it did.
VENDOR_USERS = ("bench", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_table(tree):
    """The rows of the table as {folder: set of folders, or None for all}."""
    allowed = {}
    for line in (tree / "docs/architecture.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 4 or not re.match(r"^`[a-z_/]+/`", cells[0]):
            continue
        targets = set(re.findall(r"`([a-z_/]+?)/?`", cells[3]))
        for folder in re.findall(r"`([a-z_/]+?)/`", cells[0]):
            allowed[folder] = None if cells[3] == "all" else targets
    if not allowed:
        raise SystemExit("docs/architecture.md has no table of layers")
    allowed["tests"] = None
    return allowed


def layer_of(path, layers):
    """The innermost layer that holds `path`, or None."""
    holders = [layer for layer in layers if path.startswith(layer + "/")]
    return max(holders, key=len, default=None)


def include_faults(where, layer, quoted, header, allowed, beside):
    for vendor, (pattern, homes) in VENDORS.items():
        if pattern.match(header) and layer not in homes + VENDOR_USERS:
            yield f"{where}: {vendor} is included outside {homes[0]}/: {header}"
    target = layer_of(header, allowed)
    if target is None:
        # an example is written as a user writes a program: its own headers by their bare names
        if quoted and not (layer == "examples" and (beside / header).exists()):
            yield f'{where}: "{header}" does not name its layer'
        return
    if not quoted:
        yield f'{where}: write "{header}" in quotation marks, it is ours'
    may = allowed[layer]
    if target != layer and may is not None and target not in may:
        yield f"{where}: {layer} must not include {target}: {header}"


def file_faults(path, name, allowed):
    layer = layer_of(name, allowed)
    lines = path.read_text(errors="replace").splitlines()
    if len(lines) > MAX_LINES:
        yield f"{name}: {len(lines)} lines, at most {MAX_LINES} are allowed; a second noun wants a file of its own"
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:2]):
        yield f"{name}: the first line must be // SPDX-License-Identifier: Apache-2.0"
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            yield from include_faults(f"{name}:{number}", layer, found[1] == '"', found[2], allowed, path.parent)


def tree_faults(tree):
    allowed = read_table(tree)
    for layer in sorted(layer for layer in allowed if "/" not in layer):
        for path in sorted((tree / layer).rglob("*")):
            name = path.relative_to(tree).as_posix()
            if path.suffix in SOURCES and not name.startswith("examples/installed/"):
                yield from file_faults(path, name, allowed)


def main():
    faults = list(tree_faults(pathlib.Path(sys.argv[1])))
    print("\n".join(faults) if faults else "every include points down")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
