# SPDX-License-Identifier: Apache-2.0
import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import scaling
import scaling_sections as sections
from programs import Failed, Outcome
from rounds import Rounds
from rows import evaluate

ON_DEVICES = scaling.Scaling("cuda", scaling.PROBLEMS, sections.ON_DEVICES)
EMULATED = scaling.Scaling("host", ((True, 16),), sections.EMULATED)


class Canned:
    """Programs whose iterations take so many microseconds, by the processes and the arguments."""

    def __init__(self, time_of, change=1.5):
        self.time_of, self.change, self.commands = time_of, change, []

    def run(self, name, *arguments, processes=1, environment=None):
        self.commands.append((name, processes, *arguments))
        if name == "gpu_floors":
            return Outcome("\n".join(json.dumps({"case": case, "value": value, "unit": "us"}) for case, value in
                                     (("jacobi3d by hand, B, on 2, copies after the sweep", 120),
                                      ("jacobi3d by hand, B, on 2, copies beside it", 100),
                                      ("planes by hand, B, on 2", 20))), "", 0, 0)
        Path(arguments[arguments.index("--json") + 1]).write_text(
            json.dumps({"ms_per_iteration": self.time_of(processes, arguments) / 1e3, "change": self.change}))
        return Outcome("", "", 0, 0)


def rows_of(counts):
    return {(row.bench, row.case): row for section in sections.all_sections(ON_DEVICES, counts) for row in section.rows}


def is_reached(case, **measured):
    rounds = Rounds()
    for _ in range(3):
        rounds.add({series.replace("_", " "): value for series, value in measured.items()})
    return evaluate(rows_of((1, 2, 4))[case], rounds).reached


class BoxesTest(unittest.TestCase):
    def test_a_box_that_grows_has_as_many_points_for_each_device(self):
        problem = sections.Problem(True, 256)
        self.assertEqual([problem.points_each(devices) for devices in (1, 2, 4)], [256 ** 3] * 3)
        self.assertEqual(problem.box(4, 8, sections.ON_DEVICES).cells, "1024x256x256")
        self.assertEqual(problem.box(4, 8, sections.ON_DEVICES).blocks, "8x2x2")

    def test_a_box_that_stays_is_shared_out(self):
        problem = sections.Problem(False, 512)
        self.assertEqual([problem.points_each(devices) for devices in (1, 2, 4)], [512 ** 3, 512 ** 3 / 2, 512 ** 3 / 4])
        self.assertEqual(problem.box(4, 64, sections.ON_DEVICES).cells, "512x512x512")
        self.assertEqual(problem.box(4, 64, sections.ON_DEVICES).blocks, "16x4x4")

    def test_there_are_as_many_blocks_for_each_device_as_the_case_says(self):
        for blocks in sections.CUTS:
            for devices in (1, 2, 4):
                box = sections.Problem(False, 512).box(devices, blocks, sections.ON_DEVICES)
                cut = [int(along) for along in box.blocks.split("x")]
                self.assertEqual(cut[0] * cut[1] * cut[2], blocks * devices)

    def test_devices_are_counted_in_powers_of_two(self):
        self.assertEqual([scaling.counts_of(devices) for devices in (1, 2, 3, 4, 8)],
                         [(1,), (1, 2), (1, 2), (1, 2, 4), (1, 2, 4, 8)])


class RowsTest(unittest.TestCase):
    def test_no_two_rows_have_one_name(self):
        for scale in (ON_DEVICES, EMULATED):
            names = [(row.bench, row.case) for section in sections.all_sections(scale, (1, 2, 4)) for row in section.rows]
            self.assertEqual(len(names), len(set(names)))

    def test_what_grows_must_stay_as_fast(self):
        for edge, wanted in ((256, 0.95), (1024, 0.97)):
            one, four = f"{edge}^3 a device, on 1, best cut", f"{edge}^3 a device, on 4, best cut"
            case = ("efficiency", f"{edge}^3 a device, 1 over 4")
            self.assertTrue(is_reached(case, **{one: 100 * wanted + 0.1, four: 100}))
            self.assertFalse(is_reached(case, **{one: 100 * wanted - 0.1, four: 100}))

    def test_the_best_cut_must_be_near_the_program_by_hand_on_the_most_devices(self):
        case = ("jacobi3d", "512^3 in all, on 4, best cut")
        hand = "jacobi3d by hand, 512^3 in all, on 4"
        self.assertTrue(is_reached(case, **{case[1]: 109, hand: 100}))
        self.assertFalse(is_reached(case, **{case[1]: 111, hand: 100}))
        self.assertIsNone(rows_of((1, 2, 4))["jacobi3d", "512^3 in all, on 2, best cut"].target)

    def test_with_one_device_there_is_no_efficiency_and_no_plane(self):
        benches = {bench for bench, _ in rows_of((1,))}
        self.assertEqual(benches, {"jacobi3d"})


class ContendersTest(unittest.TestCase):
    problem = sections.Problem(True, 256)

    def run_case(self, contender, time_of=lambda processes, arguments: 100, change=1.5, seen=None):
        programs = Canned(time_of, change)
        return contender(programs, seen if seen is not None else {}), programs.commands

    def test_devices_have_a_process_each_or_share_one(self):
        for how, processes, pes in ((sections.PROCESSES, 4, 1), (sections.THREADS, 1, 4)):
            found, commands = self.run_case(sections.jacobi3d(ON_DEVICES, self.problem, 4, 8, how))
            self.assertEqual(found[f"256^3 a device, on 4, 8 blocks each, {how}"], 100)
            self.assertEqual(commands[0][:2], ("jacobi3d", processes))
            self.assertEqual(commands[0][commands[0].index("--pes") + 1], pes)
            self.assertNotIn("--sends-only", commands[0])

    def test_planes_are_sent_without_computing_and_their_digits_are_no_ones(self):
        seen = {}
        full, _ = self.run_case(sections.jacobi3d(ON_DEVICES, self.problem, 2, 1, sections.PROCESSES))
        seen.update(full)
        found, commands = self.run_case(sections.planes_only(ON_DEVICES, self.problem, 2, 1, sections.PROCESSES),
                                        change=0, seen=seen)
        self.assertIn("--sends-only", commands[0])
        self.assertEqual(found["planes of 256^3 a device, on 2, 1 blocks each, a process each"], 100)

    def test_two_ways_that_find_other_digits_fail(self):
        seen, _ = self.run_case(sections.jacobi3d(ON_DEVICES, self.problem, 2, 1, sections.PROCESSES))
        with self.assertRaises(Failed):
            self.run_case(sections.jacobi3d(ON_DEVICES, self.problem, 2, 1, sections.THREADS), change=1.25, seen=seen)

    def test_the_better_program_by_hand_is_the_floor(self):
        found, commands = self.run_case(sections.by_hand(ON_DEVICES, self.problem, 2))
        self.assertEqual(found, {"jacobi3d by hand, 256^3 a device, on 2": 100, "planes by hand, 256^3 a device, on 2": 20})
        self.assertIn("512x256x256", commands[0])

    def test_the_best_cut_is_the_fastest_of_the_round(self):
        seen = {sections.series(self.problem, 2, 8, sections.THREADS): 90,
                sections.series(self.problem, 2, 1, sections.PROCESSES): 95}
        self.assertEqual(sections.best_cuts(self.problem, (1, 2))(None, seen), {"256^3 a device, on 2, best cut": 90})


class DriverTest(unittest.TestCase):
    def test_the_emulation_runs_everything_and_judges_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rows.json"
            said = io.StringIO()
            programs = Canned(lambda processes, arguments: 100)
            with mock.patch("measuring.find_programs", lambda parser: programs), contextlib.redirect_stdout(said), \
                    contextlib.redirect_stderr(io.StringIO()):
                code = scaling.main(["--device", "host", "--rounds", "1", "--json", str(file)])
            rows = json.loads(file.read_text())
        self.assertEqual(code, 0)
        self.assertIn("emulated: no figures", said.getvalue())
        self.assertTrue(rows and all(row["emulated"] and "target" not in row for row in rows))
        self.assertTrue(all(name == "jacobi3d" for name, *_ in programs.commands))

    def test_without_a_device_it_says_what_to_do(self):
        said = io.StringIO()
        with mock.patch("gpu.visible_devices", lambda: 0), contextlib.redirect_stderr(said), \
                self.assertRaises(SystemExit) as stop:
            scaling.main([])
        self.assertEqual(stop.exception.code, 2)
        self.assertIn("--device host", said.getvalue())


if __name__ == "__main__":
    unittest.main()
