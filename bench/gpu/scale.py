# SPDX-License-Identifier: Apache-2.0
"""How much is measured: all of it on devices, little on the emulation, which only shows that everything works."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """Of points, for Jacobi3D."""
    cells: str
    blocks: str
    iterations: int  # so many that the first ones, which prepare devices and connections, do not matter


@dataclass(frozen=True)
class Scale:
    device: str  # for --device
    devices: int
    sizes: tuple  # bytes of payloads
    milliseconds: int  # of each point
    two_devices: Box  # 256^3 points on each
    half_each: Box  # 512^3 points on two
    one_device: Box  # 256^3 points in 8 blocks
    large: Box  # 1,024^3 points in one block

    @property
    def is_emulated(self):
        return self.device == "host"


def on_devices(devices):
    sizes = (8, 64, 4 << 10, 64 << 10, 1 << 20, 4 << 20, 64 << 20, 256 << 20)
    return Scale("cuda", devices, sizes, 60, Box("512x256x256", "4x2x2", 10_000), Box("512", "4x2x2", 3_000),
                 Box("256", "2x2x2", 10_000), Box("1024", "1x1x1", 200))


def emulated():
    return Scale("host", 2, (8, 64, 4 << 10, 64 << 10, 1 << 20), 3, Box("64x32x32", "4x2x2", 20),
                 Box("64", "4x2x2", 20), Box("32", "2x2x2", 20), Box("64", "1x1x1", 20))
