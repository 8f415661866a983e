// SPDX-License-Identifier: Apache-2.0
// Attributes of communicators.
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"

namespace kaon::ampi {

namespace {

int create_keyval(const char* function, MPI_Comm_copy_attr_function* copy, MPI_Comm_delete_attr_function* remove,
                  int* keyval, void* extra_state) {
  return mpi_call(function, [&] {
    require_place(keyval, "keyval");
    *keyval = running_rank().part<Communicators>().keyvals.create(copy, remove, extra_state);
  });
}

int free_keyval(const char* function, int* keyval) {
  return mpi_call(function, [&] {
    require_place(keyval, "keyval");
    const bool was_there = running_rank().part<Communicators>().keyvals.free(*keyval);
    require(was_there, MPI_ERR_KEYVAL, "{} is no key of the program", *keyval);
    *keyval = MPI_KEYVAL_INVALID;
  });
}

int set(const char* function, MPI_Comm comm, int keyval, void* value) {
  return communicator_call(function, comm, [&](Rank& rank, Communicator& communicator) {
    auto key = rank.part<Communicators>().keyvals.find(keyval);
    require(key != nullptr, MPI_ERR_KEYVAL, "{} is no key of the program", keyval);
    const int code = communicator.attributes.set(comm, std::move(key), value);
    require(code == MPI_SUCCESS, code, "the delete function of the attribute has failed");
  });
}

std::optional<void*> predefined(Rank& rank, int keyval) {
  if (keyval != MPI_LASTUSEDCODE) return predefined_attribute(rank, keyval);
  return const_cast<int*>(&program_objects().error_codes.last_used());
}

int get(const char* function, MPI_Comm comm, int keyval, void* place, int* flag) {
  return communicator_call(function, comm, [&](Rank& rank, const Communicator& communicator) {
    require_place(place, "attribute_val");
    require_place(flag, "flag");
    std::optional<void*> value = predefined(rank, keyval);
    if (!value) {
      value = communicator.attributes.get(keyval);
      const bool is_key = value || rank.part<Communicators>().keyvals.find(keyval) != nullptr;
      require(is_key, MPI_ERR_KEYVAL, "{} is no key", keyval);
    }
    *flag = value ? 1 : 0;
    if (value) *static_cast<void**>(place) = *value;
  });
}

int remove(const char* function, MPI_Comm comm, int keyval) {
  return communicator_call(function, comm, [&](Rank& rank, Communicator& communicator) {
    const bool is_key =
        communicator.attributes.get(keyval) || rank.part<Communicators>().keyvals.find(keyval) != nullptr;
    require(is_key, MPI_ERR_KEYVAL, "{} is no key of the program", keyval);
    const int code = communicator.attributes.remove(comm, keyval);
    require(code == MPI_SUCCESS, code, "the delete function of the attribute has failed");
  });
}

}  // namespace

}  // namespace kaon::ampi

using namespace kaon::ampi;

extern "C" {

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function* comm_copy_attr_fn,
                           MPI_Comm_delete_attr_function* comm_delete_attr_fn, int* comm_keyval, void* extra_state) {
  return create_keyval("MPI_Comm_create_keyval", comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
}

int MPI_Comm_free_keyval(int* comm_keyval) { return free_keyval("MPI_Comm_free_keyval", comm_keyval); }

int MPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void* attribute_val) {
  return set("MPI_Comm_set_attr", comm, comm_keyval, attribute_val);
}

int MPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void* attribute_val, int* flag) {
  return get("MPI_Comm_get_attr", comm, comm_keyval, attribute_val, flag);
}

int MPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval) {
  return kaon::ampi::remove("MPI_Comm_delete_attr", comm, comm_keyval);
}

// Names of MPI-1.
int MPI_Keyval_create(MPI_Copy_function* copy_fn, MPI_Delete_function* delete_fn, int* keyval, void* extra_state) {
  return create_keyval("MPI_Keyval_create", copy_fn, delete_fn, keyval, extra_state);
}

int MPI_Keyval_free(int* keyval) { return free_keyval("MPI_Keyval_free", keyval); }

int MPI_Attr_put(MPI_Comm comm, int keyval, void* attribute_val) {
  return set("MPI_Attr_put", comm, keyval, attribute_val);
}

int MPI_Attr_get(MPI_Comm comm, int keyval, void* attribute_val, int* flag) {
  return get("MPI_Attr_get", comm, keyval, attribute_val, flag);
}

int MPI_Attr_delete(MPI_Comm comm, int keyval) { return kaon::ampi::remove("MPI_Attr_delete", comm, keyval); }

}  // extern "C"
