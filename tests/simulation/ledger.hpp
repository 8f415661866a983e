// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace kaon::testing::simulation {

/// An event in a simulated program that no program may see.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Fault unless `holds`.
inline void require(bool holds, const std::string& otherwise) {
  if (!holds) throw Fault(otherwise);
}

/// An element from its insertion to its end. The first generation stays as long as its array.
struct Life {
  int crowd = 0, index = 0, generation = 0;
  friend auto operator<=>(const Life&, const Life&) = default;
};

/// The messages of all processes that were sent and have come; the processes are in one thread. Each message is noted
/// before it is sent, and when it comes. A second arrival is a Fault at once, a missing one in require_all().
class Ledger {
 public:
  using Id = std::uint64_t;

  /// A message that one entry is to get, once.
  Id expect(const char* what);
  void arrive(Id id);

  /// A message that each of these is to get once, and any other at most once.
  Id expect_each(const char* what, std::vector<Life> members);
  void arrive_at(Id id, const Life& life);

  /// Ids below this have been given out.
  Id mark() const { return messages_.size(); }
  /// Throws Fault when some of those below `mark` are missing.
  void require_all(Id mark) const;
  std::size_t size() const { return messages_.size(); }

 private:
  struct Message {
    const char* what;
    std::size_t missing;
    bool is_to_several = false;
  };

  std::string missing_below(Id mark) const;

  std::vector<Message> messages_;
  mutable Id all_below_ = 0;  // none of these is missing
  std::map<Id, std::map<Life, bool>>
      several_;  // by life, whether it has got it; those that must are there from the start
};

}  // namespace kaon::testing::simulation
