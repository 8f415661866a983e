// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace kaon::chares {

/// The elements of one PE into whose memory payloads of messages were landed. While a message is on its way to its
/// entry the element must not leave; until the entry has ended, or a task has taken the message out of its inbox, no
/// other may land there. A message is told from others by a key, which is its address and later, in a task, that of the
/// task.
class Holds {
 public:
  Holds() noexcept;
  ~Holds();
  Holds(const Holds&) = delete;
  Holds& operator=(const Holds&) = delete;

  /// Throws UsageError when another message is landed there. Before begin(), as the message's payloads are placed.
  void take(std::uint64_t element, const void* key, const void* data, std::size_t bytes);
  /// The check of take() alone, for a message that is run at once.
  void check(std::uint64_t element, const void* data, std::size_t bytes) const;
  /// A message that was landed is on its way to its entry.
  void begin(std::uint64_t element);
  /// It has come there.
  void end(std::uint64_t element);
  bool keeps(std::uint64_t element) const;
  void change_key(std::uint64_t element, const void* from, const void* to);
  void free(std::uint64_t element, const void* key);
  /// The element leaves.
  void remove(std::uint64_t element);

 private:
  struct Hold;
  struct Table;
  Hold& of(std::uint64_t element);
  Hold* find(std::uint64_t element) const;
  std::unique_ptr<Table> table_;  // made when it is needed
};

}  // namespace kaon::chares
