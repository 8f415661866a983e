// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/device/completions.hpp"
#include "kaon/gpu/engines/shared_staging.hpp"
#include "kaon/runtime/work/activity.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::gpu {

/// Receives what a SharedSend sends: the device reads each piece where the sender's device wrote it, and the piece goes
/// back.
class SharedReceive final : public Activity {
 public:
  /// Ends itself; `done` is completed when all is there.
  static void start(Device& device, PeId from, std::uint32_t counter, PayloadRecord& record, Work& done);

  // --- of SharedStaging
  /// Says to the sender that the payload is wanted. False: it cannot be told yet.
  bool ask();

  SharedReceive(Device& device, PeId from, std::uint32_t counter, PayloadRecord& record, Work& done);

 private:
  static constexpr std::size_t kParts = 8;  // under way at a time
  struct Part : Work {
    SharedReceive* owner = nullptr;
    SharedPieces* pieces = nullptr;  // nullptr: idle
    std::size_t piece = 0;
    std::size_t bytes = 0;
  };

  ~SharedReceive() override;
  Part* idle_part();
  void listen();
  bool hear();
  void want();
  void check_notice() const;
  void read(Part& part);
  void finish(Part& part);

  Device& device_;
  PeId from_;
  std::uint32_t counter_;
  PayloadRecord& record_;
  Work& done_;
  std::size_t announced_ = 0;  // bytes of which a notice came
  std::size_t landed_ = 0;     // bytes that are there
  bool is_listening_ = false;
  PieceNotice notice_;  // being received
  SharedPieces::Place asked_;
  std::uint64_t asked_for_ = 0;
  std::array<Part, kParts> parts_;
};

}  // namespace kaon::gpu
