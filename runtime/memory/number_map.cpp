// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/memory/number_map.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <utility>

namespace kaon::runtime {

struct NumberTable::Map : boost::unordered_flat_map<std::uint64_t, std::uint64_t> {};

NumberTable::NumberTable() noexcept = default;
NumberTable::NumberTable(NumberTable&& other) noexcept
    : map_(std::move(other.map_)), size_(std::exchange(other.size_, 0)) {}
NumberTable& NumberTable::operator=(NumberTable&& other) noexcept {
  map_ = std::move(other.map_);
  size_ = std::exchange(other.size_, 0);
  return *this;
}
NumberTable::~NumberTable() = default;

const std::uint64_t* NumberTable::look_up(std::uint64_t number) const {
  const auto found = map_->find(number);
  return found != map_->end() ? &found->second : nullptr;
}

void NumberTable::set(std::uint64_t number, std::uint64_t word) {
  if (map_ == nullptr) map_ = std::make_unique<Map>();
  (*map_)[number] = word;
  size_ = map_->size();
}

bool NumberTable::erase(std::uint64_t number) {
  if (size_ == 0 || map_->erase(number) == 0) return false;
  --size_;
  return true;
}

std::uint64_t NumberTable::any() const { return map_->begin()->second; }

void NumberTable::visit(void (*visitor)(void* context, std::uint64_t number, std::uint64_t word), void* context) const {
  if (size_ == 0) return;
  for (const auto& [number, word] : *map_) visitor(context, number, word);
}

}  // namespace kaon::runtime
