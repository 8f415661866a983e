// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>

namespace kaon::runtime {

/// Words by number. One of them lies in the table itself: of what is under way there is often no other. The library's
/// hash map for the others is seen by its source file alone: users' programs, which include this, compile half a second
/// sooner.
class NumberTable {
 public:
  NumberTable() noexcept;
  NumberTable(NumberTable&& other) noexcept;
  NumberTable& operator=(NumberTable&& other) noexcept;
  ~NumberTable();

  bool empty() const { return size() == 0; }
  std::size_t size() const { return in_map_ + has_one_; }
  /// Stays where it is until the table changes; nullptr: there is none.
  const std::uint64_t* find(std::uint64_t number) const {
    if (has_one_ != 0 && one_ == number) return &word_of_one_;
    return in_map_ == 0 ? nullptr : look_up(number);
  }
  void set(std::uint64_t number, std::uint64_t word) {
    if (has_one_ != 0 ? one_ != number : in_map_ != 0) return set_in_map(number, word);
    has_one_ = 1;
    one_ = number;
    word_of_one_ = word;
  }
  /// False: it was not there.
  bool erase(std::uint64_t number) {
    if (has_one_ == 0 || one_ != number) return in_map_ != 0 && erase_in_map(number);
    has_one_ = 0;
    return true;
  }
  /// Any one of them, when there is one.
  std::uint64_t any() const;
  void visit(void (*visitor)(void* context, std::uint64_t number, std::uint64_t word), void* context) const;

 private:
  struct Map;
  const std::uint64_t* look_up(std::uint64_t number) const;
  void set_in_map(std::uint64_t number, std::uint64_t word);
  bool erase_in_map(std::uint64_t number);

  std::unique_ptr<Map> map_;  // made when it is needed
  std::size_t has_one_ : 1 = 0;
  std::size_t in_map_ : 63 = 0;
  std::uint64_t one_ = 0;
  std::uint64_t word_of_one_ = 0;
};

/// Small values by number: pointers, or others that fit into a word.
template <class V>
class NumberMap {
  static_assert(sizeof(V) == sizeof(std::uint64_t) && std::is_trivially_copyable_v<V>);

 public:
  bool empty() const { return table_.empty(); }
  std::size_t size() const { return table_.size(); }
  bool contains(std::uint64_t number) const { return table_.find(number) != nullptr; }
  std::optional<V> find(std::uint64_t number) const {
    const std::uint64_t* word = table_.find(number);
    return word != nullptr ? std::optional<V>(std::bit_cast<V>(*word)) : std::nullopt;
  }
  void set(std::uint64_t number, V value) { table_.set(number, std::bit_cast<std::uint64_t>(value)); }
  bool erase(std::uint64_t number) { return table_.erase(number); }
  /// Any one of them, when there is one.
  V any() const { return std::bit_cast<V>(table_.any()); }
  /// `visit(number, value)`, in no order; it must not change the map.
  template <class Visit>
  void each(Visit visit) const {
    table_.visit([](void* visitor, std::uint64_t number,
                    std::uint64_t word) { (*static_cast<Visit*>(visitor))(number, std::bit_cast<V>(word)); },
                 &visit);
  }

 private:
  NumberTable table_;
};

}  // namespace kaon::runtime
