// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "kaon/runtime/work/work.hpp"

namespace kaon::testing {

/// Work that notes its name when it is run.
struct NotedWait : runtime::Work {
  NotedWait(std::vector<int>& notes, int name) : notes_(notes), name_(name) {
    run = [](runtime::Work& self, runtime::Pe&) {
      auto& noted = static_cast<NotedWait&>(self);
      noted.notes_.push_back(noted.name_);
    };
  }

 private:
  std::vector<int>& notes_;
  int name_;
};

}  // namespace kaon::testing
