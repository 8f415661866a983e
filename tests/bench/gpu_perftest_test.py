# SPDX-License-Identifier: Apache-2.0
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import perftest
import scale
from programs import Failed, Programs

# As ucx_perftest of UCX 1.22 prints it with -v and a list of tests.
OUTPUT = """batch.txt,iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
latency_8,[thread 0]  62,7.4,8.1,8.1,0.00,0.00,124,124
latency_8,2000,7.471,7.512,7.502,1.02,1.01,133000,133000
rate_67108864,64,0.137,171.2,174.1,373000.10,348000.00,5543,5437
"""


class SeriesTest(unittest.TestCase):
    def test_figures_of_a_whole_test_are_taken(self):
        found = perftest.series_in(OUTPUT)
        self.assertEqual(found["ucx_perftest latency 8 B"], 7.502)
        self.assertAlmostEqual(found["ucx_perftest one way 64 MiB"], 348000 * (1 << 20) / 1e9)
        self.assertEqual(len(found), 2)

    def test_every_size_is_measured_both_ways_in_the_memory_of_the_device(self):
        lines = perftest.batch((8, 1 << 20), "cuda").splitlines()
        self.assertEqual([line.split()[0] for line in lines],
                         ["latency_8", "rate_8", "latency_1048576", "rate_1048576"])
        self.assertTrue(all("-m cuda" in line for line in lines))

    def test_large_messages_are_fewer(self):
        self.assertGreater(perftest.round_trips(8), perftest.round_trips(1 << 28))
        self.assertGreaterEqual(perftest.messages(1 << 28), 16)


class ContenderTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def make(self, text):
        path = Path(self.folder) / "bin" / "ucx_perftest"
        path.parent.mkdir()
        path.write_text(f"#!{sys.executable}\n{text}\n")
        path.chmod(0o755)

    def test_the_client_comes_again_until_the_server_listens(self):
        marker = Path(self.folder) / "tried"
        self.make(f"""import pathlib, sys, time
if sys.argv[1] != "127.0.0.1":
    time.sleep(60)
marker = pathlib.Path({str(marker)!r})
if not marker.exists():
    marker.touch()
    sys.exit("connection refused")
print({OUTPUT!r})""")
        found = perftest.contender(scale.emulated(), self.folder)(Programs(self.folder), {})
        self.assertEqual(found["ucx_perftest latency 8 B"], 7.502)

    def test_what_it_says_when_it_fails_is_told(self):
        self.make("import sys; sys.exit('no such memory type')")
        with mock.patch.object(perftest, "START_S", 0), self.assertRaisesRegex(Failed, "no such memory type"):
            perftest.contender(scale.emulated(), self.folder)(Programs(self.folder), {})

    def test_each_process_sees_a_device_of_its_own(self):
        with mock.patch.dict("os.environ", {"CUDA_VISIBLE_DEVICES": "4,6"}):
            self.assertEqual(perftest.devices_of(scale.on_devices(2)), ("4", "6"))
        self.assertEqual(perftest.devices_of(scale.emulated()), (None, None))


if __name__ == "__main__":
    unittest.main()
