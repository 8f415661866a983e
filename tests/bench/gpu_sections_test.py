# SPDX-License-Identifier: Apache-2.0
import json
import unittest
from pathlib import Path

import contenders
import scale
from programs import Failed, Outcome
from rounds import Rounds
from rows import evaluate
from section_rows import EMULATED
from sections import all_sections

MIB = 1 << 20


class Canned:
    """Programs that were run before: what each printed, and the commands that were given."""

    def __init__(self, errors="", **outputs):
        self.errors, self.outputs, self.commands = errors, outputs, []

    def run(self, name, *arguments, processes=1, environment=None):
        self.commands.append((name, processes, environment, *arguments))
        if name == "jacobi3d":
            Path(arguments[arguments.index("--json") + 1]).write_text(self.outputs[name])
        return Outcome(self.outputs[name], self.errors, 0, 0)


def lines(measurements):
    return "\n".join(json.dumps({"case": case, "value": value, "unit": "us"}) for case, value in measurements.items())


def rows_of(its_scale):
    return {(row.bench, row.case): row for section in all_sections(its_scale) for row in section.rows}


def is_reached(case, **measured):
    """`measured`: by series, with _ for a blank. Three equal rounds."""
    rounds = Rounds()
    for _ in range(3):
        rounds.add({series.replace("_", " "): value for series, value in measured.items()})
    return evaluate(rows_of(scale.on_devices(2))[case], rounds).reached


class TargetsTest(unittest.TestCase):
    def test_no_two_rows_have_one_name(self):
        for its_scale in (scale.on_devices(2), scale.emulated()):
            names = [(row.bench, row.case) for section in all_sections(its_scale) for row in section.rows]
            self.assertEqual(len(names), len(set(names)))

    def test_latency_may_be_above_ucx_by_a_microsecond_and_a_half(self):
        for size in ("8 B", "4 KiB"):
            ours, raw, case = (found := f"two processes direct {size} latency"), f"raw latency {size}", ("latency", found)
            self.assertTrue(is_reached(case, **{ours: 8.9, raw: 7.5}))
            self.assertFalse(is_reached(case, **{ours: 9.1, raw: 7.5}))

    def test_bandwidth_must_be_near_that_of_ucx(self):
        case, ours = ("bandwidth", "two processes direct 64 MiB one way"), "two processes direct 64 MiB one way"
        self.assertTrue(is_reached(case, **{ours: 350, "raw one way 64 MiB": 365}))
        self.assertFalse(is_reached(case, **{ours: 340, "raw one way 64 MiB": 365}))

    def test_device_buffers_of_mpi_must_be_near_payloads(self):
        for kind in ("one way", "both ways"):
            case, ours = ("MPI", f"4 MiB {kind}"), f"MPI 4 MiB {kind}"
            self.assertTrue(is_reached(case, **{ours: 350, f"two processes by the network 4 MiB {kind}": 365}))
            self.assertFalse(is_reached(case, **{ours: 340, f"two processes by the network 4 MiB {kind}": 365}))
        case, ours, floor = ("MPI", "8 B latency"), "MPI 8 B latency", "two processes by the network 8 B latency into a landing"
        self.assertTrue(is_reached(case, **{ours: 3.4, floor: 3.0}))
        self.assertFalse(is_reached(case, **{ours: 3.6, floor: 3.0}))

    def test_lines_of_the_mpi_program_are_read(self):
        output = "\n".join(["a word", '{"case": "latency, device-device", "bytes": 8, "value": 3.5, "unit": "us"}',
                            '{"case": "bandwidth both ways, device-device", "bytes": 4194304, "value": 90, "unit": "GB/s"}',
                            '{"case": "latency, host-device", "bytes": 8, "value": 1, "unit": "us"}'])
        self.assertEqual(contenders.mpi_series(output), {"MPI 8 B latency": 3.5, "MPI 4 MiB both ways": 90})

    def test_staged_bandwidth_must_be_near_that_of_the_slowest_leg(self):
        case, ours = ("bandwidth", "two processes staged 64 MiB one way"), "two processes staged 64 MiB one way"
        self.assertTrue(is_reached(case, **{ours: 7.1, "slowest leg one way 64 MiB": 10}))
        self.assertFalse(is_reached(case, **{ours: 6.9, "slowest leg one way 64 MiB": 10}))

    def test_payloads_are_handed_over_within_a_microsecond_whatever_their_size(self):
        for size in ("8 B", "256 MiB"):
            name = f"same PE direct {size} latency"
            self.assertTrue(is_reached(("latency", name), **{name: 0.9}))
            self.assertFalse(is_reached(("latency", name), **{name: 1.1}))

    def test_jacobi_is_compared_with_the_program_by_hand_and_with_a_copy(self):
        name, hand = "256^3 each on two devices direct", "jacobi3d by hand, 256^3 each, on 2"
        self.assertTrue(is_reached(("jacobi3d", name), **{name: 150, hand: 121}))
        self.assertFalse(is_reached(("jacobi3d", name), **{name: 152, hand: 121}))
        case, copy = ("jacobi3d", "1024^3 rate, 16 B a point"), "device copy, read and written"
        self.assertTrue(is_reached(case, **{"1024^3 rate": 3500, copy: 4300}))
        self.assertFalse(is_reached(case, **{"1024^3 rate": 3400, copy: 4300}))

    def test_the_first_iterations_may_take_a_fifth_longer_than_later_ones(self):
        name = "256^3 each on two devices"
        case = ("jacobi3d", f"{name}, first 100 iterations over later ones")
        self.assertTrue(is_reached(case, **{f"{name} first": 118, f"{name} later": 100}))
        self.assertFalse(is_reached(case, **{f"{name} first": 122, f"{name} later": 100}))

    def test_hops_are_compared_with_hosts_between_kernels(self):
        row = rows_of(scale.on_devices(2))["hop", "two processes direct 128 KiB hop"]
        self.assertEqual(row.floor, "by hand, copied, 128 KiB hop")

    def test_channels_are_compared_with_kernels_that_store_where_others_read_by_hand(self):
        rows = rows_of(scale.on_devices(2))
        for way in ("launched, tasks wait", "launched, streams wait"):
            self.assertEqual(rows["channel", f"channel {way}, 1 MiB hop"].floor, "by hand, stored in place, 1 MiB hop")
        limits = {"launched, streams wait": (9.0, 9.2, 11.5), "resident": (3, 6, 8)}
        for way, of_way in limits.items():
            for size, limit in zip(("8 B", "128 KiB", "1 MiB"), of_way):
                name = f"channel {way}, {size} hop"
                self.assertTrue(is_reached(("channel", name), **{name: limit}))
                self.assertFalse(is_reached(("channel", name), **{name: limit + 0.1}))

    def test_the_same_points_are_cut_into_1_to_64_blocks(self):
        its_scale = scale.on_devices(2)
        for blocks, box in its_scale.cut:
            self.assertIn(("jacobi3d", f"256^3 each in {blocks} blocks a device"), rows_of(its_scale))
            x, y, z = map(int, box.blocks.split("x"))
            self.assertEqual(x * y * z, 2 * blocks)
        self.assertEqual([blocks for blocks, _ in its_scale.cut], [1, 8, 16, 64])

    def test_a_device_that_takes_the_steps_itself_has_a_limit_for_each_cube_and_cut(self):
        limits = {64: (5, 6, 6), 128: (13, 14, 14), 256: (96, 98, 104)}
        for edge, of_edge in limits.items():
            for blocks, limit in zip((1, 8, 64), of_edge):
                name = f"{edge}^3 each in {blocks} blocks a device, level device"
                self.assertTrue(is_reached(("jacobi3d", name), **{name: limit}))
                self.assertFalse(is_reached(("jacobi3d", name), **{name: limit + 0.1}))

    def test_levels_are_compared_at_the_same_points_on_all_devices(self):
        for devices in (1, 2, 4):
            its_scale = scale.on_devices(devices)
            rows = rows_of(its_scale)
            self.assertEqual(len(its_scale.leveled), 9)
            for each in its_scale.leveled:
                name = f"{each.edge}^3 each in {each.blocks} blocks a device"
                row = rows["jacobi3d", f"{name}, level device"]
                self.assertEqual(row.floor, f"{name}, level host")
                self.assertEqual(row.target is not None, devices == 2)
                self.assertIsNone(rows["jacobi3d", f"{name}, level host"].target)
                self.assertEqual(rows["jacobi3d", f"{name}, level channel"].floor, f"{name}, level host")
                self.assertEqual(each.box.cells, f"{each.edge * devices}x{each.edge}x{each.edge}")
                self.assertEqual(each.box.iterations, {64: 4000, 128: 2000, 256: 1000}[each.edge])
                x, y, z = map(int, each.box.blocks.split("x"))
                self.assertEqual((x, y), (y * devices, z))
                self.assertEqual(x * y * z, each.blocks * devices)

    def test_nothing_is_judged_on_the_emulation(self):
        for row in rows_of(scale.emulated()).values():
            self.assertIsNone(row.target)
            self.assertEqual(row.remark, EMULATED)

    def test_one_device_leaves_out_what_needs_two(self):
        names = [section.name for section in all_sections(scale.on_devices(1))]
        self.assertEqual(names, ["payloads, one PE", "awaited streams", "flags", "device entries", "jacobi3d by level",
                                 "jacobi3d on one device", "beside other kernels"])


class ContendersTest(unittest.TestCase):
    def test_a_message_of_a_stream_takes_its_bytes_by_the_rate(self):
        programs = Canned(gpu_raw_ucx=lines({"ucx tag device-device latency 8 B": 7.5,
                                             "ucx tag device-device one way 65536 B": 32.768}))
        found = contenders.raw_ucx(scale.on_devices(2))(programs, {})
        self.assertEqual(found["raw latency 8 B"], 7.5)
        self.assertEqual(found["raw one way 64 KiB"], 32.768)
        self.assertEqual(found["raw each message 64 KiB"], 2)

    def test_the_slowest_leg_is_the_floor_of_staging(self):
        measured = {f"staged: device to pinned {64 * MIB} B": 55, f"staged: pinned to device {64 * MIB} B": 50}
        found = contenders.staging_legs(scale.on_devices(2))(Canned(gpu_raw_ucx=lines(measured)), {})
        self.assertEqual(found, {"slowest leg one way 64 MiB": 50, "slowest leg both ways 64 MiB": 100})

    def test_the_copy_engine_is_named_like_payloads(self):
        measured = {"peer copy latency 8 B": 6.6, f"peer copy both ways {64 * MIB} B": 766, "device copy": 4300}
        found = contenders.copy_engine(Canned(gpu_floors=lines(measured)), {})
        self.assertEqual(found, {"copy engine 8 B latency": 6.6, "copy engine 64 MiB both ways": 766})

    def test_the_better_way_to_copy_planes_counts(self):
        measured = {"jacobi3d by hand, 256^3 each, on 2, copies after the sweep": 121,
                    "jacobi3d by hand, 256^3 each, on 2, copies beside it": 117, "device copy, read and written": 4300}
        found = contenders.floors("--no-kernels")(Canned(gpu_floors=lines(measured)), {})
        self.assertEqual(found, {"jacobi3d by hand, 256^3 each, on 2": 117, "device copy, read and written": 4300})

    def test_iterations_become_a_rate_of_16_bytes_a_point(self):
        rate = contenders.rate_of("rate", 1024 ** 3, "time")
        self.assertAlmostEqual(rate(None, {"time": 4294.967296})["rate"], 4000)
        self.assertEqual(rate(None, {}), {})

    def test_later_iterations_are_what_a_longer_run_takes_beyond_a_short_one(self):
        class TwoRuns(Canned):
            def run(self, name, *arguments, **how):
                few = arguments[arguments.index("--iterations") + 1] == 100
                self.outputs["jacobi3d"] = json.dumps({"ms_per_iteration": 0.5 if few else 0.104})
                return super().run(name, *arguments, **how)
        its_scale = scale.on_devices(2)
        found = contenders.first_and_later("here", its_scale, its_scale.two_devices)(TwoRuns(jacobi3d=""), {})
        self.assertAlmostEqual(found["here first"], 500)
        self.assertAlmostEqual(found["here later"], 100)  # 10,000 of 0.104 ms less 100 of 0.5 ms, for 9,900

    def test_hops_by_hand_are_named_by_their_way_and_size(self):
        measured = {"hop by hand, copied 8 B": 10.3, f"hop by hand, read in place {MIB} B": 13.8}
        found = contenders.hops_by_hand(scale.on_devices(2))(Canned(gpu_hops=lines(measured)), {})
        self.assertEqual(found, {"by hand, copied, 8 B hop": 10.3, "by hand, read in place, 1 MiB hop": 13.8})

    def test_a_program_that_took_the_emulation_for_a_device_failed(self):
        programs = Canned("cuda: no device. Taking --device host, an emulation by threads", device="")
        with self.assertRaisesRegex(Failed, "found no device of cuda"):
            contenders.payloads("here", scale.on_devices(2), "direct", 2)(programs, {})
        contenders.payloads("here", scale.emulated(), "direct", 2)(programs, {})

    def test_only_direct_payloads_between_processes_have_a_protocol(self):
        programs = Canned(device=lines({"8 B latency": 9}))
        there = contenders.payloads("here", scale.on_devices(2), "direct", 2)(programs, {})
        self.assertEqual(there["here 8 B latency"], 9)
        self.assertEqual(there["here protocol 8 B"], "unknown")
        for transport, processes in (("staged", 2), ("direct", 1)):
            found = contenders.payloads("here", scale.on_devices(2), transport, processes)(programs, {})
            self.assertEqual(found, {"here 8 B latency": 9})

    def test_other_digits_than_those_of_the_same_box_are_a_failure(self):
        programs = Canned(jacobi3d=json.dumps({"change": 0.5, "ms_per_iteration": 0.15}))
        its_scale = scale.on_devices(2)
        seen = contenders.jacobi3d("direct", its_scale, its_scale.two_devices, "direct", 2)(programs, {})
        self.assertEqual(seen["direct"], 150)
        programs.outputs["jacobi3d"] = json.dumps({"change": 0.25, "ms_per_iteration": 0.15})
        with self.assertRaisesRegex(Failed, "0.25 is not 0.5"):
            contenders.jacobi3d("staged", its_scale, its_scale.two_devices, "staged", 2)(programs, seen)
        contenders.jacobi3d("other box", its_scale, its_scale.half_each, "direct", 2)(programs, seen)

    def test_levels_run_the_same_box_with_a_process_for_each_device_and_find_the_same_digits(self):
        for devices in (1, 2):
            its_scale = scale.on_devices(devices)
            section = next(each for each in all_sections(its_scale) if each.name == "jacobi3d by level")
            programs = Canned(jacobi3d=json.dumps({"change": 0.5, "ms_per_iteration": 0.004}))
            host, _, device = section.contenders[:3]
            seen = host(programs, {})
            self.assertEqual(seen["64^3 each in 1 blocks a device, level host"], 4)
            self.assertIn("64^3 each in 1 blocks a device, level device", device(programs, seen))
            without_file = [tuple(word for word in command if not isinstance(word, Path))
                            for command in programs.commands]
            at = without_file[0].index("--level") + 1
            self.assertEqual((without_file[0][at], without_file[1][at]), ("host", "device"))
            self.assertEqual(without_file[0][:at] + without_file[0][at + 1:],
                             without_file[1][:at] + without_file[1][at + 1:])
            self.assertEqual(without_file[0][1], devices)
            words = without_file[0]
            self.assertEqual([words[words.index(option) + 1] for option in ("--pes", "--warm-up", "--iterations")],
                             [1, 100, 4000])
            programs.outputs["jacobi3d"] = json.dumps({"change": 0.25, "ms_per_iteration": 0.004})
            with self.assertRaisesRegex(Failed, "0.25 is not 0.5"):
                device(programs, seen)


if __name__ == "__main__":
    unittest.main()
