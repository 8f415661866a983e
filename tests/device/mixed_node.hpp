// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

namespace kaon::testing {

/// A payload that is being written on `stream`: values[i] = seed + i.
Payload<int> made_on(gpu::Stream& stream, std::size_t size, int seed);
/// True if the payload has these values. Reads them on `stream`; takes the payload.
Task<bool> is_right(gpu::Stream& stream, Payload<int> payload, std::size_t size, int seed);

/// Takes eight payloads at once, of many sizes, wherever its post rule puts them.
class MixedNode : public Chare<MixedNode> {
 public:
  static constexpr std::size_t kPayloads = 8;
  using Sizes = std::array<std::size_t, kPayloads>;
  using P = Payload<int>;

  Task<> take(Sizes sizes, int seed, P a, P b, P c, P d, P e, P f, P g, P h);
  std::array<Landing, kPayloads> post(PostFor<&MixedNode::take>, const Sizes& sizes, int seed, const P& a, const P& b,
                                      const P& c, const P& d, const P& e, const P& f, const P& g, const P& h);
  void give(Element<MixedNode> to, Sizes sizes, int seed);
  int good() const { return good_; }
  int taken() const { return taken_; }

 private:
  Task<int> right(P& payload, std::size_t size, int seed);

  gpu::Stream stream_;
  std::vector<gpu::Buffer<int>> landings_;
  int good_ = 0;
  int taken_ = 0;
};

}  // namespace kaon::testing
