// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/memory/number_map.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::chares {

class ElementTable;
class Pursuit;

/// Messages whose element is not on this PE: they go on to where it is, or wait here until it comes.
class Forwarding {
 public:
  explicit Forwarding(ElementTable& table) : table_(table) {}
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;
  ~Forwarding();

  /// The PE to send to for an element that is not here. Throws CorruptMessage when there is no such element.
  PeId where(std::uint64_t element) const;
  /// How often an element that lives here has moved, or, at its home, was last heard to have.
  std::uint32_t moves_of(std::uint64_t element) const;

  /// Takes a message whose element is not here: sends it on, or keeps it when the element is on its way here, or of a
  /// sparse array has yet to be inserted.
  void forward(Message& message);
  /// The two actions of forward(): send the message on, or keep it until its element comes.
  void send_on(Message& message, PeId to);
  void await_element(Message& message);
  /// Sends on one that has been kept, or has it run when the element is here again.
  void pass_on(Message& message);
  /// Those that waited for the element are run, or go on: it has come, or news of it have.
  void deliver(std::uint64_t element) {
    if (!awaiting_.empty()) deliver_all(element);
  }
  /// The array is destroyed.
  void drop_all();

  /// The forwarders of messages after elements that have left, by element. Each ends itself.
  NumberMap<Pursuit*>& pursuits() { return pursuits_; }

  /// Same as the functions of Collection.
  std::uint64_t list_awaited(std::vector<std::string>& lines, std::size_t most) const;
  std::uint64_t list_unclaimed(std::vector<std::string>& lines, std::size_t most) const;

 private:
  void drop_of_deleted(Message& message);
  void deliver_all(std::uint64_t element);
  WorkList take(std::uint64_t element);
  bool is_known(std::uint64_t element) const;
  std::uint64_t list(std::uint64_t element, const WorkList& messages, std::vector<std::string>& lines,
                     std::size_t most) const;

  ElementTable& table_;
  NumberMap<WorkList*> awaiting_;  // by element; the lists are of the pool
  NumberMap<Pursuit*> pursuits_;
};

}  // namespace kaon::chares
