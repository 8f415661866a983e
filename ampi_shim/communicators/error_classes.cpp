// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <array>

#include "kaon/ampi_shim/communicators/error_codes.hpp"

namespace kaon::ampi {

namespace {

struct ErrorClass {
  std::string_view name;
  std::string_view text;
};

// By their numbers: MPI_SUCCESS is 0.
constexpr auto kClasses = std::to_array<ErrorClass>({
    {"MPI_SUCCESS", "no error"},
    {"MPI_ERR_BUFFER", "a buffer is invalid"},
    {"MPI_ERR_COUNT", "a count is invalid"},
    {"MPI_ERR_TYPE", "a datatype is invalid"},
    {"MPI_ERR_TAG", "a tag is invalid"},
    {"MPI_ERR_COMM", "a communicator is invalid"},
    {"MPI_ERR_RANK", "a rank is invalid"},
    {"MPI_ERR_REQUEST", "a request is invalid"},
    {"MPI_ERR_ROOT", "a root is invalid"},
    {"MPI_ERR_GROUP", "a group is invalid"},
    {"MPI_ERR_OP", "an operation is invalid"},
    {"MPI_ERR_TOPOLOGY", "a topology is invalid"},
    {"MPI_ERR_DIMS", "a dimension is invalid"},
    {"MPI_ERR_ARG", "an argument is invalid"},
    {"MPI_ERR_UNKNOWN", "the error is not known"},
    {"MPI_ERR_TRUNCATE", "a message is longer than the buffer that receives it"},
    {"MPI_ERR_OTHER", "another error; its text says which"},
    {"MPI_ERR_INTERN", "an error inside MPI"},
    {"MPI_ERR_PENDING", "the request has not completed yet"},
    {"MPI_ERR_IN_STATUS", "the errors are in the statuses"},
    {"MPI_ERR_ACCESS", "permission is denied"},
    {"MPI_ERR_AMODE", "an access mode is invalid"},
    {"MPI_ERR_ASSERT", "an assertion is invalid"},
    {"MPI_ERR_BAD_FILE", "a file name is invalid"},
    {"MPI_ERR_BASE", "a base address is invalid"},
    {"MPI_ERR_CONVERSION", "a conversion of data has failed"},
    {"MPI_ERR_DISP", "a displacement is invalid"},
    {"MPI_ERR_DUP_DATAREP", "a data representation of this name is there"},
    {"MPI_ERR_FILE_EXISTS", "the file exists"},
    {"MPI_ERR_FILE_IN_USE", "the file is in use"},
    {"MPI_ERR_FILE", "a file handle is invalid"},
    {"MPI_ERR_INFO_KEY", "an info key is too long"},
    {"MPI_ERR_INFO_NOKEY", "the info object has no such key"},
    {"MPI_ERR_INFO_VALUE", "an info value is too long"},
    {"MPI_ERR_INFO", "an info object is invalid"},
    {"MPI_ERR_IO", "input or output has failed"},
    {"MPI_ERR_KEYVAL", "a key of attributes is invalid"},
    {"MPI_ERR_LOCKTYPE", "a lock type is invalid"},
    {"MPI_ERR_NAME", "no service of this name is published"},
    {"MPI_ERR_NO_MEM", "memory is exhausted"},
    {"MPI_ERR_NOT_SAME", "ranks have given different arguments"},
    {"MPI_ERR_NO_SPACE", "there is not enough space"},
    {"MPI_ERR_NO_SUCH_FILE", "there is no such file"},
    {"MPI_ERR_PORT", "a port name is invalid"},
    {"MPI_ERR_QUOTA", "a quota is exceeded"},
    {"MPI_ERR_READ_ONLY", "the file or file system is read-only"},
    {"MPI_ERR_RMA_ATTACH", "memory cannot be attached"},
    {"MPI_ERR_RMA_CONFLICT", "accesses to a window conflict"},
    {"MPI_ERR_RMA_RANGE", "target memory is not in the window"},
    {"MPI_ERR_RMA_SHARED", "memory cannot be shared"},
    {"MPI_ERR_RMA_SYNC", "one-sided calls are synchronized wrongly"},
    {"MPI_ERR_SERVICE", "a service is not published"},
    {"MPI_ERR_SIZE", "a size is invalid"},
    {"MPI_ERR_SPAWN", "processes cannot be started"},
    {"MPI_ERR_UNSUPPORTED_DATAREP", "the data representation is not supported"},
    {"MPI_ERR_UNSUPPORTED_OPERATION", "the operation is not supported"},
    {"MPI_ERR_WIN", "a window is invalid"},
    {"MPI_ERR_RMA_FLAVOR", "the window is of another flavor"},
    {"MPI_ERR_PROC_ABORTED", "another process has aborted"},
    {"MPI_ERR_VALUE_TOO_LARGE", "a value is too large for its place"},
    {"MPI_ERR_SESSION", "a session is invalid"},
    {"MPI_ERR_ERRHANDLER", "an error handler is invalid"},
    {"MPI_ERR_ABI", "the binary interface is not supported"},
});
static_assert(kClasses.size() == MPI_ERR_ABI + 1);

// From MPI_T_ERR_CANNOT_INIT on.
constexpr auto kToolClasses = std::to_array<ErrorClass>({
    {"MPI_T_ERR_CANNOT_INIT", "the tool interface cannot be initialized"},
    {"MPI_T_ERR_NOT_ACCESSIBLE", "the tool interface is not accessible"},
    {"MPI_T_ERR_NOT_INITIALIZED", "the tool interface is not initialized"},
    {"MPI_T_ERR_NOT_SUPPORTED", "the tool interface does not support this"},
    {"MPI_T_ERR_MEMORY", "memory is exhausted"},
    {"MPI_T_ERR_INVALID", "an argument of the tool interface is invalid"},
    {"MPI_T_ERR_INVALID_INDEX", "an index is invalid"},
    {"MPI_T_ERR_INVALID_ITEM", "an item index is out of range"},
    {"MPI_T_ERR_INVALID_SESSION", "a tool session is invalid"},
    {"MPI_T_ERR_INVALID_HANDLE", "a handle of the tool interface is invalid"},
    {"MPI_T_ERR_INVALID_NAME", "no variable or category has this name"},
    {"MPI_T_ERR_OUT_OF_HANDLES", "there are no more handles"},
    {"MPI_T_ERR_OUT_OF_SESSIONS", "there are no more tool sessions"},
    {"MPI_T_ERR_CVAR_SET_NOT_NOW", "the control variable cannot be set now"},
    {"MPI_T_ERR_CVAR_SET_NEVER", "the control variable cannot be set"},
    {"MPI_T_ERR_PVAR_NO_WRITE", "the performance variable cannot be written"},
    {"MPI_T_ERR_PVAR_NO_STARTSTOP", "the performance variable cannot be started or stopped"},
    {"MPI_T_ERR_PVAR_NO_ATOMIC", "the performance variable cannot be read and reset at once"},
});
static_assert(kToolClasses.size() == MPI_T_ERR_PVAR_NO_ATOMIC - MPI_T_ERR_CANNOT_INIT + 1);

ErrorClass find(int error_class) {
  const auto number = static_cast<std::size_t>(error_class);
  if (number < kClasses.size()) return kClasses[number];
  const auto tool_number = static_cast<std::size_t>(error_class) - MPI_T_ERR_CANNOT_INIT;
  return tool_number < kToolClasses.size() ? kToolClasses[tool_number] : ErrorClass{};
}

}  // namespace

std::string_view error_class_name(int error_class) { return find(error_class).name; }

std::string_view error_class_text(int error_class) { return find(error_class).text; }

}  // namespace kaon::ampi
