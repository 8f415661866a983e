# SPDX-License-Identifier: Apache-2.0
"""What tests of --baseline share: a folder for each of two builds, and a driver that takes the first for its own."""
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from programs import Programs


class TwoBuilds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.ours, self.older = (Path(folder.name) / name for name in ("ours", "older"))
        self.json = Path(folder.name) / "rows.json"

    def run_driver(self, main, *arguments):
        """(exit code, what is printed), of two rounds."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said), \
                mock.patch("measuring.find_programs", lambda parser: Programs(self.ours)), \
                self.assertRaises(SystemExit) as end:
            raise SystemExit(main(["--rounds", "2", "--json", str(self.json), *arguments]))
        return end.exception.code, said.getvalue()

    def rows(self):
        return {row["case"]: row for row in json.loads(self.json.read_text())}
