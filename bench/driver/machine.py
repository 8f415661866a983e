# SPDX-License-Identifier: Apache-2.0
"""What a result was measured on."""

import os
import re
import subprocess
from collections import Counter
from pathlib import Path


def processor():
    """As 'Intel(R) Xeon(R) Processor'; the family and model tell what a virtual machine leaves out of the name."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = {key: re.search(rf"^{key}\s*: (.*)$", text, re.MULTILINE) for key in ("model name", "cpu family", "model")}
    if found["model name"] is None:
        return os.uname().machine
    name = " ".join(found["model name"][1].split())
    if found["cpu family"] and found["model"]:
        name += f" (family {found['cpu family'][1]}, model {found['model'][1]})"
    return name


def cores():
    return len(os.sched_getaffinity(0))


def devices():
    """As '2 x NVIDIA H200'; empty where nothing tells."""
    try:
        said = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    return ", ".join(f"{count} x {name}" for name, count in Counter(said.split("\n")).items() if name)


def about():
    """For each row of a result."""
    return {"machine": f"{processor()}, {cores()} cores"}
