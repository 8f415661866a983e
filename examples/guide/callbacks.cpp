// SPDX-License-Identifier: Apache-2.0
// Callbacks and futures, completion of a group of messages, more operations of reductions, objects by pointer.
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "examples/guide/sections.hpp"

namespace guide {

class Solver : public kaon::Chare<Solver> {
 public:
  void solve(double value, kaon::Callback<double> then) { then(value / 2); }  // whoever that is
};

class Book : public kaon::Chare<Book> {
 public:
  void enter(double value) { total_ += value; }
  double total() const { return total_; }

 private:
  double total_ = 0;
};

kaon::Task<bool> callbacks(kaon::Runtime& runtime) {
  const auto solvers = co_await runtime.create<Solver>(4);
  const auto books = co_await runtime.create<Book>(2);
  solvers[1].send<&Solver::solve>(8, kaon::callback<&Book::enter>(books[1]));  // an entry of one element
  solvers[2].send<&Solver::solve>(6, kaon::callback<&Book::enter>(books));     // of all elements

  const kaon::Future<double> half = runtime.future<double>();  // or a task that waits, here
  solvers[3].send<&Solver::solve>(5, half.callback());
  const bool is_half = co_await half == 2.5;

  co_await runtime.quiescence();
  co_return is_half&& co_await books.call_all<&Book::total>(kaon::sum) == 4 + 3 + 3;
}

class Miner : public kaon::Chare<Miner> {
 public:
  void dig(int loads, kaon::Completion loads_of_all) {
    for (int i = 0; i < loads; ++i) {
      loads_of_all.produce();
      array()[(index().x + i) % array().shape().x].send<&Miner::unload>(loads_of_all);
    }
    loads_of_all.done();  // this producer produces no more
  }
  void unload(kaon::Completion loads_of_all) {
    ++unloaded_;
    loads_of_all.consume();
  }
  int unloaded() const { return unloaded_; }

 private:
  int unloaded_ = 0;
};

kaon::Task<bool> completion(kaon::Runtime& runtime) {
  const auto miners = co_await runtime.create<Miner>(5);
  const auto loads = co_await kaon::Completion::start(runtime, 5);  // five producers
  for (int i = 0; i < 5; ++i) miners[i].send<&Miner::dig>(i, loads);
  co_await loads.finished();  // whatever else is under way
  loads.destroy();
  co_return co_await miners.call_all<&Miner::unloaded>(kaon::sum) == 0 + 1 + 2 + 3 + 4;
}

class Sensor : public kaon::Chare<Sensor> {
 public:
  double heat() const { return 20.0 + index().x % 3; }
  bool is_cold() const { return heat() < 25; }
  std::vector<std::pair<int, double>> by_index() const { return {{index().x, heat()}}; }
  std::map<double, int> how_often() const { return {{heat(), 1}}; }
  kaon::Located<double> place() const { return {heat(), index()}; }
  std::tuple<double, int> heat_and_one() const { return {heat(), 1}; }
  kaon::Statistics measured() const { return kaon::Statistics(heat()); }
};

kaon::Task<bool> operations(kaon::Runtime& runtime) {
  const auto sensors = co_await runtime.create<Sensor>(9);
  const bool are_cold = co_await sensors.call_all<&Sensor::is_cold>(kaon::logical_and);
  const auto in_order = co_await sensors.call_all<&Sensor::by_index>(kaon::merge_in_order);
  const auto how_often = co_await sensors.call_all<&Sensor::how_often>(kaon::unite_by(kaon::sum));
  const auto hottest = co_await sensors.call_all<&Sensor::place>(kaon::max_location);  // of equal ones the first
  const auto [most, count] = co_await sensors.call_all<&Sensor::heat_and_one>(kaon::combine_each(kaon::max, kaon::sum));
  const kaon::Statistics all = co_await sensors.call_all<&Sensor::measured>(kaon::statistics);
  co_return are_cold&& in_order.size() == 9 && in_order[4].first == 4 && how_often.at(21) == 3 &&
      hottest.where == kaon::Index(2) && most == 22 && count == 9 && all.mean() == 21 && all.min() == 20;
}

/// What is sent by a pointer to this arrives as what it is.
class Filter {
 public:
  virtual ~Filter() = default;
  virtual double apply(double value) const = 0;
};

class Scale : public Filter {
 public:
  explicit Scale(double by = 1) : by_(by) {}
  double apply(double value) const override { return by_ * value; }
  template <class Archive>
  void pup(Archive& archive) {
    archive(by_);
  }

 private:
  double by_;
};
inline const kaon::PolymorphicType<Filter, Scale> scale;

class Channel : public kaon::Chare<Channel> {
 public:
  void add(std::unique_ptr<Filter> filter) { filters_.push_back(std::move(filter)); }
  double pass(double value) const {
    for (const auto& filter : filters_) value = filter->apply(value);
    return value;
  }

 private:
  std::vector<std::unique_ptr<Filter>> filters_;
};

kaon::Task<bool> objects_by_pointer(kaon::Runtime& runtime) {
  const auto channels = co_await runtime.create_group<Channel>();
  const auto last = channels[static_cast<int>(runtime.pes()) - 1];
  last.send<&Channel::add>(std::make_unique<Scale>(2));
  last.send<&Channel::add>(std::make_unique<Scale>(1.5));
  co_await runtime.quiescence();
  co_return co_await last.call<&Channel::pass>(7) == 21;
}

}  // namespace guide
