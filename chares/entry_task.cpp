// SPDX-License-Identifier: Apache-2.0
#include "chares/entry_task.hpp"

namespace kaon {
namespace {

struct Raise : Work {
  std::string_view where;
  std::exception_ptr error;
};

}  // namespace

void raise_later(Pe& pe, std::string_view where, std::exception_ptr error) noexcept {
  auto* raise = new Raise;  // the run ends: not worth a pool
  raise->where = where;
  raise->error = std::move(error);
  raise->priority = INT32_MIN;
  raise->run = [](Work& work, Pe& current) {
    auto& self = static_cast<Raise&>(work);
    current.raised_in = self.where;
    const std::exception_ptr thrown = std::move(self.error);
    delete &self;
    std::rethrow_exception(thrown);
  };
  pe.enqueue(*raise);
}

}  // namespace kaon
