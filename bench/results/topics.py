# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/results: which rows each has, what its first lines say and what its chart shows. Figures are of the
machine of the newest campaign that has rows of the page."""

from dataclasses import dataclass

from report import number


@dataclass(frozen=True)
class Figure:
    """One figure of a row: its value, or the floor that was measured in the same rounds."""
    bench: str
    case: str
    of: str = "value"  # or floor

    def among(self, rows):
        row = rows.get((self.bench, self.case))
        return getattr(row, self.of) if row else None


@dataclass(frozen=True)
class Line:
    """A sentence with {0}, {1}... in the places of figures. Left out where one of them was not measured."""
    text: str
    figures: tuple = ()

    def filled(self, rows):
        values = [figure.among(rows) for figure in self.figures]
        return None if None in values else self.text.format(*map(number, values))


@dataclass(frozen=True)
class Chart:
    title: str
    unit: str
    bars: dict  # by what is compared, figures by contender


@dataclass(frozen=True)
class Topic:
    page: str
    kind: str  # of campaigns
    benches: tuple
    lines: tuple
    chart: Chart = None


def with_floor(bench, case, floor, **others):
    return {"Kaon": Figure(bench, case), floor: Figure(bench, case, "floor"), **others}


def open_mpi(case):
    return {"Open MPI": Figure("bulk", f"Open MPI one ball {case}")}


def mpi(bench, case):
    return {"Kaon": Figure(bench, f"{case} over Open MPI"), "Open MPI": Figure(bench, f"{case} over Open MPI", "floor"),
            "MPICH": Figure(bench, f"{case} over MPICH", "floor")}


def bulk(case):
    return {"Kaon": Figure("bulk", f"two processes one ball {case} payload"),
            "UCX alone": Figure("bulk", f"two processes one ball {case} payload", "floor"), **open_mpi(case)}


def balanced(which):
    return with_floor("drifting particles", f"two processes {which}", "not balanced")


def levels(points, blocks):
    case = f"{points}^3 each in {blocks} blocks a device"
    return {"by entries of the device": Figure("jacobi3d", f"{case}, level device"),
            "by the host": Figure("jacobi3d", f"{case}, level host")}


EIGHT = Figure("latency", "two processes 8 B")
HOST = (
    Topic("host_messages", "host", ("latency", "argument", "rate", "grains", "walk", "search"), (
        Line("A message of 8 B between two processes takes {0} us one way. UCX alone takes {1}, Open MPI {2}.",
             (EIGHT, Figure("latency", "two processes 8 B", "floor"),
              Figure("latency", "two processes 8 B over Open MPI", "floor"))),
        Line("A message on one PE takes {0} us, and {1} million entries run a second.",
             (Figure("latency", "same PE 8 B"), Figure("rate", "one PE 1000 elements")))),
          Chart("One way between two processes", "us", {
              "8 B": with_floor("latency", "two processes 8 B", "UCX alone",
                                **{"Open MPI": Figure("latency", "two processes 8 B over Open MPI", "floor")}),
              "1 KiB argument": with_floor("latency", "two processes 1 KiB argument", "UCX alone",
                                           **{"Open MPI": Figure("latency", "Open MPI 1 KiB")}),
              "64 KiB payload": with_floor("latency", "two processes 64 KiB payload", "UCX alone"),
              "1 MiB payload": with_floor("latency", "two processes 1 MiB payload", "UCX alone")})),
    Topic("host_bulk", "host", ("bulk",), (
        Line("A payload of 1 MiB that is changed and sent on takes {0} us between two processes. UCX alone takes {1}, Open MPI {2}.",
             tuple(bulk("handed on 1 MiB").values())),
        Line("One of 64 KiB takes {0} us. UCX alone takes {1}, Open MPI {2}.", tuple(bulk("handed on 64 KiB").values()))),
          Chart("One payload between two processes", "us",
                {f"{size}, {name}": bulk(f"{how} {size}") for size in ("64 KiB", "1 MiB", "4 MiB")
                 for how, name in (("fixed", "not touched"), ("handed on", "changed and sent on"))})),
    Topic("host_waiting", "host", ("late sends", "wake-up", "idle", "flood", "start"), (
        Line("A run of 64 processes starts and ends in {0} s; 64 runs of one process at once take {1}.",
             (Figure("start", "hello, 64 processes"), Figure("start", "hello, 64 processes", "floor"))),
        Line("A message to a PE that sleeps takes {0} us in another process; an eventfd between two threads takes {1}.",
             (Figure("wake-up", "two processes"), Figure("wake-up", "two processes", "floor")))),
          Chart("From start to end of a program", "s",
                {f"{n} processes": with_floor("start", f"hello, {n} processes", "as many runs of one process")
                 for n in (2, 8, 64)})),
    Topic("host_objects", "host", ("objects", "creation", "broadcast", "sections", "memory", "tree search"), (
        Line("An empty element takes {0} B, and one of an array of 100,000 is made in {1} ns.",
             (Figure("memory", "one PE empty element"), Figure("creation", "one PE 100000 elements, each"))),
        Line("A tree search reaches {0} of the ideal speed on two threads; tasks of OpenMP reach {1}.",
             (Figure("tree search", "two threads of ideal"), Figure("tree search", "two threads OpenMP tasks of ideal")))),
          Chart("Tree search, speed over the ideal one", "x",
                {where: {"Kaon": Figure("tree search", f"{where} of ideal"),
                         "OpenMP tasks": Figure("tree search", f"{where} OpenMP tasks of ideal")}
                 for where in ("two threads", "two processes")})),
    Topic("host_balancing", "host", ("balancing", "drifting particles"), (
        Line("Particles that drift take {0} s with the balancer `greedy` in two processes, and {1} without balancing.",
             tuple(balanced("by greedy").values())),
        Line("`greedy` places 100,000 elements on 1,024 PEs in {0} ms.",
             (Figure("balancing", "two processes greedy of 100000 elements over 1024 PEs"),))),
          Chart("Drifting particles in two processes", "s",
                {name: balanced(f"by {name}") for name in ("greedy", "refine", "gossip", "automatic")})),
    Topic("host_jacobi", "host", ("jacobi3d", "triad"), (
        Line("A step of Jacobi3D (256^3 points, 64 blocks) takes {0} ms in two processes; the fastest OpenMP program takes {1}.",
             tuple(with_floor("jacobi3d", "256 64 two processes", "OpenMP").values())),
        Line("On one PE it takes {0} ms, and {1} by that program.",
             tuple(with_floor("jacobi3d", "256 64 one PE", "OpenMP").values()))),
          Chart("A step of Jacobi3D, 256^3 points in 64 blocks", "ms",
                {where: with_floor("jacobi3d", f"256 64 {where}", "the fastest OpenMP program")
                 for where in ("one PE", "two threads", "two processes")})),
)
GPU = (
    Topic("gpu_payloads", "gpu", ("latency", "rate", "carried", "MPI"), (
        Line("A payload of 8 B goes from entry to entry on two GPUs in {0} us; UCX alone takes {1}.",
             (Figure("latency", "two processes direct 8 B latency"), Figure("latency", "two processes direct 8 B latency", "floor"))),
        Line("Carried by kernels of resident schedulers it takes {0} us, and over the network in the same rounds {1}.",
             tuple(with_floor("carried", "two processes carried 8 B latency", "network").values())))),
    Topic("gpu_bandwidth", "gpu", ("bandwidth",), (
        Line("Payloads of 64 MiB go one way between two GPUs at {0} GB/s; UCX alone reaches {1}.",
             tuple(with_floor("bandwidth", "two processes direct 64 MiB one way", "UCX").values())),
        Line("Through host memory they go at {0} GB/s.", (Figure("bandwidth", "two processes staged 64 MiB one way"),)))),
    Topic("gpu_entries", "gpu", ("hop", "channel", "await", "flag", "device entry", "device entries", "beside a scheduler"), (
        Line("A hop of 8 B between kernels of two GPUs takes {0} us through a channel of resident kernels, and {1} by hand.",
             (Figure("channel", "channel resident, 8 B hop"), Figure("channel", "channel launched, streams wait, 8 B hop", "floor"))),
        Line("A message from one device entry to another takes {0} us; by hand it takes {1}.",
             tuple(with_floor("device entry", "sent by another, 32 workers", "by hand").values()))),
          Chart("A hop between kernels of two GPUs", "us", {
              size: {"channel, resident kernels": Figure("channel", f"channel resident, {size} hop"),
                     "channel, launched kernels": Figure("channel", f"channel launched, streams wait, {size} hop"),
                     "by hand": Figure("channel", f"channel launched, streams wait, {size} hop", "floor")}
              for size in ("8 B", "4 KiB", "128 KiB", "1 MiB")})),
    Topic("gpu_jacobi", "gpu", ("jacobi3d", "sweep"), (
        Line("A step of Jacobi3D with 256^3 points a GPU takes {0} us on two GPUs, in one block each; by hand it takes {1}.",
             tuple(with_floor("jacobi3d", "256^3 each in 1 blocks a device", "by hand").values())),
        Line("With 64^3 points in 64 blocks a GPU it takes {0} us by entries of the device, and {1} by the host.",
             tuple(levels(64, 64).values()))),
          Chart("A step of Jacobi3D on two GPUs", "us",
                {f"{points}^3 a GPU, {blocks} block{'s' if blocks > 1 else ''}": levels(points, blocks)
                 for points in (64, 128, 256) for blocks in (1, 64)})),
)
OTHERS = (
    Topic("scaling", "scaling", ("jacobi3d", "efficiency", "speed-up", "planes"), (
        Line("256^3 points a GPU, one block each, take {0} us a step on two GPUs; by hand it takes {1}.",
             tuple(with_floor("jacobi3d", "256^3 a device, on 2, 1 blocks each, a process each", "by hand").values())),
        Line("1024^3 points a GPU take {0} us, and by hand {1}.",
             tuple(with_floor("jacobi3d", "1024^3 a device, on 2, 1 blocks each, a process each", "by hand").values())))),
    Topic("ampi", "ampi", ("latency", "bandwidth", "rate", "barrier", "broadcast 8 B", "broadcast 64 KiB",
                           "allreduce 8 B", "allreduce 64 KiB", "alltoall 8 B", "yield", "memory", "start", "stencil"), (
        Line("8 B go between two processes in {0} us. Open MPI takes {1}, MPICH {2}.",
             tuple(mpi("latency", "two processes 8 B").values())),
        Line("A barrier of 64 ranks on two cores takes {0} us, and {1} with Open MPI.",
             tuple(with_floor("barrier", "64 ranks on two processes over Open MPI", "Open MPI").values()))),
          Chart("One way between two processes, MPI", "us",
                {size: mpi("latency", f"two processes {size}") for size in ("8 B", "512 B", "4 KiB", "32 KiB", "256 KiB")})),
)
TOPICS = HOST + GPU + OTHERS
