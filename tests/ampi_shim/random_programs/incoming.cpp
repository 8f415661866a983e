// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/random_programs/incoming.hpp"

#include <algorithm>
#include <string>

#include "tests/ampi_shim/random_programs/reporting.hpp"

namespace {

void check_values(const Message& message, const Elements& elements) {
  for (int i = 0; i < elements.capacity; ++i) {
    const bool is_value = i % elements.stride == 0 && i / elements.stride < message.count;
    check(elements.memory[i] == (is_value ? message.value(i / elements.stride) : -1),
          is_value ? "a message has other values than it was sent with" : "a receive wrote where it must not");
  }
}

}  // namespace

bool Pattern::takes(int from, int its_tag) const {
  return (source == MPI_ANY_SOURCE || source == from) && (tag == MPI_ANY_TAG || tag == its_tag);
}

bool Pattern::overlaps(const Pattern& other) const {
  return family == other.family &&
         (source == MPI_ANY_SOURCE || other.source == MPI_ANY_SOURCE || source == other.source) &&
         (tag == MPI_ANY_TAG || other.tag == MPI_ANY_TAG || tag == other.tag);
}

Incoming::Incoming(const Epoch& epoch, const Families& families, int rank) : families_(families) {
  for (const Message& message : epoch.messages)
    if (message.to == rank) {
      expected_.push_back(message);
      largest_ = std::max(largest_, message.count);
    }
  is_here_.assign(expected_.size(), false);
}

int Incoming::source_of(const Message& message) const {
  return families_[static_cast<std::size_t>(message.family)].place_of(message.from);
}

// Earlier receives come first and can take one message each. If more messages are to come than they can take, one is
// left.
bool Incoming::is_safe(const Pattern& pattern) const {
  int left = 0;
  for (std::size_t i = 0; i < expected_.size(); ++i)
    left += !is_here_[i] && expected_[i].family == pattern.family &&
            pattern.takes(source_of(expected_[i]), expected_[i].tag);
  for (const Posted& posted : posted_) left -= posted.message < 0 && posted.pattern.overlaps(pattern);
  return left > 0;
}

Pattern Incoming::choose(Random& random) const {
  for (int tries = 0; tries < 8; ++tries) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(expected_.size())));
    const Message& message = expected_[at];
    if (is_here_[at]) continue;
    const Pattern pattern{message.family, random.one_in(2) ? MPI_ANY_SOURCE : source_of(message),
                          random.one_in(2) ? MPI_ANY_TAG : message.tag};
    if (is_safe(pattern)) return pattern;
  }
  for (int family = 0;; ++family)
    if (is_safe({family, MPI_ANY_SOURCE, MPI_ANY_TAG})) return {family, MPI_ANY_SOURCE, MPI_ANY_TAG};
}

int Incoming::post(const Pattern& pattern) {
  posted_.push_back({pattern, -1});
  ++pending_;
  return static_cast<int>(posted_.size()) - 1;
}

const Message& Incoming::message_of(const Pattern& pattern, const MPI_Status& status, const Elements& elements) const {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  check(pattern.takes(status.MPI_SOURCE, status.MPI_TAG), "a receive has got what it does not ask for");
  const int id = count > 0 ? elements.memory[0] : status.MPI_TAG - kTagOfNothing - 1;
  const auto found =
      std::find_if(expected_.begin(), expected_.end(), [id](const Message& each) { return each.id == id; });
  check(found != expected_.end(), "a message came that is for nobody here: number " + std::to_string(id));
  check(found->family == pattern.family, "a message came in another communicator");
  check(source_of(*found) == status.MPI_SOURCE && found->tag == status.MPI_TAG && found->count == count,
        "a status is not that of message " + std::to_string(id));
  return *found;
}

void Incoming::complete(int number, const MPI_Status& status, const Elements& elements) {
  Posted& posted = posted_[static_cast<std::size_t>(number)];
  const Message& message = message_of(posted.pattern, status, elements);
  const auto at = static_cast<std::size_t>(&message - expected_.data());
  check(!is_here_[at], "a message came twice: number " + std::to_string(message.id));
  check_values(message, elements);
  is_here_[at] = true;
  posted.message = static_cast<int>(at);
  ++received_;
  --pending_;
}

void Incoming::check_order() const {
  for (std::size_t later = 0; later < posted_.size(); ++later) {
    const Message& sooner_sent = expected_[static_cast<std::size_t>(posted_[later].message)];
    for (std::size_t i = 0; i < later; ++i) {
      const Message& other = expected_[static_cast<std::size_t>(posted_[i].message)];
      const bool is_overtaken = other.family == sooner_sent.family && other.from == sooner_sent.from &&
                                other.id > sooner_sent.id &&
                                posted_[i].pattern.takes(source_of(sooner_sent), sooner_sent.tag);
      check(!is_overtaken, "message " + std::to_string(other.id) + " of rank " + std::to_string(other.from) +
                               " has overtaken its message " + std::to_string(sooner_sent.id));
    }
  }
}
