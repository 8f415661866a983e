# SPDX-License-Identifier: Apache-2.0
"""No kernel of an OpenMP floor calls a function: floors_calls.py PROGRAM. A call out of a loop over rows runs code for
narrow vectors beside that for wide ones, which made a floor weaker by 1.85 x once, and nobody saw it."""

import re
import shutil
import subprocess
import sys

KERNEL = re.compile(r"^[0-9a-f]+ <.*\b(?:Avx512|Avx2|Baseline)<.*>::relax\(.*>:$")
FUNCTION = re.compile(r"^[0-9a-f]+ <.*>:$")
CALL = re.compile(r"\scall\s")


def kernels_in(disassembly):
    """The lines of each kernel, by its name."""
    found, lines = {}, None
    for line in disassembly.splitlines():
        if FUNCTION.match(line):
            lines = found.setdefault(line, []) if KERNEL.match(line) else None
        elif lines is not None:
            lines.append(line)
    return found


def main(program):
    if shutil.which("objdump") is None:
        print("objdump is not here: nothing was checked")
        return 77  # ctest: skipped
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", program], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    kernels = kernels_in(text)
    calling = [name for name, lines in kernels.items() if any(CALL.search(line) for line in lines)]
    for name in calling:
        print(f"calls a function: {name}")
    if not kernels:
        print(f"no kernel was found in {program}")
    return 1 if calling or not kernels else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
