// SPDX-License-Identifier: Apache-2.0
// Error classes, codes and strings.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "kaon/ampi_shim/interface/call.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"

using namespace kaon::ampi;

namespace {

ErrorCodes& codes() { return program_objects().error_codes; }

}  // namespace

int MPI_Error_class(int errorcode, int* errorclass) {
  return mpi_call("MPI_Error_class", [&] {
    require_place(errorclass, "errorclass");
    const auto known = codes().class_of(errorcode);
    require(known.has_value(), MPI_ERR_ARG, "there is no error code {}", errorcode);
    *errorclass = *known;
  });
}

int MPI_Error_string(int errorcode, char* string, int* resultlen) {
  return mpi_call("MPI_Error_string", [&] {
    require_place(string, "string");
    require_place(resultlen, "resultlen");
    const auto text = codes().text_of(errorcode);
    require(text.has_value(), MPI_ERR_ARG, "there is no error code {}", errorcode);
    const std::size_t length = std::min<std::size_t>(text->size(), MPI_MAX_ERROR_STRING - 1);
    std::memcpy(string, text->data(), length);
    string[length] = '\0';
    *resultlen = static_cast<int>(length);
  });
}

int MPI_Add_error_class(int* errorclass) {
  return mpi_call("MPI_Add_error_class", [&] {
    require_place(errorclass, "errorclass");
    *errorclass = codes().add_class();
  });
}

int MPI_Add_error_code(int errorclass, int* errorcode) {
  return mpi_call("MPI_Add_error_code", [&] {
    require_place(errorcode, "errorcode");
    require(codes().is_class(errorclass), MPI_ERR_ARG, "there is no error class {}", errorclass);
    *errorcode = codes().add_code(errorclass);
  });
}

int MPI_Add_error_string(int errorcode, const char* string) {
  return mpi_call("MPI_Add_error_string", [&] {
    require_place(string, "string");
    std::string text(string, strnlen(string, MPI_MAX_ERROR_STRING - 1));
    require(codes().set_text(errorcode, std::move(text)), MPI_ERR_ARG, "{} is no error code that the program has added",
            errorcode);
  });
}

int MPI_Remove_error_class(int errorclass) {
  return mpi_call("MPI_Remove_error_class", [&] {
    require(codes().remove_class(errorclass), MPI_ERR_ARG,
            "{} is no error class that the program has added and that has no codes and no string", errorclass);
  });
}

int MPI_Remove_error_code(int errorcode) {
  return mpi_call("MPI_Remove_error_code", [&] {
    require(codes().remove_code(errorcode), MPI_ERR_ARG,
            "{} is no error code that the program has added and that has no string", errorcode);
  });
}

int MPI_Remove_error_string(int errorcode) {
  return mpi_call("MPI_Remove_error_string", [&] {
    require(codes().remove_text(errorcode), MPI_ERR_ARG, "{} is no error code that the program has given a string",
            errorcode);
  });
}
