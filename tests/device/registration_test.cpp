// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/registration.hpp"

#include <optional>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::registrations {

constexpr std::size_t kBytes = 4000;

/// An action on a PE that has two devices' memory at hand.
template <class Action>
void on_a_pe(Action action) {
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  settings.devices = 2;
  DeviceScene scene(settings);
  scene.network().on(0, [&](Pe&) { action(scene.device(0)); });
}

std::string refusal(void* memory, std::size_t bytes) {
  return thrown<UsageError>([&] { const gpu::Registration registration(memory, bytes); });
}

/// Registered memory that another PE looks at, and that ends where it came from when the device has a fault.
class Lender : public Chare<Lender> {
 public:
  void lend(Element<Lender> to) { to.send<&Lender::look>(self(), Payload<int>(whole_.part<int>(0, kInts), stream_)); }
  void look(Element<Lender> from, Payload<int> payload) {
    static_cast<void>(payload.view(stream_));
    from.send<&Lender::drop>(std::move(payload));
  }
  void drop(Payload<int>) { notes.refuses_records = true; }
  static inline DriverNotes notes;

 private:
  static constexpr std::size_t kInts = 1000;
  gpu::Stream stream_;
  gpu::Buffer<int> memory_{kInts, stream_};
  gpu::Registration whole_{memory_.data(), memory_.size_bytes()};
};

Task<> lend_and_fail(Runtime& runtime) {
  const auto lenders = co_await runtime.create_group<Lender>();
  lenders[0].send<&Lender::lend>(lenders[1]);
  co_await runtime.quiescence();
}

TEST_CASE("a registration is one allocation of the PE's device, or part of it", "[device][registration]") {
  on_a_pe([](gpu::Device& device) {
    auto* memory = static_cast<std::byte*>(device.driver().allocate(0, kBytes));
    CHECK(refusal(memory, kBytes).empty());
    CHECK(refusal(memory + 1000, kBytes - 1000).empty());
    CHECK(has(refusal(memory, kBytes + 1), "the allocation ends 1 bytes earlier"));
    CHECK(has(refusal(memory + 1000, kBytes), "the allocation ends 1000 bytes earlier"));
  });
}

TEST_CASE("memory of the host and of other devices is refused", "[device][registration]") {
  on_a_pe([](gpu::Device& device) {
    std::byte on_host[100];
    CHECK(has(refusal(on_host, sizeof on_host), "memory of the host"));
    CHECK(has(refusal(nullptr, 100), "did its allocation fail?"));
    CHECK(has(refusal(device.driver().allocate_pinned(kBytes), kBytes), "memory of the host"));
    CHECK(has(refusal(device.driver().allocate(1, kBytes), kBytes), "on device 1, this PE uses device 0"));
  });
}

TEST_CASE("a part lies inside its registration and is aligned", "[device][registration]") {
  on_a_pe([](gpu::Device& device) {
    void* memory = device.driver().allocate(0, kBytes);
    const gpu::Registration registration(memory, kBytes);
    const auto part = [&](std::size_t offset, std::size_t count) {
      return thrown<UsageError>([&] { (void)registration.part<int>(offset, count); });
    };
    CHECK(part(0, 1000).empty());
    CHECK(part(4000, 0).empty());
    CHECK(has(part(0, 1001), "outside the registered 4000"));
    CHECK(has(part(4, 1000), "outside the registered 4000"));
    CHECK(has(part(4001, 0), "outside"));
    CHECK(has(part(~std::size_t{3}, 2), "outside"));
    CHECK(has(part(2, 1), "not aligned"));
    CHECK(registration.span<int>(400, 10).data() == static_cast<int*>(memory) + 100);
    CHECK(registration.staged_because().empty());
  });
}

TEST_CASE("memory is known while it is registered", "[device][registration]") {
  on_a_pe([](gpu::Device& device) {
    void* memory = device.driver().allocate(0, kBytes);
    std::optional<gpu::Registration> registration(std::in_place, memory, kBytes);
    CHECK(device.regions().find(memory) != nullptr);
    registration.reset();
    CHECK(device.regions().find(memory) == nullptr);
  });
}

TEST_CASE("buffers beside one that is registered stay known", "[device][registration]") {
  on_a_pe([](gpu::Device& device) {
    gpu::Stream stream;
    const gpu::Buffer<int> first(1000, stream), second(1000, stream);
    const gpu::Registration registration(first.data(), 4000);
    CHECK(device.regions().find(second.data()) != nullptr);
    CHECK(device.regions().find(first.data()) != device.regions().find(second.data()));
  });
}

TEST_CASE("a fault at the end of a payload in registered memory is told as any other", "[device][registration]") {
  Lender::notes = {};
  DeviceSceneSettings settings;
  settings.shape = {1, 2};
  settings.notes = &Lender::notes;
  DeviceScene scene(settings);
  CHECK(has(thrown<gpu::GpuError>([&] { scene.run(lend_and_fail); }), "cannot record an event: made by the test"));
  Lender::notes.refuses_records = false;  // the end of the scene waits for what its streams were given
}

}  // namespace kaon::testing::registrations
