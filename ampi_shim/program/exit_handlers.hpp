// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace kaon::ampi {

/// Functions to be called when a rank ends, the last one first. One may register others while it runs.
class ExitHandlers {
 public:
  using WithArgument = void (*)(void*);
  using WithCode = void (*)(int, void*);

  void add(WithArgument function, void* argument) { handlers_.push_back({function, nullptr, argument}); }
  /// on_exit's: gets the code of the exit too.
  void add(WithCode function, void* argument) { handlers_.push_back({nullptr, function, argument}); }

  void run(int code) {
    while (!handlers_.empty()) {
      const Handler last = handlers_.back();
      handlers_.pop_back();  // first, because it may end by exit(), which runs the others
      last.plain != nullptr ? last.plain(last.argument) : last.with_code(code, last.argument);
    }
  }

 private:
  struct Handler {
    WithArgument plain;
    WithCode with_code;
    void* argument;
  };
  std::vector<Handler> handlers_;
};

}  // namespace kaon::ampi
