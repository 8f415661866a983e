# SPDX-License-Identifier: Apache-2.0
"""Every function of MPI that is declared and not built says so by its name, through the error handler and, where that
returns, once a run on standard error; what it should have written is nothing.

Usage: unbuilt_test.py AMPIRUN TREE
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

AMPIRUN, TREE = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
sys.path.append(str(TREE / "tests/architecture"))
import mpi_page  # pylint: disable=wrong-import-position

SECONDS = 60
BEGIN = """
#include <mpi.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const char* name;
static int names(const char* text) {
  const char* found = strstr(text, name);
  const char next = found != NULL ? found[strlen(name)] : 'x';
  return next != '_' && !isalnum((unsigned char)next);
}
static void answer(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length;
  MPI_Error_string(code, text, &length);
  if (code != MPI_ERR_UNSUPPORTED_OPERATION || !names(text)) printf("%s: %d, %s\\n", name, code, text);
}
static void is_nothing(int is, const char* what) { if (!is) printf("%s: %s\\n", name, what); }
static int none_of(const MPI_Status* status) {
  int count = -1;
  MPI_Get_count(status, MPI_BYTE, &count);
  return count == 0;
}
"""
ALL = BEGIN + """
int main(int argc, char** argv) {
  int codes[8];
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
@calls@
  return MPI_Finalize();
}
"""
IGNORES = BEGIN + """
int main(int argc, char** argv) {
  MPI_File file;
  int rank, is_open = 1;
  MPI_Init(&argc, &argv);
  if (strcmp(argv[1], "fatal") == 0) MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; ++i) {
    int code = MPI_File_open(MPI_COMM_WORLD, "out", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    if (strcmp(argv[1], "looks") == 0) is_open = code == MPI_SUCCESS;
    if (is_open) MPI_File_write_at(file, 4 * rank, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
  }
  if (rank == 0) puts("written");
  MPI_Finalize();
  return argc > 2 ? atoi(argv[2]) : 0;
}
"""
PROTOTYPE = re.compile(r"^int (MPI_\w+)\(([^;]*)\);", re.MULTILINE)
# What an argument begins with, and what a place has behind the call. The others are buffers and functions.
VALUES = {"MPI_Comm": "MPI_COMM_WORLD", "MPI_Datatype": "MPI_INT", "MPI_Op": "MPI_SUM", "MPI_Group": "MPI_GROUP_EMPTY",
          "MPI_Info": "MPI_INFO_NULL", "MPI_File": "(MPI_File)codes", "MPI_Win": "(MPI_Win)codes",
          "MPI_Request": "(MPI_Request)codes"}
RESULTS = {"MPI_Comm": "MPI_COMM_NULL", "MPI_Group": "MPI_GROUP_NULL", "MPI_Info": "MPI_INFO_NULL",
           "MPI_File": "MPI_FILE_NULL", "MPI_Win": "MPI_WIN_NULL", "MPI_Request": "MPI_REQUEST_NULL",
           "MPI_Datatype": "MPI_DATATYPE_NULL", "int": "0", "MPI_Aint": "0", "MPI_Count": "0", "MPI_Offset": "0"}


def prototypes():
    """{name: parameters} of those that are not built, by the sources."""
    built = mpi_page.defined(TREE)
    text = "".join(path.read_text() for path in sorted((TREE / mpi_page.HEADERS).glob("*.h")))
    found = {name: [" ".join(each.split()) for each in parameters.split(",")]
             for name, parameters in PROTOTYPE.findall(text)}
    return {name: found[name] for _, _, names in mpi_page.families(TREE) for name in names if name not in built}


def argument(parameter):
    """What stands for it in the call, what is declared before, and what is true behind."""
    kind, name = re.fullmatch(r"(.*?)(\w+)(?:\[\])?", parameter).groups()
    kind = kind.strip() + ("*" if parameter.endswith("]") else "")
    if kind in VALUES or kind in RESULTS:
        return VALUES.get(kind, "2"), "", ""
    place = kind.removesuffix("*")
    if name == "baseptr":
        return f"&{name}", f"void* {name} = codes;", f"{name} == NULL"
    if name == "array_of_errcodes":
        behind = "&& ".join(f"codes[{i}] == (rank == 0 && {i} < 4 ? MPI_ERR_UNSUPPORTED_OPERATION : -7) " for i in range(5))
        return "codes", "int rank; MPI_Comm_rank(MPI_COMM_WORLD, &rank); for (int i = 0; i < 8; ++i) codes[i] = -7;", behind
    if name == "array_of_maxprocs":
        return "two", "const int two[] = {2, 2};", ""
    if name == "win_keyval":
        return f"&{name}", f"int {name} = -7;", f"{name} == MPI_KEYVAL_INVALID"
    if kind == "MPI_Status*":
        return f"&{name}", f"MPI_Status {name}; memset(&{name}, 1, sizeof {name});", f"none_of(&{name})"
    if kind == "char*":
        return name, f'char {name}[] = "garbage";', f"{name}[0] == 0"
    if place in RESULTS and kind.endswith("*"):
        return f"&{name}", f"{place} {name} = ({place})(MPI_Aint)codes;", f"{name} == {RESULTS[place]}"
    return "NULL", "", ""


def block(name, parameters):
    values, before, behind = zip(*(argument(each) for each in parameters))
    values = ["4" if name == "MPI_Comm_spawn" and each == "int maxprocs" else "0" if each == "int root" else value
              for each, value in zip(parameters, values)]
    checks = " ".join(f'is_nothing({each}, "{parameters[i]}");' for i, each in enumerate(behind) if each)
    return f'  {{ name = "{name}"; {" ".join(before)} answer({name}({", ".join(values)})); {checks} }}'


def run(*command):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, check=False, timeout=SECONDS)


class Unbuilt(unittest.TestCase):
    def setUp(self):
        # pylint: disable=consider-using-with
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)

    def build(self, text):
        folder = pathlib.Path(self.place.name)
        (folder / "program.c").write_text(text)
        done = run(AMPIRUN.parent / "ampicc", folder / "program.c", "-o", folder / "program")
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder / "program"

    def test_all_name_themselves_once_a_run_and_give_nothing(self):
        wanted = prototypes()
        self.assertIn("MPI_Close_port", wanted)
        program = self.build(ALL.replace("@calls@", "\n".join(block(*each) for each in wanted.items())))
        for processes in 1, 2:
            done = run(AMPIRUN, "-n", 4, "--processes", processes, "--pes", 1, program)
            self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
            named = re.findall(r"^ampirun: rank \d has called (MPI_\w+), which this version of Kaon does not implement",
                               done.stderr, re.MULTILINE)
            self.assertEqual(sorted(named), sorted(wanted))
            self.assertEqual(len(done.stderr.splitlines()), len(named))

    def test_a_program_that_ignores_that_its_file_is_not_open_ends_with_an_error(self):
        program = self.build(IGNORES)
        for processes in 1, 2:
            for code in 0, 9:
                done = run(AMPIRUN, "-n", 4, "--processes", processes, "--pes", 1, program, "ignores", code)
                self.assertEqual((done.returncode, done.stdout), (code or 1, "written\n"))
                lines = done.stderr.splitlines()
                self.assertEqual(len([each for each in lines if "has called MPI_File_open, which" in each]), 1, lines)
                self.assertEqual(len([each for each in lines if "MPI_File_write_at with a null handle" in each]), 1, lines)

    def test_a_program_that_looks_at_the_result_ends_as_it_likes(self):
        done = run(AMPIRUN, "-n", 4, self.build(IGNORES), "looks")
        self.assertEqual((done.returncode, done.stdout), (0, "written\n"))
        self.assertIn("has called MPI_File_open, which", done.stderr)
        self.assertNotIn("null handle", done.stderr)

    def test_a_handler_that_ends_the_run_says_all_there_is(self):
        done = run(AMPIRUN, "-n", 1, self.build(IGNORES), "fatal")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
        self.assertIn("MPI_File_open has failed, MPI_ERR_UNSUPPORTED_OPERATION", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
