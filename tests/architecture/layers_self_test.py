# SPDX-License-Identifier: Apache-2.0
"""layers.py must find each kind of fault, and nothing in a tree without any."""
import pathlib
import tempfile
import unittest

import layers

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
TABLE = """
| folder | target | holds | may include |
| --- | --- | --- | --- |
| `include/kaon/` | | users | all |
| `runtime/` | `kaon::runtime` | messages | itself |
| `runtime/launch/` | `kaon::launch` | starting | `runtime` |
| `machine_ucx/` | `kaon::machine_ucx` | the network | `runtime` |
| `chares/elements/` | | arrays | `runtime` |
| `chares/sending/` | | messages | `chares/elements`, `runtime` |
| `chares/` | `kaon::chares` | chares | `chares`, `runtime` |
| `examples/`, `bench/` | programs | | all |
"""


class Layers(unittest.TestCase):
    def faults(self, name, text, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for path, content in {"docs/architecture.md": table, "runtime/task.hpp": SPDX, name: text}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return "\n".join(layers.tree_faults(tree))

    def test_edges_down_are_allowed(self):
        below = SPDX + '#include "kaon/runtime/work/task.hpp"\n#include <vector>\n'
        for name in ("runtime/a.hpp", "runtime/launch/a.hpp", "machine_ucx/a.cpp", "examples/a/a.cpp", "tests/a.cpp"):
            self.assertEqual(self.faults(name, below), "")

    def test_an_edge_up_is_a_fault(self):
        for header in ("kaon/machine_ucx/port.hpp", "kaon/runtime/launch/start.hpp", "tests/support/catch.hpp"):
            self.assertIn("runtime/a.hpp:2: runtime must not include",
                          self.faults("runtime/a.hpp", SPDX + f'#include "{header}"\n'))

    def test_an_edge_sideways_is_a_fault(self):
        self.assertIn("machine_ucx must not include runtime/launch",
                      self.faults("machine_ucx/a.cpp", SPDX + '  #  include "kaon/runtime/launch/start.hpp"\n'))

    def test_folders_of_a_library_have_an_order(self):
        for folder, header in (("chares/sending", "elements/a.hpp"), ("chares", "sending/a.hpp")):
            self.assertEqual(self.faults(f"{folder}/a.hpp", SPDX + f'#include "kaon/chares/{header}"\n'), "")
        for folder, header, target in (("chares/elements", "sending/a.hpp", "chares/sending"),
                                       ("chares/sending", "chare.hpp", "chares")):
            self.assertIn(f"{folder}/a.hpp:2: {folder} must not include {target}",
                          self.faults(f"{folder}/a.hpp", SPDX + f'#include "kaon/chares/{header}"\n'))

    def test_a_row_that_breaks_the_order_is_a_fault(self):
        for named in ("chares/sending", "chares"):
            table = TABLE.replace("| arrays | `runtime` |", f"| arrays | `{named}`, `runtime` |")
            self.assertIn(f"chares/elements may not name {named},", self.faults("runtime/a.hpp", SPDX, table))

    def test_a_row_that_names_a_folder_around_its_order_is_a_fault(self):
        rows = "| `gpu/resident/wire/` | | words | {} |\n| `gpu/resident/host/` | | launches | `gpu`, `runtime` |\n"
        self.assertEqual(self.faults("runtime/a.hpp", SPDX, TABLE + rows.format("`gpu/kernels`")), "")
        self.assertIn("gpu/resident/wire may not name gpu,",
                      self.faults("runtime/a.hpp", SPDX, TABLE + rows.format("`gpu`")))

    def test_an_include_names_its_layer(self):
        self.assertIn("does not name its layer", self.faults("runtime/a.hpp", SPDX + '#include "task.hpp"\n'))
        self.assertIn("quotation marks", self.faults("runtime/a.hpp", SPDX + "#include <kaon/runtime/work/task.hpp>\n"))

    def test_an_example_names_its_own_headers(self):
        self.assertEqual(self.faults("examples/a/a.cpp", SPDX + '#include "a.cpp"\n'), "")
        self.assertIn("does not name", self.faults("examples/a/a.cpp", SPDX + '#include "b.hpp"\n'))

    def test_vendors_stay_in_their_layer(self):
        ucx = SPDX + "#include <ucp/api/ucp.h>\n"
        self.assertIn("UCX is included outside", self.faults("runtime/a.cpp", ucx))
        self.assertEqual(self.faults("machine_ucx/a.cpp", ucx), "")
        for header in ("cuda_runtime.h", "hip/hip_runtime.h"):
            self.assertIn("is included outside gpu/", self.faults("machine_ucx/a.cpp", SPDX + f"#include <{header}>\n"))
            self.assertIn("is included outside gpu/", self.faults("examples/a/a.cpp", SPDX + f"#include <{header}>\n"))
        self.assertEqual(self.faults("examples/a/a.cu", SPDX + "#include <cuda_runtime.h>\n"), "")

    def test_every_folder_of_the_library_is_a_row(self):
        self.assertIn("is no row", self.faults("runtime/new/a.cpp", SPDX))

    def test_front_doors_are_included_as_users_do(self):
        self.assertIn("angle brackets", self.faults("examples/a/a.cpp", SPDX + '#include "kaon/kaon.hpp"\n'))
        self.assertEqual(self.faults("examples/a/a.cpp", SPDX + "#include <kaon/kaon.hpp>\n"), "")

    def test_long_files_are_a_fault(self):
        self.assertEqual(self.faults("runtime/a.cpp", SPDX + "\n" * 299), "")
        self.assertIn("301 lines", self.faults("runtime/a.cpp", SPDX + "\n" * 300))

    def test_every_file_names_its_licence(self):
        self.assertIn("SPDX", self.faults("runtime/a.cpp", "int a;\n"))


if __name__ == "__main__":
    unittest.main()
