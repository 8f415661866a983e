# SPDX-License-Identifier: Apache-2.0
"""How much is measured: all of it on devices, little on the emulation, which only shows that everything works."""

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Box:
    """Of points, for Jacobi3D."""
    cells: str
    blocks: str
    iterations: int  # so many that the first ones, which prepare devices and connections, do not matter


@dataclass(frozen=True)
class Leveled:
    """A cube of points on each device, in blocks whose steps the host takes and in such whose device takes them."""
    edge: int  # points, of the cube
    blocks: int  # a device
    box: Box
    warm_up: int  # iterations, of those of the box
    limit: Optional[float]  # us an iteration, when the device takes them


@dataclass(frozen=True)
class Scale:
    device: str  # for --device
    devices: int
    sizes: tuple  # bytes of payloads
    mpi_sizes: tuple  # of messages of MPI programs
    hop_sizes: tuple  # of those between a producing and a consuming kernel
    awaited: int  # streams that one PE awaits, each of which runs a kernel meanwhile
    milliseconds: int  # of each point
    first: int  # iterations of Jacobi3D that are told apart from later ones
    cut: tuple  # (blocks a device, Box): 256^3 points on each of two devices
    leveled: tuple  # on all devices
    two_devices: Box  # 256^3 points on each
    half_each: Box  # 512^3 points on two
    one_device: Box  # 256^3 points in 8 blocks
    large: Box  # 1,024^3 points in one block

    @property
    def is_emulated(self):
        return self.device == "host"


BLOCKS = {1: 1, 8: 2, 64: 4}  # a device, and along each axis of its cube
LIMITS_ON_TWO = {64: (5, 6, 6), 128: (13, 14, 14), 256: (96, 98, 104)}  # us, by edge; for each of BLOCKS
NO_LIMITS = (None,) * len(BLOCKS)


def limits_of(edge, devices):
    return LIMITS_ON_TWO.get(edge, NO_LIMITS) if devices == 2 else NO_LIMITS


def leveled(devices, edges, iterations, warm_up):
    """`iterations`: a function of the edge. Targets are of two devices."""
    return tuple(Leveled(edge, blocks, Box(f"{edge * devices}x{edge}x{edge}", f"{along * devices}x{along}x{along}",
                                           iterations(edge)), warm_up, limit)
                 for edge in edges for (blocks, along), limit in zip(BLOCKS.items(), limits_of(edge, devices)))


def on_devices(devices):
    sizes = (8, 64, 4 << 10, 64 << 10, 1 << 20, 4 << 20, 64 << 20, 256 << 20)
    cells = "512x256x256"
    cut = ((1, Box(cells, "2x1x1", 4_000)), (8, Box(cells, "4x2x2", 4_000)), (16, Box(cells, "4x4x2", 2_000)),
           (64, Box(cells, "8x4x4", 500)))
    return Scale("cuda", devices, sizes, (8, 4 << 10, 64 << 10, 4 << 20), (8, 4 << 10, 128 << 10, 1 << 20), 16, 60, 100,
                 cut, leveled(devices, (64, 128, 256), lambda edge: 256_000 // edge, 100),
                 Box("512x256x256", "4x2x2", 10_000), Box("512", "4x2x2", 3_000), Box("256", "2x2x2", 10_000), Box("1024", "1x1x1", 200))


def emulated():
    cut = tuple((blocks, Box("64x32x32", cuts, 10)) for blocks, cuts in ((1, "2x1x1"), (8, "4x2x2"), (16, "4x4x2")))
    return Scale("host", 2, (8, 64, 4 << 10, 64 << 10, 1 << 20), (8, 4 << 20), (8, 4 << 10), 4, 3, 5, cut,
                 leveled(2, (8,), lambda edge: 10, 2), Box("64x32x32", "4x2x2", 20),
                 Box("64", "4x2x2", 20), Box("32", "2x2x2", 20), Box("64", "1x1x1", 20))
