// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/operation.hpp"

#include <vector>

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/datatypes/predefined_datatypes.hpp"
#include "tests/support/catch.hpp"

namespace kaon::ampi::testing {

namespace {

struct Call {
  const void* in;
  void* inout;
  MPI_Count length;
  MPI_Datatype type;
  bool is_valid;
};
std::vector<Call> calls;

void subtract(void* in, void* inout, int* length, MPI_Datatype* type) {
  calls.push_back({in, inout, *length, *type, Datatype::of(*type) != nullptr});
  const auto* from = static_cast<const int*>(in);
  auto* into = static_cast<int*>(inout);
  if (Datatype::of(*type) == Datatype::of(MPI_INT))
    for (int i = 0; i < *length; ++i) into[i] = from[i] - into[i];
}

void note_large(void* in, void* inout, MPI_Count* length, MPI_Datatype* type) {
  calls.push_back({in, inout, *length, *type, Datatype::of(*type) != nullptr});
}

}  // namespace

TEST_CASE("predefined operations do not take derived types, but duplicates of what they take", "[ampi][operations]") {
  const TypeDefinitionPtr integer = Datatype::of(MPI_INT)->shared_definition();
  Datatype* derived = Datatype::make(contiguous(CountForm::kInt, 1, integer));
  Datatype* copy = Datatype::make(duplicate(integer));
  CHECK_FALSE(Operation::of(MPI_SUM)->accepts(*derived));
  CHECK_FALSE(Operation::of(MPI_BAND)->accepts(*derived));
  CHECK(Operation::of(MPI_SUM)->accepts(*copy));
  CHECK_FALSE(Operation::of(MPI_MAXLOC)->accepts(*copy));
  CHECK(Operation::of(MPI_SUM)->accepts(*fortran_real(10, MPI_UNDEFINED)));
  derived->free_handle();
  copy->free_handle();
}

TEST_CASE("a function of the program gets its arguments in MPI's order", "[ampi][operations]") {
  calls.clear();
  Operation* operation = Operation::make(&subtract, false);
  CHECK_FALSE(operation->is_commutative());
  CHECK_FALSE(operation->is_predefined());
  const std::vector<int> in{10, 20, 30};
  std::vector<int> inout{1, 2, 3};
  operation->apply(in.data(), inout.data(), 3, *Datatype::of(MPI_INT));
  CHECK(inout == std::vector<int>{9, 18, 27});
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].in == in.data());
  CHECK(calls[0].inout == inout.data());
  CHECK(calls[0].type == MPI_INT);
  operation->free_handle();
}

TEST_CASE("a function that counts with int is called for as many elements as that can count", "[ampi][operations]") {
  calls.clear();
  // Without an extent three billion elements are one.
  Datatype* type = Datatype::make(resized(CountForm::kInt, Datatype::of(MPI_INT)->shared_definition(), 0, 0));
  Operation* small = Operation::make(&subtract, true);
  Operation* large = Operation::make(&note_large, true);
  int in = 0, inout = 0;
  small->apply(&in, &inout, 3'000'000'000, *type);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].length + calls[1].length == 3'000'000'000);
  large->apply(&in, &inout, 3'000'000'000, *type);
  REQUIRE(calls.size() == 3);
  CHECK(calls[2].length == 3'000'000'000);
  small->free_handle();
  large->free_handle();
  type->free_handle();
}

TEST_CASE("operations and types that are freed serve what is under way", "[ampi][operations]") {
  calls.clear();
  Datatype* type = Datatype::make(contiguous(CountForm::kInt, 2, Datatype::of(MPI_INT)->shared_definition()));
  Operation* operation = Operation::make(&subtract, true);
  const MPI_Datatype type_handle = type->handle();
  const MPI_Op operation_handle = operation->handle();
  {
    const TypeRef type_ref(*type);
    const OperationRef operation_ref(*operation);
    type->free_handle();
    operation->free_handle();
    CHECK(Datatype::of(type_handle) == nullptr);
    CHECK(Operation::of(operation_handle) == nullptr);
    int in[2] = {}, inout[2] = {};
    operation_ref->apply(in, inout, 1, *type_ref);
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].type == type_handle);
    CHECK(calls[0].is_valid);  // while the function has it
    CHECK(Datatype::of(type_handle) == nullptr);
  }
  CHECK(Datatype::of(type_handle) == nullptr);
  CHECK(Operation::of(operation_handle) == nullptr);
}

TEST_CASE("what is no operation is told", "[ampi][operations]") {
  CHECK(Operation::of(MPI_OP_NULL) == nullptr);
  CHECK(Operation::of(reinterpret_cast<MPI_Op>(std::uintptr_t{0x27})) == nullptr);
  CHECK(Operation::of(reinterpret_cast<MPI_Op>(MPI_INT)) == nullptr);
  CHECK(Operation::of(MPI_SUM)->handle() == MPI_SUM);
  CHECK(Operation::of(MPI_SUM)->is_commutative());
  CHECK_FALSE(Operation::of(MPI_REPLACE)->is_commutative());
  CHECK(name_of(*Operation::of(MPI_MAXLOC)) == "MPI_MAXLOC");
}

}  // namespace kaon::ampi::testing
