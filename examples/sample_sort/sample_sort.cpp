// SPDX-License-Identifier: Apache-2.0
// Sorts keys that are spread over the parts of an array: each part sorts its own, a sample of all says where to cut,
// and what belongs to other parts goes there as payloads. Held against one sort of all keys.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/sample_sort/keys.hpp"

namespace sample_sort {

struct Outcome {
  std::uint64_t digest = 0, count = 0, most = 0;
  bool is_sorted = true;
};

struct Combined {
  Outcome operator()(const Outcome& a, const Outcome& b) const {
    return {a.digest + b.digest, a.count + b.count, std::max(a.most, b.most), a.is_sorted && b.is_sorted};
  }
};

class Part : public kaon::Chare<Part> {
 public:
  kaon::Inbox<kaon::Payload<Key>> shares;  // what others have of this part's keys, sorted
  kaon::Inbox<Key> neighbor;               // the last key of the part before, or of one before that has any

  Part(const Input& input, int oversampling) : oversampling_(oversampling) {
    const auto first = input.first_of(index().x, parts()), end = input.first_of(index().x + 1, parts());
    for (auto number = first; number < end; ++number) keys_.push_back(input.key(number));
  }

  kaon::Task<> sort() {
    std::sort(keys_.begin(), keys_.end());
    const Keys sample = co_await contribute(kaon::concatenate, sample_of_own());
    send_shares(splitters_of(sample));
    keys_.clear();
    for (int i = 0; i < parts(); ++i) {
      const kaon::Payload<Key> share = co_await shares.next();
      const auto middle = static_cast<std::ptrdiff_t>(keys_.size());
      keys_.insert(keys_.end(), share.view().begin(), share.view().end());
      std::inplace_merge(keys_.begin(), keys_.begin() + middle, keys_.end());
    }
  }

  /// What this part has come to: its place in the whole is behind all keys of the parts before.
  kaon::Task<Outcome> look() {
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(parts()));
    const auto here = static_cast<std::size_t>(index().x);
    counts[here] = keys_.size();
    counts = co_await contribute(kaon::sum, std::move(counts));
    const Key before = here == 0 ? 0 : co_await neighbor.next();
    if (here + 1 < counts.size()) array()[index().x + 1].send<&Part::neighbor>(keys_.empty() ? before : keys_.back());
    const auto place = std::accumulate(counts.begin(), counts.begin() + index().x, std::uint64_t{0});
    const bool is_sorted = std::is_sorted(keys_.begin(), keys_.end()) && (keys_.empty() || before <= keys_.front());
    co_return Outcome{digest(keys_, place), keys_.size(), keys_.size(), is_sorted};
  }

 private:
  int parts() const { return array().shape().x; }

  Keys sample_of_own() const {
    Keys sample;
    const auto size = static_cast<std::size_t>(oversampling_);
    for (std::size_t i = 0; i < size && !keys_.empty(); ++i)
      sample.push_back(keys_[(2 * i + 1) * keys_.size() / (2 * size)]);
    return sample;
  }
  /// Parts agree, as all have the same sample.
  Keys splitters_of(Keys sample) const {
    std::sort(sample.begin(), sample.end());
    Keys splitters;
    const auto count = static_cast<std::size_t>(parts());
    for (std::size_t i = 1; i < count; ++i) splitters.push_back(sample.empty() ? 0 : sample[i * sample.size() / count]);
    return splitters;
  }
  void send_shares(const Keys& splitters) {
    const auto places = cuts(keys_, splitters);
    for (int step = 0; step < parts(); ++step) {
      const int to = (index().x + step) % parts();  // not all to the same one at first
      const auto cut = places.begin() + to;
      array()[to].send<&Part::shares>(kaon::Payload<Key>(Keys(keys_.begin() + static_cast<std::ptrdiff_t>(cut[0]),
                                                              keys_.begin() + static_cast<std::ptrdiff_t>(cut[1]))));
    }
  }

  int oversampling_;
  Keys keys_;
};

std::uint64_t expected_digest(const Input& input) {
  Keys keys;
  for (std::uint64_t number = 0; number < input.count; ++number) keys.push_back(input.key(number));
  std::sort(keys.begin(), keys.end());
  return digest(keys, 0);
}

struct Options {
  Input input;
  int parts_per_pe = 4;
  int oversampling = 32;
};

kaon::Task<int> sort_all(kaon::Runtime& runtime, Options options) {
  const int count = options.parts_per_pe * static_cast<int>(runtime.pes());
  const auto parts = co_await runtime.create<Part>(count, options.input, options.oversampling);
  const auto start = std::chrono::steady_clock::now();
  co_await parts.call_all_and_wait<&Part::sort>();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Outcome outcome = co_await parts.call_all<&Part::look>(Combined{});
  const double mean = static_cast<double>(options.input.count) / count;
  std::printf("%llu keys in %d parts on %u PEs: %.3f s, %.1f million a second, largest part %.2f of the mean\n",
              static_cast<unsigned long long>(outcome.count), count, runtime.pes(), seconds,
              static_cast<double>(outcome.count) / seconds / 1e6, static_cast<double>(outcome.most) / mean);
  const bool is_same = outcome.count == options.input.count && outcome.digest == expected_digest(options.input);
  if (!outcome.is_sorted) std::printf("wrong: the keys are in no order\n");
  if (!is_same) std::printf("wrong: one sort of all keys gives others\n");
  co_return outcome.is_sorted&& is_same ? 0 : 1;
}

kaon::Task<int> sample_sort_main(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  CLI::App app("Sorts keys that are spread over the parts of an array by a sample of them.");
  app.add_option("--keys", options.input.count, "how many")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 32))
      ->capture_default_str();
  app.add_option("--seed", options.input.seed, "other keys for each")->capture_default_str();
  app.add_option("--distribution", options.input.distribution, "uniform, skewed or equal")
      ->check(CLI::IsMember({"uniform", "skewed", "equal"}))
      ->capture_default_str();
  app.add_option("--parts", options.parts_per_pe, "of each PE")->check(CLI::Range(1, 10000))->capture_default_str();
  app.add_option("--oversampling", options.oversampling, "keys that each part gives to the sample")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  co_return co_await sort_all(runtime, options);
}

}  // namespace sample_sort

int main(int argc, char** argv) { return kaon::run(argc, argv, sample_sort::sample_sort_main); }
