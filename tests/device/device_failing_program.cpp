// SPDX-License-Identifier: Apache-2.0
// Misuses devices in the way that its argument names; with `wait`, `later` and `keep` it sends for ever,
// until it is ended.
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kaon/gpu.hpp>
#include <kaon/kaon.hpp>

#include "kaon/gpu/platform/device_payloads.hpp"

namespace failing_device {

constexpr std::size_t kSize = 100'000;

class Victim : public kaon::Chare<Victim> {
 public:
  using Rule = std::function<kaon::Landing(Victim&, std::size_t)>;
  /// What the post rule does, by the program's argument.
  static const std::map<std::string, Rule>& rules() {
    static const std::map<std::string, Rule> all{
        {"too-small", [](Victim& victim, std::size_t size) { return victim.landing(size - 1); }},
        {"host-landing", [](Victim& victim, std::size_t size) { return victim.host_landing(size); }},
        {"host-span", [](Victim& victim, std::size_t size) { return victim.host_span(size); }},
        {"unknown", [](Victim& victim, std::size_t size) { return victim.unknown(size); }},
        {"freed", [](Victim& victim, std::size_t size) { return victim.freed(size); }},
        {"other-device", [](Victim& victim, std::size_t size) { return victim.of_another(size); }},
        {"later", [](Victim&, std::size_t) { return kaon::Landing::later(); }}};
    return all;
  }

  void take(const std::string& how, kaon::Payload<int> values) {
    if (++taken_ == 3) say_ready();
    if (how == "host-view") std::printf("%d\n", values.view()[0]);
    if (how == "later" || how == "keep") kept_.push_back(std::move(values));
  }
  kaon::Landing post(kaon::PostFor<&Victim::take>, const std::string& how, const kaon::Payload<int>& values) {
    const auto rule = rules().find(how);
    return rule != rules().end() ? rule->second(*this, values.size()) : kaon::Landing::pooled();
  }
  void take_host(const std::string&, kaon::Payload<int> values) { (void)values.view(stream_); }
  kaon::Landing post(kaon::PostFor<&Victim::take_host>, const std::string& how, const kaon::Payload<int>& values) {
    return how == "device-span" ? device_span(values.size()) : kaon::Landing::pooled();
  }

  void give(const std::string& how) {
    kaon::gpu::Buffer<int> buffer(kSize, stream_);
    stream_.fill(buffer.span(), 1);
    other().send<&Victim::take>(how, kaon::Payload<int>(std::move(buffer), stream_));
  }
  void give_host(const std::string& how) {
    other().send<&Victim::take_host>(how, kaon::Payload<int>(std::vector<int>(kSize)));
  }
  void register_host() {
    std::vector<int> memory(kSize);
    const kaon::gpu::Registration registration(memory.data(), memory.size() * sizeof(int));
  }
  void take_all_memory() {
    std::vector<kaon::gpu::Buffer<int>> buffers;
    for (int i = 0; i < 1000; ++i) buffers.emplace_back(kSize, stream_);
  }
  void forget_registration() {
    kaon::gpu::Buffer<int> memory(kSize, stream_);
    const kaon::gpu::Registration registration(memory.data(), memory.size_bytes());
    other().send<&Victim::take>("later", kaon::Payload<int>(registration.part<int>(0, kSize), stream_));
  }
  /// Has memory that others look for.
  void show_memory() {
    shown_ = kaon::gpu::Buffer<int>(kSize, stream_);
    place_of_shown_ = shown_.data();
  }
  kaon::Task<> give_for_ever(std::string how) {
    constexpr int kMost =
        2000;  // of those that nobody fetches: less than the device's memory, however late the end comes
    for (int given = 0;; ++given) {
      if (given < kMost) give(how);
      co_await other().ready();
      co_await kaon::this_runtime().sleep_for(std::chrono::milliseconds(1));
    }
  }

 private:
  static void say_ready() {
    std::printf("ready %d pid %d\n", kaon::this_runtime().process(), static_cast<int>(getpid()));
    std::fflush(stdout);
  }
  kaon::Element<Victim> other() { return array()[array().shape().x - 1 - index().x]; }
  kaon::Landing landing(std::size_t size) {
    shown_ = kaon::gpu::Buffer<int>(size, stream_);
    return kaon::Landing::into(shown_.span(), stream_);
  }
  kaon::Landing host_landing(std::size_t size) {
    host_.resize(size);
    return kaon::Landing::into(std::span<int>(host_));
  }
  kaon::Landing host_span(std::size_t size) {
    host_.resize(size);
    return kaon::Landing::into(kaon::gpu::Span<int>(host_.data(), size), stream_);
  }
  kaon::Landing device_span(std::size_t size) {
    shown_ = kaon::gpu::Buffer<int>(size, stream_);
    return kaon::Landing::into(std::span<int>(shown_.data(), size));
  }
  kaon::Landing unknown(std::size_t size) {
    auto& driver = kaon::gpu::this_device().driver();
    auto* memory = static_cast<int*>(driver.allocate(kaon::gpu::this_device().number(), size * sizeof(int)));
    return kaon::Landing::into(kaon::gpu::Span<int>(memory, size), stream_);
  }
  kaon::Landing freed(std::size_t size) {
    const kaon::gpu::Span<int> span = kaon::gpu::Buffer<int>(size, stream_).span();
    return kaon::Landing::into(span, stream_);
  }
  kaon::Landing of_another(std::size_t size) {
    return kaon::Landing::into(kaon::gpu::Span<int>(place_of_shown_, size), stream_);
  }
  static inline int* place_of_shown_ = nullptr;  // of PE 0; PE 1 looks after it was written

  int taken_ = 0;
  kaon::gpu::Stream stream_;
  kaon::gpu::Buffer<int> shown_;
  std::vector<int> host_;
  std::vector<kaon::Payload<int>> kept_;
};

kaon::Task<int> fail(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  const std::string how = arguments.at(0);
  const auto victims = co_await runtime.create_group<Victim>();
  const int last = static_cast<int>(runtime.pes()) - 1;
  if (how == "end") co_return 0;
  if (how == "host-payload" || how == "device-span") victims[0].send<&Victim::give_host>(how);
  if (how == "host-registration") victims[last].send<&Victim::register_host>();
  if (how == "memory") victims[last].send<&Victim::take_all_memory>();
  if (how == "registration-ends") victims[0].send<&Victim::forget_registration>();
  if (how == "other-device") {
    victims[0].send<&Victim::show_memory>();
    co_await runtime.quiescence();
  }
  if (how == "wait" || how == "later") {
    victims.broadcast<&Victim::give_for_ever>(how);
  } else if (how == "keep") {
    victims[0].send<&Victim::give_for_ever>(how);
  } else {
    victims[0].send<&Victim::give>(how);
  }
  if (how == "end-with-later") {
    for (int i = 0; i < 20; ++i) victims[i % (last + 1)].send<&Victim::give>("later");
    co_return 0;
  }
  co_await runtime.sleep_for(std::chrono::minutes(5));
  co_return 0;
}

}  // namespace failing_device

int main(int argc, char** argv) { return kaon::run(argc, argv, failing_device::fail, kaon::with_devices); }
