// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "kaon/gpu/engines/shared_staging.hpp"
#include "kaon/gpu/engines/transfer.hpp"

namespace kaon::gpu {

/// Sends device memory to another process of the host: copies it into shared pieces, several at a time, and tells the
/// receiver of each that is filled. The memory is free when all of it is copied; pieces come back by themselves.
class SharedSend final : public Transfer {
 public:
  static void start(SharedStaging& engine, const Passage& passage);

  // --- of SharedStaging
  void is_wanted();
  void has_piece();

  SharedSend(SharedStaging& engine, const Passage& passage);

 private:
  static constexpr std::size_t kParts = 8;  // under way at a time
  struct Part : Work {
    SharedSend* owner = nullptr;
    PieceNotice notice;
    bool is_busy = false;
    bool is_telling = false;  // else it is being filled
  };

  ~SharedSend() override;
  Part* idle_part();
  void advance();
  void fill(Part& part, std::size_t piece);
  void fall_short();
  void tell(Part& part);
  void told(Part& part);
  void end_when_done();
  void give_up() noexcept override;

  SharedStaging& engine_;
  std::uint64_t number_;
  std::size_t part_bytes_;
  std::size_t filled_ = 0;  // bytes given to the device to copy
  std::size_t busy_ = 0;    // parts
  enum class Standing : std::uint8_t { unasked, asked, wanted };
  Standing standing_ = Standing::unasked;
  bool is_short_ = false;  // in SharedStaging's list
  std::array<Part, kParts> parts_;
};

}  // namespace kaon::gpu
