// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "kaon/gpu/device/shared_mapping.hpp"

namespace kaon::gpu {

/// Where other processes of the host find a flag of SharedFlags.
struct SharedFlagPlace {
  SharedMapping::Address page;
  std::uint32_t number = 0;  // in the page
  template <class Archive>
  void pup(Archive& archive) {
    archive(page, number);
  }
};

/// Flags in memory of the host for those who wait there, hosts and streams, raised by streams of any process of the
/// host. They stay to the end of the run, as do those of others that were opened. Any thread.
class SharedFlags {
 public:
  explicit SharedFlags(Driver& driver) : driver_(driver) {}
  SharedFlags(const SharedFlags&) = delete;
  SharedFlags& operator=(const SharedFlags&) = delete;

  /// One that is 0. Throws OutOfMemory.
  SharedFlagPlace take();
  /// Nobody raises it any more.
  void give_back(const SharedFlagPlace& place);
  /// The flag's address in this process. Throws UsageError for a flag that the process may not reach.
  std::uint32_t* open(const SharedFlagPlace& place);

 private:
  static constexpr std::size_t kLine = 64, kFlags = 1024;  // of a page; so that no two share a line of the cache
  SharedMapping& page_of(SharedMapping::Address address);

  Driver& driver_;
  std::mutex lock_;                                    // guards all below
  std::vector<std::unique_ptr<SharedMapping>> pages_;  // ours and those of others
  SharedMapping* newest_ = nullptr;                    // of ours
  std::uint32_t taken_ = 0;                            // of the newest
  std::vector<SharedFlagPlace> free_;
};

}  // namespace kaon::gpu
