// SPDX-License-Identifier: Apache-2.0
// Entries of a device that never end, that fail, or that wait for what nobody does, as the argument names it. With
// `peer` two PEs' devices are connected, each says "ready PROCESS pid PID", and they wait for each other for ever.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "tests/device/faulty.kernels.hpp"

namespace faulty {

using kaon::Task;
using kaon::testing::Machine;
namespace gpu = kaon::gpu;
using Machines = gpu::Resident<kaon::testing::MachineEntries>;

gpu::ResidentOptions options_for(const std::string& how) {
  gpu::ResidentOptions options;
  options.workers = 2;
  options.warp_blocks = 0;
  options.threads = 64;
  options.ring = 4;
  options.names_faults = how == "break-named";
  if (how.starts_with("spin")) options.entry_patience_s = 0.2;
  if (how == "await") options.flag_patience_s = 0.2;
  return options;
}

class Node : public kaon::Chare<Node> {
 public:
  Task<> begin(std::string how) {
    machines_ = std::make_unique<Machines>(options_for(how));
    const gpu::DeviceFlag never = co_await machines_->make_flag();
    machine_ = co_await machines_->make(Machine{{never.word(), 1, gpu::Scope::system}, {}});
    if (how == "spin" || how == "spin-full") machines_->send(machine_, kaon::testing::SpinForever{});
    if (how == "spin-alone") machines_->send(machine_, kaon::testing::SpinAlone{});
    for (int i = 0; how == "spin-full" && i < 100; ++i) machines_->send(machine_, kaon::testing::Idle{});
    if (how == "break" || how == "break-named") machines_->send(machine_, kaon::testing::Break{});
    if (how == "await") co_await machines_->call(machine_, kaon::testing::AwaitNever{});
    if (how == "peer") machines_->send(machine_, kaon::testing::AwaitNever{});
    if (how != "peer") co_await machines_->call(machine_, kaon::testing::Idle{});
  }
  Task<gpu::ResidentOffer> offer() {
    link_ = std::make_unique<gpu::ResidentLink>(co_await machines_->make_link());
    co_return link_->offer();
  }
  Task<> meet(gpu::ResidentOffer theirs) {
    (void)co_await machines_->connect(*link_, std::move(theirs));
    std::printf("ready %d pid %d\n", kaon::this_runtime().process(), static_cast<int>(getpid()));
    std::fflush(stdout);
    co_await machines_->call(machine_, kaon::testing::AwaitNever{});
  }

 private:
  std::unique_ptr<Machines> machines_;
  std::unique_ptr<gpu::ResidentLink> link_;
  gpu::DeviceObject<Machine> machine_;
};

Task<int> run(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string how = arguments.at(0);
  const int count = how == "peer" ? 2 : 1;
  const auto nodes = co_await runtime.create<Node>(count);
  for (int i = 0; i < count; ++i) co_await nodes[i].call<&Node::begin>(how);
  if (how != "peer") co_return 0;
  gpu::ResidentOffer one = co_await nodes[0].call<&Node::offer>();
  gpu::ResidentOffer other = co_await nodes[1].call<&Node::offer>();
  co_await kaon::all(nodes[0].call<&Node::meet>(std::move(other)), nodes[1].call<&Node::meet>(std::move(one)));
  co_return 0;
}

}  // namespace faulty

int main(int argc, char** argv) { return kaon::run(argc, argv, faulty::run, kaon::with_devices); }
