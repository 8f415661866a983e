// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/program/dynamic_table.hpp"
#include "kaon/ampi_shim/program/libraries.hpp"
#include "kaon/ampi_shim/program/relocation_plan.hpp"

namespace kaon::ampi {

/// Fills a plan from the program's tables.
class RelocationPlan::Builder {
 public:
  Builder(RelocationPlan& plan, const ExecutableFile& file, const DynamicTable& table, const Libraries& libraries,
          const FindReplacement& find_replacement)
      : plan_(plan), file_(file), table_(table), libraries_(libraries), find_replacement_(find_replacement) {}
  void build();

 private:
  void add_copies();
  void add_copy(const ElfW(Rela) & relocation);
  void add_relative_words();
  void add(const ElfW(Rela) & relocation);
  void add_address(const ElfW(Rela) & relocation);
  void add_import(const ElfW(Rela) & relocation, const ElfW(Sym) & symbol);
  void add_thread_offset(const ElfW(Rela) & relocation);
  void* find_import(std::size_t index) const;
  std::size_t variable_offset(PrivateVariable variable);
  std::ptrdiff_t library_thread_offset(std::size_t index);
  void refuse_missing() const;

  RelocationPlan& plan_;
  const ExecutableFile& file_;
  const DynamicTable& table_;
  const Libraries& libraries_;
  const FindReplacement& find_replacement_;
  std::vector<std::string> missing_;
};

}  // namespace kaon::ampi
