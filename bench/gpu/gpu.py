#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kaon on the GPUs of this machine, beside what the machine can do without it."""

import json
import os
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # nothing is written beside the sources
sys.path.append(str(Path(__file__).resolve().parent.parent / "driver"))

import baseline
import machine
import measuring
import programs
import protocols
import report
import scale
from naming import size_name
from sections import all_sections

DIRECT = "two processes direct"
FETCHED = 1 << 20  # bytes of a payload that its receiver's device reads where it lies, by default
RAW = "raw UCX"


def visible_devices():
    """Without asking the driver, which would take memory on each."""
    given = os.environ.get("CUDA_VISIBLE_DEVICES")
    if given is not None:
        return len([entry for entry in given.split(",") if entry.strip() not in ("", "-1")])
    return max(len(list(Path("/proc/driver/nvidia/gpus").glob("*"))), len(list(Path("/dev").glob("nvidia[0-9]*"))))


def run_round(section, its_programs):
    seen, has_failed = measuring.run_contenders(section, its_programs)
    return seen, has_failed, "not all of it worked" if has_failed else "done"


def say_protocols(where, by_size):
    for size, names in by_size.items():
        print(f"{where}, {size_name(size)}: UCX took {' and '.join(names)}")


def about(is_emulated):
    if is_emulated:
        return {**machine.about(), "emulated": True}
    return {"machine": machine.devices() or machine.about()["machine"], "emulated": False}


def as_json(results, direct, is_emulated):
    """As in other benchmarks; rows of direct payloads also tell the protocol, and all of them what ran them."""
    rows = json.loads(report.as_json(results, about(is_emulated)))
    cases = {f"{DIRECT} {size_name(size)} ": " and ".join(names) for size, names in direct.items()}
    for row in rows:
        row.update({"protocol": names for case, names in cases.items() if row["case"].startswith(case)})
    return json.dumps(rows, indent=1) + "\n"


def parse(arguments):
    parser = measuring.parser_of("bench_gpu", __doc__)
    parser.add_argument("--device", choices=("cuda", "host"), default="cuda",
                        help="host: on the emulation, which shows that everything works and no figures")
    measuring.add_baseline(parser)
    return parser, measuring.parse(parser, arguments)


def chosen_scale(parser, options):
    if options.device == "host":
        return scale.emulated()
    if options.list:
        return scale.on_devices(2)
    devices = visible_devices()
    if devices == 0:
        parser.error("this benchmark needs a GPU, and this machine shows none; --device host tries everything without "
                     "one, on an emulation")
    if devices == 1:
        measuring.say("one GPU: what needs two is left out")
    return scale.on_devices(devices)


def finish(results, wrong, failures, is_emulated):
    print("\n".join(["emulated: no figures of a device, and no target is judged", *baseline.lines_of_slower(results)])
          if is_emulated else report.summary(results))
    for sentence in wrong:
        measuring.say(sentence)
    measuring.tell_failures(failures)
    return 1 if failures or wrong else 0


def run(parser, options, its_scale, sections):
    file = measuring.open_json(parser, options)
    programs.TIMEOUT_S = 150  # large payloads through the host
    all_rounds, results, failures = measuring.measure(sections, measuring.find_programs(parser), options, run_round)
    direct = protocols.recorded(all_rounds, [size for size in its_scale.sizes if size > FETCHED], DIRECT)
    raw = protocols.recorded(all_rounds, its_scale.sizes, "raw")
    say_protocols(DIRECT, direct)
    say_protocols(RAW, raw)
    if file:
        with file:
            file.write(as_json(results, direct, its_scale.is_emulated))
    wrong = protocols.wrong(DIRECT, direct) + protocols.wrong(RAW, raw)
    return finish(results, wrong, failures, its_scale.is_emulated)


def main(arguments):
    parser, options = parse(arguments)
    its_scale = chosen_scale(parser, options)
    with tempfile.TemporaryDirectory() as work:
        sections = measuring.with_baseline(parser, options, all_sections(its_scale, work), not its_scale.is_emulated)
        sections = measuring.choose(parser, options, sections)
        if options.list:
            measuring.list_sections(sections)
            return 0
        return run(parser, options, its_scale, sections)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
