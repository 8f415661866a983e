// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/sections.hpp"

#include <algorithm>
#include <limits>

#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

bool SectionPart::has(std::uint64_t element) const {
  return std::binary_search(members.begin(), members.end(), element);
}

Sections::~Sections() {
  parts_.each([](std::uint64_t, SectionPart* part) { delete part; });
}

std::uint32_t Sections::new_number(std::uint32_t pe, std::uint32_t pes) {
  const std::uint64_t number = std::uint64_t{made_++} * pes + pe + 1;
  if (number > std::numeric_limits<std::uint32_t>::max())
    throw UsageError("an array has had more sections than there are numbers for: keep those that are used again");
  return static_cast<std::uint32_t>(number);
}

SectionPart& Sections::at(std::uint32_t number) const {
  if (SectionPart* part = find(number)) return *part;
  throw UsageError("a section was used that was destroyed: let nobody use it who may come after destroy()");
}

void Sections::remove(std::uint32_t number) {
  std::unique_ptr<SectionPart> part(find(number));
  if (part == nullptr) return;
  parts_.erase(number);
  part->reductions.fail(std::make_exception_ptr(
      UsageError("a contribution was awaited whose section was destroyed: no result of it will come")));
  if (part->reductions.has_queued()) ended_.push_back(std::move(part));
}

std::vector<SectionTurn> Sections::take_turns(std::uint64_t element) {
  std::vector<SectionTurn> turns;
  parts_.each([&](std::uint64_t number, SectionPart* part) {
    const auto next = part->turns.find(element);
    if (!next) return;
    turns.push_back({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(*next)});
    part->turns.erase(element);
  });
  return turns;
}

void Sections::put_turns(std::uint64_t element, const std::vector<SectionTurn>& turns) {
  for (const SectionTurn& turn : turns)
    if (SectionPart* part = find(turn.section)) part->turns.set(element, turn.next);
}

std::vector<std::uint32_t> Sections::with(std::uint64_t element) const {
  std::vector<std::uint32_t> found;
  parts_.each([&](std::uint64_t number, const SectionPart* part) {
    if (part->has(element)) found.push_back(static_cast<std::uint32_t>(number));
  });
  return found;
}

bool Sections::have_queued() const {
  bool is_any =
      std::any_of(ended_.begin(), ended_.end(), [](const auto& part) { return part->reductions.has_queued(); });
  parts_.each([&](std::uint64_t, const SectionPart* part) { is_any |= part->reductions.has_queued(); });
  return is_any;
}

void Sections::fail(const std::exception_ptr& error) {
  parts_.each([&](std::uint64_t, SectionPart* part) { part->reductions.fail(error); });
}

}  // namespace kaon::chares
