// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "kaon/gpu/puts/copy_room.hpp"
#include "kaon/gpu/puts/put_engine.hpp"
#include "kaon/gpu/puts/put_engine.kernels.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

/// The prepared copies of a list of puts, and the kernel of one block that starts them. The device's watches keep it
/// until the kernel and all copies have ended, and the driver has destroyed the copies.
class DevicePutEngine final : public PutEngine {
 public:
  /// `user` waits until all is prepared.
  /// `room`: of room_for().
  DevicePutEngine(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options, Stream& user,
                  CopyRoom room);
  /// Room for the copies of a list and for the kernel that starts them: see CopyRoom::take().
  static CopyRoom room_for(Device& device, std::span<const PutPlaces> puts, const PreparedPutsOptions& options,
                           Stream& user);

  const PutRing* ring() const override { return has_kernel() ? &kernel_.ring : nullptr; }
  const PutStarts* starts() const override { return has_kernel() ? nullptr : &kernel_.starts; }

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return is_ending_ && !has_ended_; }
  bool is_running() const override { return !has_ended_; }
  bool is_over() const override { return has_ended_ && prepared_.all.empty(); }

 private:
  struct OwnedCopies {
    explicit OwnedCopies(Driver& of) : driver(of) {}
    OwnedCopies(const OwnedCopies&) = delete;
    OwnedCopies& operator=(const OwnedCopies&) = delete;
    ~OwnedCopies() { destroy(); }
    void destroy() {
      for (const NativeCopy copy : all) driver.destroy_copy(copy);
      all.clear();
    }
    Driver& driver;
    std::vector<NativeCopy> all;
  };
  /// True if a kernel takes requests from the ring.
  bool has_kernel() const { return started_by() == PutsStartedBy::device; }
  void prepare();
  void launch();
  void finish() override;
  bool destroy_copies();

  const PreparedPutsOptions options_;
  CopyRoom room_;  // of prepared_, so before it
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
  unsigned looks_ = 0;  // since it has ended
};

}  // namespace kaon::gpu
