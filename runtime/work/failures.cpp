// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/work/failures.hpp"

#include <new>

namespace kaon::runtime {

void Failures::add(std::exception_ptr error, std::string place) noexcept {
  if (any()) return;
  try {
    const std::string origin = origin_of(error);
    place_ = origin.empty() || origin == place ? std::move(place) : origin + ", awaited by " + place;
  } catch (const std::bad_alloc&) {  // it goes without its place
  }
  first_ = std::move(error);
}

void Failures::note_origin(const std::exception_ptr& error, std::string place) {
  if (!origin_of(error).empty()) return;  // it was on its way already
  origins_[next_origin_] = {error, std::move(place)};
  next_origin_ = (next_origin_ + 1) % origins_.size();
}

std::string Failures::origin_of(const std::exception_ptr& error) const {
  for (const Origin& origin : origins_)
    if (origin.error == error) return origin.place;
  return {};
}

}  // namespace kaon::runtime
