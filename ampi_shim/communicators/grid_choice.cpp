// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "kaon/ampi_shim/communicators/topology.hpp"

namespace kaon::ampi {

namespace {

/// Looks at all products of so many factors, each at most the one before it, for that whose largest and smallest factor
/// differ least; among those for that with the largest smallest one, then the largest one before that, and so on.
class Factors {
 public:
  Factors(int product, int count) : current_(static_cast<std::size_t>(count)), divisors_(divisors_of(product)) {
    search(0, product, product);
  }
  const std::vector<int>& best() const { return best_; }

 private:
  static std::vector<int> divisors_of(int number) {
    std::vector<int> divisors;
    for (int divisor = 1; divisor <= number / divisor; ++divisor) {
      if (number % divisor != 0) continue;
      divisors.push_back(divisor);
      if (divisor != number / divisor) divisors.push_back(number / divisor);
    }
    std::sort(divisors.begin(), divisors.end());
    return divisors;
  }

  void search(std::size_t position, int product, int limit) {
    if (position + 1 == current_.size()) {
      if (product > limit) return;
      current_[position] = product;
      keep_if_better();
      return;
    }
    const std::size_t left = current_.size() - position;
    for (const int factor : divisors_) {
      if (factor > limit) break;
      if (product % factor != 0 || !can_reach(product, factor, left)) continue;
      current_[position] = factor;
      if (position > 0 && current_.front() - factor > spread_) continue;
      search(position + 1, product / factor, factor);
    }
  }

  // So many factors of at most this size can give the product.
  static bool can_reach(int product, int factor, std::size_t factors) {
    long long reach = 1;
    for (std::size_t i = 0; i < factors && reach < product; ++i) reach *= factor;
    return reach >= product;
  }

  void keep_if_better() {
    const int spread = current_.front() - current_.back();
    if (spread > spread_ || (spread == spread_ && !has_larger_small_ones())) return;
    spread_ = spread;
    best_ = current_;
  }

  bool has_larger_small_ones() const {
    return std::lexicographical_compare(best_.rbegin(), best_.rend(), current_.rbegin(), current_.rend());
  }

  std::vector<int> current_;
  std::vector<int> best_;
  std::vector<int> divisors_;
  int spread_ = std::numeric_limits<int>::max();
};

}  // namespace

bool choose_grid(int ranks, std::span<int> sizes) {
  const auto free = static_cast<int>(std::count(sizes.begin(), sizes.end(), 0));
  long long given = 1;
  for (const int size : sizes) {
    if (size != 0) given *= size;
    if (given > ranks) return false;
  }
  if (ranks % given != 0 || (free == 0 && given != ranks)) return false;
  if (free == 0) return true;
  const Factors factors(static_cast<int>(ranks / given), free);
  auto next = factors.best().begin();
  for (int& size : sizes) {
    if (size == 0) size = *next++;
  }
  return true;
}

}  // namespace kaon::ampi
