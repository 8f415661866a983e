// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/engines/shared_staging.hpp"
#include "kaon/gpu/engines/transfer.hpp"

namespace kaon::gpu {

/// Receives what a SharedSend sends: the device reads each piece where the sender's device wrote it, and the piece goes
/// back.
class SharedReceive final : public Transfer {
 public:
  static void start(SharedStaging& engine, const Passage& passage);

  // --- of SharedStaging
  /// Says to the sender that the payload is wanted. False: it cannot be told yet.
  bool ask();

  SharedReceive(SharedStaging& engine, const Passage& passage);

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

  SharedStaging& engine_;
  std::size_t announced_ = 0;  // bytes of which a notice came
  std::size_t landed_ = 0;     // bytes that are there
  bool is_listening_ = false;
  PieceNotice notice_;  // being received
  SharedPieces::Address asked_;
  std::uint64_t asked_for_ = 0;
  std::array<Part, kParts> parts_;
};

}  // namespace kaon::gpu
