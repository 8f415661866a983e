# SPDX-License-Identifier: Apache-2.0
"""A simulation, event by event, of how a run of many PEs starts, reaches all of them and comes back, and finds out that
nothing is under way. What a step costs was measured (Costs); what is assumed is said in ASSUMED."""

import heapq
from dataclasses import dataclass, replace
from functools import partial

import fits

LINK_S = 2e-6
BELOW_A_DAEMON = 16
MEETINGS = 2  # of all processes before main begins: PmixBootstrap's first, with the secret, and that with the contacts
TARGETS = {"start": 5.0, "tree": 100e-6}
ASSUMED = (
    f"a message between hosts is {LINK_S * 1e6:g} us longer under way than its sender and receiver are busy with it, "
    "and keeps them as busy as one between two processes of a host does; links are never full",
    "each PE has a core and looks for messages all the time, or, where it says so, sleeps until the broadcast comes; "
    "nothing else is under way, so that quiescence takes two waves",
    "each host has a daemon that starts its processes as kaonrun does, all hosts at once, and gives contacts as fast; "
    f"daemons are a tree with {BELOW_A_DAEMON} below each, and at each of {MEETINGS} meetings take for each below "
    "them, up and down, what kaonrun takes in all for a process. Starting the daemons themselves, and the bytes of "
    "contacts on the links, are not in it",
)


@dataclass(frozen=True)
class Edge:
    """What a message costs from one PE to another, in seconds."""
    send: float
    receive: float
    latency: float
    step: float  # more at the receiver, for the work of a broadcast or reduction
    wave: float  # the same of quiescence
    wake: float  # longer under way to a PE that sleeps


@dataclass(frozen=True)
class Costs:
    memory: Edge  # within a process
    shared: Edge  # between processes of a host
    network: Edge
    launch: float  # of kaonrun, one process after the other
    serve: float  # of kaonrun's processor time, in all, for a process
    begin: fits.Line  # of a process, by its PEs, until it has begun
    connect: float  # of a PE, at its first message to another one
    contact: float  # bytes of each PE

    @staticmethod
    def of(record):
        pair = {name: edge_of(found) for name, found in record["pairs"].items()}
        shared = pair["between processes"]
        runs = {int(processes): found for processes, found in record["runs"].items()}
        begin = fits.line([(int(pes), ms / 1e3) for pes, ms in record["starts"].items()])
        least = runs[min(runs)]  # with more processes than cores it waits the longer, the more there are
        connect = least["a first send to a PE of another process"] / 1e6
        network = replace(shared, latency=LINK_S)
        return Costs(pair["within a process"], shared, network, slope(runs, "launch"),
                     slope(runs, "processor time of kaonrun"), begin, connect,
                     least["contact of a PE"])


def slope(runs, case):
    """Seconds that each further process takes, of what was measured in milliseconds."""
    return fits.line([(processes, found[case]) for processes, found in runs.items()]).b / 1e3


def edge_of(found):
    """Of two PEs. The receiver is busy no longer than what lies between two messages there; what is left of the way is
    latency; what is left of a broadcast and reduction, or of two waves, is theirs."""
    send, gap, way = (found[case] / 1e6 for case in ("a send", "between two at the receiver", "one way"))
    receive = min(gap, way - send)
    step, wave = found["broadcast and reduction"] / 2e6 - way, found["quiescence"] / 4e6 - way
    wake = found["one way to a PE that sleeps"] / 1e6 - way
    return Edge(send, receive, way - send - receive, max(step, 0), max(wave, 0), max(wake, 0))


@dataclass(frozen=True)
class Layout:
    """Hosts of so many PEs, in so many processes. The tree is that of runtime/pe/spanning_tree.hpp, rooted at PE 0."""
    name: str
    host_pes: int
    processes: int  # of a host

    def children(self, pe, pes):
        host, place = divmod(pe, self.host_pes)
        if place == 0:
            yield from range((4 * host + 1) * self.host_pes, min(pes, (4 * host + 5) * self.host_pes), self.host_pes)
        end = min(self.host_pes, pes - host * self.host_pes)
        yield from (host * self.host_pes + below for below in range(4 * place + 1, min(end, 4 * place + 5)))

    def edge(self, costs, one, other):
        if one // self.host_pes != other // self.host_pes:
            return costs.network
        size = self.host_pes // self.processes
        return costs.memory if one // size == other // size else costs.shared


LAYOUTS = (Layout("a process of 64 PEs on each host", 64, 1), Layout("64 processes of a PE on each host", 64, 64))


class Wave:
    """Once down the tree and up again. A PE does one thing after the other, as they come."""

    def __init__(self, costs, layout, pes, extra, connect=0.0, sleep=False):
        self.costs, self.layout, self.extra, self.connect, self.sleep = costs, layout, extra, connect, sleep
        self.below = [list(layout.children(pe, pes)) for pe in range(pes)]
        self.above = [0] * pes
        for pe, children in enumerate(self.below):
            for child in children:
                self.above[child] = pe
        self.missing = [len(children) for children in self.below]
        self.free = [0.0] * pes
        self.depth = [0] * pes
        self.events = []
        self.reached = self.ended = 0.0
        self.messages = 0

    def run(self):
        self.go_down(0, 0.0)
        while self.events:
            time, pe, sender, is_down = heapq.heappop(self.events)
            edge = self.layout.edge(self.costs, sender, pe)
            now = max(time, self.free[pe]) + edge.receive + getattr(edge, self.extra)
            if is_down:
                self.reached = max(self.reached, now)
                self.depth[pe] = self.depth[sender] + 1
                self.go_down(pe, now)
            else:
                self.missing[pe] -= 1
                self.go_up(pe, now)
        return self

    def go_down(self, pe, now):
        for child in self.below[pe]:
            now = self.send(pe, child, now, True)
        self.go_up(pe, now)

    def go_up(self, pe, now):
        self.free[pe] = now
        if self.missing[pe] > 0:
            return
        if pe == 0:
            self.ended = now
        else:
            self.free[pe] = self.send(pe, self.above[pe], now, False)

    def send(self, sender, receiver, now, is_down):
        edge = self.layout.edge(self.costs, sender, receiver)
        now += edge.send + (self.connect if edge is not self.costs.memory else 0)
        latency = edge.latency + (edge.wake if is_down and self.sleep else 0)
        heapq.heappush(self.events, (now + latency, receiver, sender, is_down))
        self.messages += 1
        return now


def start_of_host(costs, processes, pes, cores):
    """Until the processes of one host have begun: kaonrun starts one after the other, each takes a core when one is
    free, for its PEs one after the other, as UCX makes their workers; then kaonrun has heard of all."""
    free = [0.0] * cores
    last = 0.0
    for process in range(processes):
        begin = max((process + 1) * costs.launch, heapq.heappop(free))
        end = begin + costs.begin.at(pes)
        heapq.heappush(free, end)
        last = max(last, end)
    return last + max(costs.serve - costs.launch, 0) * processes


def start(costs, layout, pes):
    """Until a first message has been everywhere and an answer has come back from all."""
    hosts = -(-pes // layout.host_pes)
    exchange, reach = 0.0, 1
    while reach < hosts:  # up the tree of daemons, and down again
        exchange += MEETINGS * 2 * (min(BELOW_A_DAEMON, hosts - reach) * costs.serve + LINK_S)
        reach *= BELOW_A_DAEMON
    here = start_of_host(costs, layout.processes, layout.host_pes // layout.processes, layout.host_pes)
    return here + exchange + Wave(costs, layout, pes, "step", costs.connect).run().ended


@dataclass(frozen=True)
class Outcome:
    pes: int
    start: float
    down: float
    tree: float
    woken: float  # as tree, of PEs that sleep
    quiescence: float
    messages: int
    steps: int


def simulate(costs, layout, pes):
    tree = Wave(costs, layout, pes, "step").run()
    woken = Wave(costs, layout, pes, "step", sleep=True).run().ended
    waves = 2 * Wave(costs, layout, pes, "wave").run().ended
    return Outcome(pes, start(costs, layout, pes), tree.reached, tree.ended, woken, waves, tree.messages,
                   2 * max(tree.depth))


def sizes(most):
    """Whole hosts of 64 PEs, four times as many from each to the next, the last no fewer than `most`."""
    found = [64 * 4**power for power in range(20) if 64 * 4**power < most]
    return [*found, -(-most // 64) * 64]


def simulate_all(costs, most):
    """By layout, the outcomes."""
    return {layout.name: list(map(partial(simulate, costs, layout), sizes(most))) for layout in LAYOUTS}
