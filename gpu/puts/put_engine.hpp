// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/puts/put.hpp"
#include "kaon/gpu/puts/put_engine.kernels.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// How a list of puts is prepared.
struct PreparedPutsOptions {
  /// Prepared copies of each put. A device refuses to start one again for some microseconds after its end, so that with
  /// one a put that is started again at once comes later.
  std::uint32_t copies_of_each = 2;
  /// Requests that the ring holds; a power of two.
  std::uint32_t ring = 1024;
  /// False: no kernel of one block takes requests, and a kernel of the program starts the copies itself.
  bool has_engine = true;
};

/// The prepared copies of a list of puts, and the kernel of one block that starts them. The device's watches keep it
/// until the kernel and all copies have ended.
class PutEngine final : public DeviceWatch {
 public:
  /// `user` waits until all is prepared.
  PutEngine(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options, Stream& user);
  PutEngine(const PutEngine&) = delete;
  PutEngine& operator=(const PutEngine&) = delete;

  /// Whether a kernel takes requests from the ring.
  bool has_kernel() const { return options_.has_engine; }
  const PutRing& ring() const { return kernel_.ring; }
  const PutStarts& starts() const { return kernel_.starts; }

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return is_stopped_ && !has_ended_; }
  bool is_over() const override { return has_ended_; }
  bool is_running() const override { return !has_ended_; }
  /// Lets it end when all is copied that the ring holds.
  void stop() override;

 private:
  struct OwnedCopies {
    explicit OwnedCopies(Driver& of) : driver(of) {}
    OwnedCopies(const OwnedCopies&) = delete;
    OwnedCopies& operator=(const OwnedCopies&) = delete;
    ~OwnedCopies() {
      for (const NativeCopy copy : all) driver.destroy_copy(copy);
    }
    Driver& driver;
    std::vector<NativeCopy> all;
  };
  const void* kernel_of_words() const;
  void prepare();
  void launch();
  void keep_memory_until_end() noexcept;
  void keep_block_until_end(const void* memory, std::size_t bytes) noexcept;
  void look_for_fault();

  Device& device_;
  const PreparedPutsOptions options_;
  const std::vector<PutPlaces> puts_;
  Stream stream_;  // of the kernel
  Buffer<PutCopy> copies_;
  Buffer<std::uint32_t> last_;
  Buffer<Quad> slots_;
  Buffer<std::uint32_t> words_;
  Pinned<PutReport> report_;
  PutEngineKernel kernel_;
  OwnedCopies prepared_;  // the last one is the kernel, on devices of a vendor
  StreamWatcher::OwnedEvent behind_launch_;
  Position launched_;
  bool is_stopped_ = false;
  bool has_ended_ = false;
  bool has_failed_ = false;
};

}  // namespace kaon::gpu
