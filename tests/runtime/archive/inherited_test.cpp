// SPDX-License-Identifier: Apache-2.0
// Classes with bases: who says how they are serialized, and what is believed of classes like containers.
#include <boost/container/flat_map.hpp>
#include <boost/container/small_vector.hpp>
#include <boost/serialization/split_member.hpp>
#include <complex>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace family {

class Base {
 public:
  explicit Base(int a = 0) : a_(a) {}
  template <class Archive>
  void pup(Archive& ar) {
    ar(a_);
  }
  bool operator==(const Base&) const = default;

 private:
  int a_;
};
class Forgetful : public Base {
  int b_ = 0;
};
class Named : public Base {
 public:
  explicit Named(int a = 0, std::string name = "") : Base(a), name_(std::move(name)) {}
  template <class Archive>
  void pup(Archive& ar) {
    Base::pup(ar);
    ar(name_);
  }
  bool operator==(const Named&) const = default;

 private:
  std::string name_;
};
class SameAsBase : public Base {
 public:
  using serialized_whole = SameAsBase;
  using Base::Base;
};
class BelowSame : public SameAsBase {};
class SaidOutside : public Base {
 public:
  using Base::Base;
};

// The pup is the base's, and the base knows all members.
template <class Derived>
struct Mixin {
  using serialized_whole = Derived;
  template <class Archive>
  void pup(Archive& ar) {
    static_cast<Derived&>(*this).members(ar);
  }
};
struct Mixed : Mixin<Mixed> {
  int a = 0;
  std::string b;
  template <class Archive>
  void members(Archive& ar) {
    ar(a, b);
  }
};

// One for each archive, and one that is also something else.
struct Overloaded {
  int a = 0;
  void pup(kaon::runtime::Writer& ar) { ar(a); }
  void pup(kaon::runtime::Reader& ar) { ar(a); }
  void pup(std::string&) {}
};
struct Abbreviated {
  int a = 0;
  auto pup(auto& ar) noexcept {
    ar(a);
    return true;
  }
};
struct TwoTemplates {
  int a = 0;
  template <class Archive>
  void serialize(Archive& ar) {
    ar(a);
  }
  template <class Archive>
  void serialize(Archive& ar, unsigned) {
    ar(a);
  }
};
struct BelowTwoTemplates : TwoTemplates {
  int b = 0;
};

// Boost: the base is split, the derived class is not.
class SplitBase {
 public:
  explicit SplitBase(int a = 0) : a_(a) {}
  template <class Archive>
  void save(Archive& ar, unsigned) const {
    ar << a_;
  }
  template <class Archive>
  void load(Archive& ar, unsigned) {
    ar >> a_;
  }
  BOOST_SERIALIZATION_SPLIT_MEMBER()
  bool operator==(const SplitBase&) const = default;

 private:
  int a_;
};
class WholeDerived : public SplitBase {
 public:
  explicit WholeDerived(int a = 0, int b = 0) : SplitBase(a), b_(b) {}
  template <class Archive>
  void serialize(Archive& ar, unsigned) {
    ar& static_cast<SplitBase&>(*this);
    ar& b_;
  }
  bool operator==(const WholeDerived&) const = default;

 private:
  int b_;
};

// Free functions: one for each instance of a template, one found as a friend.
template <class T>
class Cell {
 public:
  explicit Cell(T value = T()) : value(value) {}
  T value;
  bool operator==(const Cell&) const = default;
};
template <class Archive, class T>
void serialize(Archive& ar, Cell<T>& cell) {
  ar(cell.value);
}
class SmallCell : public Cell<int> {
  int more_ = 0;
};
class WithFriend {
 public:
  explicit WithFriend(int a = 0) : a_(a) {}
  bool operator==(const WithFriend&) const = default;

 private:
  template <class Archive>
  friend void serialize(Archive& ar, WithFriend& value, unsigned) {
    ar(value.a_);
  }
  int a_;
};
class BelowFriend : public WithFriend {};

// Like a container.
class Stack {
 public:
  using value_type = int;
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  std::size_t size() const { return values_.size(); }
  void clear() { values_.clear(); }
  int& back() { return values_.back(); }
  void emplace_back() { values_.emplace_back(); }
  bool operator==(const Stack&) const = default;

 private:
  std::deque<int> values_;
};
class OpenStack : public Stack {
 public:
  using serialized_whole = OpenStack;
};
class Numbers : public std::vector<int> {
 public:
  using serialized_whole = Numbers;
  using vector::vector;
};
class Keyed : public std::map<int, std::string> {};
class Maybe : public std::optional<int> {};
class Choice : public std::variant<int, std::string> {};
class Complex : public std::complex<double> {
  int more_ = 0;
};
struct ByOrigin {
  int origin;
  bool operator()(int a, int b) const { return a - origin < b - origin; }
};

}  // namespace family

template <>
inline constexpr bool kaon::is_serialized_whole<family::SaidOutside> = true;

namespace {

using namespace kaon::testing;

static_assert(Serializable<family::Base> && Serializable<family::Named> && Serializable<family::Mixed>);
static_assert(!Serializable<family::Forgetful> && !Serializable<std::vector<family::Forgetful>>);
static_assert(Serializable<family::SameAsBase> && Serializable<family::SaidOutside>);
static_assert(!Serializable<family::BelowSame>, "what a class says of itself, it does not say of those below it");
static_assert(!Serializable<family::BelowTwoTemplates>);
static_assert(Serializable<family::Cell<int>> && !Serializable<family::SmallCell>);
static_assert(Serializable<family::WithFriend> && !Serializable<family::BelowFriend>);
static_assert(!Serializable<family::Stack> && Serializable<family::OpenStack> && Serializable<family::Numbers>);
static_assert(!Serializable<family::Keyed> && !Serializable<family::Maybe> && !Serializable<family::Choice>);
static_assert(!Serializable<family::Complex>, "it is larger than the two numbers that it shows");
static_assert(!Serializable<std::set<int, family::ByOrigin>> && !Serializable<std::map<int, int, family::ByOrigin>>);
static_assert(!Serializable<std::set<int, bool (*)(int, int)>>);
static_assert(!Serializable<std::unordered_set<int, std::function<std::size_t(int)>>>);
static_assert(Serializable<std::set<int, std::greater<>>>);

TEST_CASE("a class that declares its own way is serialized that way", "[archive]") {
  CHECK(round_trip(family::Named(1, "name")) == family::Named(1, "name"));
  CHECK(round_trip(family::WithFriend(3)) == family::WithFriend(3));
  CHECK(round_trip(family::Cell<std::string>("x")) == family::Cell<std::string>("x"));
}

TEST_CASE("of a class and its base, the class is asked, whichever way each of them has", "[archive]") {
  CHECK(packed(family::WholeDerived(1, 2)).size() == 8);
  CHECK(round_trip(family::WholeDerived(1, 2)) == family::WholeDerived(1, 2));
}

TEST_CASE("a class that says that its base is enough is serialized as the base", "[archive]") {
  CHECK(round_trip(family::SameAsBase(4)) == family::SameAsBase(4));
  CHECK(round_trip(family::SaidOutside(5)) == family::SaidOutside(5));
  family::Mixed mixed;
  mixed.a = 6;
  mixed.b = "seven";
  CHECK((round_trip(mixed).a == 6 && round_trip(mixed).b == "seven"));
}

TEST_CASE("a pup may be overloaded, abbreviated, or no template", "[archive]") {
  family::Overloaded overloaded;
  overloaded.a = 1;
  CHECK(round_trip(overloaded).a == 1);
  family::Abbreviated abbreviated;
  abbreviated.a = 2;
  CHECK(round_trip(abbreviated).a == 2);
  family::TwoTemplates two;
  two.a = 3;
  CHECK(round_trip(two).a == 3);
}

TEST_CASE("a class that says that it is its elements is sent as a container", "[archive]") {
  family::OpenStack stack;
  stack.emplace_back();
  stack.back() = 8;
  CHECK(round_trip(stack) == stack);
  const family::Numbers numbers{1, 2, 3};
  CHECK(round_trip(numbers) == numbers);
  CHECK(packed(numbers) == packed(std::vector<int>{1, 2, 3}));
}

TEST_CASE("containers of Boost's are known", "[archive]") {
  const boost::container::small_vector<std::string, 2> names{"a", "b", "c"};
  CHECK(round_trip(names) == names);
  const boost::container::flat_map<int, std::string> map{{1, "a"}, {2, "b"}};
  CHECK(round_trip(map) == map);
}

}  // namespace
