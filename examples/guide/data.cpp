// SPDX-License-Identifier: Apache-2.0
// Back-pressure, exceptions, reductions and payloads.
#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "examples/guide/sections.hpp"

namespace guide {

class Sink : public kaon::Chare<Sink> {
 public:
  void take(std::vector<double> values) { count_ += values.size(); }
  std::size_t count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

kaon::Task<bool> ready_flush(kaon::Runtime& runtime) {
  auto sinks = co_await runtime.create_group<Sink>();
  const auto to = sinks[static_cast<int>(runtime.pes()) - 1];
  for (int i = 0; i < 1000; ++i) {
    co_await to.ready();  // a slow receiver slows its senders
    to.send<&Sink::take>(std::vector<double>(100));
  }
  runtime.flush();  // now, instead of together with what is sent next
  co_await runtime.quiescence();
  co_return co_await to.call<&Sink::count>() == 100'000;
}

class Account : public kaon::Chare<Account> {
 public:
  int withdraw(int amount) {
    if (amount > balance_) throw std::runtime_error("only " + std::to_string(balance_) + " are left");
    return balance_ -= amount;
  }

 private:
  int balance_ = 10;
};

kaon::Task<bool> exceptions(kaon::Runtime& runtime) {
  auto accounts = co_await runtime.create_group<Account>();
  const auto account = accounts[static_cast<int>(runtime.pes()) - 1];
  std::string why;
  try {
    co_await account.call<&Account::withdraw>(50);
  } catch (const std::exception& error) {  // thrown by the entry, perhaps in another process
    why = error.what();
  }
  co_return why.find("only 10 are left") != why.npos&& co_await account.call<&Account::withdraw>(4) == 6;
}

struct Range {
  int low, high;
};

/// The range around two. A type without state, so that every PE has it.
struct Around {
  Range operator()(Range a, const Range& b) const { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
};

class Part : public kaon::Chare<Part> {
 public:
  int number() const { return index().x; }
  std::vector<double> histogram() const { return {1.0, 0.5 * number()}; }
  Range range() const { return {number(), 2 * number()}; }

  kaon::Task<int> agree() {
    const int greatest = co_await contribute(kaon::max, number());  // each gets the result of all
    co_return greatest - number();
  }
};

kaon::Task<bool> reductions(kaon::Runtime& runtime) {
  auto parts = co_await runtime.create<Part>(5);
  const int sum = co_await parts.call_all<&Part::number>(kaon::sum);
  const std::vector<double> total = co_await parts.call_all<&Part::histogram>(kaon::sum);  // place by place
  const Range all = co_await parts.call_all<&Part::range>(Around{});
  const int distances = co_await parts.call_all<&Part::agree>(kaon::sum);
  co_return sum == 10 && total == std::vector<double>{5.0, 5.0} && all.low == 0 && all.high == 8 && distances == 10;
}

constexpr std::size_t kCount = 10'000;

class Field : public kaon::Chare<Field> {
 public:
  void take(kaon::Payload<double> values) { sum_ = values.view().front() + values.view().back(); }
  /// The post rule of take(): where a payload goes, asked before it is received. Without one it gets a pooled buffer.
  kaon::Landing post(kaon::PostFor<&Field::take>, const kaon::Payload<double>&) {
    return kaon::Landing::into(std::span(values_));
  }
  double sum() const { return sum_; }

 private:
  std::vector<double> values_ = std::vector<double>(kCount);
  double sum_ = 0;
};

kaon::Task<bool> payloads(kaon::Runtime& runtime) {
  auto fields = co_await runtime.create_group<Field>();
  const auto field = fields[static_cast<int>(runtime.pes()) - 1];
  kaon::Payload<double> values(std::vector<double>(kCount, 1.5));
  field.send<&Field::take>(std::move(values));  // moved: what is under way cannot be overwritten
  co_await runtime.quiescence();
  co_return co_await field.call<&Field::sum>() == 3.0;
}

}  // namespace guide
