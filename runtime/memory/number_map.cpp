// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/memory/number_map.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

namespace kaon::runtime {

struct NumberTable::Map : boost::unordered_flat_map<std::uint64_t, std::uint64_t> {};

NumberTable::NumberTable() noexcept = default;
NumberTable::NumberTable(NumberTable&& other) noexcept { *this = std::move(other); }
NumberTable& NumberTable::operator=(NumberTable&& other) noexcept {
  map_ = std::move(other.map_);
  has_one_ = other.has_one_;
  in_map_ = other.in_map_;
  one_ = other.one_;
  word_of_one_ = other.word_of_one_;
  other.has_one_ = other.in_map_ = 0;
  return *this;
}
NumberTable::~NumberTable() = default;

const std::uint64_t* NumberTable::look_up(std::uint64_t number) const {
  const auto found = map_->find(number);
  return found != map_->end() ? &found->second : nullptr;
}

void NumberTable::set_in_map(std::uint64_t number, std::uint64_t word) {
  if (map_ == nullptr) map_ = std::make_unique<Map>();
  (*map_)[number] = word;
  in_map_ = map_->size();
}

bool NumberTable::erase_in_map(std::uint64_t number) {
  if (map_->erase(number) == 0) return false;
  --in_map_;
  return true;
}

std::uint64_t NumberTable::any() const { return has_one_ != 0 ? word_of_one_ : map_->begin()->second; }

void NumberTable::visit(void (*visitor)(void* context, std::uint64_t number, std::uint64_t word), void* context) const {
  if (has_one_ != 0) visitor(context, one_, word_of_one_);
  if (in_map_ == 0) return;
  for (const auto& [number, word] : *map_) visitor(context, number, word);
}

}  // namespace kaon::runtime
