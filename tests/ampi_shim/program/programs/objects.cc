// SPDX-License-Identifier: Apache-2.0
// Writable data of C++ programs, exceptions, streams. Started as "objects NUMBER".
#include <sched.h>

#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

namespace {

struct Told {
  explicit Told(const char* name) : name_(name) { std::cout << "made " << name_ << std::endl; }
  ~Told() { std::cout << "gone " << name_ << '\n'; }
  const char* name_;
};

Told first("first");
Told second("second");
std::vector<int> numbers{1, 2, 3};
std::map<std::string, int> words{{"a", 1}};
std::once_flag once;

struct Base {
  virtual ~Base() = default;
  virtual int value() const { return 1; }
};
struct Derived : Base {
  explicit Derived(int value) : value_(value) {}
  int value() const override { return value_; }
  int value_;
};
struct Other : Base {};

struct Failure : std::runtime_error {
  Failure(const std::string& what, int number) : std::runtime_error(what), number_(number) {}
  int number_;
};

template <typename T>
struct Counted {
  static inline int count = 10;
};

Told& local() {
  static Told told("local");
  return told;
}

void descend(int depth, int number) {
  struct Guard {
    ~Guard() { ++Counted<int>::count; }
  } guard;
  sched_yield();
  if (depth == 0) throw Failure("failed " + std::to_string(number), number);
  descend(depth - 1, number);
}

void catch_all_kinds(int number) {
  for (int i = 0; i < 3; ++i) {
    try {
      descend(i, number + i);
    } catch (const std::exception& caught) {
      sched_yield();
      const auto* failure = dynamic_cast<const Failure*>(&caught);
      std::cout << caught.what() << ' ' << failure->number_ << ' ' << std::uncaught_exceptions() << '\n';
      try {
        sched_yield();
        numbers.at(100 + number);
      } catch (const std::out_of_range&) {
        sched_yield();
        try {
          throw;
        } catch (std::logic_error& rethrown) {
          std::cout << (typeid(rethrown) == typeid(std::out_of_range)) << '\n';
        }
      }
    }
  }
}

void use_streams(int number) {
  std::cout << std::setprecision(number % 5 + 1) << std::hex;
  sched_yield();
  std::cout << 1.23456789 << ' ' << 255 << std::dec << std::endl;
  std::ostringstream text;
  text << std::setw(6) << number;
  std::cout << text.str() << '\n';
  std::printf("printed %d\n", number);
  std::cout << "after" << '\n';
  int read = 5;
  if (!(std::cin >> read)) std::cout << "no input\n";
  std::cerr << "error " << number << '\n';
  std::clog << "log\n";
}

}  // namespace

int main(int, const char** argv) {
  std::ios::sync_with_stdio(true);
  const int number = std::stoi(argv[1]);
  numbers.push_back(number);
  words["b"] += number;
  local();
  sched_yield();
  const std::unique_ptr<Base> bases[] = {std::make_unique<Derived>(number), std::make_unique<Other>()};
  for (const auto& base : bases) std::cout << base->value() << (dynamic_cast<Derived*>(base.get()) != nullptr) << ' ';
  std::call_once(once, [] { std::cout << "once "; });
  std::call_once(once, [] { std::cout << "twice "; });
  std::cout << numbers.size() << numbers.back() << words["b"] << '\n';
  catch_all_kinds(number);
  use_streams(number);
  std::cout << Counted<int>::count << '\n';
  if (number % 2 == 1) std::exit(3);
  return 0;
}
