// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/engines/engine.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/work/activity.hpp"

namespace kaon::gpu {

/// A payload on its way by an engine, which counts it until it ends.
class Transfer : public Activity {
 protected:
  /// Makes a transfer, and calls `begin` of it when the payload's stream has come to it.
  template <class T, void (T::*begin)(), class E>
  static void start_when_ready(E& engine, const Passage& passage) {
    Pe& pe = engine.device().pe();
    auto& transfer = make<T>(pe.activities(), pe.pool(), engine, passage);
    transfer.run = [](Work& self, Pe&) { (static_cast<T&>(self).*begin)(); };
    if (engine.device().stream_watcher().when_reached(position_of(passage.record), transfer)) (transfer.*begin)();
  }

  Transfer(Engine& engine, const Passage& passage);
  ~Transfer() override;

  Device& device() const { return engine_.device(); }
  PayloadRecord& record() const { return passage_.record; }
  Way way() const { return passage_.way; }
  PeId other() const { return passage_.other; }
  std::uint32_t counter() const { return passage_.counter; }
  /// nullptr: the run is over, and give_up() comes.
  Port* port() const;
  /// Memory of ours or the payload's goes out or comes in under the payload's number. True: it has already.
  bool give_to_port(const PayloadMemory& memory, Work& done) const;
  /// Its time counts from now on.
  void begin_time();
  double seconds() const;
  bool has_begun() const { return since_ns_ != 0; }

  /// For the report, when all of it has left.
  void count_sent() const;
  /// Stops counting it in the engine: its remaining work waits for nothing, and nothing waits for that.
  void end_counting();
  /// All of it is in its memory here, or will be at a place of a stream.
  void note_arrived(Position behind = {}) const;
  /// Ends, and runs what was to be run then.
  void end_and_tell();

 private:
  Engine& engine_;
  Passage passage_;
  std::uint64_t since_ns_ = 0;
  bool is_counted_ = true;
};

/// Starts a Send or a Receive, by the way of the passage. Returns false, as nothing is done at once.
template <class Send, class Receive, class E>
bool start_either(E& engine, const Passage& passage) {
  if (passage.way == Way::out)
    Send::start(engine, passage);
  else
    Receive::start(engine, passage);
  return false;
}

}  // namespace kaon::gpu
