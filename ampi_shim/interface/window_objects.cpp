// SPDX-License-Identifier: Apache-2.0
// Groups, hints, names and attributes of windows.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "kaon/ampi_shim/communicators/group_object.hpp"
#include "kaon/ampi_shim/interface/program_objects.hpp"
#include "kaon/ampi_shim/interface/window_arguments.hpp"
#include "kaon/ampi_shim/interface/window_hints.hpp"

namespace kaon::ampi {

namespace {

struct WindowHint {
  std::string_view key;
  std::string_view value;  // empty: none until the program sets one
};

constexpr std::array<WindowHint, 9> kWindowHints{{{"no_locks", "false"},
                                                  {"accumulate_ordering", "rar,raw,war,waw"},
                                                  {"accumulate_ops", "same_op_no_op"},
                                                  {"mpi_accumulate_granularity", ""},
                                                  {"same_size", "false"},
                                                  {"same_disp_unit", "false"},
                                                  {"alloc_shared_noncontig", ""},
                                                  {"mpi_minimum_memory_alignment", ""},
                                                  {"mpi_assert_memory_alloc_kinds", ""}}};

}  // namespace

void set_default_hints(Window& window) {
  for (const WindowHint& hint : kWindowHints)
    if (!hint.value.empty()) window.info.set(hint.key, hint.value);
  if (window.own.flavor == MPI_WIN_FLAVOR_SHARED) window.info.set("alloc_shared_noncontig", "false");
}

void set_hints(Window& window, const Info& hints) {
  window.info.set_all(hints, [](std::string_view key) {
    return std::ranges::find(kWindowHints, key, &WindowHint::key) != kWindowHints.end();
  });
}

namespace {

/// An address that stays as long as the window; nothing: the standard has no such attribute.
std::optional<void*> predefined_attribute(Window& window, int keyval) {
  switch (keyval) {
    case MPI_WIN_BASE:
      return window.own.base;
    case MPI_WIN_SIZE:
      return &window.own.size;
    case MPI_WIN_DISP_UNIT:
      return &window.own.unit;
    case MPI_WIN_CREATE_FLAVOR:
      return &window.own.flavor;
    case MPI_WIN_MODEL:
      return &window.own.model;
    default:
      return std::nullopt;
  }
}

Keyvals<MPI_Win>& window_keyvals() { return running_rank().part<Windows>().keyvals; }

}  // namespace
}  // namespace kaon::ampi

using namespace kaon::ampi;

int MPI_Win_get_group(MPI_Win win, MPI_Group* group) {
  return window_call("MPI_Win_get_group", win, [&](const Window& window) {
    require_place(group, "group");
    *group = give(window.communicator().group());
  });
}

int MPI_Win_set_info(MPI_Win win, MPI_Info info) {
  return window_call("MPI_Win_set_info", win, [&](Window& window) { set_hints(window, info_of(info)); });
}

int MPI_Win_get_info(MPI_Win win, MPI_Info* info_used) {
  return window_call("MPI_Win_get_info", win, [&](const Window& window) {
    require_place(info_used, "info_used");
    *info_used = give_info(window.info);
  });
}

int MPI_Win_set_name(MPI_Win win, const char* win_name) {
  return window_call("MPI_Win_set_name", win, [&](Window& window) {
    require_place(win_name, "win_name");
    window.name = std::string_view(win_name).substr(0, MPI_MAX_OBJECT_NAME - 1);
  });
}

int MPI_Win_get_name(MPI_Win win, char* win_name, int* resultlen) {
  return mpi_call("MPI_Win_get_name", win, [&] {
    require_place(win_name, "win_name");
    require_place(resultlen, "resultlen");
    // The standard gives this one a name too.
    const std::string name = win == MPI_WIN_NULL ? "MPI_WIN_NULL" : window_of(running_rank(), win).name;
    std::memcpy(win_name, name.c_str(), name.size() + 1);
    *resultlen = static_cast<int>(name.size());
  });
}

int MPI_Win_create_keyval(MPI_Win_copy_attr_function* win_copy_attr_fn,
                          MPI_Win_delete_attr_function* win_delete_attr_fn, int* win_keyval, void* extra_state) {
  return mpi_call("MPI_Win_create_keyval", [&] {
    require_place(win_keyval, "win_keyval");
    *win_keyval = window_keyvals().create(win_copy_attr_fn, win_delete_attr_fn, extra_state);
  });
}

int MPI_Win_free_keyval(int* win_keyval) {
  return mpi_call("MPI_Win_free_keyval", [&] {
    require_place(win_keyval, "win_keyval");
    require(window_keyvals().free(*win_keyval), MPI_ERR_KEYVAL, "{} is no key of the program", *win_keyval);
    *win_keyval = MPI_KEYVAL_INVALID;
  });
}

int MPI_Win_set_attr(MPI_Win win, int win_keyval, void* attribute_val) {
  return window_call("MPI_Win_set_attr", win, [&](Window& window) {
    auto key = window_keyvals().find(win_keyval);
    require(key != nullptr, MPI_ERR_KEYVAL, "{} is no key of the program", win_keyval);
    const int code = window.attributes.set(win, std::move(key), attribute_val);
    require(code == MPI_SUCCESS, code, "the delete function of the attribute has failed");
  });
}

int MPI_Win_get_attr(MPI_Win win, int win_keyval, void* attribute_val, int* flag) {
  return window_call("MPI_Win_get_attr", win, [&](Window& window) {
    require_place(attribute_val, "attribute_val");
    require_place(flag, "flag");
    std::optional<void*> value = predefined_attribute(window, win_keyval);
    if (!value) value = window.attributes.get(win_keyval);
    const bool is_key = value || window_keyvals().find(win_keyval) != nullptr;
    require(is_key, MPI_ERR_KEYVAL, "{} is no key", win_keyval);
    *flag = value ? 1 : 0;
    if (value) *static_cast<void**>(attribute_val) = *value;
  });
}

int MPI_Win_delete_attr(MPI_Win win, int win_keyval) {
  return window_call("MPI_Win_delete_attr", win, [&](Window& window) {
    const bool is_key = window.attributes.get(win_keyval) || window_keyvals().find(win_keyval) != nullptr;
    require(is_key, MPI_ERR_KEYVAL, "{} is no key of the program", win_keyval);
    const int code = window.attributes.remove(win, win_keyval);
    require(code == MPI_SUCCESS, code, "the delete function of the attribute has failed");
  });
}
