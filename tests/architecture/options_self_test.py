# SPDX-License-Identifier: Apache-2.0
"""options.py must find options and variables that are on one side alone, and defaults that differ."""
import pathlib
import tempfile
import unittest

import options

TREE = {
    "runtime/base/options.cpp": '#include <CLI/CLI.hpp>\napp.add_option("--pes", options.pes, "")\n->envname("KAON_PES");\n'
                                'app.add_flag("--pin,!--no-pin", options.pin, "")\n',
    "runtime/base/options.hpp": "struct Options {\n  int pes = 4;  // of it\n  bool pin = true;\n};\n",
    "runtime/base/hints.cpp": 'Removed{"--old", "KAON_OLD", "leave it out"}\n',
    "runtime/base/testing_settings.cpp": 'if (setting.name == "bits") each_setting("KAON_TESTING");\n',
    "ampi_shim/tools/compilers/compiler.in": "    -show | --showme) show=all; continue ;;\n"
                                             "    -showme:* | --showme:*) show=${argument#*:}; continue ;;\n"
                                             "case $show in\n  link) echo; exit ;;\n",
    "machine_ucx/context.cpp": 'modify(raw, "TLS", "x");  // "UCX_NOT_READ"\n',
    "dev": 'echo "${KAON_JOBS:-1}"\n',
    options.PAGE: """
| name | of | default | meaning |
| --- | --- | --- | --- |
| `--pes N`, `KAON_PES` | program | `4` | PEs |
| `--pin`, `--no-pin` | program | `on` | binds |
| `-show`, `--showme`, `-showme:link` | ampicc | `off` | prints |
| `UCX_TLS` | UCX | x | transports |
| `bits=4` to `32` | `KAON_TESTING` | `32` | bits |
| `KAON_JOBS` | `./dev` | 1 | compilations |
""",
}


class Options(unittest.TestCase):
    def faults(self, **changed):
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for path, content in {**TREE, **changed}.items():
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_text(content)
            return "\n".join(options.tree_faults(tree))

    def added(self, name, text):
        return self.faults(**{name: TREE.get(name, "") + text})

    def replaced(self, text, other):
        self.assertIn(text, TREE[options.PAGE])
        return self.faults(**{options.PAGE: TREE[options.PAGE].replace(text, other)})

    def test_a_page_that_has_all_is_no_fault(self):
        self.assertEqual(self.faults(), "")

    def test_what_the_page_lacks_is_a_fault(self):
        self.assertIn("option --spin of program is missing", self.added("runtime/base/options.cpp", 'add_option("--spin", a, "")'))
        self.assertIn("option -h of kaonrun is missing",
                      self.added("runtime/launch/kaonrun.cpp", '#include <CLI/CLI.hpp>\nadd_flag_callback("-h,--help", [] {});'))
        self.assertIn("option -np of kaonrun is missing", self.added("runtime/launch/kaonrun.cpp", 'front() == "-np"'))
        self.assertIn("option -h of program is missing", self.added("chares/run.cpp", 'if (argument == "-h") return;'))
        self.assertIn("option -showme:libs of ampicc is missing",
                      self.added("ampi_shim/tools/compilers/compiler.in", "  libs) echo; exit ;;\n"))
        self.assertIn("variable KAON_CARRY is missing", self.added("gpu/a.cpp", 'bytes_of("KAON_CARRY", 1);'))
        self.assertIn("variable UCX_LOG_LEVEL is missing", self.added("machine_ucx/context.cpp", 'modify_global("LOG_LEVEL", "error");'))
        self.assertIn("variable UCX_HOOKS is missing", self.added("machine_ucx/ucx.conf", "# of it\nUCX_HOOKS=n\n"))
        self.assertIn("variable KAON_BUNDLE is missing", self.added("tests/a_test.cpp", 'std::getenv("KAON_BUNDLE");'))
        self.assertIn("variable KAON_BUILD is missing", self.added("bench/a.py", 'os.environ.get("KAON_BUILD")'))
        self.assertIn("setting order of KAON_TESTING is missing",
                      self.added("runtime/base/testing_settings.cpp", 'setting.name == "order"'))

    def test_what_the_sources_lack_is_a_fault(self):
        self.assertIn("options.md:4: there is no option --pse of program", self.replaced("`--pes N`", "`--pes N`, `--pse`"))
        self.assertIn("there is no option --pes of kaonrun", self.replaced("| program | `4`", "| kaonrun | `4`"))
        self.assertIn("there is no variable KAON_JOBBS", self.replaced("`KAON_JOBS`", "`KAON_JOBS`, `KAON_JOBBS`"))
        self.assertIn("there is no variable KAON_OLD", self.replaced("`KAON_JOBS`", "`KAON_JOBS`, `KAON_OLD`"))
        self.assertIn("there is no variable UCX_NOT_READ", self.replaced("`UCX_TLS`", "`UCX_TLS`, `UCX_NOT_READ`"))
        self.assertIn("there is no setting bit of KAON_TESTING", self.replaced("`bits=4`", "`bits=4`, `bit=1`"))

    def test_options_of_an_unknown_source_are_a_fault(self):
        self.assertIn("say in tests/architecture/options.py whose they are",
                      self.added("gpu/b.cpp", '#include <CLI/CLI.hpp>\nadd_option("--device", a, "")'))

    def test_a_default_that_differs_is_a_fault(self):
        self.assertIn("the default of --pes is 4 in the sources, not 5", self.replaced("`4`", "`5`"))
        self.assertIn("the default of --pin is true in the sources, not off", self.replaced("`on`", "`off`"))
        self.assertEqual(self.replaced("`4`", "the cores"), "")


if __name__ == "__main__":
    unittest.main()
