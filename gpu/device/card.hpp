// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <vector>

#include "kaon/gpu/device/arena.hpp"
#include "kaon/gpu/device/free_gate.hpp"
#include "kaon/gpu/device/stream_state.hpp"

namespace kaon::gpu {

/// A device as a process uses it, which its PEs share: the memory, of which each keeps a little, and the states of
/// streams, which positions in that memory refer to. A PE's own view of it is its Device.
class Card {
 public:
  /// `pinned`: memory of the host that all devices reach. `gate`: of the process. `most_bytes`: of the device's memory
  /// that may be taken; 0: all of it.
  Card(Driver& driver, RegionTable& regions, Arena& pinned, FreeGate& gate, int number, std::size_t most_bytes);
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;
  /// Its streams have ended.
  ~Card();

  Driver& driver() { return driver_; }
  RegionTable& regions() { return regions_; }
  Arena& pinned() { return pinned_; }
  FreeGate& free_gate() { return gate_; }
  int number() const { return number_; }
  bool is_emulated() const { return driver_.backend() == Backend::host; }
  const DeviceDescription& description() const { return description_; }
  Arena& memory() { return memory_; }
  /// Any thread. It lives as long as the card.
  StreamState& add_stream();
  /// An object that PEs of the process share: one of each type, from the first that asks for it to the last that has
  /// it. Any thread.
  template <class T>
  std::shared_ptr<T> shared() {
    const std::lock_guard hold(lock_);
    std::weak_ptr<void>& known = shared_objects_[typeid(T)];
    auto object = std::static_pointer_cast<T>(known.lock());
    if (object == nullptr) known = object = std::make_shared<T>();
    return object;
  }

 private:
  std::uint64_t* next_word();

  Driver& driver_;
  RegionTable& regions_;
  Arena& pinned_;
  FreeGate& gate_;
  int number_;
  DeviceDescription description_;
  Arena memory_;
  bool has_words_;
  std::mutex lock_;                // guards all below
  std::vector<std::byte*> words_;  // pinned pages
  std::size_t words_used_ = 0;     // of the last one
  std::deque<StreamState> streams_;
  std::map<std::type_index, std::weak_ptr<void>> shared_objects_;
};

}  // namespace kaon::gpu
