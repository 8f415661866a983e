#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Messages between two hosts over TCP, beside UCX's own program: `./dev bench hosts`.

The hosts are network namespaces of this machine, joined by a pair of virtual interfaces, as in tests/launchers: root
makes them. In each round every contender runs once, in an order of its own; times are one way, a round trip's half.
Each process has a core of its own, which has to be said: each host believes that it has them all.
"""
import argparse
import contextlib
import csv
import io
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("KAON_BUILD", ROOT / "build/release"))
UCX = ROOT / ".deps/ucx-wheel/libucx"
INTERFACE = "kaon0"
ADDRESSES = ("10.99.8.1", "10.99.8.2")
PORT = 13337
SIZES = {8: "8 B", 1 << 20: "1 MiB"}
LIFE = "mount -t sysfs sysfs /sys && mount -t tmpfs tmpfs /dev/shm && ip link set lo up && echo up && exec cat"


class Host:
    """A namespace that lives as long as the object."""

    def __init__(self):
        self.life = subprocess.Popen(
            ["unshare", "--net", "--uts", "--ipc", "--mount", "--propagation", "private", "sh", "-c", LIFE],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.life.stdout.readline() != "up\n":
            sys.exit("hosts are made by root, where the system lets him")

    def words(self, command):
        return ["nsenter", "-t", str(self.life.pid), "-n", "-u", "-i", "-m", "--", *map(str, command)]

    def run(self, *command, **settings):
        return subprocess.run(self.words(command), check=True, capture_output=True, text=True, timeout=120, **settings)

    def end(self):
        self.life.kill()
        self.life.wait()


def wait_until(is_there, what):
    until = time.monotonic() + 20
    while not is_there():
        if time.monotonic() > until:
            sys.exit(f"{what} is not there after 20 s")


@contextlib.contextmanager
def two_hosts():
    hosts = []
    try:
        hosts += [Host(), Host()]
        first, second = (str(host.life.pid) for host in hosts)
        subprocess.run(["ip", "link", "add", INTERFACE, "netns", first, "type", "veth", "peer", "name", INTERFACE,
                        "netns", second], check=True)
        for number, host in enumerate(hosts):
            host.run("hostname", f"kaon-host{number}")
            host.run("ip", "address", "add", f"{ADDRESSES[number]}/24", "dev", INTERFACE)
            host.run("ip", "link", "set", INTERFACE, "up")
        wait_until(lambda: all("state UP" in host.run("ip", "link", "show", INTERFACE).stdout for host in hosts),
                   "the wire between the hosts")
        yield hosts
    finally:
        for host in hosts:
            host.end()


def by_ucx(hosts, size):
    """Microseconds one way of ucx_perftest with tags, which is one process on each host."""
    env = {**os.environ, "UCX_TLS": "tcp,self", "UCX_NET_DEVICES": INTERFACE,
           "LD_LIBRARY_PATH": f"{UCX}/lib:{UCX}/lib/ucx"}
    test = [UCX / "bin/ucx_perftest", "-t", "tag_lat", "-s", size, "-n", 20000 if size < 1024 else 400, "-w", 200, "-f",
            "-v", "-p", PORT]
    server = subprocess.Popen(hosts[0].words(["taskset", "-c", 0, *test]), env=env, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: f":{PORT:04X} " in hosts[0].run("cat", "/proc/net/tcp").stdout, "ucx_perftest")
        done = hosts[1].run("taskset", "-c", 1, *test, ADDRESSES[0], env=env)
    finally:
        server.kill()
        server.wait()
    return float(next(csv.DictReader(io.StringIO(done.stdout.strip())))["avg_lat"])


def by_kaon(hosts, agent):
    """By kind of message, microseconds one way."""
    program = ["sh", "-c", 'exec taskset -c "$OMPI_COMM_WORLD_RANK" "$0" "$@"', BUILD / "bench/pingpong",
               "--sizes", ",".join(map(str, SIZES)), "--pes", 1, "--interface", INTERFACE]
    done = hosts[0].run("mpirun.openmpi", "--allow-run-as-root", "--bind-to", "none",
                        "--mca", "plm_rsh_agent", agent, "--mca", "oob_tcp_if_include", INTERFACE,
                        "--host", f"{ADDRESSES[0]}:1,{ADDRESSES[1]}:1", "-n", 2, *program)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["case"]: line["value"] for line in lines}


def measure(hosts, agent, rounds):
    """By contender, the values of all rounds."""
    found = {}
    for _ in range(rounds):
        contenders = ["kaon", *SIZES]
        for who in random.sample(contenders, len(contenders)):
            values = by_kaon(hosts, agent) if who == "kaon" else {f"ucx {SIZES[who]}": by_ucx(hosts, who)}
            for name, value in values.items():
                found.setdefault(name, []).append(value)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=11)
    options = parser.parse_args()
    for tool in ("unshare", "nsenter", "taskset", "ip", "mpirun.openmpi"):
        if shutil.which(tool) is None:
            sys.exit(f"this bench needs {tool}")
    subprocess.run(["ninja", "-C", str(BUILD), "bench/pingpong"], check=True, stdout=subprocess.DEVNULL)
    with two_hosts() as hosts, tempfile.TemporaryDirectory() as folder:
        agent = pathlib.Path(folder) / "agent"
        agent.write_text(f"#!/bin/sh\nshift\nexec nsenter -t {hosts[1].life.pid} -n -u -i -m -- sh -c \"$*\"\n")
        agent.chmod(0o700)
        found = measure(hosts, agent, options.rounds)
    print("| one way between two hosts | us | interval |")
    print("| --- | --- | --- |")
    for name, values in found.items():
        print(f"| {name} | {statistics.median(values):.1f} | {min(values):.1f} to {max(values):.1f} |")


if __name__ == "__main__":
    main()
