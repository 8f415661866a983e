// expect: this class looks like a variant and may hold more
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <variant>

#include <kaon/kaon.hpp>

class Choice : public std::variant<int, std::string> {
 public:
  using variant::variant;

 private:
  int rank_ = 0;
};

void unpack(kaon::Reader& in, Choice& choice) { in(choice); }
