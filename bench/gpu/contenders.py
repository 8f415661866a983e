# SPDX-License-Identifier: Apache-2.0
"""What is measured: functions of (programs, seen), see section.py."""

import json
import math
import tempfile
from pathlib import Path

import protocols
from baseline import KaonContender
from naming import named, size_name
from programs import Failed

FELL_BACK = "Taking --device host"  # what a program says that finds no device
COPIES = ("copies after the sweep", "copies beside it")


def run_on_device(scale, programs, name, *arguments, pes=1, **how):
    """Fails when the program took the emulation for the device."""
    outcome = programs.run(name, *arguments, "--device", scale.device, "--pes", pes, **how)
    if not scale.is_emulated and FELL_BACK in outcome.errors:
        raise Failed(f"{name}: found no device of {scale.device}: {outcome.errors.strip()[-400:]}")
    return outcome


def on_device(scale, program, *arguments, where=None, **how):
    """A program of Kaon's, whose figures get `where` before their names."""
    def run(programs, seen):
        measured = run_on_device(scale, programs, program, *arguments, **how).measurements()
        return measured if where is None else named(where, measured)
    return KaonContender(program, run)


def payloads(where, scale, transport, processes, sizes=None, *more, fetches=True):
    """Between two entries: see bench/programs/device.cpp. Without fetches the network moves all."""
    arguments = ("--sizes", ",".join(map(str, sizes or scale.sizes)), "--milliseconds", scale.milliseconds,
                 "--transport", transport, *more)

    def run(programs, seen):
        environment = protocols.WATCHED if fetches else {**protocols.WATCHED, "KAON_FETCH_UP_TO": "0"}
        outcome = run_on_device(scale, programs, "device", *arguments, processes=processes, environment=environment)
        watched = protocols.protocols_in(outcome.output, sizes or scale.sizes, where) if is_watched else {}
        return {**named(where, outcome.measurements()), **watched}
    is_watched = processes > 1 and transport == "direct" and not more and not scale.is_emulated
    return KaonContender("device", run)


MPI_KINDS = {"latency, device-device": "latency", "bandwidth, device-device": "one way",
             "bandwidth both ways, device-device": "both ways"}


def mpi_series(output):
    """From lines of gpu_mpi to 'MPI 8 B latency'."""
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return {f"MPI {size_name(int(line['bytes']))} {MPI_KINDS[line['case']]}": float(line["value"])
            for line in lines if line["case"] in MPI_KINDS}


def mpi_buffers(scale):
    """Between two ranks in two processes, of memory that the program has taken itself: see bench/gpu/mpi/gpu_mpi.c."""
    def run(programs, seen):
        options = ("-n", 2, "--processes", 2, "--pes", 1, "--device", scale.device)
        emulated = ("emulated",) if scale.is_emulated else ()
        outcome = programs.run("ampirun", *options, programs.path("gpu_mpi"), *emulated, "latency", "bandwidth",
                               *scale.mpi_sizes)
        if not scale.is_emulated and FELL_BACK in outcome.errors:
            raise Failed(f"gpu_mpi: found no device of {scale.device}: {outcome.errors.strip()[-400:]}")
        return mpi_series(outcome.output)
    return KaonContender("gpu_mpi", run)


def raw_series(measurements):
    """From 'ucx tag device-device one way 8 B' to 'raw one way 8 B', sizes as others name them, and the time of each
    message of a stream of them."""
    found = {}
    for case, value in measurements.items():
        what, size = case.removeprefix("ucx tag device-device ").rsplit(" ", 2)[:2]
        found[f"raw {what} {size_name(int(size))}"] = value
        if what == "one way" and value > 0:
            found[f"raw each message {size_name(int(size))}"] = int(size) / (value * 1e3)
    return found


def raw_ucx(scale):
    arguments = ("--json", "--no-staging", "--repetitions", 3, "--sizes", ",".join(map(str, scale.sizes)))

    def run(programs, seen):
        outcome = programs.run("gpu_raw_ucx", *arguments, environment=protocols.WATCHED)
        return {**raw_series(outcome.measurements()), **protocols.protocols_in(outcome.output, scale.sizes, "raw")}
    return run


def slowest_legs(sizes, measurements):
    """Of the legs of a payload that goes through pinned memory shared by both processes, in GB/s: off the one device, onto
    the other. The leg between them moves no bytes. A device's link works both ways at once."""
    found = {}
    for size in sizes:
        copies = [measurements.get(f"staged: {leg} {size} B") for leg in ("device to pinned", "pinned to device")]
        for way, copy_factor in (("one way", 1), ("both ways", 2)):
            if None not in copies:
                found[f"slowest leg {way} {size_name(size)}"] = copy_factor * min(copies)
    return found


def staging_legs(scale):
    arguments = ("--json", "--repetitions", 3, "--sizes", 8)
    return lambda programs, seen: slowest_legs(scale.sizes, programs.run("gpu_raw_ucx", *arguments).measurements())


def floors_series(measurements):
    """The better of the two ways to copy planes, under the name without them."""
    found = {}
    for case, value in measurements.items():
        name, _, way = case.rpartition(", ")
        if way in COPIES:
            found[name] = min(found.get(name, math.inf), value)
        else:
            found[case] = value
    return found


def floors(*without):
    """What the devices do without Kaon, but for the parts that `without` leaves out."""
    return lambda programs, seen: floors_series(programs.run("gpu_floors", "--json", *without).measurements())


def copy_engine(programs, seen):
    """Copies between the memories of two devices, by one process, under the names of payloads."""
    measured = programs.run("gpu_floors", "--json", "--no-kernels", "--no-jacobi").measurements()
    found = {}
    for case, value in measured.items():
        if case.startswith("peer copy "):
            kind, size = case.removeprefix("peer copy ").removesuffix(" B").rsplit(" ", 1)
            found[f"copy engine {size_name(int(size))} {kind}"] = value
    return found


def hops(where, scale, transport, *more):
    """Kernel, payload, kernel: see bench/programs/hop.cpp."""
    arguments = ("--sizes", ",".join(map(str, scale.hop_sizes)), "--milliseconds", scale.milliseconds,
                 "--transport", transport, *more)
    return on_device(scale, "hop", *arguments, where=where, processes=2)


def channels(scale):
    """Kernel, round of a channel, kernel: see bench/programs/channel.cpp. Streams that wait have queues of their own."""
    arguments = ("--sizes", ",".join(map(str, scale.hop_sizes)), "--milliseconds", scale.milliseconds)
    return on_device(scale, "channel", *arguments, processes=2, environment={"CUDA_DEVICE_MAX_CONNECTIONS": "32"})


def awaited_streams(scale, streams):
    """Until one that is done is seen among so many: see bench/programs/awaits.cpp. Each has a queue of its own: what
    shares one with a kernel that runs on would wait for that."""
    arguments = ("--streams", ",".join(map(str, streams)), "--repetitions", 10 if scale.is_emulated else 200)
    return on_device(scale, "awaits", *arguments, environment={"CUDA_DEVICE_MAX_CONNECTIONS": "32"})


def beside_others(scale):
    """Kernels beside a resident scheduler: see bench/gpu/interference/gpu_interference.cpp."""
    return on_device(scale, "gpu_interference", "--rounds", 5)


def flags(scale):
    """Between a PE, kernels and their blocks: see bench/programs/flags.cpp."""
    rounds = 200 if scale.is_emulated else 10_000
    return on_device(scale, "flags", "--rounds", rounds)


def dispatch(scale):
    """Entries that run on a device: see bench/programs/dispatch.cpp."""
    arguments = ("--rounds", 20, "--workers", 2) if scale.is_emulated else ("--rounds", 5000, "--workers", 8, 32, 120)
    return on_device(scale, "dispatch", *arguments)


def warp_entries(scale):
    """Entries that warps of a device run: see bench/programs/entries.cpp."""
    arguments = ("--rounds", 20, "--blocks", 2, "--warps", 2) if scale.is_emulated else (
        "--rounds", 20_000, "--blocks", 32, "--warps", 4, 8, 16)
    return on_device(scale, "entries", *arguments)


def peers(scale):
    """Entries of two devices, each in a process of its own: see bench/programs/peers.cpp."""
    arguments = ("--rounds", 20, "--workers", 2) if scale.is_emulated else ("--rounds", 5000, "--workers", 8)
    return on_device(scale, "peers", *arguments, processes=2)


def flags_by_hand(programs, seen):
    return programs.run("gpu_flags", "--json").measurements()


HOP_KERNEL = "kernel by hand, from its launch until its end shows"


def hop_kernel_by_hand(programs, seen):
    """What of a hop is no transfer's; the hops that come with it are few."""
    measured = programs.run("gpu_hops", "--json", "--repetitions", 1, "--sizes", 8).measurements()
    return {HOP_KERNEL: measured[HOP_KERNEL]}


def hops_by_hand(scale):
    """From 'hop by hand, copied 8 B' to 'by hand, copied, 8 B hop', sizes as others name them."""
    arguments = ("--json", "--repetitions", 3, "--sizes", ",".join(map(str, scale.hop_sizes)))

    def run(programs, seen):
        found = {}
        for case, value in programs.run("gpu_hops", *arguments).measurements().items():
            if case == HOP_KERNEL:
                continue
            way, size = case.removeprefix("hop by hand, ").removesuffix(" B").rsplit(" ", 1)
            found[f"by hand, {way}, {size_name(int(size))} hop"] = value
        return found
    return run


def result_of_jacobi3d(scale, programs, box, iterations, transport, processes, pes=1, more=()):
    arguments = ("--cells", box.cells, "--blocks", box.blocks, "--iterations", iterations, "--transport", transport,
                 *more)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result.json"
        run_on_device(scale, programs, "jacobi3d", *arguments, "--json", file, pes=pes, processes=processes)
        return json.loads(file.read_text())


def jacobi3d(series, scale, box, transport="direct", processes=1, pes=1, more=(), way=()):
    """Microseconds for an iteration. All that compute the same must find the same, digit by digit. `pes`: of each
    process; `more`: arguments; `way`: those that change no digit."""
    change = " ".join([f"change of {box.cells} after {box.iterations}", *map(str, more)])

    def run(programs, seen):
        result = result_of_jacobi3d(scale, programs, box, box.iterations, transport, processes, pes, (*more, *way))
        if result["change"] != seen.get(change, result["change"]):
            raise Failed(f"jacobi3d, {series}: change {result['change']!r} is not {seen[change]!r} as of the others")
        return {series: result["ms_per_iteration"] * 1e3, change: result["change"]}
    return KaonContender("jacobi3d", run)


def first_and_later(series, scale, box):
    """Microseconds for each of the first iterations, and for each of those that follow: a short run, and what a longer
    one takes beyond it."""
    def run(programs, seen):
        few, all_ = (result_of_jacobi3d(scale, programs, box, iterations, "direct", 2, more=("--warm-up", 0))
                     ["ms_per_iteration"] for iterations in (scale.first, box.iterations))
        few *= scale.first
        later = (all_ * box.iterations - few) / (box.iterations - scale.first)
        return {f"{series} first": few / scale.first * 1e3, f"{series} later": later * 1e3}
    return KaonContender("jacobi3d", run)


def rate_of(series, points, source):
    """GB/s of a sweep that reads and writes each of the points once, from microseconds for an iteration."""
    return lambda programs, seen: {series: 16 * points / (seen[source] * 1e3)} if source in seen else {}
