// expect: this class looks like a container and may hold more than its elements
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include <kaon/kaon.hpp>

class Grid {
 public:
  using value_type = double;
  auto begin() const { return cells_.begin(); }
  auto end() const { return cells_.end(); }
  std::size_t size() const { return cells_.size(); }
  void clear() { cells_.clear(); }
  double& back() { return cells_.back(); }
  void emplace_back() { cells_.emplace_back(); }

 private:
  int rows_ = 0;
  std::vector<double> cells_;
};

void pack(kaon::Writer& out, const Grid& grid) { out(grid); }
