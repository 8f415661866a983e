// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/target_elements.hpp"

#include <numeric>
#include <vector>

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/runtime/base/error.hpp"
#include "tests/support/catch.hpp"

using namespace kaon::ampi;

namespace {

TypeDefinitionPtr ints() { return Datatype::of(MPI_INT)->shared_definition(); }

std::vector<TypeDefinitionPtr> some_types() {
  const int lengths[3] = {1, 3, 2}, starts[3] = {9, 0, 5};
  const auto pieces = indexed(CountForm::kInt, 3, lengths, starts, ints());
  const auto columns = kaon::ampi::vector(CountForm::kInt, 3, 1, 4, ints());
  const auto rows = hvector(CountForm::kInt, 2, 1, 64, columns);
  const int one[2] = {1, 1};
  const MPI_Aint at[2] = {0, 80};
  return {ints(), contiguous(CountForm::kInt, 3, ints()),
          pieces, columns,
          rows,   structure(CountForm::kInt, one, at, {pieces, rows})};
}

}  // namespace

TEST_CASE("elements come out of words as they went in", "[ampi][windows]") {
  const int count = GENERATE(1, 2);
  std::vector<int> memory(128);
  std::iota(memory.begin(), memory.end(), 0);
  for (const TypeDefinitionPtr& definition : some_types()) {
    Datatype* const type = Datatype::make(definition);
    const auto bytes = static_cast<std::size_t>(count * type->size());
    std::vector<std::byte> expected(bytes), packed(bytes);
    type->pack(expected.data(), memory.data(), count);
    const TargetElements elements = TargetElements::from_words(TargetElements::of(*type, count).to_words());
    CHECK(elements.bytes() == static_cast<std::int64_t>(bytes));
    CHECK(elements.is_run() == type->is_run(count));
    elements.pack(packed.data(), reinterpret_cast<const std::byte*>(memory.data()));
    CHECK(packed == expected);
    std::vector<int> back(128, -1), wanted(128, -1);
    type->unpack(wanted.data(), expected.data(), count);
    elements.unpack(reinterpret_cast<std::byte*>(back.data()), packed.data(), elements.bytes());
    CHECK(back == wanted);
    CHECK(element_type(*definition) == MPI_INT);
    type->free_handle();
  }
}

TEST_CASE("words that no layout has are refused", "[ampi][windows]") {
  using kaon::runtime::CorruptMessage;
  std::vector<std::int64_t> words = TargetElements::of(*Datatype::of(MPI_INT), 3).to_words();
  CHECK_THROWS_AS(TargetElements::from_words({}), CorruptMessage);
  words.push_back(1);
  CHECK_THROWS_AS(TargetElements::from_words(words), CorruptMessage);
  words.pop_back();
  words.back() = 77;
  CHECK_THROWS_AS(TargetElements::from_words(words), CorruptMessage);
  words.back() = 1;  // blocks, more of them than there are words
  words.insert(words.end(), {4, std::int64_t{1} << 40});
  CHECK_THROWS_AS(TargetElements::from_words(words), CorruptMessage);
}

TEST_CASE("types of several elements have no element type", "[ampi][windows]") {
  const int one[2] = {1, 1};
  const MPI_Aint at[2] = {0, 8};
  const auto mixed = structure(CountForm::kInt, one, at, {ints(), Datatype::of(MPI_DOUBLE)->shared_definition()});
  CHECK(element_type(*mixed) == MPI_DATATYPE_NULL);
  CHECK(element_type(Datatype::of(MPI_2INT)->definition()) == MPI_2INT);
}
