# SPDX-License-Identifier: Apache-2.0
"""What ./dev bundle packs is what it builds."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["KAON_BUILD"])


def of_bundle(function, build):
    """The lines of a function of scripts/dev/bundle.sh."""
    script = f"source scripts/dev/bundle.sh; {function} '{build}'"
    run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, text=True, stdout=subprocess.PIPE,
                         check=True)
    return run.stdout.splitlines()


def installed_files():
    """What the install rules of component programs take out of the build folder."""
    files = set()
    for script in BUILD.rglob("cmake_install.cmake"):
        rules = re.split(r"^if\(", script.read_text(), flags=re.MULTILINE)
        for rule in rules:
            if re.match(r'.*COMPONENT\S* STREQUAL "programs"', rule):
                for names in re.findall(r"file\(INSTALL DESTINATION [^)]*? FILES([^)]*)\)", rule):
                    files.update(re.findall(r'"([^"]+)"', names))
    return {name for name in files if name.startswith(f"{BUILD}/")}


class Bundle(unittest.TestCase):
    def test_what_is_packed_is_what_is_built(self):
        packed = {str(pathlib.Path(name).resolve()) for name in installed_files()}
        built = {str(pathlib.Path(name).resolve()) for name in of_bundle("bundled_files", BUILD)}
        self.assertEqual(packed, built)
        self.assertTrue(any(name.endswith("/bin/kaonrun") for name in built))

    def test_every_target_that_makes_some_of_it_is_built_once(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "bundled.txt").write_text("b /a folder/b\na /x/one\na /x/two\n")
            self.assertEqual(of_bundle("bundled_targets", folder), ["a", "b"])
            self.assertEqual(of_bundle("bundled_files", folder), ["/a folder/b", "/x/one", "/x/two"])


if __name__ == "__main__":
    unittest.main()
