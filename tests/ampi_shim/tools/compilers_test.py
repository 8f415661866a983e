# SPDX-License-Identifier: Apache-2.0
"""What ampicc and ampicxx do with a user's arguments. Usage: compilers_test.py BIN_FOLDER SOURCE_IN_C SOURCE_IN_CXX"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN, C_SOURCE, CXX_SOURCE = (pathlib.Path(each).resolve() for each in sys.argv[1:4])


def start(tool, *arguments, **more):
    return subprocess.run([str(BIN / tool), *arguments], capture_output=True, text=True, check=False, **more)


def words(tool, *arguments):
    """What a tool prints, in words; it must succeed."""
    done = start(tool, *arguments)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout.split()


def needed(program):
    listed = subprocess.run(["readelf", "--dynamic", program], capture_output=True, text=True, check=True).stdout
    return [line.split("[")[1].rstrip("]") for line in listed.splitlines() if "(NEEDED)" in line]


class Compilers(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def test_programs_need_the_library_of_the_standards_name(self):
        for tool, source in (("ampicc", C_SOURCE), ("ampicxx", CXX_SOURCE)):
            done = start(tool, str(source), "-o", "program", cwd=self.place)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("libmpi_abi.so.1", needed(os.path.join(self.place, "program")))

    def test_compiling_and_linking_can_be_two_steps(self):
        self.assertEqual(start("ampicc", "-c", str(C_SOURCE), "-o", "part.o", cwd=self.place).returncode, 0)
        self.assertEqual(start("ampicc", "part.o", "-o", "program", cwd=self.place).returncode, 0)

    def test_a_function_that_mpi_has_not_is_found_at_the_link(self):
        source = os.path.join(self.place, "wrong.c")
        pathlib.Path(source).write_text("int MPI_Sned(void);\nint main(void) { return MPI_Sned(); }\n")
        done = start("ampicc", source, "-o", "program", cwd=self.place)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("MPI_Sned", done.stderr)

    def test_show_prints_the_command_with_the_users_arguments(self):
        shown = words("ampicc", "-show", "-O2", "-c", "a b.c")
        self.assertTrue({"-O2", "-c"} < set(shown))
        self.assertFalse([word for word in shown if word.startswith("-l")], "nothing is linked")
        self.assertIn("-lmpi_abi", words("ampicc", "--showme"))

    def test_showme_tells_the_parts(self):
        self.assertTrue(all(word.startswith("-I") for word in words("ampicc", "--showme:compile")))
        self.assertIn("-lmpi_abi", words("ampicxx", "-showme:link"))
        self.assertTrue((pathlib.Path(words("ampicc", "-showme:libdirs")[0]) / "libmpi_abi.so").exists())
        folders = words("ampicc", "-showme:incdirs")
        self.assertTrue(any((pathlib.Path(folder) / "mpi.h").exists() for folder in folders))
        self.assertEqual(words("ampicc", "-showme:libs"), ["mpi_abi"])
        wrong = start("ampicc", "-showme:colour")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("libdirs", wrong.stderr)

    def test_infos_are_mpichs(self):
        for dash in "-", "_":
            compiling, linking = words("ampicc", f"-compile{dash}info"), words("ampicc", f"-link{dash}info")
            command = words("ampicc", "-showme:command")
            self.assertEqual(compiling, [*command, "-fPIE", *words("ampicc", "-showme:compile")])
            self.assertEqual(linking, [*command, "-pie", *words("ampicc", "-showme:link")])

    def test_a_static_program_is_refused_with_a_reason(self):
        for wish in "-static", "-static-pie":
            done = start("ampicc", wish, str(C_SOURCE), "-o", "program", cwd=self.place)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
            self.assertIn(f"leave {wish} out", done.stderr)
            self.assertEqual(start("ampicc", wish, "-c", str(C_SOURCE), "-o", "part.o", cwd=self.place).returncode, 0)

    def test_a_question_to_the_compiler_is_only_that(self):
        self.assertIn("libgcc", start("ampicc", "-print-libgcc-file-name").stdout)
        self.assertEqual(start("ampicxx", "--version").returncode, 0)

    def test_the_users_wish_about_positions_comes_last(self):
        shown = words("ampicc", "-show", "-shared", "-fPIC", "x.c")
        self.assertNotIn("-pie", shown)
        self.assertNotIn("-fPIE", shown)
        self.assertIn("-pie", words("ampicc", "-show", "x.c"))

    def test_arguments_arrive_as_they_are(self):
        done = start("ampicc", "-E", "-DTEXT=\"two  words; $HOME\"", "-", input="const char* text = TEXT;\n")
        self.assertIn('"two  words; $HOME"', done.stdout)

    def test_another_compiler_can_be_named(self):
        shown = start("ampicc", "-show", "x.c", env={**os.environ, "AMPI_CC": "ccache clang"}).stdout
        self.assertTrue(shown.startswith("ccache clang "))

    def test_the_names_that_build_systems_look_for(self):
        names = BIN.parent / "lib/kaon/mpi/bin"
        done = subprocess.run([str(names / "mpicc"), "-showme:command"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, start("ampicc", "-showme:command").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
