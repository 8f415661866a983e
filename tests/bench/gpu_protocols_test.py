# SPDX-License-Identifier: Apache-2.0
import unittest

import protocols
from rounds import Rounds

MIB = 1 << 20


def line(process, text):
    return f"[1795270083.784417] [{process}:0]   {text}"


def table(process, title, *rows):
    """As UCX 1.22 prints it at the end of a process."""
    body = [("Count", "Range", "Description", "Config"), *rows]
    edge = line(process, "+-------+--------------+-------+")
    return [edge, line(process, "| kaon intra-node cfg#0          |"), line(process, f"| {title}  |"), edge,
            *(line(process, "| " + " | ".join(cells) + " |") for cells in body), edge]


def tagged(process, *rows):
    return table(process, "tagged message by ucp_tag_send* from cuda/GPU0", *rows)


def fetch(process, *rows):
    return table(process, "rendezvous data fetch into cuda/GPU1 from cuda/dev[0]", *rows)


def protocols_of(lines, *sizes):
    return protocols.protocols_in("\n".join(lines), sizes, "direct")


EAGER = ("40", "0..131071", "eager copy-in copy-out", "posix/memory")
ANNOUNCED = ("12", "128K..inf", "(?) rendezvous zero-copy read from remote", "cuda_ipc/cuda")


class TablesTest(unittest.TestCase):
    def test_sizes_are_read_as_ucx_writes_them(self):
        self.assertEqual([protocols.bytes_of(text) for text in ("0", "8249", "128K", "4M", "2G", "inf")],
                         [0, 8249, 131072, 4 * MIB, 2048 * MIB, float("inf")])

    def test_the_protocol_of_a_size_is_that_of_its_range(self):
        found = protocols_of(tagged("vm:1", EAGER, ANNOUNCED), 8, 131071, 131072)
        self.assertEqual(found, {"direct protocol 8 B": "eager copy-in copy-out, posix/memory",
                                 "direct protocol 131071 B": "eager copy-in copy-out, posix/memory",
                                 "direct protocol 128 KiB": "rendezvous zero-copy read from remote, cuda_ipc/cuda"})

    def test_what_the_receiver_did_counts_more_than_what_the_sender_expected(self):
        lines = tagged("vm:1", EAGER, ANNOUNCED) + fetch("vm:2", ("12", "1..inf", "fragmented copy-in copy-out",
                                                                  "posix/memory"))
        self.assertEqual(protocols_of(lines, MIB)["direct protocol 1 MiB"],
                         "fragmented copy-in copy-out, posix/memory")
        self.assertEqual(protocols_of(lines, 8)["direct protocol 8 B"], "eager copy-in copy-out, posix/memory")

    def test_protocols_that_were_never_used_do_not_count(self):
        unused = ("0", *ANNOUNCED[1:])
        self.assertEqual(protocols_of(tagged("vm:1", EAGER, unused), MIB), {"direct protocol 1 MiB": "unknown"})

    def test_messages_in_host_memory_do_not_count(self):
        lines = table("vm:1", "tagged message by ucp_tag_send* from host memory", ANNOUNCED)
        self.assertEqual(protocols_of(lines, MIB), {"direct protocol 1 MiB": "unknown"})

    def test_lines_of_two_processes_may_be_mixed(self):
        first = tagged("vm:1", ANNOUNCED)
        second = table("vm:2", "active message by ucp_am_send* from host memory", EAGER)
        mixed = [one for both in zip(first, second) for one in both]
        self.assertIn("cuda_ipc", protocols_of(mixed, MIB)["direct protocol 1 MiB"])
        self.assertEqual(protocols_of(mixed, 8), {"direct protocol 8 B": "unknown"})

    def test_other_lines_are_no_tables(self):
        self.assertEqual(protocols.uses_in('{"case": "8 B latency", "value": 1}\n| a | b |\n'), [])


class VerdictTest(unittest.TestCase):
    def test_payloads_must_go_from_device_to_device(self):
        self.assertTrue(protocols.is_right("zero-copy read from remote, cuda_ipc/cuda"))
        self.assertFalse(protocols.is_right("eager copy-in copy-out, posix/memory"))
        self.assertFalse(protocols.is_right("zero-copy read from remote, cma/memory"))
        self.assertFalse(protocols.is_right("unknown"))

    def test_all_ways_of_a_size_must_be_right(self):
        self.assertTrue(protocols.is_right("a, cuda_ipc/cuda; b, cuda_ipc/cuda"))
        self.assertFalse(protocols.is_right("a, cuda_ipc/cuda; b, posix/memory"))

    def test_small_payloads_are_judged_as_large_ones(self):
        by_size = {8: ["eager copy-in copy-out, posix/memory"], 64: ["unknown"], MIB: ["a, cuda_ipc/cuda"]}
        self.assertEqual(protocols.wrong("raw", by_size),
                         ["raw, 8 B: UCX took 'eager copy-in copy-out, posix/memory', not cuda_ipc",
                          "raw, 64 B: UCX took 'unknown', not cuda_ipc"])

    def test_each_wrong_protocol_is_named_with_its_size(self):
        rounds = Rounds()
        rounds.add({"direct protocol 1 MiB": "a, cuda_ipc/cuda"})
        rounds.add({"direct protocol 1 MiB": "b, tcp/eth0"})
        by_size = protocols.recorded([rounds], (8, MIB), "direct")
        self.assertEqual(by_size, {MIB: ["a, cuda_ipc/cuda", "b, tcp/eth0"]})
        self.assertEqual(protocols.wrong("direct", by_size), ["direct, 1 MiB: UCX took 'b, tcp/eth0', not cuda_ipc"])


if __name__ == "__main__":
    unittest.main()
