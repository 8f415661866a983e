// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/holds.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include "kaon/chares/elements/taken_landings.hpp"

namespace kaon::chares {

struct Holds::Hold {
  std::uint32_t messages = 0;
  TakenLandings landings;
};

struct Holds::Table : boost::unordered_flat_map<std::uint64_t, Hold> {};

Holds::Holds() noexcept = default;
Holds::~Holds() = default;

Holds::Hold& Holds::of(std::uint64_t element) {
  if (table_ == nullptr) table_ = std::make_unique<Table>();
  return (*table_)[element];
}

Holds::Hold* Holds::find(std::uint64_t element) const {
  if (table_ == nullptr) return nullptr;
  const auto held = table_->find(element);
  return held != table_->end() ? &held->second : nullptr;
}

void Holds::take(std::uint64_t element, const void* key, const void* data, std::size_t bytes) {
  of(element).landings.take(key, data, bytes);
}

void Holds::check(std::uint64_t element, const void* data, std::size_t bytes) const {
  if (const Hold* held = find(element)) held->landings.check(data, bytes);
}

void Holds::begin(std::uint64_t element) { ++of(element).messages; }

void Holds::end(std::uint64_t element) { --find(element)->messages; }

bool Holds::keeps(std::uint64_t element) const {
  const Hold* held = find(element);
  return held != nullptr && held->messages > 0;
}

void Holds::change_key(std::uint64_t element, const void* from, const void* to) {
  if (Hold* held = find(element)) held->landings.change_key(from, to);
}

void Holds::free(std::uint64_t element, const void* key) {
  Hold* held = find(element);
  if (held == nullptr) return;  // it has left
  held->landings.let_go(key);
  if (held->messages == 0 && held->landings.empty()) table_->erase(element);
}

void Holds::remove(std::uint64_t element) {
  if (table_ != nullptr) table_->erase(element);
}

}  // namespace kaon::chares
