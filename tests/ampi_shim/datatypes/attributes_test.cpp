// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/attributes.hpp"

#include "tests/support/catch.hpp"

namespace kaon::ampi::testing {

namespace {

using TypeKeyvals = Keyvals<MPI_Datatype>;
using TypeAttributes = Attributes<MPI_Datatype>;

std::vector<int> deleted;  // keys, in order
int code_of_delete = MPI_SUCCESS;

int copy_plus_one(MPI_Datatype, int, void* extra_state, void* value, void* result, int* flag) {
  *static_cast<void**>(result) = static_cast<char*>(value) + *static_cast<int*>(extra_state);
  *flag = 1;
  return MPI_SUCCESS;
}
int copy_nothing(MPI_Datatype, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int copy_fails(MPI_Datatype, int, void*, void*, void*, int*) { return MPI_ERR_OTHER; }
int note_delete(MPI_Datatype, int keyval, void*, void*) {
  deleted.push_back(keyval);
  return code_of_delete;
}

}  // namespace

TEST_CASE("attributes are got as they were set", "[ampi][attributes]") {
  deleted.clear();
  TypeKeyvals keyvals(1);
  const int key = keyvals.create(MPI_TYPE_NULL_COPY_FN, &note_delete, nullptr);
  TypeAttributes attributes;
  int a = 0, b = 0;
  CHECK_FALSE(attributes.get(key).has_value());
  CHECK(attributes.set(MPI_INT, keyvals.find(key), &a) == MPI_SUCCESS);
  CHECK(attributes.get(key).value() == &a);
  CHECK(deleted.empty());
  CHECK(attributes.set(MPI_INT, keyvals.find(key), &b) == MPI_SUCCESS);
  CHECK(deleted == std::vector<int>{key});  // the old value goes first
  CHECK(attributes.get(key).value() == &b);
  CHECK(attributes.set(MPI_INT, keyvals.find(key), nullptr) == MPI_SUCCESS);
  CHECK(attributes.get(key).has_value());
  CHECK(attributes.get(key).value() == nullptr);
  CHECK(attributes.remove(MPI_INT, key) == MPI_SUCCESS);
  CHECK_FALSE(attributes.get(key).has_value());
}

TEST_CASE("a key that is freed is found while an attribute has it", "[ampi][attributes]") {
  TypeKeyvals keyvals(1);
  const int key = keyvals.create(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, nullptr);
  const int other = keyvals.create(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, nullptr);
  TypeAttributes attributes;
  CHECK(attributes.set(MPI_INT, keyvals.find(key), nullptr) == MPI_SUCCESS);
  CHECK(keyvals.free(key));
  CHECK(keyvals.free(other));
  CHECK_FALSE(keyvals.free(other));  // nothing has it
  REQUIRE(keyvals.find(key) != nullptr);
  CHECK(keyvals.find(key)->number == key);
  CHECK(keyvals.free(key));
  CHECK(keyvals.create(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, nullptr) != key);
  CHECK(attributes.remove(MPI_INT, key) == MPI_SUCCESS);
  CHECK(keyvals.find(key) == nullptr);
  CHECK_FALSE(keyvals.free(key));
}

TEST_CASE("a duplicate gets what the copy functions want", "[ampi][attributes]") {
  TypeKeyvals keyvals(1);
  int step = 3;
  char memory[8];
  const int null = keyvals.create(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, nullptr);
  const int dup = keyvals.create(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, nullptr);
  const int own = keyvals.create(&copy_plus_one, MPI_TYPE_NULL_DELETE_FN, &step);
  const int none = keyvals.create(&copy_nothing, MPI_TYPE_NULL_DELETE_FN, nullptr);
  TypeAttributes attributes;
  for (const int key : {null, dup, own, none})
    REQUIRE(attributes.set(MPI_INT, keyvals.find(key), memory) == MPI_SUCCESS);
  TypeAttributes copy;
  CHECK(copy.copy_from(MPI_INT, attributes) == MPI_SUCCESS);
  CHECK_FALSE(copy.get(null).has_value());
  CHECK(copy.get(dup).value() == memory);
  CHECK(copy.get(own).value() == memory + 3);
  CHECK_FALSE(copy.get(none).has_value());
  const int fails = keyvals.create(&copy_fails, MPI_TYPE_NULL_DELETE_FN, nullptr);
  REQUIRE(attributes.set(MPI_INT, keyvals.find(fails), memory) == MPI_SUCCESS);
  TypeAttributes other;
  CHECK(other.copy_from(MPI_INT, attributes) == MPI_ERR_OTHER);
}

TEST_CASE("attributes go the last one first, unless their function fails", "[ampi][attributes]") {
  deleted.clear();
  TypeKeyvals keyvals(100);
  TypeAttributes attributes;
  std::vector<int> keys;
  for (int i = 0; i < 3; ++i) {
    keys.push_back(keyvals.create(MPI_TYPE_NULL_COPY_FN, &note_delete, nullptr));
    REQUIRE(attributes.set(MPI_INT, keyvals.find(keys.back()), nullptr) == MPI_SUCCESS);
  }
  code_of_delete = MPI_ERR_OTHER;
  CHECK(attributes.remove(MPI_INT, keys[1]) == MPI_ERR_OTHER);
  CHECK(attributes.set(MPI_INT, keyvals.find(keys[1]), &deleted) == MPI_ERR_OTHER);
  CHECK(attributes.get(keys[1]).value() == nullptr);
  CHECK(attributes.clear(MPI_INT) == MPI_ERR_OTHER);
  code_of_delete = MPI_SUCCESS;
  deleted.clear();
  CHECK(attributes.clear(MPI_INT) == MPI_SUCCESS);
  CHECK(deleted == std::vector<int>{keys[2], keys[1], keys[0]});
  CHECK(attributes.empty());
}

TEST_CASE("a key that is freed serves the attributes that have it", "[ampi][attributes]") {
  deleted.clear();
  TypeKeyvals keyvals(7);
  const int key = keyvals.create(MPI_TYPE_DUP_FN, &note_delete, nullptr);
  CHECK(key >= 7);
  TypeAttributes attributes;
  REQUIRE(attributes.set(MPI_INT, keyvals.find(key), nullptr) == MPI_SUCCESS);
  CHECK(keyvals.free(key));
  CHECK(attributes.get(key).has_value());
  CHECK(attributes.clear(MPI_INT) == MPI_SUCCESS);
  CHECK(deleted == std::vector<int>{key});
  CHECK(keyvals.find(key) == nullptr);
}

}  // namespace kaon::ampi::testing
