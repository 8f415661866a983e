// SPDX-License-Identifier: Apache-2.0
// Sparse arrays, and chares in no array.
#include "examples/guide/sections.hpp"

namespace guide {

/// Half of an interval, a half of that, and so on: 1 is the whole, 2 and 3 are its halves.
struct Part {
  std::uint64_t path = 1;

  std::uint64_t number() const { return path; }
  static Part from_number(std::uint64_t number) { return {number}; }
  Part half(int which) const { return {2 * path + static_cast<std::uint64_t>(which)}; }
};

class Piece : public kaon::Chare<Piece, Part> {
 public:
  explicit Piece(double weight) : weight_(weight) {}

  void split() {
    for (int which = 0; which < 2; ++which) array()[index().half(which)].insert(weight_ / 2);
    destroy();
  }
  double weight() const { return weight_; }

 private:
  double weight_;
};

kaon::Task<bool> sparse_arrays(kaon::Runtime& runtime) {
  const auto pieces = co_await runtime.create_sparse<Piece>();
  const Part whole;
  pieces[whole].insert(16.0);
  pieces[whole].send<&Piece::split>();
  pieces[whole.half(1)].send<&Piece::split>();  // which may come before it is there
  co_await runtime.quiescence();
  const double quarter = co_await pieces[whole.half(1).half(0)].call<&Piece::weight>();
  const double all = co_await pieces.call_all<&Piece::weight>(kaon::sum);
  co_return quarter == 4 && all == 16;
}

/// An entry of a matrix.
class Square : public kaon::Chare<Square> {
 public:
  /// Of all of its row, in which the sum is 1 then.
  kaon::Task<double> normalize(kaon::Section<Square> row) {
    value_ /= co_await contribute(row, kaon::sum, value_);
    co_return value_;
  }

 private:
  double value_ = 1 + index().y;
};

kaon::Task<bool> sections(kaon::Runtime& runtime) {
  const auto squares = co_await runtime.create<Square>({4, 4});
  std::vector<kaon::Index> members;
  for (int y = 0; y < 4; ++y) members.push_back({2, y});
  const kaon::Section<Square> row = co_await squares.section(members);
  const double all = co_await row.call_all<&Square::normalize>(kaon::sum, row);
  co_return all > 0.999 && all < 1.001;
}

class Total : public kaon::Chare<Total> {
 public:
  void add(int amount) { total_ += amount; }
  int total() const { return total_; }

 private:
  int total_ = 0;
};

class Share : public kaon::Chare<Share> {
 public:
  Share(int amount, kaon::Element<Total> total) {
    if (amount == 1) total.send<&Total::add>(1);
    for (const int part : {amount / 2, amount - amount / 2})
      if (amount > 1) kaon::this_runtime().make<Share>(part, total);
    destroy();
  }
};

kaon::Task<bool> single_chares(kaon::Runtime& runtime) {
  const kaon::Element<Total> total = runtime.make_on<Total>(runtime.pes() - 1);
  runtime.make<Share>(1000, total);  // on this PE, or on one that has nothing to do
  co_await runtime.quiescence();
  co_return co_await total.call<&Total::total>() == 1000;
}

}  // namespace guide
