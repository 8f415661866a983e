// SPDX-License-Identifier: Apache-2.0
// Device memory between chares, in every way, its contents checked on the device.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

namespace kaon::testing {

struct DeviceParcel {
  int step;
  int seed;
  kaon::Payload<int> values;
};

class DeviceNode : public kaon::Chare<DeviceNode> {
 public:
  kaon::Inbox<DeviceParcel, &DeviceParcel::step> pooled;
  kaon::Inbox<DeviceParcel, &DeviceParcel::step> landed{
      [this](const DeviceParcel& parcel) { return landing(parcel.step % 2, parcel.values.size()); }};
  kaon::Inbox<DeviceParcel, &DeviceParcel::step> later{[](const DeviceParcel&) { return kaon::Landing::later(); }};

  /// Sends to the partner and takes from it; returns how many payloads were right.
  kaon::Task<int> exchange(int rounds, std::size_t largest);

  /// Four payloads, of the device and of the host, with other arguments between them.
  void several(std::string text, kaon::Payload<int> first, int seed, kaon::Payload<int> on_host,
               kaon::Payload<int> second, kaon::Payload<int> third);
  std::array<kaon::Landing, 4> post(kaon::PostFor<&DeviceNode::several>, const std::string& text,
                                    const kaon::Payload<int>& first, int seed, const kaon::Payload<int>& on_host,
                                    const kaon::Payload<int>& second, const kaon::Payload<int>& third);
  kaon::Task<int> send_several(int times, std::size_t size);

  /// Sends from one buffer again and again, which is written when it is free.
  kaon::Task<int> reuse(int times, std::size_t size);

  /// Moves on, and sends a payload to where the next one was.
  void wander(int moves, kaon::Payload<int> values);

  kaon::Task<int> visits();

  kaon::Task<int> good();

  template <class Archive>
  void pup(Archive& archive) {
    archive(good_, pooled, landed, later);
  }

 private:
  kaon::Payload<int> made(std::size_t size, int seed);
  kaon::Landing landing(int which, std::size_t size);
  void check(kaon::gpu::Span<const int> values, int seed);
  kaon::Task<int> settled();
  int partner() { return array().shape().x - 1 - index().x; }

  kaon::gpu::Stream stream_;
  std::vector<kaon::gpu::Buffer<int>> landings_;
  kaon::gpu::Buffer<double> wrong_{1, stream_};
  int good_ = 0;
  int checks_ = 0;
};

}  // namespace kaon::testing
