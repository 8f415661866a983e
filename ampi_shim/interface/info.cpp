// SPDX-License-Identifier: Apache-2.0
// MPI_Info_: info objects.
#include "kaon/ampi_shim/communicators/info.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"

using namespace kaon::ampi;

namespace {

/// Throws MpiFault unless it can be a key.
std::string_view key_of(const char* key) {
  require_place(key, "the key");
  const std::size_t length = strnlen(key, MPI_MAX_INFO_KEY);
  require(length > 0 && length < MPI_MAX_INFO_KEY, MPI_ERR_INFO_KEY, "the key is empty, or has {} characters or more",
          MPI_MAX_INFO_KEY);
  return {key, length};
}

std::string_view value_of(const char* value) {
  require_place(value, "the value");
  const std::size_t length = strnlen(value, MPI_MAX_INFO_VAL);
  require(length > 0 && length < MPI_MAX_INFO_VAL, MPI_ERR_INFO_VALUE,
          "the value is empty, or has {} characters or more", MPI_MAX_INFO_VAL);
  return {value, length};
}

Info& writable(MPI_Info info) {
  require(info != MPI_INFO_ENV, MPI_ERR_INFO, "MPI_INFO_ENV cannot be changed");
  return info_of(info);
}

/// As much of the text as fits, ended by a zero, into `room` characters and that zero.
void copy_text(std::string_view text, std::size_t room, char* to) {
  const std::size_t length = std::min(text.size(), room);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace

int MPI_Info_create(MPI_Info* info) {
  return mpi_call("MPI_Info_create", [&] {
    require_place(info, "info");
    *info = give_info({});
  });
}

int MPI_Info_create_env(int argc, char* argv[], MPI_Info* info) {
  return mpi_call("MPI_Info_create_env", [&] {
    require_place(info, "info");
    Info known = info_of(MPI_INFO_ENV);
    if (argc > 0 && argv != nullptr && argv[0] != nullptr) known.set("command", argv[0]);
    *info = give_info(std::move(known));
  });
}

int MPI_Info_dup(MPI_Info info, MPI_Info* newinfo) {
  return mpi_call("MPI_Info_dup", [&] {
    require_place(newinfo, "newinfo");
    *newinfo = give_info(info_of(info));
  });
}

int MPI_Info_free(MPI_Info* info) {
  return mpi_call("MPI_Info_free", [&] {
    require_place(info, "info");
    require(program_objects().infos.free(*info), MPI_ERR_INFO, "the info object is none, predefined, or freed already");
    *info = MPI_INFO_NULL;
  });
}

int MPI_Info_set(MPI_Info info, const char* key, const char* value) {
  return mpi_call("MPI_Info_set", [&] { writable(info).set(key_of(key), value_of(value)); });
}

int MPIX_Info_set_hex(MPI_Info info, const char* key, const void* value, int value_size) {
  return mpi_call("MPIX_Info_set_hex", [&] {
    require_place(value, "value");
    require(value_size > 0 && value_size < MPI_MAX_INFO_VAL / 2, MPI_ERR_INFO_VALUE,
            "the value has {} bytes, and may have 1 to {}", value_size, MPI_MAX_INFO_VAL / 2 - 1);
    std::string digits;
    for (int i = 0; i < value_size; ++i) digits += fmt::format("{:02x}", static_cast<const unsigned char*>(value)[i]);
    writable(info).set(key_of(key), digits);
  });
}

int MPI_Info_delete(MPI_Info info, const char* key) {
  return mpi_call("MPI_Info_delete", [&] {
    require(writable(info).remove(key_of(key)), MPI_ERR_INFO_NOKEY, "the info object has no key {}", key);
  });
}

int MPI_Info_get(MPI_Info info, const char* key, int valuelen, char* value, int* flag) {
  return mpi_call("MPI_Info_get", [&] {
    require_place(flag, "flag");
    require(valuelen >= 0, MPI_ERR_ARG, "valuelen is {}", valuelen);
    const std::string* const found = info_of(info).find(key_of(key));
    *flag = found != nullptr;
    if (found == nullptr) return;
    require_place(value, "value");
    copy_text(*found, static_cast<std::size_t>(valuelen), value);
  });
}

int MPI_Info_get_string(MPI_Info info, const char* key, int* buflen, char* value, int* flag) {
  return mpi_call("MPI_Info_get_string", [&] {
    require_place(flag, "flag");
    require_place(buflen, "buflen");
    require(*buflen >= 0, MPI_ERR_ARG, "buflen is {}", *buflen);
    const std::string* const found = info_of(info).find(key_of(key));
    *flag = found != nullptr;
    if (found == nullptr) return;
    if (*buflen > 0) {
      require_place(value, "value");
      copy_text(*found, static_cast<std::size_t>(*buflen) - 1, value);
    }
    *buflen = static_cast<int>(found->size()) + 1;
  });
}

int MPI_Info_get_valuelen(MPI_Info info, const char* key, int* valuelen, int* flag) {
  return mpi_call("MPI_Info_get_valuelen", [&] {
    require_place(flag, "flag");
    require_place(valuelen, "valuelen");
    const std::string* const found = info_of(info).find(key_of(key));
    *flag = found != nullptr;
    if (found != nullptr) *valuelen = static_cast<int>(found->size());
  });
}

int MPI_Info_get_nkeys(MPI_Info info, int* nkeys) {
  return mpi_call("MPI_Info_get_nkeys", [&] {
    require_place(nkeys, "nkeys");
    *nkeys = static_cast<int>(info_of(info).size());
  });
}

int MPI_Info_get_nthkey(MPI_Info info, int n, char* key) {
  return mpi_call("MPI_Info_get_nthkey", [&] {
    require_place(key, "key");
    const Info& keys = info_of(info);
    require(n >= 0 && static_cast<std::size_t>(n) < keys.size(), MPI_ERR_ARG, "there is no key number {} of {}", n,
            keys.size());
    copy_text(keys[static_cast<std::size_t>(n)].key, MPI_MAX_INFO_KEY - 1, key);
  });
}
