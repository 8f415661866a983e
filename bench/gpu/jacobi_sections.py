# SPDX-License-Identifier: Apache-2.0
"""What `./dev bench gpu` measures of Jacobi3D."""

import contenders as by
from rows import Target
from section import Section
from section_rows import row


def jacobi_in_blocks(scale, work):
    """The same points in 1 to 64 blocks a device, whose steps the host takes."""
    floor = () if scale.is_emulated else (by.floors("--no-kernels", "--no-copies"),)
    name = "256^3 each in {} blocks a device"
    targets = {8: Target("value", 92), 16: Target("value", 95), 64: Target("value", 130)}
    return Section("jacobi3d in 1 to 64 blocks a device",
                   (*floor, *(by.jacobi3d(name.format(blocks), scale, box, "direct", 2) for blocks, box in scale.cut)),
                   tuple(row(scale, "jacobi3d", name.format(blocks), "us", name.format(blocks),
                             "jacobi3d by hand, 256^3 each, on 2", targets.get(blocks)) for blocks, _ in scale.cut),
                   most_rounds=3)


LEVELS = ("host", "channel", "device")


def jacobi_by_level(scale, work):
    """Who takes the steps: the host by launches, with halos that are sent or go through channels, or the device by entries
    that wait for each other's flags."""
    contenders, rows = [], []
    for each in scale.leveled:
        points = f"{each.edge}^3 each in {each.blocks} blocks a device"
        host, channel, device = (f"{points}, level {level}" for level in LEVELS)
        contenders += [by.jacobi3d(f"{points}, level {level}", scale, each.box, processes=scale.devices,
                                   more=("--warm-up", each.warm_up), way=("--level", level)) for level in LEVELS]
        target = Target("value", each.limit) if each.limit else None
        rows += [row(scale, "jacobi3d", host, "us", host), row(scale, "jacobi3d", channel, "us", channel, host),
                 row(scale, "jacobi3d", device, "us", device, host, target)]
    return Section("jacobi3d by level", tuple(contenders), tuple(rows), most_rounds=3, pause_s=0)


def jacobi_first(scale, work):
    name = "256^3 each on two devices"
    return Section("first iterations of jacobi3d",
                   (by.first_and_later(name, scale, scale.two_devices),),
                   (row(scale, "jacobi3d", f"{name}, first {scale.first} iterations over later ones", "us",
                        f"{name} first", f"{name} later", Target("ratio", 1.2)),), most_rounds=3)


def jacobi_on_two(scale, work):
    floor = () if scale.is_emulated else (by.floors("--no-kernels", "--no-copies"),)
    contenders, rows = list(floor), []
    for name, box, by_hand, limit in (("256^3 each", scale.two_devices, "256^3 each", 1.25),
                                      ("512^3 in all", scale.half_each, "512^3 in all", None)):
        for transport in ("direct", "staged"):
            series = f"{name} on two devices {transport}"
            target = Target("ratio", limit) if limit and transport == "direct" else None
            contenders.append(by.jacobi3d(series, scale, box, transport, 2))
            rows.append(row(scale, "jacobi3d", series, "us", series, f"jacobi3d by hand, {by_hand}, on 2", target))
    return Section("jacobi3d on two devices", tuple(contenders), tuple(rows))


def jacobi_on_one(scale, work):
    floor = () if scale.is_emulated else (by.floors("--no-copies"),)
    copy, hand = "device copy, read and written", "jacobi3d by hand, {}, on 1"
    edge = int(scale.large.cells)
    return Section("jacobi3d on one device",
                   (*floor, by.jacobi3d("256^3 on one device", scale, scale.one_device),
                    by.jacobi3d("1024^3 on one device", scale, scale.large),
                    by.rate_of("1024^3 rate", edge ** 3, "1024^3 on one device")),
                   (row(scale, "jacobi3d", "256^3 in 8 blocks on one device", "us", "256^3 on one device",
                        hand.format("256^3 each")),
                    row(scale, "jacobi3d", "1024^3 in one block on one device", "us", "1024^3 on one device",
                        hand.format("1024^3")),
                    row(scale, "jacobi3d", "1024^3 rate, 16 B a point", "GB/s", "1024^3 rate", copy,
                        Target("ratio", 0.8, at_most=False)),
                    row(scale, "sweep", "1024^3 by hand, 16 B a point", "GB/s", "sweep 1024^3 rate", copy)),
                   most_rounds=3)
