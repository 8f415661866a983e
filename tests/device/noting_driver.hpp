// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/error.hpp"

namespace kaon::testing {

/// The requests that a driver got, and the answers that a test changes.
struct DriverNotes {
  std::set<int> used;                   // devices that were started
  std::set<std::pair<int, int>> peers;  // that were let reach each other
  std::map<int, std::string> unusable;  // devices that cannot be used, and why
  std::size_t looks = 0;                // at events
  std::size_t made_current = 0;
  std::size_t held = 0;          // pieces of device memory
  std::size_t exports = 0;       // of them
  bool exports_nothing = false;  // other processes cannot map any
  std::size_t imports = 0;       // that were tried
  std::size_t closed = 0;        // of them
  bool writes_words = true;
  std::size_t words = 0;            // that were written
  int processors = 0;               // that each device says it has; 0: as it does
  std::size_t copies = 0;           // that streams were given
  std::size_t prepared_copies = 0;  // that kernels start
  std::string why_no_started_copies;
  bool refuses_records = false;  // a fault of the device: nothing more can be recorded
};

/// Passes all on to another driver, and notes it.
class NotingDriver final : public gpu::Driver {
 public:
  NotingDriver(std::unique_ptr<gpu::Driver> driver, DriverNotes& notes) : driver_(std::move(driver)), notes_(notes) {}

  gpu::Backend backend() const override { return driver_->backend(); }
  int devices() const override { return driver_->devices(); }
  gpu::DeviceDescription describe(int device) const override {
    gpu::DeviceDescription description = driver_->describe(device);
    if (notes_.processors > 0) description.processors = notes_.processors;
    return description;
  }
  std::string why_unusable(int device) const override {
    const auto found = notes_.unusable.find(device);
    return found != notes_.unusable.end() ? found->second : driver_->why_unusable(device);
  }
  void use(int device) override {
    notes_.used.insert(device);
    driver_->use(device);
  }
  void make_current(int device) override {
    ++notes_.made_current;
    driver_->make_current(device);
  }
  bool enable_peer(int device, int peer) override {
    notes_.peers.emplace(device, peer);
    return driver_->enable_peer(device, peer);
  }
  void* allocate(int device, std::size_t bytes) override {
    void* const memory = driver_->allocate(device, bytes);
    notes_.held += memory != nullptr;
    return memory;
  }
  void free(int device, void* memory) noexcept override {
    --notes_.held;
    driver_->free(device, memory);
  }
  void* allocate_pinned(std::size_t bytes) override { return driver_->allocate_pinned(bytes); }
  void free_pinned(void* memory) noexcept override { driver_->free_pinned(memory); }
  bool pin(void* memory, std::size_t bytes) override { return driver_->pin(memory, bytes); }
  void unpin(void* memory) noexcept override { driver_->unpin(memory); }
  gpu::Classification classify(const void* pointer) override { return driver_->classify(pointer); }
  std::uint64_t allocation_at(const void* pointer) override { return driver_->allocation_at(pointer); }
  std::vector<std::byte> export_memory(int device, void* memory) override {
    if (notes_.exports_nothing) return {};
    ++notes_.exports;
    return driver_->export_memory(device, memory);
  }
  std::optional<gpu::ImportedMemory> import_memory(int device, std::span<const std::byte> exported) override {
    ++notes_.imports;
    return driver_->import_memory(device, exported);
  }
  void close_imported(gpu::ImportedMemory memory) noexcept override {
    ++notes_.closed;
    driver_->close_imported(memory);
  }
  std::string identity(int device) const override { return driver_->identity(device); }
  void poison(void* memory, std::size_t bytes, gpu::NativeStream stream) override {
    driver_->poison(memory, bytes, stream);
  }
  gpu::NativeStream make_stream(int device, gpu::StreamPriority priority) override {
    return driver_->make_stream(device, priority);
  }
  void destroy(gpu::NativeStream stream) noexcept override { driver_->destroy(stream); }
  void copy(void* to, const void* from, std::size_t bytes, gpu::NativeStream stream) override {
    ++notes_.copies;
    driver_->copy(to, from, bytes, stream);
  }
  void fill(void* to, int byte, std::size_t bytes, gpu::NativeStream stream) override {
    driver_->fill(to, byte, bytes, stream);
  }
  void call(void (*function)(void*), void* argument, gpu::NativeStream stream) override {
    driver_->call(function, argument, stream);
  }
  bool is_capturing(gpu::NativeStream stream) override { return driver_->is_capturing(stream); }
  gpu::NativeEvent make_event(int device) override { return driver_->make_event(device); }
  gpu::NativeEvent make_timed_event(int device) override { return driver_->make_timed_event(device); }
  double seconds_between(gpu::NativeEvent begin, gpu::NativeEvent end) override {
    return driver_->seconds_between(begin, end);
  }
  void destroy_event(gpu::NativeEvent event) noexcept override { driver_->destroy_event(event); }
  void record(gpu::NativeEvent event, gpu::NativeStream stream) override {
    if (notes_.refuses_records) throw gpu::GpuError("cannot record an event: made by the test");
    driver_->record(event, stream);
  }
  bool is_reached(gpu::NativeEvent event) override {
    ++notes_.looks;
    return driver_->is_reached(event);
  }
  void wait(gpu::NativeStream stream, gpu::NativeEvent event) override { driver_->wait(stream, event); }
  bool can_write_words(int device) override { return notes_.writes_words && driver_->can_write_words(device); }
  void write_word(std::uint64_t* word, std::uint64_t value, gpu::NativeStream stream) override {
    ++notes_.words;
    driver_->write_word(word, value, stream);
  }
  void write_flag(std::uint32_t* word, std::uint32_t value, gpu::NativeStream stream) override {
    driver_->write_flag(word, value, stream);
  }
  void wait_flag(const std::uint32_t* word, std::uint32_t k, gpu::NativeStream stream) override {
    driver_->wait_flag(word, k, stream);
  }
  std::string why_no_started_copies(int device) const override {
    return notes_.why_no_started_copies.empty() ? driver_->why_no_started_copies(device) : notes_.why_no_started_copies;
  }
  gpu::NativeCopy prepare_copy(int device, const gpu::StartedCopy& copy, gpu::NativeStream stream) override {
    ++notes_.prepared_copies;
    return driver_->prepare_copy(device, copy, stream);
  }
  gpu::CopyRooms& copy_rooms() override { return driver_->copy_rooms(); }
  void make_copy_room(int device, std::size_t count, const gpu::StartedCopy& like, gpu::NativeStream stream) override {
    driver_->make_copy_room(device, count, like, stream);
  }
  void destroy_copy(gpu::NativeCopy copy) noexcept override {
    --notes_.prepared_copies;
    driver_->destroy_copy(copy);
  }
  bool advance() override { return driver_->advance(); }
  bool is_stepped() const override { return driver_->is_stepped(); }

 private:
  std::unique_ptr<gpu::Driver> driver_;
  DriverNotes& notes_;
};

}  // namespace kaon::testing
