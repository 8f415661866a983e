// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/elements/entry_task.hpp"

#include <utility>

#include "kaon/runtime/messages/entry_name.hpp"

namespace kaon::chares {
namespace {

struct Raise final : Work, Errand {
  Raise(Pe& pe, std::string where, std::exception_ptr thrown)
      : Errand(pe.errands()), place(std::move(where)), error(std::move(thrown)) {}  // NOLINT: it is kept, not lost
  void abandon() noexcept override { delete this; }

  std::string place;
  std::exception_ptr error;
};

}  // namespace

std::string name_entry(const EntryRecord& record, const ElementBase& element) {
  const ElementTable& table = ElementTable::of(element);
  return "the entry " + readable_name(record.name) + " of " + table.name_of(ElementTable::index_of(element));
}

void raise_later(Pe& pe, std::string place, std::exception_ptr error) noexcept {
  // The run ends, so no pool; without memory even for this it ends here. NOLINTNEXTLINE
  auto* raise = new Raise(pe, std::move(place), std::move(error));
  raise->priority = INT32_MIN;
  raise->run = [](Work& work, Pe& current) {
    auto& self = static_cast<Raise&>(work);
    current.raised_in(std::move(self.place));
    const std::exception_ptr thrown = std::move(self.error);
    delete &self;
    std::rethrow_exception(thrown);
  };
  pe.enqueue(*raise);
}

}  // namespace kaon::chares
