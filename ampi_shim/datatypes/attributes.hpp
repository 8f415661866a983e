// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kaon::ampi {

/// The functions of a program for attributes of one key, called when an object with such a handle is duplicated and
/// when an attribute is deleted. The standard's null and dup functions are numbers instead of functions.
template <class Handle>
struct Keyval {
  using Copy = int(Handle, int, void*, void*, void*, int*);
  using Delete = int(Handle, int, void*, void*);

  int number = MPI_KEYVAL_INVALID;
  Copy* copy = nullptr;
  Delete* remove = nullptr;
  void* extra_state = nullptr;

  /// The value that the duplicate has, if any. MPI_SUCCESS or what the function returned.
  int copied(Handle from, void* value, std::optional<void*>& result) const {
    constexpr std::uintptr_t kDup = 1;
    result.reset();
    if (copy == nullptr) return MPI_SUCCESS;
    if (reinterpret_cast<std::uintptr_t>(copy) == kDup) {
      result = value;
      return MPI_SUCCESS;
    }
    int flag = 0;
    void* copied_value = nullptr;
    const int code = copy(from, number, extra_state, value, &copied_value, &flag);
    if (code == MPI_SUCCESS && flag != 0) result = copied_value;
    return code;
  }

  int removed(Handle from, void* value) const {
    return remove == nullptr ? MPI_SUCCESS : remove(from, number, value, extra_state);
  }
};

/// The keys of one rank, by their numbers. One that is freed stays as long as there are attributes that have it: the
/// program deletes them by its number, and may free it once more.
template <class Handle>
class Keyvals {
 public:
  using Ptr = std::shared_ptr<const Keyval<Handle>>;  // of this table and of each attribute with the key

  /// `first` is the number of the first key that is made: lower ones are predefined.
  explicit Keyvals(int first) : next_(first) {}

  int create(typename Keyval<Handle>::Copy* copy, typename Keyval<Handle>::Delete* remove, void* extra_state) {
    const int number = next_++;
    keyvals_.emplace(number, std::make_shared<const Keyval<Handle>>(Keyval<Handle>{number, copy, remove, extra_state}));
    return number;
  }
  /// Null: no such key.
  Ptr find(int number) const {
    const auto found = keyvals_.find(number);
    return found == keyvals_.end() ? find_freed(number) : found->second;
  }
  /// False: no such key.
  bool free(int number) {
    const auto found = keyvals_.find(number);
    if (found == keyvals_.end()) return find_freed(number) != nullptr;
    std::erase_if(freed_, [](const auto& keyval) { return keyval.expired(); });
    if (found->second.use_count() > 1) freed_.push_back(found->second);
    keyvals_.erase(found);
    return true;
  }

 private:
  Ptr find_freed(int number) const {
    for (const auto& freed : freed_)
      if (Ptr keyval = freed.lock(); keyval != nullptr && keyval->number == number) return keyval;
    return nullptr;
  }

  std::unordered_map<int, Ptr> keyvals_;
  std::vector<std::weak_ptr<const Keyval<Handle>>> freed_;  // attributes have them still, or had
  int next_;
};

/// The attributes of one object. Functions return MPI_SUCCESS or the code of a program's function, which may itself use
/// the attributes of this object.
template <class Handle>
class Attributes {
 public:
  using KeyvalPtr = typename Keyvals<Handle>::Ptr;

  bool empty() const { return list_.empty(); }
  std::optional<void*> get(int number) const {
    const auto found = find(number);
    return found == list_.end() ? std::nullopt : std::optional<void*>(found->value);
  }

  /// The old value is deleted first; if that fails it stays.
  int set(Handle object, KeyvalPtr keyval, void* value) {
    if (const auto old = find(keyval->number); old != list_.end()) {
      const Attribute attribute = *old;
      if (const int code = attribute.keyval->removed(object, attribute.value); code != MPI_SUCCESS) return code;
      erase(keyval->number);
    }
    list_.push_back({std::move(keyval), value});
    return MPI_SUCCESS;
  }

  /// Nothing happens without such an attribute.
  int remove(Handle object, int number) {
    const auto found = find(number);
    if (found == list_.end()) return MPI_SUCCESS;
    const Attribute attribute = *found;
    const int code = attribute.keyval->removed(object, attribute.value);
    if (code == MPI_SUCCESS) erase(number);
    return code;
  }

  /// Deletes all, the last one that was set first. Stops at a function that fails.
  int clear(Handle object) {
    while (!list_.empty())
      if (const int code = remove(object, list_.back().keyval->number); code != MPI_SUCCESS) return code;
    return MPI_SUCCESS;
  }

  /// Makes these the copies of another object's attributes, as its copy functions want.
  int copy_from(Handle other, const Attributes& attributes) {
    const std::vector<Attribute> originals = attributes.list_;  // a function may change them
    for (const Attribute& original : originals) {
      std::optional<void*> value;
      if (const int code = original.keyval->copied(other, original.value, value); code != MPI_SUCCESS) return code;
      if (value) list_.push_back({original.keyval, *value});
    }
    return MPI_SUCCESS;
  }

 private:
  struct Attribute {
    KeyvalPtr keyval;
    void* value;
  };
  auto find(int number) const {
    return std::find_if(list_.begin(), list_.end(),
                        [number](const Attribute& a) { return a.keyval->number == number; });
  }
  void erase(int number) {
    if (const auto found = find(number); found != list_.end()) list_.erase(found);
  }

  std::vector<Attribute> list_;  // in the order in which they were set
};

}  // namespace kaon::ampi
