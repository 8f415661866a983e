// SPDX-License-Identifier: Apache-2.0
#include <boost/serialization/base_object.hpp>
#include <boost/serialization/nvp.hpp>
#include <boost/serialization/split_member.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "tests/runtime/archive_bytes.hpp"
#include "tests/support/catch.hpp"

namespace shapes {

// One type for each way of saying how it is serialized; all have private members, so that nothing else can do it.
class Pupped {
 public:
  Pupped() = default;
  Pupped(int id, std::string name) : id_(id), name_(std::move(name)) {}
  template <class Archive>
  void pup(Archive& ar) {
    ar(id_, name_);
    if constexpr (Archive::is_loading) {
      length_ = name_.size();
    }
  }
  bool operator==(const Pupped&) const = default;

 private:
  int id_ = 0;
  std::string name_;
  std::size_t length_ = name_.size();  // not sent: found again when reading
};

class Cereal {
 public:
  explicit Cereal(int id = 0) : id_(id), texts_(static_cast<std::size_t>(id), "x") {}
  template <class Archive>
  void serialize(Archive& ar) {
    ar(id_, texts_);
  }
  bool operator==(const Cereal&) const = default;

 private:
  int id_;
  std::vector<std::string> texts_;
};

class Boost {
 public:
  explicit Boost(int id = 0) : id_(id) {}
  template <class Archive>
  void serialize(Archive& ar, const unsigned int version) {
    ar& BOOST_SERIALIZATION_NVP(id_);
    ar& twice_;
    version_ = version;
  }
  bool operator==(const Boost& other) const { return id_ == other.id_ && twice_ == other.twice_; }

 private:
  int id_;
  int twice_ = 2 * id_;
  unsigned version_ = 0;
};

class BoostDerived : public Boost {
 public:
  explicit BoostDerived(int id = 0, std::string name = "") : Boost(id), name_(std::move(name)) {}
  template <class Archive>
  void serialize(Archive& ar, unsigned) {
    ar& boost::serialization::base_object<Boost>(*this);
    ar& name_;
  }
  bool operator==(const BoostDerived&) const = default;

 private:
  std::string name_;
};

class Split {
 public:
  explicit Split(int id = 0) : id_(id) {}
  template <class Archive>
  void save(Archive& ar) const {
    ar(id_ + 1);
  }
  template <class Archive>
  void load(Archive& ar) {
    ar(id_);
    --id_;
  }
  bool operator==(const Split&) const = default;

 private:
  int id_;
};

class BoostSplit {
 public:
  explicit BoostSplit(int id = 0) : id_(id) {}
  template <class Archive>
  void save(Archive& ar, unsigned) const {
    ar << id_;
  }
  template <class Archive>
  void load(Archive& ar, unsigned) {
    ar >> id_;
  }
  BOOST_SERIALIZATION_SPLIT_MEMBER()
  bool operator==(const BoostSplit&) const = default;

 private:
  int id_;
};

class Free {
 public:
  std::string text;
  explicit Free(std::string t = "") : text(std::move(t)) {}
  bool operator==(const Free&) const = default;
};
template <class Archive>
void serialize(Archive& ar, Free& value) {
  ar(value.text);
}

class VersionedFree {
 public:
  std::string text;
  explicit VersionedFree(std::string t = "") : text(std::move(t)) {}
  bool operator==(const VersionedFree&) const = default;
};
template <class Archive>
void serialize(Archive& ar, VersionedFree& value, const unsigned) {
  ar& value.text;
}

// What CEREAL_NVP(x) makes: a name and a reference.
template <class T>
struct NameValuePair {
  const char* name;
  T value;
};
template <class T>
NameValuePair<T&> make_nvp(const char* name, T& value) {
  return {name, value};
}

class Named {
 public:
  explicit Named(int id = 0) : id_(id) {}
  template <class Archive>
  void serialize(Archive& ar) {
    ar(make_nvp("id", id_), make_nvp("names", names_));
  }
  bool operator==(const Named&) const = default;

 private:
  int id_;
  std::vector<std::string> names_{std::to_string(id_)};
};

struct AggregateWithPup {
  int sent;
  int kept;
  template <class Archive>
  void pup(Archive& ar) {
    ar(sent);
  }
};

struct Everything {
  Pupped pupped;
  std::vector<Cereal> cereal;
  std::optional<Boost> boost;
  std::pair<Split, Free> pair;
  bool operator==(const Everything&) const = default;
};

// Holds what cannot be copied, as an argument with a payload does.
struct MoveOnly {
  int iteration = 0;
  std::optional<int> face;
  std::vector<double> plane;
  MoveOnly() = default;
  MoveOnly(MoveOnly&&) = default;
  MoveOnly& operator=(MoveOnly&&) = default;
  template <class Archive>
  void pup(Archive& ar) {
    ar(iteration, face, plane);
  }
};
struct HoldsMoveOnly {
  char tag[4];
  MoveOnly inner;
  std::string text;
};

}  // namespace shapes

namespace {

using namespace kaon::testing;

TEST_CASE("every way of saying how a type is serialized works", "[archive]") {
  CHECK(round_trip(shapes::Pupped(1, "name")) == shapes::Pupped(1, "name"));
  CHECK(round_trip(shapes::Cereal(2)) == shapes::Cereal(2));
  CHECK(round_trip(shapes::Boost(3)) == shapes::Boost(3));
  CHECK(round_trip(shapes::BoostDerived(4, "derived")) == shapes::BoostDerived(4, "derived"));
  CHECK(round_trip(shapes::Split(5)) == shapes::Split(5));
  CHECK(round_trip(shapes::BoostSplit(6)) == shapes::BoostSplit(6));
  CHECK(round_trip(shapes::Free("free")) == shapes::Free("free"));
  CHECK(round_trip(shapes::VersionedFree("free")) == shapes::VersionedFree("free"));
  CHECK(round_trip(shapes::Named(7)) == shapes::Named(7));
}

TEST_CASE("save and load go before a serialize that only splits", "[archive]") {
  CHECK(unpacked<int>(packed(shapes::Split(5))) == 6);
}

TEST_CASE("a pup goes before the members of an aggregate", "[archive]") {
  CHECK(packed(shapes::AggregateWithPup{1, 2}).size() == 4);
  CHECK(round_trip(shapes::AggregateWithPup{1, 2}).kept == 0);
  // Also where memory could be copied as it is.
  CHECK(packed(std::vector<shapes::AggregateWithPup>(3)).size() == 8 + 12);
}

TEST_CASE("users' types nest in aggregates and containers", "[archive]") {
  const shapes::Everything everything{shapes::Pupped(1, "one"),
                                      {shapes::Cereal(2), shapes::Cereal(3)},
                                      shapes::Boost(4),
                                      {shapes::Split(5), shapes::Free("six")}};
  CHECK(round_trip(everything) == everything);
}

TEST_CASE("types that cannot be copied are packed and read in place", "[archive]") {
  shapes::HoldsMoveOnly value{"abc", {}, "text"};
  value.inner.face = 5;
  value.inner.plane = {1, 2, 3};
  const shapes::HoldsMoveOnly copy = round_trip(value);
  CHECK(std::string(copy.tag) == "abc");
  CHECK(copy.inner.face == 5);
  CHECK(copy.inner.plane == value.inner.plane);
  CHECK(copy.text == "text");
}

}  // namespace
