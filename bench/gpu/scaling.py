#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How Jacobi3D scales over the GPUs of this machine, beside a program written by hand: boxes that grow with the GPUs and
boxes that stay, cut into 1, 8 and 64 blocks a GPU, with a process for each GPU and with one for all."""

import sys
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.append(str(Path(__file__).resolve().parent.parent / "driver"))

import gpu
import measuring
import programs
import report
import scaling_sections

PROBLEMS = ((True, 256), (False, 512), (True, 1024), (False, 1024))


@dataclass(frozen=True)
class Scaling:
    device: str  # for --device
    problems: tuple  # (whether the box grows, edge)
    effort: scaling_sections.Effort

    @property
    def is_emulated(self):
        return self.device == "host"


def counts_of(devices):
    """1, 2, 4... up to all of them."""
    counts = [1]
    while counts[-1] * 2 <= devices:
        counts.append(counts[-1] * 2)
    return tuple(counts)


def parse(arguments):
    parser = measuring.parser_of("bench_scaling", __doc__)
    parser.add_argument("--device", choices=("cuda", "host"), default="cuda",
                        help="host: on the emulation, which shows that everything works and no figures")
    parser.add_argument("--devices", type=int, help="so many at most (default: all that are visible)")
    return parser, measuring.parse(parser, arguments)


def chosen(parser, options):
    """What is measured, and on which counts of devices."""
    if options.device == "host":
        return Scaling("host", ((True, 16), (False, 16)), scaling_sections.EMULATED), counts_of(options.devices or 2)
    there = gpu.visible_devices() or (2 if options.list else 0)
    if there == 0:
        parser.error("this benchmark needs GPUs, and this machine shows none; --device host tries everything without "
                     "one, on an emulation")
    return Scaling("cuda", PROBLEMS, scaling_sections.ON_DEVICES), counts_of(min(there, options.devices or there))


def main(arguments):
    parser, options = parse(arguments)
    scale, counts = chosen(parser, options)
    sections = measuring.choose(parser, options, scaling_sections.all_sections(scale, counts))
    if options.list:
        measuring.list_sections(sections)
        return 0
    file = measuring.open_json(parser, options)
    programs.TIMEOUT_S = 120
    its_programs = measuring.find_programs(parser)
    _, results, failures = measuring.measure(sections, its_programs, options, gpu.run_round)
    if file:
        with file:
            file.write(report.as_json(results, gpu.about(scale.is_emulated)))
    return gpu.finish(results, [], failures, scale.is_emulated)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
