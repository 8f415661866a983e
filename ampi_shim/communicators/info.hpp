// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kaon::ampi {

/// Keys and values in the order in which the keys were set first. Hints are few.
class Info {
 public:
  struct Entry {
    std::string key;
    std::string value;
  };

  /// nullptr: no such key.
  const std::string* find(std::string_view key) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [key](const Entry& e) { return e.key == key; });
    return found == entries_.end() ? nullptr : &found->value;
  }
  void set(std::string_view key, std::string_view value) {
    if (const std::string* old = find(key))
      *const_cast<std::string*>(old) = value;
    else
      entries_.push_back({std::string(key), std::string(value)});
  }
  /// False: no such key.
  bool remove(std::string_view key) {
    return std::erase_if(entries_, [key](const Entry& entry) { return entry.key == key; }) != 0;
  }

  /// Takes over those hints of another one whose keys `wants(key)`.
  template <class Wants>
  void set_all(const Info& others, Wants&& wants) {
    for (const Entry& entry : others.entries_)
      if (wants(entry.key)) set(entry.key, entry.value);
  }

  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t number) const { return entries_[number]; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace kaon::ampi
