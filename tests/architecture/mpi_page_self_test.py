# SPDX-License-Identifier: Apache-2.0
"""mpi_page.py against small trees. Usage: mpi_page_self_test.py"""
import pathlib
import tempfile
import unittest

import mpi_page

HEADER = """/* SPDX-License-Identifier: Apache-2.0 */
/* Part of mpi.h, which includes it. Messages. */

int MPI_Send(const void* buf, int count, MPI_Datatype datatype,
             int dest);
int MPI_Send_c(const void* buf);
double MPI_Wtime(void);
"""
SOURCE = """int MPI_Send(const void* buf, int count, MPI_Datatype datatype,
             int dest) {
  return MPI_Send_c(buf);
}
double MPI_Wtime();
"""
ROW = "| `messages.h` | Messages | 1 of 3 | `Send_c`, `Wtime` |\n"


class Page(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.tree = pathlib.Path(place.name)
        for name, text in ((mpi_page.HEADERS + "/messages.h", HEADER), (mpi_page.HEADERS + "/types.h", "/* none */\n"),
                           (mpi_page.SOURCES + "/messages.cpp", SOURCE)):
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.tree / "docs").mkdir()
        self.page(mpi_page.table(self.tree))

    def page(self, text):
        (self.tree / mpi_page.PAGE).write_text("# MPI\n\n" + mpi_page.BEGIN + text + mpi_page.END + "\nThe end.\n")

    def faults(self):
        return list(mpi_page.tree_faults(self.tree))

    def test_a_true_page_has_no_fault(self):
        self.assertEqual(self.faults(), [])
        self.assertIn(ROW, (self.tree / mpi_page.PAGE).read_text())

    def test_what_is_built_since_is_a_fault(self):
        (self.tree / mpi_page.SOURCES / "clock.cpp").write_text("double MPI_Wtime() { return 1; }\n")
        self.assertEqual(len(self.faults()), 4)  # the row and the sum, as they should be and as they are

    def test_a_declaration_is_no_definition(self):
        self.assertEqual(mpi_page.defined(self.tree), {"MPI_Send"})

    def test_a_macro_defines_both_widths(self):
        text = "KAON_BOTH_WIDTHS(MPI_Pack,\n                 (Count count), return 0)\n"
        self.assertEqual(set(mpi_page.defined_in(text)), {"MPI_Pack", "MPI_Pack_c"})

    def test_a_macro_of_collectives_defines_six_functions(self):
        text = "KAON_COLLECTIVE(MPI_Scan, MPI_Iscan,\n                (Count count), scan(call, count))\n"
        names = {"MPI_Scan", "MPI_Iscan", "MPI_Scan_init"}
        self.assertEqual(set(mpi_page.defined_in(text)), names | {name + "_c" for name in names})

    def test_a_row_of_nothing_is_a_fault(self):
        self.page(mpi_page.table(self.tree) + "| `gone.h` | Gone | 1 of 1 | |\n")
        self.assertEqual(len(self.faults()), 1)

    def test_a_page_without_the_table_is_refused(self):
        (self.tree / mpi_page.PAGE).write_text("# MPI\n")
        self.assertRaises(SystemExit, self.faults)

    def test_large_counts_are_named_with_the_others(self):
        self.assertEqual(mpi_page.short(["MPI_Put", "MPI_Put_c", "MPI_Get_c"]), ["Put(_c)", "Get_c"])


if __name__ == "__main__":
    unittest.main()
