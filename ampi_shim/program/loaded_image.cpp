// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/loaded_image.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "kaon/ampi_shim/program/dynamic_table.hpp"
#include "kaon/ampi_shim/program/executable_file.hpp"
#include "kaon/ampi_shim/program/image_slots.hpp"
#include "kaon/ampi_shim/program/interposition.hpp"
#include "kaon/ampi_shim/program/pages.hpp"
#include "kaon/ampi_shim/program/relocation_plan.hpp"
#include "kaon/ampi_shim/program/standard_streams.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {
namespace {

std::size_t page_start(std::size_t address) { return address / page_bytes() * page_bytes(); }

bool is_writable(const ElfW(Phdr) & segment) { return (segment.p_flags & PF_W) != 0; }

int protection_of(const ElfW(Phdr) & segment) {
  return ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) | ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

void check_mapped(const void* mapped) {
  if (mapped != MAP_FAILED) return;
  if (errno == EPERM || errno == EACCES) {
    throw runtime::UsageError("the program's file system does not let code run (mounted with noexec?)");
  }
  throw runtime::OutOfMemory(fmt::format(
      "no memory for another image of the program: {}. Fewer ranks per process, or a larger vm.max_map_count, may help",
      std::strerror(errno)));
}

/// For threads of the program that go on. Never destroyed, and found by checkers of leaks.
void keep_to_the_end(std::unique_ptr<StandardStreams> streams) {
  static std::mutex mutex;
  static auto* const kept = new std::vector<std::unique_ptr<StandardStreams>>;
  const std::lock_guard lock(mutex);
  kept->push_back(std::move(streams));
}

}  // namespace

LoadedImage::LoadedImage(const Parts& parts, const ProgramHooks& hooks, void* owner)
    : parts_(parts), base_(parts.slots.take()) {
  try {
    map_segments();
    parts_.plan.apply(base_);
    streams_ = std::make_unique<StandardStreams>(*this, hooks, owner);
  } catch (...) {
    parts_.slots.give_back(base_);
    throw;
  }
}

LoadedImage::~LoadedImage() {
  if (are_threads_left()) {
    keep_to_the_end(std::move(streams_));
  } else {
    streams_.reset();
    parts_.slots.give_back(base_);
  }
}

// Neighbours that the file holds in the same order are mapped as one, because the system bounds the number of mappings
// and each costs memory: constants are executable then, which harms nothing.
void LoadedImage::map_segments() {
  std::size_t from = 0;
  std::size_t to = 0;
  int protection = 0;
  const auto map_joined = [&] {
    if (to > from) map_file(from, to - from, protection, from);
  };
  for (const auto& segment : parts_.file.headers()) {
    if (segment.p_type != PT_LOAD) continue;
    if (is_writable(segment)) {
      map_data(segment);
    } else if (segment.p_offset != segment.p_vaddr) {
      const std::size_t start = page_start(segment.p_vaddr);
      map_file(start, segment.p_vaddr + segment.p_filesz - start, protection_of(segment), page_start(segment.p_offset));
    } else if (page_start(segment.p_vaddr) == whole_pages(to)) {
      to = segment.p_vaddr + segment.p_filesz;
      protection |= protection_of(segment);
    } else {
      map_joined();
      from = page_start(segment.p_vaddr);
      to = segment.p_vaddr + segment.p_filesz;
      protection = protection_of(segment);
    }
  }
  map_joined();
}

// What the file holds, then zeros; private variables of ours end the last segment.
void LoadedImage::map_data(const ElfW(Phdr) & segment) {
  const std::size_t start = page_start(segment.p_vaddr);
  const std::size_t file_end = segment.p_vaddr + segment.p_filesz;
  std::size_t end = segment.p_vaddr + segment.p_memsz;
  if (end == parts_.file.image_end()) end += parts_.plan.bytes_behind();
  const std::size_t zeros = segment.p_filesz == 0 ? start : whole_pages(file_end);
  if (segment.p_filesz != 0) {
    map_file(start, file_end - start, PROT_READ | PROT_WRITE, page_start(segment.p_offset));
    if (end > file_end) std::memset(base_ + file_end, 0, std::min(zeros, whole_pages(end)) - file_end);
  }
  if (end > zeros) map_anonymous(zeros, whole_pages(end));
}

void LoadedImage::map_file(std::size_t address, std::size_t bytes, int protection, std::size_t offset) {
  check_mapped(mmap(base_ + address, whole_pages(bytes), protection, MAP_PRIVATE | MAP_FIXED, parts_.file.descriptor(),
                    static_cast<off_t>(offset)));
}

void LoadedImage::map_anonymous(std::size_t from, std::size_t to) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  check_mapped(mmap(base_ + from, to - from, PROT_READ | PROT_WRITE, kFlags, -1, 0));
}

void* LoadedImage::variable(PrivateVariable which) const { return parts_.plan.variable(base_, which); }

// The values as they are after relocation: such a variable may hold an address.
ThreadLocals LoadedImage::make_thread_locals() const {
  const auto* header = parts_.file.find_header(PT_TLS);
  if (header == nullptr) return ThreadLocals({}, {});
  return {parts_.thread_locals, {base_ + header->p_vaddr, header->p_filesz}};
}

EntryPoint LoadedImage::find_entry_point() const { return ampi::find_entry_point(base_ + parts_.file.entry()); }

void LoadedImage::run_functions(ElfW(Sxword) table, ElfW(Sxword) bytes, int argc, char** argv, char** envp) {
  auto* const functions = reinterpret_cast<EntryPoint::Main*>(base_ + parts_.table.value(table));
  const std::size_t count = parts_.table.value(bytes) / sizeof(EntryPoint::Main);
  for (std::size_t i = 0; i < count; ++i) functions[i](argc, argv, envp);
}

void LoadedImage::construct(const EntryPoint& entry, int argc, char** argv, char** envp) {
  if (is_constructed_) return;
  is_constructed_ = true;
  is_constructing_ = true;
  run_constructors(entry, argc, argv, envp);
  is_constructing_ = false;
}

// Destructors may register others, by making static variables of functions, or end by exit(), which comes here again.
void LoadedImage::destruct(int code) {
  if (ranks_ > 0) return;
  exit_handlers_.run(code);
  if (!std::exchange(is_destructed_, true)) run_destructors();
  exit_handlers_.run(code);
}

void LoadedImage::run_constructors(const EntryPoint& entry, int argc, char** argv, char** envp) {
  if (parts_.table.has(DT_PREINIT_ARRAY)) run_functions(DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ, argc, argv, envp);
  if (entry.initialize != nullptr) {
    entry.initialize(argc, argv, envp);
    return;
  }
  if (parts_.table.has(DT_INIT)) {
    reinterpret_cast<EntryPoint::Main>(base_ + parts_.table.value(DT_INIT))(argc, argv, envp);
  }
  if (parts_.table.has(DT_INIT_ARRAY)) run_functions(DT_INIT_ARRAY, DT_INIT_ARRAYSZ, argc, argv, envp);
}

void LoadedImage::run_destructors() {
  using Function = void (*)();
  auto* const functions = reinterpret_cast<Function*>(base_ + parts_.table.value(DT_FINI_ARRAY));
  for (std::size_t left = parts_.table.value(DT_FINI_ARRAYSZ) / sizeof(Function); left > 0; --left)
    functions[left - 1]();
  if (parts_.table.has(DT_FINI)) reinterpret_cast<Function>(base_ + parts_.table.value(DT_FINI))();
}

}  // namespace kaon::ampi
