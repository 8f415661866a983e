# SPDX-License-Identifier: Apache-2.0
"""Whether every function of MPI that is declared and not built says so by its name, through the error handler.

Usage: unbuilt_test.py AMPIRUN TREE
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

AMPIRUN, TREE = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
sys.path.append(str(TREE / "tests/architecture"))
import mpi_page  # pylint: disable=wrong-import-position

SECONDS = 60
PROGRAM = """
#include <mpi.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
typedef int (*Function)(void);
static const struct { const char* name; Function function; } all[] = {
%s
};
static int names(const char* text, const char* name) {
  const char* found = strstr(text, name);
  const char next = found != NULL ? found[strlen(name)] : 'x';
  return next != '_' && !isalnum((unsigned char)next);
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    char text[MPI_MAX_ERROR_STRING];
    int length, code = all[i].function();
    MPI_Error_string(code, text, &length);
    if (code == MPI_ERR_UNSUPPORTED_OPERATION && names(text, all[i].name)) puts(all[i].name);
  }
  return MPI_Finalize();
}
"""


def unbuilt():
    """By the sources. Their parameters do not matter: nothing looks at them."""
    built = mpi_page.defined(TREE)
    return [name for _, _, names in mpi_page.families(TREE) for name in names if name not in built]


def run(*command):
    return subprocess.run([str(each) for each in command], capture_output=True, text=True, check=True,
                          timeout=SECONDS).stdout


class Unbuilt(unittest.TestCase):
    def test_all_name_themselves(self):
        wanted = unbuilt()
        self.assertIn("MPI_Win_fence", wanted)
        rows = "\n".join(f'  {{"{name}", (Function){name}}},' for name in wanted)
        with tempfile.TemporaryDirectory() as place:
            source, program = pathlib.Path(place) / "unbuilt.c", pathlib.Path(place) / "unbuilt"
            source.write_text(PROGRAM % rows)
            run(AMPIRUN.parent / "ampicc", source, "-o", program)
            self.assertEqual(run(AMPIRUN, "-n", 1, program).split(), wanted)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
