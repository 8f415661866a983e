// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "kaon/gpu/puts/put_engine.hpp"
#include "kaon/gpu/puts/put_engine.kernels.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// The prepared copies of a list of puts, and the kernel of one block that starts them. The device's watches keep it
/// until the kernel and all copies have ended.
class DevicePutEngine final : public PutEngine {
 public:
  /// `user` waits until all is prepared.
  DevicePutEngine(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options, Stream& user);

  const PutRing* ring() const override { return has_kernel() ? &kernel_.ring : nullptr; }
  const PutStarts* starts() const override { return has_kernel() ? nullptr : &kernel_.starts; }

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return is_ending_ && !has_ended_; }
  bool is_running() const override { return !has_ended_; }

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
  /// True if a kernel takes requests from the ring.
  bool has_kernel() const { return started_by() == PutsStartedBy::device; }
  const void* kernel_of_words() const;
  void prepare();
  void launch();
  void finish() override;

  const PreparedPutsOptions options_;
  Stream stream_;  // of the kernel
  Buffer<PutCopy> copies_;
  Buffer<std::uint32_t> last_;
  Buffer<std::uint32_t> sent_;  // of each put, if that is told
  Buffer<Quad> slots_;
  Buffer<std::uint32_t> words_;
  Pinned<PutReport> report_;
  PutEngineKernel kernel_;
  OwnedCopies prepared_;  // the last one is the kernel, on devices of a vendor
  StreamWatcher::OwnedEvent behind_launch_;
  Position launched_;
};

}  // namespace kaon::gpu
