// SPDX-License-Identifier: Apache-2.0
#include "tests/device/mixed_node.hpp"

#include <numeric>
#include <utility>

#include "tests/device/pattern_kernels.hpp"

namespace kaon::testing {

Payload<int> made_on(gpu::Stream& stream, std::size_t size, int seed) {
  gpu::Buffer<int> buffer(size, stream);
  stream.launch({{2}, {32}}, WritePattern{buffer.data(), size, seed});
  return Payload<int>(std::move(buffer), stream);
}

Task<bool> is_right(gpu::Stream& stream, Payload<int> payload, std::size_t size, int seed) {
  if (payload.size() != size) co_return false;
  gpu::Pinned<int> values(size, stream);
  stream.copy(values, payload.view(stream));
  payload = {};
  co_await stream.drained();
  for (std::size_t i = 0; i < size; ++i)
    if (values[i] != seed + static_cast<int>(i)) co_return false;
  co_return true;
}

namespace {

// Of the eight, two lie in the memory of the host.
bool is_on_host(std::size_t which) { return which % 4 == 3; }

Payload<int> made(gpu::Stream& stream, std::size_t which, std::size_t size, int seed) {
  if (!is_on_host(which)) return made_on(stream, size, seed);
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), seed);
  return Payload<int>(std::move(values));
}

int seed_of(int seed, std::size_t which) { return seed * 100 + static_cast<int>(which); }

}  // namespace

void MixedNode::give(Element<MixedNode> to, Sizes sizes, int seed) {
  const auto payload = [&](std::size_t which) { return made(stream_, which, sizes[which], seed_of(seed, which)); };
  to.send<&MixedNode::take>(sizes, seed, payload(0), payload(1), payload(2), payload(3), payload(4), payload(5),
                            payload(6), payload(7));
}

// Landed, pooled, later and host memory by turns.
std::array<Landing, MixedNode::kPayloads> MixedNode::post(PostFor<&MixedNode::take>, const Sizes& sizes, int, const P&,
                                                          const P&, const P&, const P&, const P&, const P&, const P&,
                                                          const P&) {
  std::array<Landing, kPayloads> landings;
  for (std::size_t i = 0; i < kPayloads; ++i) {
    if (i % 4 == 0) {
      landings_.emplace_back(sizes[i], stream_);
      landings[i] = Landing::into(landings_.back().span(), stream_);
    } else if (i % 4 == 2) {
      landings[i] = Landing::later();
    }
  }
  return landings;
}

Task<int> MixedNode::right(P& payload, std::size_t size, int seed) {
  if (payload.is_on_device()) co_return co_await is_right(stream_, std::move(payload), size, seed);
  const auto values = payload.view();
  bool is_good = values.size() == size;
  for (std::size_t i = 0; i < values.size(); ++i) is_good &= values[i] == seed + static_cast<int>(i);
  co_return is_good;
}

Task<> MixedNode::take(Sizes sizes, int seed, P a, P b, P c, P d, P e, P f, P g, P h) {
  const std::array<P*, kPayloads> payloads{&a, &b, &c, &d, &e, &f, &g, &h};
  for (std::size_t i = kPayloads; i-- > 0;) {  // the last first: later ones are fetched in another order
    if (!payloads[i]->is_here()) {
      if (seed % 3 == 2 && i == 2) continue;  // nobody wants it
      co_await land(*payloads[i], Landing::pooled());
    }
    const int is_good = co_await right(*payloads[i], sizes[i], seed_of(seed, i));
    good_ += is_good;
  }
  ++taken_;
}

}  // namespace kaon::testing
