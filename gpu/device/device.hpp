// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include "kaon/gpu/device/card.hpp"
#include "kaon/gpu/device/carrier.hpp"
#include "kaon/gpu/device/device_load_meter.hpp"
#include "kaon/gpu/device/device_memory.hpp"
#include "kaon/gpu/device/device_watches.hpp"
#include "kaon/gpu/device/drain.hpp"
#include "kaon/gpu/device/held_launches.hpp"
#include "kaon/gpu/device/region.hpp"
#include "kaon/gpu/device/stream_order.hpp"
#include "kaon/gpu/device/stream_pool.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/gpu/device/stream_watcher.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

/// A device as one PE uses it: its memory, its streams and what it waits for. Called by the PE's thread alone.
class Device {
 public:
  Device(Card& card, Pe& pe);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device();

  Card& card() { return card_; }
  Driver& driver() { return driver_; }
  Pe& pe() { return pe_; }
  int number() const { return number_; }
  RegionView& regions() { return regions_; }

  // --- parts
  StreamWatcher& stream_watcher() { return stream_watcher_; }
  const StreamWatcher& stream_watcher() const { return stream_watcher_; }
  StreamPool& streams() { return streams_; }
  StreamOrder& order() { return order_; }
  HeldLaunches& held() { return held_; }
  DeviceMemory& memory() { return memory_; }
  DeviceWatches& watches() { return watches_; }
  const DeviceWatches& watches() const { return watches_; }
  DeviceLoadMeter& load_meter() { return load_meter_; }

  /// Lets copies of this device reach the memory of another one of the process.
  void reach(int peer);

  /// An object that chares of the PE share: one of each type, from the first that asks for it to the last that has it.
  template <class T, class... Arguments>
  std::shared_ptr<T> shared(const Arguments&... arguments) {
    std::weak_ptr<void>& known = shared_objects_[typeid(T)];
    auto object = std::static_pointer_cast<T>(known.lock());
    if (object == nullptr) known = object = std::make_shared<T>(arguments...);
    return object;
  }

  /// The first of the carriers that are there; nullptr if there is none.
  Carrier* carrier() const { return carriers_.empty() ? nullptr : carriers_.front(); }
  void add_carrier(Carrier& carrier) { carriers_.push_back(&carrier); }
  void remove_carrier(const Carrier& carrier) noexcept { std::erase(carriers_, &carrier); }

  // --- the turns of the PE
  /// Looks at what is awaited; in a run that has ended, also at the end of all that the device was given.
  bool look();
  /// False if the run has ended and some of its work is left.
  bool is_over() const;
  /// Waits for all that the device was given. What still runs must not find its memory gone.
  void drain() noexcept;

 private:
  std::unique_ptr<Drain> begin_drain();
  bool look_at_streams();

  Card& card_;
  Driver& driver_;
  Pe& pe_;
  int number_;
  RegionView regions_;
  DeviceMemory memory_;
  StreamWatcher stream_watcher_;
  StreamPool streams_;
  StreamOrder order_;
  HeldLaunches held_;
  DeviceLoadMeter load_meter_;
  std::vector<bool> peers_;  // devices that copies of this one reach
  DeviceWatches watches_;
  std::vector<Carrier*> carriers_;
  std::map<std::type_index, std::weak_ptr<void>> shared_objects_;
  std::unique_ptr<Drain> drain_;  // when the run is over
};

/// Where the memory of a payload may be used.
inline Position position_of(const PayloadRecord& record) {
  return {static_cast<StreamState*>(record.stream), record.position};
}

/// The region that holds a payload's memory; nullptr: none that is known. Registered memory is looked for anew: the
/// registration may have ended.
inline Region* region_of(Device& device, const PayloadRecord& record) {
  return record.region != nullptr ? static_cast<Region*>(record.region) : device.regions().find(record.data);
}

}  // namespace kaon::gpu
