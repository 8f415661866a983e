# SPDX-License-Identifier: Apache-2.0
"""All that `./dev bench gpu` measures."""

import contenders as by
import perftest
from jacobi_sections import jacobi_by_level, jacobi_first, jacobi_in_blocks, jacobi_on_one, jacobi_on_two
from naming import size_name
from rows import Row, Target
from section import Section
from section_rows import row

KINDS = (("latency", "latency", "us"), ("latency", "latency into a landing", "us"), ("bandwidth", "one way", "GB/s"),
         ("bandwidth", "both ways", "GB/s"), ("rate", "each message", "us"))


def payload_rows(scale, where, floor_of, targets):
    """`floor_of`: the series for a kind and a size. `targets`: by '64 MiB one way'."""
    return tuple(row(scale, bench, f"{where} {size_name(size)} {kind}", unit, f"{where} {size_name(size)} {kind}",
                     floor_of(kind, size), targets.get(f"{size_name(size)} {kind}"))
                 for size in scale.sizes for bench, kind, unit in KINDS)


def raw_floor(kind, size):
    return f"raw {kind.removesuffix(' into a landing')} {size_name(size)}"


def leg_floor(kind, size):
    return f"slowest leg {kind} {size_name(size)}" if kind.endswith("way") or kind.endswith("ways") else None


def copy_rows(scale):
    """What the engine that UCX lets copy does by itself."""
    if scale.is_emulated:
        return ()
    kinds = [kind for kind in KINDS if kind[1] in ("latency", "one way", "both ways")]
    return tuple(Row(bench, name, unit, name) for size in scale.sizes for bench, kind, unit in kinds
                 for name in [f"copy engine {size_name(size)} {kind}"])


def perftest_rows(scale):
    """What UCX's own program says: whether our floor is as strong, and Kaon beside it."""
    found = []
    for size in scale.sizes:
        for bench, kind, raw, unit in (("latency", "latency", "latency", "us"),
                                       ("bandwidth", "one way", "one way", "GB/s")):
            name, series = f"{size_name(size)} {kind}", f"ucx_perftest {raw} {size_name(size)}"
            found.append(row(scale, bench, f"ucx_perftest {name}", unit, series))
            if not scale.is_emulated:
                found.append(row(scale, bench, f"raw UCX {name} over ucx_perftest", unit, f"raw {raw} {size_name(size)}",
                                 series))
            found.append(row(scale, bench, f"two processes direct {name} over ucx_perftest", unit,
                             f"two processes direct {name}", series))
    return tuple(found)


def direct(scale, work):
    where = "two processes direct"
    targets = {"8 B latency": Target("difference", 1.5), "4 KiB latency": Target("difference", 1.5),
               "64 MiB one way": Target("ratio", 0.95, at_most=False),
               "8 B each message": Target("difference", 0.5)}
    floor = () if scale.is_emulated else (by.raw_ucx(scale), by.copy_engine)
    return Section("payloads, two processes, direct",
                   (*floor, perftest.contender(scale, work), by.payloads(where, scale, "direct", 2)),
                   (*payload_rows(scale, where, raw_floor, targets), *perftest_rows(scale), *copy_rows(scale)))


def carried(scale, work):
    """Small payloads that the sender's resident scheduler writes, or the receiver's reads, beside those that the network
    moves; each also behind a kernel and before one. What of a hop is the kernel's is measured by hand."""
    floor = () if scale.is_emulated else (by.hop_kernel_by_hand,)
    sizes = [size for size in scale.sizes if size <= 4096]
    hop_sizes = [size for size in scale.hop_sizes if size <= 4096]
    ways, found = {"two processes carried": ("--carried",), "two processes direct": ()}, []
    for kind, wanted in (("latency", 4.5), ("latency into a landing", 4.5)):
        found += [row(scale, "carried", f"two processes carried {size_name(size)} {kind}", "us",
                      f"two processes carried {size_name(size)} {kind}", f"two processes direct {size_name(size)} {kind}",
                      Target("value", wanted)) for size in sizes]
    found += [row(scale, "carried", f"two processes carried {size_name(size)} each message", "us",
                  f"two processes carried {size_name(size)} each message", f"two processes direct {size_name(size)} each message")
              for size in sizes]
    for kind in ("hop", "hop into a landing"):
        found += [row(scale, "carried", f"two processes carried {size_name(size)} {kind}", "us",
                      f"two processes carried {size_name(size)} {kind}", f"two processes direct {size_name(size)} {kind}")
                  for size in hop_sizes]
    found += [row(scale, "carried", f"two processes carried {size_name(size)} hop, behind its kernel", "us",
                  f"two processes carried {size_name(size)} hop", by.HOP_KERNEL,
                  Target("difference", 7.5)) for size in hop_sizes]
    return Section("small payloads, carried", (*floor, *(by.payloads(where, scale, "direct", 2, sizes, *more)
                                                 for where, more in ways.items()),
                                               *(by.hops(where, scale, "direct", *more) for where, more in ways.items())),
                   tuple(found))


def mpi_buffers(scale, work):
    """Messages of an MPI program between memory of its own, beside payloads of chares that land in memory of theirs, by the
    network, too."""
    where = "two processes by the network"
    targets = {"8 B latency": Target("difference", 0.5), "4 MiB one way": Target("ratio", 0.95, at_most=False),
               "4 MiB both ways": Target("ratio", 0.95, at_most=False)}
    floors = {"latency": "latency into a landing"}
    found = [row(scale, "MPI", f"{size_name(size)} {kind}", unit, f"MPI {size_name(size)} {kind}",
                 f"{where} {size_name(size)} {floors.get(kind, kind)}", targets.get(f"{size_name(size)} {kind}"))
             for size in scale.mpi_sizes for kind, unit in (("latency", "us"), ("one way", "GB/s"), ("both ways", "GB/s"))]
    return Section("device buffers of MPI programs",
                   (by.payloads(where, scale, "direct", 2, scale.mpi_sizes, fetches=False), by.mpi_buffers(scale)), tuple(found))


WAYS = ("copied", "read in place", "stored in place")  # by hand, see bench/gpu/hops/gpu_hops.cpp


def hops(scale, work):
    """Payloads that a kernel has just made and that a kernel waits for. By hand the hosts are between the kernels too."""
    floor = () if scale.is_emulated else (by.hops_by_hand(scale),)
    places = {f"two processes {transport}": transport for transport in ("direct", "staged")}
    sizes = [size_name(size) for size in scale.hop_sizes]
    found = [row(scale, "hop", f"{where} {size} {kind}", "us", f"{where} {size} {kind}", f"by hand, copied, {size} hop")
             for where in places for size in sizes for kind in ("hop", "hop into a landing")]
    if not scale.is_emulated:
        found += [Row("hop", name, "us", name) for size in sizes for way in WAYS
                  for name in [f"by hand, {way}, {size} hop"]]
    return Section("hops from kernel to kernel",
                   (*floor, *(by.hops(where, scale, transport) for where, transport in places.items())), tuple(found))


CHANNEL_WAYS = ("launched, tasks wait", "launched, streams wait", "resident")
CHANNEL_TARGETS = {"launched, streams wait": {8: 9.0, 128 << 10: 9.2, 1 << 20: 11.5},
                   "resident": {8: 3, 128 << 10: 6, 1 << 20: 8}}  # us


def channels(scale, work):
    """Rounds of channels that a kernel has just written and that a kernel waits for. By hand the producer stores where the
    consumer reads, too, and the hosts are between the kernels."""
    floor = () if scale.is_emulated else (by.hops_by_hand(scale),)
    found = []
    for size in scale.hop_sizes:
        for way in CHANNEL_WAYS:
            name = f"channel {way}, {size_name(size)} hop"
            limit = CHANNEL_TARGETS.get(way, {}).get(size)
            found.append(row(scale, "channel", name, "us", name,
                             None if way == "resident" else f"by hand, stored in place, {size_name(size)} hop",
                             Target("value", limit) if limit else None))
    return Section("channels from kernel to kernel", (*floor, by.channels(scale)), tuple(found), most_rounds=3)


def staged(scale, work):
    where = "two processes staged"
    floor = () if scale.is_emulated else (by.staging_legs(scale),)
    return Section("payloads, two processes, staged", (*floor, by.payloads(where, scale, "staged", 2)),
                   payload_rows(scale, where, leg_floor, {"64 MiB one way": Target("ratio", 0.7, at_most=False)}),
                   most_rounds=3)


def same_pe(scale, work):
    """Handed over, whatever the transport between processes is."""
    targets = {f"{size_name(size)} latency": Target("value", 1) for size in scale.sizes}
    places = {f"same PE {transport}": transport for transport in ("direct", "staged")}
    return Section("payloads, one PE",
                   tuple(by.payloads(where, scale, transport, 1) for where, transport in places.items()),
                   tuple(each for where in places
                         for each in payload_rows(scale, where, lambda kind, size: None, targets)), most_rounds=3)


def awaited_streams(scale, work):
    """One that is done among many that are not: the PE sees it in its next turn; the device takes longer, see
    docs/results/gpu_entries.md."""
    alone, among = "one of 1 awaited streams", f"one of {scale.awaited} awaited streams"
    return Section("awaited streams", (by.awaited_streams(scale, (1, scale.awaited)),),
                   (row(scale, "await", alone, "us", alone),
                    row(scale, "await", among, "us", among, alone)), most_rounds=3)


def flags(scale, work):
    """Each look of Kaon's acquires for the whole system; the other styles by hand tell what that costs."""
    floor = () if scale.is_emulated else (by.flags_by_hand,)
    found = [row(scale, "flag", f"from {way} and back", "us", f"flag from {way} and back", f"flag by hand from {by_hand} and back",
                 Target("ratio", 1.1))
             for way, by_hand in (("a PE to a kernel", "host to kernel"), ("block to block", "block to block"))]
    if not scale.is_emulated:
        found += [Row("flag", f"by hand, {name}", "us", f"flag by hand from {name}")
                  for name in ("host to kernel and back, fence", "block to block and back, device alone")]
    return Section("flags", (*floor, by.flags(scale)), tuple(found), most_rounds=3)


def device_entries(scale, work):
    """The floors are single blocks that poll one slot each; a scheduler has rings, and a block that hands on."""
    floor = () if scale.is_emulated else (by.flags_by_hand,)
    found = []
    for count in (2,) if scale.is_emulated else (8, 32, 120):
        who = f"{count} workers"
        found += [row(scale, "device entry", f"call by a task, {who}", "us", f"device entry, call by a task, {who}",
                      "command by hand from host to kernel and back", Target("value", 4.2)),
                  row(scale, "device entry", f"sent by another, {who}", "us", f"device entry, sent by another, {who}",
                      "command by hand from block to block", Target("value", 1.5)),
                  row(scale, "device entries", f"by themselves, {who}", "M/s", f"device entries of {who}, by themselves",
                      None, Target("value", 5, at_most=False) if count == 8 else None),
                  row(scale, "device entries", f"sent by the host, {who}", "M/s",
                      f"device entries of {who}, sent by the host")]
    for blocks, warps in ((2, 2),) if scale.is_emulated else ((32, 4), (32, 8), (32, 16)):
        who = f"{blocks} blocks of {warps} warps"
        found += [row(scale, "device entry", f"of a warp, sent by another, {who}", "us",
                      f"device entry of a warp, sent by another, {who}", "command by hand from block to block"),
                  row(scale, "device entries", f"by themselves, {who}", "M/s", f"device entries of {who}, by themselves",
                      f"commands by hand, {who}", Target("value", 50, at_most=False) if warps == 8 else None)]
    contenders = [*floor, by.dispatch(scale), by.warp_entries(scale), *([by.peers(scale)] if scale.devices > 1 else [])]
    if scale.devices > 1:
        name = f"device entry, sent by a peer's, {2 if scale.is_emulated else 8} workers"
        found.append(row(scale, "device entry", "sent by one of another device", "us", name,
                         "command by hand from device to device", Target("value", 2.2)))
    return Section("device entries", tuple(contenders), tuple(found), most_rounds=3)


def beside_others(scale, work):
    """What a resident scheduler takes from others: each of its blocks a multiprocessor that they count on; parked none."""
    found = []
    for workers in (1, 16):
        for victim in ("GEMM of 8192^3 in bfloat16", "copy of 1 GiB", "reading 16 MiB in L2"):
            for mode, target in (("waits", None), ("is busy", None), ("has parked", Target("value", 0.5))):
                name = f"{victim}, beside one that {mode}, {workers} workers, more than alone"
                found.append(row(scale, "beside a scheduler", name, "%", name, None, target))
    for when, target in (("after other work", Target("value", 8)), ("after sleep", None)):
        name, launch = f"way back from parking, {when}", f"launch until the kernel says that it runs, {when}"
        found.append(row(scale, "beside a scheduler", name, "us", name, launch, target))
    return Section("beside other kernels", (by.beside_others(scale),), tuple(found), most_rounds=3)


def all_sections(scale, work="."):
    """Two processes on one device would take turns on it. `work`: a folder for files."""
    both = (direct, carried, mpi_buffers, hops, channels, jacobi_on_two, jacobi_first, jacobi_in_blocks, staged)
    on_two = both if scale.devices > 1 else ()
    on_any = (same_pe, awaited_streams, flags, device_entries, jacobi_by_level, jacobi_on_one,
              *(() if scale.is_emulated else (beside_others,)))
    return tuple(make(scale, work) for make in (*on_two, *on_any))
