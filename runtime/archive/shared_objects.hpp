// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime::archive {

/// The objects of shared pointers in one message, by numbers from 1 in the order in which they come, so that pointers
/// to one object arrive as pointers to one.
class WrittenObjects {
 public:
  struct Place {
    std::uint32_t number;
    bool is_new;
  };
  /// `object` is where the whole object begins.
  Place add(const void* object, const std::type_info& type) {
    const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
    const auto [at, is_new] = numbers_.emplace(std::pair(object, std::type_index(type)), next);
    return {at->second, is_new};
  }

 private:
  std::map<std::pair<const void*, std::type_index>, std::uint32_t> numbers_;  // an object and its first member differ
};

class ReadObjects {
 public:
  struct Object {
    std::shared_ptr<void> whole;
    const std::type_info* type = nullptr;
  };
  std::size_t count() const { return objects_.size(); }
  const Object& operator[](std::uint32_t number) const { return objects_[number - 1]; }
  /// Before it is read: it may hold pointers to itself.
  void add(Object object) { objects_.push_back(std::move(object)); }

 private:
  std::vector<Object> objects_;  // stay until all is read, also those that only a weak_ptr has had so far
};

/// Base of an archive that keeps a table of shared objects. The first shared pointer creates the table.
template <class Objects>
class KnowsObjects {
 public:
  /// Those that shared pointers have named so far.
  Objects& shared_objects() {
    if (objects_ == nullptr) objects_ = std::make_unique<Objects>();
    return *objects_;
  }

 private:
  std::unique_ptr<Objects> objects_;
};

}  // namespace kaon::runtime::archive
