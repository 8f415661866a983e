// SPDX-License-Identifier: Apache-2.0
#pragma once
// Functions that mpi.h declares and no source defines: each sets what it should have written to nothing, prints once a
// run that it is not built, and gives its error to the handler. CMake makes their definitions, see unbuilt.cmake:
//
//   [[gnu::weak]] int MPI_File_sync(MPI_File fh) { return unbuilt("MPI_File_sync", fh); }
#include <mpi.h>

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "kaon/ampi_shim/messages/status.hpp"

namespace kaon::ampi {

// --- what a place gets: a null handle, no elements, no text
inline MPI_Comm nothing(MPI_Comm) { return MPI_COMM_NULL; }
inline MPI_Datatype nothing(MPI_Datatype) { return MPI_DATATYPE_NULL; }
inline MPI_File nothing(MPI_File) { return MPI_FILE_NULL; }
inline MPI_Group nothing(MPI_Group) { return MPI_GROUP_NULL; }
inline MPI_Info nothing(MPI_Info) { return MPI_INFO_NULL; }
inline MPI_Message nothing(MPI_Message) { return MPI_MESSAGE_NULL; }
inline MPI_Request nothing(MPI_Request) { return MPI_REQUEST_NULL; }
inline MPI_Win nothing(MPI_Win) { return MPI_WIN_NULL; }
inline MPI_Status nothing(const MPI_Status&) { return empty_status(); }
inline char nothing(char) { return '\0'; }
inline int nothing(int) { return 0; }
inline std::int64_t nothing(std::int64_t) { return 0; }
inline void* nothing(void*) { return nullptr; }

template <class T>
concept Output = std::is_object_v<T> && !std::is_const_v<T> && requires(T value) {
  { nothing(value) } -> std::same_as<T>;
};

// Buffers stay as they are, and so does what is only read.
template <class T>
void clear(const T&) {}
template <Output T>
void clear(T* place) {
  if (place != nullptr) *place = nothing(T{});
}

/// Where a window's memory begins: `void* baseptr` in the standard.
inline void** address_at(void* place) { return static_cast<void**>(place); }

struct KeyvalPlace {
  int* place;
};
inline KeyvalPlace keyval_at(int* place) { return {place}; }
inline int keyval_at(int value) { return value; }
inline void clear(KeyvalPlace keyval) {
  if (keyval.place != nullptr) *keyval.place = MPI_KEYVAL_INVALID;
}

// --- null handles that one function gives and another gets: a bit for each kind of object that has data
struct NullHandles {
  unsigned given = 0;
  unsigned taken = 0;
};
constexpr unsigned kFile = 1, kWindow = 2, kRequest = 4;
template <class T>
void count(NullHandles&, const T&) {}
inline void count(NullHandles& nulls, MPI_File* const&) { nulls.given |= kFile; }
inline void count(NullHandles& nulls, MPI_Win* const&) { nulls.given |= kWindow; }
inline void count(NullHandles& nulls, MPI_Request* const&) { nulls.given |= kRequest; }
inline void count(NullHandles& nulls, const MPI_File& file) { nulls.taken |= file == MPI_FILE_NULL ? kFile : 0; }
inline void count(NullHandles& nulls, const MPI_Win& window) { nulls.taken |= window == MPI_WIN_NULL ? kWindow : 0; }
inline void count(NullHandles& nulls, const MPI_Request& request) {
  nulls.taken |= request == MPI_REQUEST_NULL ? kRequest : 0;
}

/// The communicator among the arguments, whose handler gets the error.
template <class T>
void keep_communicator(MPI_Comm&, const T&) {}
inline void keep_communicator(MPI_Comm& kept, const MPI_Comm& argument) { kept = argument; }

/// The handler of the communicator is asked, or that of files.
int raise_unbuilt(const char* function, MPI_Comm comm, NullHandles nulls);
int unbuilt_spawn(const char* function, int count, const int* processes, int root, MPI_Comm comm, MPI_Comm* made,
                  int* codes);

template <class... Arguments>
int unbuilt(const char* function, Arguments... arguments) {
  MPI_Comm comm = MPI_COMM_NULL;
  (keep_communicator(comm, arguments), ...);
  (clear(arguments), ...);
  NullHandles nulls;
  (count(nulls, arguments), ...);
  return raise_unbuilt(function, comm, nulls);
}

inline int unbuilt(const char* function, const char*, char**, int processes, MPI_Info, int root, MPI_Comm comm,
                   MPI_Comm* made, int* codes) {
  return unbuilt_spawn(function, 1, &processes, root, comm, made, codes);
}

inline int unbuilt(const char* function, int count, char**, char***, const int* processes, const MPI_Info*, int root,
                   MPI_Comm comm, MPI_Comm* made, int* codes) {
  return unbuilt_spawn(function, count, processes, root, comm, made, codes);
}

}  // namespace kaon::ampi
