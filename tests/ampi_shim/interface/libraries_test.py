# SPDX-License-Identifier: Apache-2.0
"""Libraries of a program of MPI, which are once in a process: a warning names those that have variables.

Usage: libraries_test.py AMPIRUN PROGRAM_FOLDER
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

AMPIRUN, PROGRAMS = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
SECONDS = 60


def start(*command, **more):
    environment = {**os.environ, **more}
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False, timeout=SECONDS,
                          env=environment)


class Libraries(unittest.TestCase):
    PROGRAM = """#include <mpi.h>
        #include <stdio.h>
        int bump(void);
        int main(int argc, char** argv) { MPI_Init(&argc, &argv); printf("%d\\n", bump()); return MPI_Finalize(); }"""

    COMPILER = AMPIRUN.parent / "ampicc"
    VARIABLES = {"an array": "static int n[9]; int bump(void) { return ++n[3]; }",
                 "an integer": "static int n; int bump(void) { return ++n; }",
                 "an integer with a value": "int n = 5; int bump(void) { return ++n - 5; }",
                 "a static one of a function": "int bump(void) { static short n; return ++n; }",
                 "a character": "static char n; int bump(void) { return ++n; }",
                 "a pointer": "static int a; static int* n = &a; int bump(void) { return ++n - &a; }",
                 "thread-local": "static __thread int n; int bump(void) { return ++n; }",
                 "thread-local with a value": "static __thread int n = 5; int bump(void) { return ++n - 5; }"}
    NONE = {"none": "int bump(void) { return 1; }",
            "constants": "static const int one = 1; const int* const all[] = {&one}; int bump(void) { return *all[0]; }"}

    def build(self, folder, library, text, *options, program="program", compiler=None, needed=()):
        for name, source in ("library.c", text), ("program.c", self.PROGRAM):
            (folder / name).write_text(source)
        for path in library, program:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        way = os.path.relpath(pathlib.Path(library).parent, pathlib.Path(program).parent)
        name = pathlib.Path(library).name
        for words in ([compiler or self.COMPILER, "-shared", "-fPIC", "-x", "c", *options, "library.c", "-x", "none", *needed,
                       f"-Wl,-soname,{name}", "-Wl,-rpath,$ORIGIN", "-o", library],
                      [self.COMPILER, "program.c", library, f"-Wl,-rpath,$ORIGIN/{way}", "-o", program]):
            subprocess.run(words, cwd=folder, check=True, timeout=SECONDS)
        return folder / program

    def check(self, is_named, *arguments, library="libown.so", **more):
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(pathlib.Path(folder), library, *arguments, **more)
            done = start(AMPIRUN, "-n", 2, program)
            self.assertEqual((done.returncode, "libown.so" in done.stderr), (0, is_named), done.stderr)
            done = start(AMPIRUN, "-n", 2, "--ranks-per-process", 1, program)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "1\n1\n", ""))

    def test_a_library_with_a_variable_is_named_however_small_that_is(self):
        for what, text in self.VARIABLES.items():
            with self.subTest(what=what):
                self.check(True, text)

    def test_a_library_without_variables_is_not_named(self):
        for what, text in self.NONE.items():
            with self.subTest(what=what):
                self.check(False, text)
        printing = "#include <iostream>\nextern \"C\" int bump() { try { std::cerr << std::flush; } catch (...) {} return 1; }"
        self.check(False, printing, "-x", "c++", compiler=AMPIRUN.parent / "ampicxx")

    def test_a_library_whose_symbols_were_stripped_is_named(self):
        for what, text in self.VARIABLES.items():
            if what != "a character":  # docs/loading.md
                with self.subTest(what=what):
                    self.check(True, text, "-s")
        self.check(False, self.NONE["none"], "-s")

    def test_a_library_is_named_wherever_it_is_but_in_the_systems_folders(self):
        text = self.VARIABLES["an integer"]
        for library, program in ("lib/libown.so", "app/program"), ("lib/libown.so", "bin/program"), \
                ("a/b/libown.so", "c/d/program"):
            with self.subTest(library=library, program=program):
                self.check(True, text, library=library, program=program)

    def test_a_library_that_another_one_needs_is_named(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            (folder / "inner.c").write_text("static int n; int inner(void) { return ++n; }")
            subprocess.run([self.COMPILER, "-shared", "-fPIC", "inner.c", "-o", "libinner.so"], cwd=folder, check=True)
            program = self.build(folder, "libouter.so", "int inner(void); int bump(void) { return inner(); }",
                                 needed=["libinner.so"])
            done = start(AMPIRUN, "-n", 2, program)
            self.assertIn("libinner.so", done.stderr)
            self.assertNotIn("libouter.so", done.stderr)

    def test_a_library_that_the_program_opens_is_named_once(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.build(folder, "libown.so", self.VARIABLES["an integer"])
            (folder / "program.c").write_text("""#include <dlfcn.h>
                #include <mpi.h>
                #include <stddef.h>
                int main(int argc, char** argv) {
                  MPI_Init(&argc, &argv);
                  for (int i = 0; i < 2; ++i) if (dlopen(argv[1], RTLD_NOW) == NULL) return 3;
                  return MPI_Finalize();
                }""")
            subprocess.run([self.COMPILER, "program.c", "-o", "program"], cwd=folder, check=True, timeout=SECONDS)
            done = start(AMPIRUN, "-n", 4, "--pes", 1, folder / "program", folder / "libown.so")
            self.assertEqual((done.returncode, done.stderr.count("libown.so")), (0, 1), done.stderr)
            done = start(AMPIRUN, "-n", 2, "--ranks-per-process", 1, folder / "program", folder / "libown.so")
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_preloaded_library_is_named(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            self.build(folder, "libown.so", self.VARIABLES["an integer"])
            done = start(AMPIRUN, "-n", 2, PROGRAMS / "profiled", LD_PRELOAD=str(folder / "libown.so"))
            self.assertIn("libown.so", done.stderr)

    def test_an_interpreter_in_a_library_has_a_process_for_each_rank(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.build(pathlib.Path(folder), "libpython9.9.so", "int bump(void) { return 1; }")
            done = start(AMPIRUN, "-n", 2, program)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--ranks-per-process 1", done.stderr)
            self.assertEqual(start(AMPIRUN, "-n", 1, program).returncode, 0)
            self.assertEqual(start(AMPIRUN, "-n", 2, "--ranks-per-process", 1, program).stdout, "1\n1\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
