// SPDX-License-Identifier: Apache-2.0
// Credits that come back when messages have run, which wait for payloads, which wait for streams that have much to do.
#include <cstddef>
#include <utility>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/mixed_node.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::slow_streams {

constexpr int kPayloads = 12;  // from each to its partner
// In integers. The large one, a credit for each MiB, must do with those that there are.
std::size_t size_of(int number) { return number == 5 ? 850'000 : 3000; }
constexpr int kWorkBetween = 40;

class Node : public Chare<Node> {
 public:
  /// Never waits: what has no credit waits with the sender.
  void flood() {
    for (int number = 0; number < kPayloads; ++number) {
      for (int work = 0; work < kWorkBetween; ++work) stream_.fill(scratch_.span(), work);
      const auto partner = array()[array().shape().x - 1 - index().x];
      if (number % 2 == 0)
        partner.send<&Node::take>(number, made_on(stream_, size_of(number), number));
      else
        partner.send<&Node::take_landed>(number, made_on(stream_, size_of(number), number));
    }
  }
  Task<> take(int number, Payload<int> values) { return check(number, std::move(values)); }
  Task<> take_landed(int number, Payload<int> values) { return check(number, std::move(values)); }
  /// On the stream that is behind with this node's own flood.
  Landing post(PostFor<&Node::take_landed>, int, const Payload<int>& values) {
    landings_.emplace_back(values.size(), stream_);
    return Landing::into(landings_.back().span(), stream_);
  }
  int good() const { return good_; }

 private:
  Task<> check(int number, Payload<int> values) {
    const bool is_good = co_await is_right(stream_, std::move(values), size_of(number), number);
    good_ += is_good;
  }
  gpu::Stream stream_;
  gpu::Buffer<int> scratch_{1, stream_};
  std::vector<gpu::Buffer<int>> landings_;
  int good_ = 0;
};

Task<> flood_each_other(Runtime& runtime) {
  const auto nodes = co_await runtime.create<Node>(2 * static_cast<int>(runtime.pes()));
  nodes.broadcast<&Node::flood>();
  co_await runtime.quiescence();
  const int good = co_await nodes.call_all<&Node::good>(kaon::sum);
  CHECK(good == kPayloads * nodes.shape().x);
}

TEST_CASE("floods of device payloads with few credits and slow streams end in both directions", "[device][traffic]") {
  for (const int credits : {2, 5}) {
    INFO(credits << " credits");
    run_on_devices(with(&Options::credits, credits), slow_streams::flood_each_other);
  }
}

}  // namespace kaon::testing::slow_streams
