// SPDX-License-Identifier: Apache-2.0
// A flood into a PE that is slower than its sender, in so little memory that the run ends with an error if the sender
// does not wait: what is sent is several times that memory. One kind a run: small, large, payloads, mixed, through.
#include <malloc.h>
#include <sys/resource.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "tests/support/sanitizers.hpp"

namespace floods {

// Sanitizers map and keep memory of their own: with them this is traffic alone, and less of it.
constexpr bool kHasLimit = !kaon::testing::kHasAddressSanitizer && !kaon::testing::kHasThreadSanitizer;
constexpr int kLess = kHasLimit ? 1 : 20;
constexpr std::size_t kRoomMib = 112;
constexpr std::size_t kLarge = std::size_t{1} << 20;
constexpr std::size_t kMedium = 100'000;

using Small = std::array<char, 1000>;
using Bytes = std::vector<char>;

/// From now on this process gets so much more memory and not a page beyond.
void limit_memory() {
  static const bool is_done = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * 4096 + (kRoomMib << 20);
    const rlimit limit{most, most};
    if (setrlimit(RLIMIT_AS, &limit) != 0) throw std::system_error(errno, std::generic_category(), "setrlimit");
    return true;
  }();
  (void)is_done;
}

class Node : public kaon::Chare<Node> {
 public:
  int limit() {
    if (kHasLimit) limit_memory();
    return 1;
  }
  void take_small(Small values) { read(values); }
  void take_vector(const Bytes& values) { read(values); }
  void take_payload(kaon::Payload<char> values) { read(values.view()); }
  kaon::Task<> pass_on(kaon::Element<Node> to, Bytes values) {
    co_await to.ready();
    to.send<&Node::take_vector>(std::move(values));
  }

  kaon::Task<> flood(kaon::Element<Node> to, std::string kind, int count) {
    const kaon::Element<Node> next = array()[index().x + 1];
    for (int i = 0; i < count; ++i) {
      co_await (kind == "through" ? next : to).ready();
      if (kind == "small")
        to.send<&Node::take_small>(Small{});
      else if (kind == "large")
        to.send<&Node::take_vector>(Bytes(kLarge));
      else if (kind == "payloads")
        to.send<&Node::take_payload>(kaon::Payload<char>(Bytes(kLarge)));
      else if (kind == "mixed")
        to.send<&Node::take_vector>(Bytes(i % 2 == 0 ? 8 : kLarge));
      else
        next.send<&Node::pass_on>(to, Bytes(kMedium));
    }
  }
  int taken() { return std::exchange(taken_, 0); }

 private:
  /// Slower than those who write.
  template <class Range>
  void read(const Range& values) {
    for (const char value : values) hash_ = (hash_ ^ static_cast<unsigned char>(value)) * 0x100000001b3;
    ++taken_;
  }
  std::uint64_t hash_ = 0xcbf29ce484222325;
  int taken_ = 0;
};

int messages_of(const std::string& kind) {
  if (kind == "small") return 400'000;
  if (kind == "through") return 4000;
  return kind == "mixed" ? 800 : 400;
}

kaon::Task<int> run_flood(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string kind = arguments.at(0);
  const auto nodes = co_await runtime.create<Node>(static_cast<int>(runtime.pes()));
  const auto last = nodes[nodes.shape().x - 1];
  int missing = 0;
  for (const bool is_limited : {false, true}) {  // connections, and what they need, come before the limit
    if (is_limited) co_await nodes.call_all<&Node::limit>(kaon::sum);
    const int count = is_limited ? messages_of(kind) / kLess : 4;
    co_await nodes[0].call<&Node::flood>(last, kind, count);
    co_await runtime.quiescence();
    const int taken = co_await last.call<&Node::taken>();
    std::printf("%s: %d of %d\n", kind.c_str(), taken, count);
    missing += count - taken;
  }
  co_return missing == 0 ? 0 : 1;
}

}  // namespace floods

int main(int argc, char** argv) {
  mallopt(M_MMAP_THRESHOLD, 64 << 10);  // so that what is free is not kept
  return kaon::run(argc, argv, floods::run_flood);
}
