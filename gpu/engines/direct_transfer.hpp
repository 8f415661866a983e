// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/engines/direct_engine.hpp"
#include "kaon/gpu/engines/transfer.hpp"

namespace kaon::gpu {

/// A payload between the memories of two devices: given to the port when the stream that its memory depends on has got
/// there.
class DirectTransfer final : public Transfer {
 public:
  /// True: it has ended already.
  static bool start(DirectEngine& engine, const Passage& passage);

  DirectTransfer(DirectEngine& engine, const Passage& passage);

 private:
  PayloadMemory memory();
  bool give_memory_to_port();
  void note_moved();
  void give_up() noexcept override;
  static void reached(Work& self, Pe& pe);
  static void moved(Work& self, Pe& pe);

  DirectEngine& engine_;
};

}  // namespace kaon::gpu
