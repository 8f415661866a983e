// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/relocation_builder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <system_error>
#include <thread>

#include "kaon/ampi_shim/program/pages.hpp"
#include "kaon/ampi_shim/program/relocation_types.hpp"
#include "kaon/runtime/base/no_thread.hpp"

namespace kaon::ampi {
namespace {

constexpr std::size_t kVariableAlignment = alignof(std::max_align_t);

std::size_t bytes_of(PrivateVariable variable) {
  if (variable < PrivateVariable::cin) return sizeof(void*);
  return std::max({sizeof(std::istream), sizeof(std::ostream), sizeof(std::wistream), sizeof(std::wostream)});
}

std::size_t symbol_of(const ElfW(Rela) & relocation) { return ELF64_R_SYM(relocation.r_info); }

}  // namespace

void RelocationPlan::Builder::build() {
  if (table_.has(DT_TEXTREL) || (table_.value(DT_FLAGS) & DF_TEXTREL) != 0) {
    file_.refuse("its code contains addresses (text relocations); compile all of it with -fPIE or -fPIC");
  }
  add_copies();  // first, because they say where variables are
  add_relative_words();
  for (const auto& relocation : table_.relocations()) add(relocation);
  for (const auto& relocation : table_.plt_relocations()) add(relocation);
  refuse_missing();
}

void RelocationPlan::Builder::add_copies() {
  for (const auto& relocation : table_.relocations()) {
    if (relocation_of(relocation.r_info) == Relocation::copy) add_copy(relocation);
  }
}

void RelocationPlan::Builder::add_copy(const ElfW(Rela) & relocation) {
  const std::size_t index = symbol_of(relocation);
  const auto& symbol = table_.symbol(index);
  if (const auto variable = find_private_variable(table_.name(symbol))) {
    plan_.variables_[static_cast<std::size_t>(*variable)] = relocation.r_offset;
    return;
  }
  const void* source = libraries_.find(table_.name(symbol), table_.version(index));
  if (source == nullptr) {
    missing_.emplace_back(table_.name(symbol));
  } else {
    plan_.copies_.push_back({relocation.r_offset, source, symbol.st_size});
  }
}

void RelocationPlan::Builder::add_relative_words() {
  for (const auto address : table_.relative_words()) {
    const auto value = file_.table<std::uint64_t>(address, sizeof(std::uint64_t))[0];
    plan_.relative_.push_back({address, value});
  }
}

void RelocationPlan::Builder::add(const ElfW(Rela) & relocation) {
  const auto addend = static_cast<std::uint64_t>(relocation.r_addend);
  switch (relocation_of(relocation.r_info)) {
    case Relocation::none:
    case Relocation::copy:
      break;
    case Relocation::relative:
      plan_.relative_.push_back({relocation.r_offset, addend});
      break;
    case Relocation::resolver:
      plan_.resolvers_.push_back({relocation.r_offset, addend});
      break;
    case Relocation::address:
      add_address(relocation);
      break;
    case Relocation::thread_offset:
      add_thread_offset(relocation);
      break;
    case Relocation::unknown:
      file_.refuse(fmt::format(
          "it has a relocation of type {}, which is not known here: compile it as an ordinary "
          "position-independent executable, by ampicc or ampicxx and without options for thread-local models",
          relocation.r_info & 0xffffffffU));
  }
}

void RelocationPlan::Builder::add_address(const ElfW(Rela) & relocation) {
  const auto& symbol = table_.symbol(symbol_of(relocation));
  if (symbol.st_shndx == SHN_UNDEF) return add_import(relocation, symbol);
  const auto value = symbol.st_value + static_cast<std::uint64_t>(relocation.r_addend);
  if (symbol.st_shndx == SHN_ABS) {
    plan_.absolute_.push_back({relocation.r_offset, value});
  } else if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) {
    plan_.resolvers_.push_back({relocation.r_offset, value});
  } else {
    plan_.relative_.push_back({relocation.r_offset, value});
  }
}

void RelocationPlan::Builder::add_import(const ElfW(Rela) & relocation, const ElfW(Sym) & symbol) {
  const auto addend = static_cast<std::uint64_t>(relocation.r_addend);
  if (const auto variable = find_private_variable(table_.name(symbol))) {
    plan_.relative_.push_back({relocation.r_offset, variable_offset(*variable) + addend});
    return;
  }
  void* found = find_import(symbol_of(relocation));
  if (found == nullptr && ELF64_ST_BIND(symbol.st_info) != STB_WEAK) missing_.emplace_back(table_.name(symbol));
  const auto value = found == nullptr ? 0 : reinterpret_cast<std::uint64_t>(found) + addend;
  plan_.absolute_.push_back({relocation.r_offset, value});
}

void* RelocationPlan::Builder::find_import(std::size_t index) const {
  const auto name = table_.name(table_.symbol(index));
  void* replacement = find_replacement_(name);
  return replacement != nullptr ? replacement : libraries_.find(name, table_.version(index));
}

std::size_t RelocationPlan::Builder::variable_offset(PrivateVariable variable) {
  std::size_t& offset = plan_.variables_[static_cast<std::size_t>(variable)];
  if (offset == 0) {
    offset = round_up(plan_.end_, kVariableAlignment);
    plan_.end_ = offset + bytes_of(variable);
  }
  return offset;
}

void RelocationPlan::Builder::add_thread_offset(const ElfW(Rela) & relocation) {
  const std::size_t index = symbol_of(relocation);
  std::ptrdiff_t offset = relocation.r_addend;
  if (index != 0 && table_.symbol(index).st_shndx == SHN_UNDEF) {
    offset += library_thread_offset(index);
  } else {
    const auto* block = file_.find_header(PT_TLS);
    if (block == nullptr) file_.refuse("the file is damaged");
    offset += thread_offset_of_executable(block->p_memsz, block->p_align);
    if (index != 0) offset += static_cast<std::ptrdiff_t>(table_.symbol(index).st_value);
  }
  plan_.absolute_.push_back({relocation.r_offset, static_cast<std::uint64_t>(offset)});
}

// The dynamic linker tells where the variable is in one thread. When it has the same place in another one, it has it in
// all.
std::ptrdiff_t RelocationPlan::Builder::library_thread_offset(std::size_t index) {
  const auto measure = [this, index] {
    const auto* found = static_cast<const std::byte*>(find_import(index));
    return found == nullptr ? 0 : found - static_cast<const std::byte*>(__builtin_thread_pointer());
  };
  const std::ptrdiff_t here = measure();
  std::ptrdiff_t there = 0;
  try {
    std::thread([&] { there = measure(); }).join();
  } catch (const std::system_error& error) {
    runtime::throw_no_thread("a thread that looks at the program's variables", error);
  }
  const auto& symbol = table_.symbol(index);
  if (here == 0 && ELF64_ST_BIND(symbol.st_info) != STB_WEAK) missing_.emplace_back(table_.name(symbol));
  if (here != there) {
    file_.refuse(
        fmt::format("it uses the thread-local variable {} of a library that was loaded too late for that; "
                    "preload the library (LD_PRELOAD)",
                    table_.name(symbol)));
  }
  return here;
}

void RelocationPlan::Builder::refuse_missing() const {
  if (missing_.empty()) return;
  constexpr std::size_t kNamed = 8;
  const std::size_t named = std::min(kNamed, missing_.size());
  file_.refuse(fmt::format("none of its libraries has {}{}. Was it linked with another version of a library?",
                           fmt::join(missing_.begin(), missing_.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                           named < missing_.size() ? " and others" : ""));
}

}  // namespace kaon::ampi
