# SPDX-License-Identifier: Apache-2.0
"""Compares mpi.h with the header of another MPI that has the standard's binary interface.

Usage: abi_headers.py COMPILER WHEEL_FOLDER INCLUDE_FOLDER...
The other one is mpi_abi.h of the package mpich, fetched by pip into WHEEL_FOLDER when it is not there. Prints one line
for each difference and exits with 1 when there is any; with 77 when there is no other header to be had.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import fetched_wheel  # pylint: disable=wrong-import-position

PACKAGE = "mpich==5.0.2"
HEADER = "mpi_abi.h"
SKIPPED = fetched_wheel.SKIPPED
STATUS = ("sizeof(MPI_Status)", *(f"offsetof(MPI_Status, {field})"
                                  for field in ("MPI_SOURCE", "MPI_TAG", "MPI_ERROR", "MPI_internal")))
SIZES = ("MPI_Aint", "MPI_Count", "MPI_Offset", "MPI_Comm", "MPI_Datatype", "MPI_T_cb_safety", "MPI_T_source_order")


def other_header(folder):
    """The path of the other header, which is fetched when it is missing; None: it cannot be."""
    header = folder / HEADER
    if header.exists():
        return header
    package, fault = fetched_wheel.files_of(PACKAGE, folder)
    if fault:
        print("skipped:", fault)
        return None
    part = folder / (HEADER + ".part")
    part.write_bytes((package / "include" / HEADER).read_bytes())
    part.rename(header)  # in one step: a half-written one is never taken for a whole one
    return header


class Header:
    """One of the two, as a C compiler sees it."""

    def __init__(self, compiler, name, folders):
        self.command = [compiler, "-std=gnu11", "-w", *(f"-I{pathlib.Path(each).resolve()}" for each in folders)]
        self.include = f"#include <{name}>\n#include <stddef.h>\n#include <stdio.h>\n"

    def run(self, text, *options):
        """What the compiler said of a source, and the text files that it wrote."""
        with tempfile.TemporaryDirectory() as place:
            source = pathlib.Path(place) / "probe.c"
            source.write_text(self.include + text)
            made = subprocess.run([*self.command, *options, str(source)], capture_output=True, text=True, cwd=place,
                                  check=False)
            program = pathlib.Path(place) / "probe"
            if program.exists():
                made = subprocess.run([str(program)], capture_output=True, text=True, check=True)
            return made, {path.name: path.read_text() for path in pathlib.Path(place).glob("*.txt")}

    def macros(self):
        """Names that are defined, but for those of MPIs' own (MPIX_) and of functions."""
        made, _ = self.run("", "-dM", "-E")
        return set(re.findall(r"#define (MPI_\w+) ", made.stdout))

    def enumerators(self):
        made, _ = self.run("", "-E", "-P")
        bodies = re.findall(r"enum\s*\w*\s*\{(.*?)\}", made.stdout, re.DOTALL)
        return set(re.findall(r"\b(MPI_\w+)\s*=", "".join(bodies)))

    def typedefs_of_functions(self):
        """{name: (result, parameters)}"""
        made, _ = self.run("", "-E", "-P")
        found = re.findall(r"typedef\s+(int|void)\s*\(\s*(MPI_\w+)\s*\)\s*\((.*?)\)\s*;", made.stdout, re.DOTALL)
        return {name: (result, " ".join(parameters.split())) for result, name, parameters in found}

    def prototypes(self):
        """{name: what the compiler says of it}"""
        _, files = self.run("", "-fsyntax-only", "-aux-info", "prototypes.txt")
        lines = files["prototypes.txt"].splitlines()
        declared = (re.search(r"extern (.*?\b(P?(?:MPIX?|KAON)_\w+) \(.*\));$", line) for line in lines)
        return {found[2]: " ".join(found[1].replace("const int ,", "int,").split()) for found in declared if found}

    def values(self, expressions):
        """{expression: its value}; those with names that are not there are missing."""
        lines = "".join(f'  printf("%lld\\n", (long long)(intptr_t)({each}));\n' for each in expressions)
        made, _ = self.run("int main(void) {\n" + lines + "  return 0;\n}\n", "-o", "probe")
        if not made.returncode:
            return dict(zip(expressions, made.stdout.split()))
        unknown = set(re.findall(r"[‘'](MPI_\w+)[’'] undeclared", made.stderr))
        if not unknown:
            raise SystemExit(made.stderr)
        return self.values([each for each in expressions if each not in unknown])


def differences(ours, theirs):
    """Lines about what the other header has, and ours has not or has in another way."""
    names = sorted((theirs.macros() | theirs.enumerators()) - {"MPI_H_ABI"})
    wanted = [*names, *STATUS, *(f"sizeof({each})" for each in SIZES)]
    values, other_values = ours.values(wanted), theirs.values(wanted)
    for name in wanted:
        if values.get(name) != other_values.get(name):
            yield f"{name} is {values.get(name, 'missing')}, not {other_values.get(name)}"
    prototypes, other_prototypes = ours.prototypes(), theirs.prototypes()
    for name, prototype in sorted(other_prototypes.items()):
        if name.removeprefix("P").startswith("MPI_") and prototypes.get(name) != prototype:
            yield f"{name} is declared as {prototypes.get(name, 'nothing')}, not {prototype}"
    for name, (result, parameters) in sorted(theirs.typedefs_of_functions().items()):
        made, _ = ours.run(f'_Static_assert(__builtin_types_compatible_p({name}, {result}({parameters})), "");\n',
                           "-fsyntax-only")
        if made.returncode:
            yield f"{name} is not {result}({parameters})"
    if len(names) < 300 or len(other_prototypes) < 1200:
        yield f"only {len(names)} constants and {len(other_prototypes)} functions were found in the other header"


def main():
    compiler, wheel_folder, *folders = sys.argv[1:]
    header = other_header(pathlib.Path(wheel_folder))
    if header is None:
        return SKIPPED
    faults = list(differences(Header(compiler, "mpi.h", folders), Header(compiler, HEADER, [header.parent])))
    print("\n".join(faults) if faults else "every constant, function and layout is that of the standard's ABI")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
