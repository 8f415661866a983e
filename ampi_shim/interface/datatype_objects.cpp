// SPDX-License-Identifier: Apache-2.0
// The life of a datatype, and its name.
#include <cstring>
#include <memory>

#include "kaon/ampi_shim/datatypes/constructors.hpp"
#include "kaon/ampi_shim/interface/datatype_arguments.hpp"

using namespace kaon::ampi;

namespace {

const std::string& name_seen(const Datatype& type) {
  if (!type.is_everybodys()) return type.name();
  const auto& names = datatypes_of_this_rank().names;
  const auto found = names.find(type.handle());
  return found == names.end() ? type.name() : found->second;
}

struct FreesHandle {
  void operator()(Datatype* type) const { type->free_handle(); }
};

}  // namespace

extern "C" {

int MPI_Type_commit(MPI_Datatype* datatype) {
  return mpi_call("MPI_Type_commit", [&] {
    require_place(datatype, "datatype");
    Datatype& type = type_argument(*datatype);
    if (!type.is_everybodys()) type.commit();
  });
}

int MPI_Type_free(MPI_Datatype* datatype) {
  return mpi_call("MPI_Type_free", [&] {
    require_place(datatype, "datatype");
    Datatype& type = type_argument(*datatype);
    require(!type.is_everybodys(), MPI_ERR_TYPE, "a predefined datatype cannot be freed");
    const int code = type.attributes().clear(*datatype);
    require(code == MPI_SUCCESS, code, "a delete function of the program gave error {}", code);
    type.free_handle();
    *datatype = MPI_DATATYPE_NULL;
  });
}

int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return mpi_call("MPI_Type_dup", [&] {
    require_place(newtype, "newtype");
    Datatype& type = type_argument(oldtype);
    *newtype = MPI_DATATYPE_NULL;  // there is none if a copy function fails
    std::unique_ptr<Datatype, FreesHandle> copy(Datatype::make(duplicate(type.shared_definition())));
    if (type.is_committed()) copy->commit();
    const int code = copy->attributes().copy_from(oldtype, attributes_of(type));
    require(code == MPI_SUCCESS, code, "a copy function of the program gave error {}", code);
    *newtype = copy.release()->handle();
  });
}

int MPI_Type_set_name(MPI_Datatype datatype, const char* type_name) {
  return mpi_call("MPI_Type_set_name", [&] {
    require_place(type_name, "type_name");
    Datatype& type = type_argument(datatype);
    std::string name(type_name, strnlen(type_name, MPI_MAX_OBJECT_NAME - 1));
    if (type.is_everybodys())
      datatypes_of_this_rank().names[datatype] = std::move(name);
    else
      type.set_name(std::move(name));
  });
}

int MPI_Type_get_name(MPI_Datatype datatype, char* type_name, int* resultlen) {
  return mpi_call("MPI_Type_get_name", [&] {
    require_place(type_name, "type_name");
    require_place(resultlen, "resultlen");
    // The one null handle that has a name, as the predefined types have.
    const std::string name = datatype == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : name_seen(type_argument(datatype));
    std::memcpy(type_name, name.c_str(), name.size() + 1);
    *resultlen = static_cast<int>(name.size());
  });
}

}  // extern "C"
