// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

namespace {

Keyvals<MPI_Datatype>::Ptr keyval_argument(int number) {
  Keyvals<MPI_Datatype>::Ptr keyval = datatypes_of_this_rank().keyvals.find(number);
  require(keyval != nullptr, MPI_ERR_KEYVAL, "{} is no key of MPI_Type_create_keyval, or was freed", number);
  return keyval;
}

}  // namespace

extern "C" {

int MPI_Type_create_keyval(MPI_Type_copy_attr_function* type_copy_attr_fn,
                           MPI_Type_delete_attr_function* type_delete_attr_fn, int* type_keyval, void* extra_state) {
  return mpi_call("MPI_Type_create_keyval", [&] {
    require_place(type_keyval, "type_keyval");
    *type_keyval = datatypes_of_this_rank().keyvals.create(type_copy_attr_fn, type_delete_attr_fn, extra_state);
  });
}

int MPI_Type_free_keyval(int* type_keyval) {
  return mpi_call("MPI_Type_free_keyval", [&] {
    require_place(type_keyval, "type_keyval");
    const int number = keyval_argument(*type_keyval)->number;
    datatypes_of_this_rank().keyvals.free(number);
    *type_keyval = MPI_KEYVAL_INVALID;
  });
}

int MPI_Type_set_attr(MPI_Datatype datatype, int type_keyval, void* attribute_val) {
  return mpi_call("MPI_Type_set_attr", [&] {
    Datatype& type = type_argument(datatype);
    const int code = attributes_of(type).set(datatype, keyval_argument(type_keyval), attribute_val);
    require(code == MPI_SUCCESS, code, "a delete function of the program gave error {}", code);
  });
}

int MPI_Type_get_attr(MPI_Datatype datatype, int type_keyval, void* attribute_val, int* flag) {
  return mpi_call("MPI_Type_get_attr", [&] {
    require_place(attribute_val, "attribute_val");
    require_place(flag, "flag");
    Datatype& type = type_argument(datatype);
    const auto value = attributes_of(type).get(keyval_argument(type_keyval)->number);
    *flag = value.has_value() ? 1 : 0;
    if (value) *static_cast<void**>(attribute_val) = *value;
  });
}

int MPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval) {
  return mpi_call("MPI_Type_delete_attr", [&] {
    Datatype& type = type_argument(datatype);
    const int code = attributes_of(type).remove(datatype, keyval_argument(type_keyval)->number);
    require(code == MPI_SUCCESS, code, "a delete function of the program gave error {}", code);
  });
}

}  // extern "C"
