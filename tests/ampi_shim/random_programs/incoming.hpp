// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <vector>

#include "tests/ampi_shim/random_programs/plan.hpp"

/// The message that a receive or a probe asks for. `source` is a rank of the family's communicator.
struct Pattern {
  int family = 0, source = MPI_ANY_SOURCE, tag = MPI_ANY_TAG;

  bool takes(int from, int its_tag) const;
  bool overlaps(const Pattern& other) const;
};

/// Elements in memory: each, or every second one.
struct Elements {
  const int* memory = nullptr;
  int stride = 1, capacity = 0;  // elements that there is memory for
};

/// The model: all messages that one rank is to get in an epoch. It tells which receives can be posted so that,
/// whichever messages the others take, one is left for each; and whether what receives got is what MPI's rules of order
/// permit.
class Incoming {
 public:
  Incoming(const Epoch& epoch, const Families& families, int rank);

  bool is_complete() const { return received_ == static_cast<int>(expected_.size()); }
  bool can_post() const { return received_ + pending_ < static_cast<int>(expected_.size()); }
  int largest() const { return largest_; }

  /// Chooses a safe pattern for a message that is still to come, with or without wildcards. Only when can_post().
  Pattern choose(Random& random) const;
  bool is_safe(const Pattern& pattern) const;

  /// A receive was posted, or a probe begins: its number.
  int post(const Pattern& pattern);
  /// The receive got this.
  void complete(int number, const MPI_Status& status, const Elements& elements);
  /// After all were completed: no message was overtaken.
  void check_order() const;

 private:
  struct Posted {
    Pattern pattern;
    int message = -1;
  };

  const Message& message_of(const Pattern& pattern, const MPI_Status& status, const Elements& elements) const;
  int source_of(const Message& message) const;

  const Families& families_;
  std::vector<Message> expected_;
  std::vector<bool> is_here_;
  std::vector<Posted> posted_;
  int received_ = 0, pending_ = 0, largest_ = 0;
};
