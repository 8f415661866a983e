// expect: this class looks like a container and may hold more than its elements
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <kaon/kaon.hpp>

class Named : public std::vector<int> {
 public:
  using std::vector<int>::vector;
  std::string name;
};

void pack(kaon::Writer& out, const Named& named) { out(named); }
