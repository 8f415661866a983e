// SPDX-License-Identifier: Apache-2.0
#include "kaon/testing/network.hpp"

#include <algorithm>

#include "kaon/runtime/exchange/exchange.hpp"

namespace kaon::testing {

Options default_options() {
  const char* const name = "test";
  Options options = parse_command_line(1, &name).options;
  options.coalesce_us = 1e9;                            // what goes together must not depend on how fast the machine is
  options.helper_threads = 0;                           // all in one thread
  options.queue_limit_mib = Options().queue_limit_mib;  // nor on how much memory it has
  return options;
}

namespace {

Roster roster_of(const Network::Shape& shape) {
  if (shape.hosts.empty()) return {shape.processes, shape.pes_per_process};
  return {shape.hosts, shape.pes_per_process};
}

}  // namespace

Network::Network(const Shape& shape, const Options& options, std::uint64_t seed) : random_(seed) {
  const EntryTable& entries = EntryTable::freeze();
  const Roster roster = roster_of(shape);
  for (int process = 0; process < roster.processes(); ++process)
    processes_.push_back(std::make_unique<Process>(options, entries, roster, process));
  for (PeId id = 0; id < pes(); ++id)
    on(id, [&](Pe& pe) {
      pe.timers().follow(&time_);
      pe.exchange().open(wire_);
    });
}

// Ports go while the processes of those who sent to them are still there.
Network::~Network() {
  for (auto& process : processes_) process->clear();
}

PeId Network::pes() const { return processes_.front()->total_pes(); }

Pe& Network::pe(PeId id) { return *processes_[static_cast<std::size_t>(roster().process_of(id))]->local(id); }

bool Network::run(PeId id, int most) {
  return on(id, [&](Pe& pe) { return pe.run_some(most); });
}

void Network::run_all() {
  for (bool any = true; any;) {
    any = false;
    for (PeId id = 0; id < pes(); ++id) any |= run(id);
  }
}

bool Network::step() {
  pass(kStep);
  if (random_() % 2 == 0 && wire_.deliver_random(random_, order_)) return true;
  return run(static_cast<PeId>(random_() % pes()), 1 + static_cast<int>(random_() % 8));
}

void Network::pass_to_next_timer() {
  Timers::Time next = Timers::Time::max();
  for (PeId id = 0; id < pes(); ++id) {
    const Timers& timers = pe(id).timers();
    if (!timers.empty()) next = std::min(next, timers.next());
  }
  if (next != Timers::Time::max()) time_ = std::max(time_, next);
}

bool Network::run_until(const std::function<bool()>& is_done, int most_steps) {
  const int many = 16 * static_cast<int>(pes());  // so that each PE has had its turn, more or less
  int idle = 0;
  for (int i = 0; i < most_steps; ++i) {
    if (is_done()) return true;
    idle = step() ? 0 : idle + 1;
    if (idle % many == many - 1) pass_to_next_timer();
  }
  return is_done();
}

bool Network::is_still() {
  for (PeId id = 0; id < pes(); ++id)
    if (run(id)) return false;
  return !wire_.deliver_random(random_, order_);
}

void Network::run_until_idle() {
  for (int calm = 0; calm < 2;) {
    for (int i = 0; i < 100; ++i) step();
    calm = is_still() ? calm + 1 : 0;
  }
}

}  // namespace kaon::testing
