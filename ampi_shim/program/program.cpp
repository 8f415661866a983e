// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/program.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "kaon/ampi_shim/program/dynamic_table.hpp"
#include "kaon/ampi_shim/program/executable_file.hpp"
#include "kaon/ampi_shim/program/function_names.hpp"
#include "kaon/ampi_shim/program/image_slots.hpp"
#include "kaon/ampi_shim/program/interposition.hpp"
#include "kaon/ampi_shim/program/libraries.hpp"
#include "kaon/ampi_shim/program/library_variables.hpp"
#include "kaon/ampi_shim/program/loaded_image.hpp"
#include "kaon/ampi_shim/program/relocation_plan.hpp"
#include "kaon/ampi_shim/program/replacements.hpp"
#include "kaon/ampi_shim/program/standard_streams.hpp"
#include "kaon/ampi_shim/program/unwinding.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {
namespace {

void* find_in(std::span<const Replacement> all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [name](const auto& each) { return each.name == name; });
  return found == all.end() ? nullptr : found->function;
}

}  // namespace

std::unique_ptr<Program> Program::open(ProgramOptions options) {
  return std::unique_ptr<Program>(new Program(std::move(options)));
}

Program::Program(ProgramOptions options) : options_(std::move(options)) {
  if (!sees_new_threads() || !sees_exceptions()) {
    throw runtime::Error(
        "this executable cannot run programs: link it so that it exports pthread_create and _dl_find_object");
  }
  file_ = std::make_unique<ExecutableFile>(options_.path);
  table_ = std::make_unique<DynamicTable>(*file_);
  fit_thread_locals();
  if (options_.ranks > 1) refuse_interpreter();
  const auto loaded = loaded_libraries();
  libraries_ = std::make_unique<Libraries>(*file_, *table_);
  if (options_.ranks > 1) {
    warn_of_shared_variables(loaded);
    watch_opened_libraries();
  }
  plan_ = std::make_unique<RelocationPlan>(*file_, *table_, *libraries_,
                                           [this](std::string_view name) { return find_replacement(name); });
  const auto* unwind_header = file_->find_header(PT_GNU_EH_FRAME);
  slots_ =
      std::make_unique<ImageSlots>(file_->image_end() + plan_->bytes_behind(), file_->alignment(),
                                   options_.images_at_a_time, unwind_header == nullptr ? 0 : unwind_header->p_vaddr);
}

Program::~Program() = default;

void Program::refuse_interpreter() const {
  constexpr std::string_view kNames[] = {"libpython", "libperl.", "libruby", "libR.", "libjulia"};
  for (const std::string& library : table_->needed_libraries()) {
    if (std::none_of(std::begin(kNames), std::end(kNames), [&](auto name) { return library.starts_with(name); }))
      continue;
    file_->refuse("its interpreter is in a library, " + library +
                  ", which is once in a process and has the state of one program; give each rank a process of its own "
                  "(ampirun --ranks-per-process 1)");
  }
}

void* Program::find_replacement(std::string_view name) const {
  if (name == "__libc_start_main") return reinterpret_cast<void*>(&kaon_record_entry_point);
  void* ranks = find_in(options_.hooks.replacements, name);
  return ranks != nullptr ? ranks : ampi::find_replacement(name);
}

void Program::fit_thread_locals() {
  const auto* header = file_->find_header(PT_TLS);
  if (header == nullptr) return;
  const auto fit = ampi::fit_thread_locals(header->p_memsz, header->p_align);
  if (fit.problem != nullptr) file_->refuse(fit.problem);
  thread_locals_ = fit.block;
}

std::unique_ptr<ProgramImage> Program::load(void* owner) {
  auto loaded = options_.share_globals ? shared_image() : load_image(owner);
  return std::make_unique<ProgramImage>(std::move(loaded), options_.hooks, owner, options_.share_globals);
}

Program::Place Program::place_of(const void* address) const noexcept {
  const std::byte* const image = find_image(address);
  if (image == nullptr) return {};
  const auto offset = static_cast<std::uintptr_t>(static_cast<const std::byte*>(address) - image);
  return {file_->path().c_str(), offset, function_at(file_->contents(), offset)};
}

std::shared_ptr<LoadedImage> Program::load_image(void* owner) {
  const LoadedImage::Parts parts{*file_, *table_, *plan_, *slots_, thread_locals_};
  return std::make_shared<LoadedImage>(parts, options_.hooks, owner);
}

std::shared_ptr<LoadedImage> Program::shared_image() {
  const std::lock_guard lock(mutex_);
  auto& image = shared_images_[std::this_thread::get_id()];
  if (image == nullptr) image = load_image(nullptr);
  return image;
}

}  // namespace kaon::ampi
