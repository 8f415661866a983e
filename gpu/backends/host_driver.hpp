// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/backends/copy_rooms.hpp"
#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/host_engine.hpp"
#include "kaon/gpu/backends/host_imports.hpp"
#include "kaon/gpu/backends/host_memory.hpp"

namespace kaon::gpu {

/// The emulation of devices by ordinary memory and threads. All devices reach each other's memory, and the processor
/// reaches theirs: a program that touches device memory from the host runs here and fails on a GPU.
class HostDriver final : public Driver {
 public:
  explicit HostDriver(const HostSettings& settings);

  Backend backend() const override { return Backend::host; }
  int devices() const override { return settings_.devices; }
  DeviceDescription describe(int device) const override;
  std::string why_unusable(int) const override { return {}; }
  void use(int device) override;
  void make_current(int device) override { check_device(device); }
  bool enable_peer(int device, int peer) override;

  void* allocate(int device, std::size_t bytes) override;
  void free(int device, void* memory) noexcept override;
  void* allocate_pinned(std::size_t bytes) override;
  void free_pinned(void* memory) noexcept override;
  bool pin(void*, std::size_t) override { return true; }  // threads copy any memory
  void unpin(void*) noexcept override;
  Classification classify(const void* pointer) override;
  std::uint64_t allocation_at(const void* pointer) override;
  std::vector<std::byte> export_memory(int device, void* memory) override;
  std::optional<ImportedMemory> import_memory(int device, std::span<const std::byte> exported) override;
  void close_imported(ImportedMemory memory) noexcept override;
  std::string identity(int device) const override;
  void poison(void* memory, std::size_t bytes, NativeStream stream) override;

  NativeStream make_stream(int device, StreamPriority priority) override;
  void destroy(NativeStream stream) noexcept override;
  void copy(void* to, const void* from, std::size_t bytes, NativeStream stream) override;
  void fill(void* to, int byte, std::size_t bytes, NativeStream stream) override;
  void call(void (*function)(void*), void* argument, NativeStream stream) override;

  bool is_capturing(NativeStream stream) override;

  NativeEvent make_event(int device) override;
  NativeEvent make_timed_event(int device) override { return make_event(device); }
  void destroy_event(NativeEvent event) noexcept override;
  double seconds_between(NativeEvent begin, NativeEvent end) override;
  void record(NativeEvent event, NativeStream stream) override;
  bool is_reached(NativeEvent event) override;
  void wait(NativeStream stream, NativeEvent event) override;
  bool can_write_words(int) override { return true; }
  void write_word(std::uint64_t* word, std::uint64_t value, NativeStream stream) override;
  void write_flag(std::uint32_t* word, std::uint32_t value, NativeStream stream) override;
  void wait_flag(const std::uint32_t* word, std::uint32_t k, NativeStream stream) override;

  std::string why_no_started_copies(int device) const override;
  NativeCopy prepare_copy(int device, const StartedCopy& copy, NativeStream stream) override;
  void destroy_copy(NativeCopy copy) noexcept override;
  void make_copy_room(int device, std::size_t count, const StartedCopy& like, NativeStream stream) override;
  CopyRooms& copy_rooms() override { return copy_rooms_; }

  bool advance() override;
  bool is_stepped() const override { return settings_.seed != 0; }

 private:
  void check_device(int device) const;
  bool is_finished(int device) noexcept;

  const HostSettings settings_;
  const int number_;  // among those of the process
  HostMemory memory_;
  HostImports imports_;
  CopyRooms copy_rooms_;
  CopyRooms prepared_;  // by itself, as a driver does: beyond its room prepare_copy() waits
  HostEngine engine_;   // after the memory: its streams finish before that goes
};

}  // namespace kaon::gpu
