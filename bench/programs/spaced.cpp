// SPDX-License-Identifier: Apache-2.0
// How late messages of a long entry arrive: it sends, works, sends, works ... The receiver is on the last PE. Many
// short entries run before, after which a runtime may expect entries to be short. The clock is the same in all
// processes of a host.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "bench/programs/command_line.hpp"
#include "bench/programs/measurement.hpp"

namespace spaced {

using kaon::bench::Clock;

std::int64_t now_ns() { return Clock::now().time_since_epoch().count(); }

void work_for(double us) {
  const std::int64_t end = now_ns() + static_cast<std::int64_t>(us * 1e3);
  while (now_ns() < end) {
  }
}

class Receiver : public kaon::Chare<Receiver> {
 public:
  void take(int which, std::int64_t sent_at) { note(which, sent_at); }
  void take_payload(int which, std::int64_t sent_at, kaon::Payload<char>) { note(which, sent_at); }
  /// Microseconds from each send to its entry.
  std::vector<double> lateness() { return std::exchange(lateness_us_, {}); }

  /// Until told to rest: the PE has something to run and does not sleep.
  void stay_awake() {
    if (is_resting_) return;
    self().send<&Receiver::stay_awake>();
  }
  void rest(bool is_resting) { is_resting_ = is_resting; }

 private:
  void note(int which, std::int64_t sent_at) {
    const auto at = static_cast<std::size_t>(which);
    if (lateness_us_.size() <= at) lateness_us_.resize(at + 1);
    lateness_us_[at] = static_cast<double>(now_ns() - sent_at) / 1e3;
  }

  std::vector<double> lateness_us_;
  bool is_resting_ = true;
};

class Sender : public kaon::Chare<Sender> {
 public:
  void short_entry(int left) {
    if (left > 0) self().send<&Sender::short_entry>(left - 1);
  }
  void send_and_work(kaon::Element<Receiver> to, int sends, std::uint64_t bytes, double work_us) {
    for (int i = 0; i < sends; ++i) {
      if (bytes <= sizeof(std::int64_t)) {
        to.send<&Receiver::take>(i, now_ns());
      } else {
        auto payload = kaon::Payload<char>::uninitialized(bytes);
        std::fill_n(payload.view().data(), bytes, static_cast<char>(i));
        to.send<&Receiver::take_payload>(i, now_ns(), std::move(payload));
      }
      work_for(work_us);
    }
  }
};

struct Options {
  std::vector<std::uint64_t> sizes{8};
  std::vector<double> work_us{1000, 100};
  int sends = 20;
  int short_entries = 2000;
  int repetitions = 5;
};

double median_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Measured {
  std::vector<double> first, all;
};

struct Players {
  kaon::Element<Sender> sender;
  kaon::Element<Receiver> receiver;
};

kaon::Task<void> add_one(kaon::Runtime& runtime, Players players, const Options& options, std::uint64_t bytes,
                         double work_us, bool is_awake, Measured& measured) {
  co_await players.receiver.call<&Receiver::rest>(!is_awake);
  if (is_awake) players.receiver.send<&Receiver::stay_awake>();
  co_await players.sender.call<&Sender::short_entry>(options.short_entries);
  co_await players.sender.call<&Sender::send_and_work>(players.receiver, options.sends, bytes, work_us);
  co_await players.receiver.call<&Receiver::rest>(true);
  co_await runtime.quiescence();
  const std::vector<double> lateness = co_await players.receiver.call<&Receiver::lateness>();
  if (lateness.size() != static_cast<std::size_t>(options.sends)) throw std::logic_error("messages are missing");
  measured.first.push_back(lateness.front());
  measured.all.insert(measured.all.end(), lateness.begin(), lateness.end());
}

kaon::Task<int> spaced(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  kaon::bench::CommandLine app("How late the messages of a long entry arrive that sends and works in turns");
  app.number("--sizes", options.sizes, 1, std::uint64_t{1} << 32, "bytes: 8 in a number, more in payloads");
  app.number("--work-us", options.work_us, 0.0, 1e6, "after each send");
  app.number("--sends", options.sends, 1, 10000);
  app.number("--short-entries", options.short_entries, 0, 10'000'000, "before");
  app.number("--repetitions", options.repetitions, 1, 10000);
  if (const auto code = app.parse(std::move(arguments))) co_return *code;

  const kaon::Group<Receiver> receivers = co_await runtime.create_group<Receiver>();
  const kaon::Group<Sender> senders = co_await runtime.create_group<Sender>();
  const Players players{senders[0], receivers[static_cast<int>(runtime.pes()) - 1]};
  for (const std::uint64_t bytes : options.sizes)
    for (const double work_us : options.work_us)
      for (const bool is_awake : {false, true}) {
        Measured measured;
        co_await add_one(runtime, players, options, bytes, work_us, is_awake, measured);
        measured = {};  // the first was warm-up
        for (int i = 0; i < options.repetitions; ++i)
          co_await add_one(runtime, players, options, bytes, work_us, is_awake, measured);
        const std::string name = fmt::format("{} every {:g} us{}", kaon::bench::size_name(bytes), work_us,
                                             is_awake ? " to a PE that is awake" : "");
        kaon::bench::print_measurement(name + ", median", median_of(measured.all), "us");
        kaon::bench::print_measurement(name + ", first", median_of(measured.first), "us");
      }
  co_return 0;
}

}  // namespace spaced

int main(int argc, char** argv) { return kaon::run(argc, argv, spaced::spaced); }
