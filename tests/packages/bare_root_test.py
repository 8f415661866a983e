# SPDX-License-Identifier: Apache-2.0
"""What bare_root says where no bare root can be made, and how ./dev test counts it."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = ("bash", "dirname", "env", "mkdir", "readlink")


def tried(**commands):
    """bare_root where there are only these commands of the system, and those whose bodies are given."""
    with tempfile.TemporaryDirectory() as folder:
        for name in COMMANDS:
            pathlib.Path(folder, name).symlink_to(shutil.which(name))
        for name, body in commands.items():
            command = pathlib.Path(folder, name)
            command.write_text(f"#!/bin/sh\n{body}\n")
            command.chmod(0o755)
        return subprocess.run([ROOT / "tests/packages/bare_root", __file__], env={"PATH": folder}, text=True,
                              stdout=subprocess.PIPE)


class BareRoot(unittest.TestCase):
    def assert_skipped(self, run, reason):
        self.assertEqual((run.returncode, run.stdout), (77, f"skipped: {reason}\n"))

    def test_a_user_is_told_that_root_is_needed(self):
        self.assert_skipped(tried(id="echo 1000"), "only root may make a bare root")

    def test_a_missing_tool_is_named(self):
        self.assert_skipped(tried(id="echo 0"), "mmdebstrap is not here, which makes a bare root")

    def test_a_container_that_may_not_mount_is_named(self):
        self.assert_skipped(tried(id="echo 0", mmdebstrap="exit 1", unshare="exit 1"),
                            "nothing can be mounted here, not even in a namespace")

    def test_a_package_that_is_not_there_is_an_error(self):
        run = subprocess.run([ROOT / "tests/packages/bare_root", "/no/such.deb"], stderr=subprocess.DEVNULL)
        self.assertEqual(run.returncode, 2)


class Leg(unittest.TestCase):
    def counts(self, body):
        with tempfile.NamedTemporaryFile() as log:
            script = f"""source scripts/dev/say.sh; source scripts/dev/test.sh
                log_file() {{ echo {log.name}; }}
                leg() {{ {body}; }}
                check package leg; printf '%s\\n' "${{legs[@]}}"; summary"""
            run = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=ROOT, text=True, check=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return run.stdout.splitlines()

    def test_what_could_not_be_tried_is_counted_apart(self):
        leg, total = self.counts("echo 'skipped: only root may' >$(log_file); return 77")
        self.assertRegex(leg, "^package +skipped: only root may$")
        self.assertEqual(total, "0 passed, 0 failed, 1 skipped")

    def test_a_failure_is_no_skip(self):
        self.assertEqual(self.counts("return 1")[-1], "0 passed, 1 failed")

    def test_where_nothing_was_skipped_nothing_is_said_of_it(self):
        self.assertEqual(self.counts("true")[-1], "1 passed, 0 failed")


if __name__ == "__main__":
    unittest.main()
