// SPDX-License-Identifier: Apache-2.0
// A sender that asks ready() before each message, and a receiver that is slower: how much memory of either process
// grows meanwhile.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"
#include "bench/programs/resident.hpp"

namespace flood {

using kaon::bench::Clock;

struct Done {
  int taken;
};

class Receiver : public kaon::Chare<Receiver> {
 public:
  void take(std::vector<std::byte> message, double work_us) {
    if (message.empty()) throw std::logic_error("an empty message came");
    const auto start = Clock::now();
    while (kaon::bench::seconds_between(start, Clock::now()) * 1e6 < work_us) {
    }
    ++taken_;
  }
  int taken() const { return taken_; }
  std::int64_t most_resident_bytes() const { return kaon::bench::status_bytes("VmHWM"); }

 private:
  int taken_ = 0;
};

class Sender : public kaon::Chare<Sender> {
 public:
  kaon::Task<void> flood(kaon::Element<Receiver> to, int messages, std::uint64_t bytes, double work_us) {
    for (int i = 0; i < messages; ++i) {
      co_await to.ready();
      std::vector<std::byte> message(bytes, std::byte{1});
      to.send<&Receiver::take>(std::move(message), work_us);
    }
  }
};

struct Options {
  int messages = 100'000;
  std::uint64_t bytes = 1024;
  double work_us = 20;
};

struct Growth {
  double sender_mib = 0, receiver_mib = 0, seconds = 0;
};

double mib_between(std::int64_t before, std::int64_t after) {
  return static_cast<double>(after - before) / static_cast<double>(1 << 20);
}

kaon::Task<Growth> growth_of(kaon::Runtime& runtime, const Options& options) {
  const kaon::Group<Receiver> receivers = co_await runtime.create_group<Receiver>();
  const kaon::Group<Sender> senders = co_await runtime.create_group<Sender>();
  const kaon::Element<Receiver> near = receivers[0], far = receivers[static_cast<int>(runtime.pes()) - 1];
  const std::int64_t near_before = co_await near.call<&Receiver::most_resident_bytes>();
  const std::int64_t far_before = co_await far.call<&Receiver::most_resident_bytes>();
  const auto start = Clock::now();
  co_await senders[0].call<&Sender::flood>(far, options.messages, options.bytes, options.work_us);
  co_await runtime.quiescence();
  Growth growth;
  growth.seconds = kaon::bench::seconds_between(start, Clock::now());
  growth.sender_mib = mib_between(near_before, co_await near.call<&Receiver::most_resident_bytes>());
  growth.receiver_mib = mib_between(far_before, co_await far.call<&Receiver::most_resident_bytes>());
  const int taken = co_await far.call<&Receiver::taken>();
  if (taken != options.messages) throw std::logic_error(fmt::format("{} of {} messages came", taken, options.messages));
  co_return growth;
}

kaon::Task<int> flood(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app("Growth of memory while a sender that asks ready() floods a slow receiver");
  app.number("--messages", options.messages, 1, 100'000'000);
  app.number("--bytes", options.bytes, 1, std::uint64_t{1} << 30, "of a message");
  app.number("--work-us", options.work_us, 0.0, 1e6, "of the receiver for each");
  if (const auto code = app.parse(std::move(arguments))) co_return *code;
  const Growth growth = co_await growth_of(runtime, options);
  kaon::bench::print_measurement("sender grows", growth.sender_mib, "MiB");
  kaon::bench::print_measurement("receiver grows", growth.receiver_mib, "MiB");
  const double work_s = options.messages * options.work_us / 1e6;
  if (work_s > 0) kaon::bench::print_measurement("time over the work alone", growth.seconds / work_s, "x");
  co_return 0;
}

}  // namespace flood

int main(int argc, char** argv) { return kaon::run(argc, argv, flood::flood); }
