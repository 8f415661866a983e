# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import json
import os
import unittest
from unittest import mock

import gpu
import scale
from rounds import Rounds
from rows import evaluate
from sections import all_sections

MIB = 1 << 20


class DriverTest(unittest.TestCase):
    def run_main(self, *arguments):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
            with self.assertRaises(SystemExit) as end:
                raise SystemExit(gpu.main(arguments))
        return end.exception.code, said.getvalue()

    def test_without_a_gpu_it_says_so(self):
        with mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": ""}):
            code, said = self.run_main()
        self.assertEqual(code, 2)
        self.assertIn("--device host", said)

    def test_it_names_its_sections_anywhere(self):
        with mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": ""}):
            code, said = self.run_main("--list", "--only", "jacobi3d")
        self.assertEqual(code, 0)
        self.assertEqual(said.splitlines(),
                         ["jacobi3d on two devices: jacobi3d", "first iterations of jacobi3d: jacobi3d",
                          "jacobi3d in 1 to 64 blocks a device: jacobi3d", "jacobi3d by level: jacobi3d",
                          "jacobi3d on one device: jacobi3d, sweep"])

    def test_json_tells_the_protocol_of_direct_payloads(self):
        series = "two processes direct 1 MiB one way"
        row = next(row for section in all_sections(scale.on_devices(2)) for row in section.rows
                   if (row.bench, row.case) == ("bandwidth", series))
        rounds = Rounds()
        rounds.add({row.series: 100, row.floor: 200})
        result = json.loads(gpu.as_json([evaluate(row, rounds)], {8: ["wrong"], MIB: ["right", "other"]}, False))[0]
        self.assertEqual((result["ratio"], result["protocol"], result["emulated"]), (0.5, "right and other", False))

    def test_a_wrong_protocol_is_a_failure(self):
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(gpu.finish([], ["direct, 1 MiB: ..."], 0, False), 1)
            self.assertEqual(gpu.finish([], [], 0, False), 0)


if __name__ == "__main__":
    unittest.main()
