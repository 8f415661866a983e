// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/predefined_datatypes.hpp"

#include <array>
#include <cctype>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

/// Makes the objects of predefined types, which never end.
struct PredefinedDatatypes {
  using Table = std::array<Datatype*, Datatype::kPredefinedCount>;

  static Datatype*& at(Table& table, MPI_Datatype handle) {
    return table[reinterpret_cast<std::uintptr_t>(handle) - Datatype::kPredefinedBegin];
  }

  static Datatype* make(TypeDefinition definition, const char* name) {
    auto* type = new Datatype(std::make_shared<const TypeDefinition>(std::move(definition)));
    type->commit();
    type->set_name(name);
    return type;
  }

  /// The index lies where C puts it in a structure behind the value.
  static TypeDefinition define_pair(Table& table, const PairType& pair) {
    const TypeDefinitionPtr value = at(table, pair.value)->shared_definition();
    const TypeDefinitionPtr index = at(table, pair.index)->shared_definition();
    const std::int64_t alignment = index->bounds.alignment;
    TypeDefinition type =
        define({1, 0, {{0, 1}, {(value->size + alignment - 1) / alignment * alignment, 1}}, {value, index}});
    type.pair = &pair;
    type.predefined = pair.handle;
    return type;
  }

  static Datatype* const* make_all() {
    static Table table{};
    for (const BasicType& basic : basic_types()) at(table, basic.handle) = make(define_basic(basic), basic.name);
    for (const PairType& pair : pair_types()) at(table, pair.handle) = make(define_pair(table, pair), pair.name);
    return table.data();
  }

  /// A type of Fortran's kind: what a basic type is, with the question that it answers.
  static Datatype* make_kind(MPI_Datatype basic, int combiner, int digits, int exponent) {
    TypeDefinition definition = define_basic(*Datatype::of(basic)->definition().basic);
    definition.predefined = MPI_DATATYPE_NULL;
    definition.recipe = TypeRecipe(combiner);
    definition.recipe.integer(digits);
    if (combiner != MPI_COMBINER_F90_INTEGER) definition.recipe.integer(exponent);
    return make(std::move(definition), "");
  }
};

Datatype* const* Datatype::make_predefined() { return PredefinedDatatypes::make_all(); }

namespace {

/// What a type can hold: decimal digits, and exponents of ten.
struct Kind {
  MPI_Datatype type;
  int digits;
  int exponent;
};

/// Asked for once more, a kind must be the same object.
Datatype* kind(int combiner, int digits, int exponent, std::initializer_list<Kind> kinds) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::tuple<int, int, int>, Datatype*>;
  const std::lock_guard lock(mutex);
  Datatype*& type = (*known)[{combiner, digits, exponent}];
  for (const Kind& each : kinds)
    if (type == nullptr && digits <= each.digits && exponent <= each.exponent)  // MPI_UNDEFINED is less than any
      type = PredefinedDatatypes::make_kind(each.type, combiner, digits, exponent);
  if (type != nullptr) return type;
  known->erase({combiner, digits, exponent});
  throw MpiFault(MPI_ERR_ARG, "no type of Fortran has " + std::to_string(digits) + " digits and exponents of " +
                                  std::to_string(exponent));
}

void check_kind(int digits, int exponent) {
  const bool is_right = (digits == MPI_UNDEFINED || digits >= 0) && (exponent == MPI_UNDEFINED || exponent >= 0) &&
                        (digits != MPI_UNDEFINED || exponent != MPI_UNDEFINED);
  if (!is_right) throw MpiFault(MPI_ERR_ARG, "digits and exponents must be positive or, one of them, MPI_UNDEFINED");
}

}  // namespace

Datatype* fortran_real(int digits, int exponent) {
  check_kind(digits, exponent);
  return kind(MPI_COMBINER_F90_REAL, digits, exponent,
              {{MPI_REAL4, 6, 37}, {MPI_REAL8, 15, 307}, {MPI_REAL16, 33, 4931}});
}

Datatype* fortran_complex(int digits, int exponent) {
  check_kind(digits, exponent);
  return kind(MPI_COMBINER_F90_COMPLEX, digits, exponent,
              {{MPI_COMPLEX8, 6, 37}, {MPI_COMPLEX16, 15, 307}, {MPI_COMPLEX32, 33, 4931}});
}

Datatype* fortran_integer(int digits) {
  check_kind(digits, MPI_UNDEFINED);
  return kind(MPI_COMBINER_F90_INTEGER, digits, MPI_UNDEFINED,
              {{MPI_INTEGER1, 2, 0},
               {MPI_INTEGER2, 4, 0},
               {MPI_INTEGER4, 9, 0},
               {MPI_INTEGER8, 18, 0},
               {MPI_INTEGER16, 38, 0}});
}

Datatype* type_of_size(int type_class, int bytes) {
  // The types whose names tell their size, in the order of the table of basic types; Fortran's come after C's.
  const auto group_of_class = [type_class] {
    if (type_class == MPI_TYPECLASS_INTEGER) return BasicGroup::kFortranInteger;
    return type_class == MPI_TYPECLASS_REAL ? BasicGroup::kFloating : BasicGroup::kComplex;
  };
  const bool is_class =
      type_class == MPI_TYPECLASS_INTEGER || type_class == MPI_TYPECLASS_REAL || type_class == MPI_TYPECLASS_COMPLEX;
  if (!is_class) throw MpiFault(MPI_ERR_ARG, "a class of types must be MPI_TYPECLASS_INTEGER, _REAL or _COMPLEX");
  for (const BasicType& type : basic_types()) {
    const std::string_view name = type.name;
    const bool is_sized =
        name.starts_with("MPI_INTEGER") || name.starts_with("MPI_REAL") || name.starts_with("MPI_COMPLEX");
    if (is_sized && std::isdigit(name.back()) != 0 && type.group == group_of_class() && type.bytes() == bytes)
      return Datatype::of(type.handle);
  }
  return nullptr;
}

Datatype* pair_of(MPI_Datatype value, MPI_Datatype index) {
  for (const PairType& pair : pair_types())
    if (pair.value == value && pair.index == index) return Datatype::of(pair.handle);
  return nullptr;
}

}  // namespace kaon::ampi
