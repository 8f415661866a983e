// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/handle_numbers.hpp"

#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/ranks/strand.hpp"

namespace kaon::ampi {

int handle_number(std::uintptr_t handle) noexcept try {
  if (handle < kFirstAddress) return static_cast<int>(handle);
  Rank* const rank = current_rank_or_null();
  if (rank == nullptr) return 0;
  ProgramObjects& objects = rank->part<ProgramObjects>();
  const auto [found, is_new] = objects.handle_numbers.try_emplace(handle, static_cast<int>(objects.numbered.size()));
  if (is_new) objects.numbered.push_back(handle);
  return static_cast<int>(kFirstAddress) + found->second;
} catch (...) {  // no memory
  return 0;
}

std::uintptr_t handle_of_number(int number) noexcept {
  if (number < static_cast<int>(kFirstAddress)) return number < 0 ? 0 : static_cast<std::uintptr_t>(number);
  Rank* const rank = current_rank_or_null();
  if (rank == nullptr) return 0;
  const auto& numbered = rank->part<ProgramObjects>().numbered;
  const std::size_t place = static_cast<std::size_t>(number) - kFirstAddress;
  return place < numbered.size() ? numbered[place] : 0;
}

}  // namespace kaon::ampi
