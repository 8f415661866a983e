// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/ranks/world.hpp"

#include <cstdio>
#include <utility>

#include "kaon/ampi_shim/program/program.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/crash_code.hpp"
#include "kaon/runtime/pe/crash_stack.hpp"
#include "kaon/runtime/work/awaitable.hpp"

namespace kaon::ampi {
namespace {

/// For crashes: the stack of the rank that runs, which may have come to its end.
StackBounds stack_of_rank() noexcept {
  const Strand* const strand = current_strand_or_null();
  if (strand == nullptr) return {};
  const StackMemory& stack = strand->stack();
  return {reinterpret_cast<std::uintptr_t>(stack.lowest), stack.bytes, "ampirun --stack-size gives ranks larger ones"};
}

/// For crashes: code of the program, whose images the dynamic linker does not know.
CodePlace code_of_program(std::uintptr_t address) noexcept {
  const Program* const program = World::get().program;
  if (program == nullptr) return {};
  const Program::Place place = program->place_of(reinterpret_cast<const void*>(address));
  return {place.file, place.offset, place.function};
}

constexpr std::size_t kHelperStackBytes = std::size_t{256} << 10;

/// The wait for the ends of all ranks.
class AllEnded {
 public:
  static constexpr bool kIsCounted = false, kIsFromOutside = false;
  explicit AllEnded(World& world) : world_(world) {}
  bool is_ready() const { return world_.have_all_ended(); }
  bool start(Waiter& waiter) {
    world_.await_ends(waiter);
    return false;
  }
  void give_up(Waiter&) noexcept { world_.forget_waiter(); }
  int take() const { return world_.code(); }
  std::string describe() const { return "for the ends of its " + std::to_string(world_.ranks()) + " ranks"; }

 private:
  World& world_;
};

}  // namespace

World* World::the_world = nullptr;

World::World(const WorldOptions& options, Main main, Abort abort)
    : options_(options),
      main_(std::move(main)),
      abort_(std::move(abort)),
      stacks_(options.stack_bytes),
      helper_stacks_(kHelperStackBytes),
      printed_(options.shared_folder) {
  if (std::exchange(the_world, this) != nullptr) throw UsageError("a process has one world of ranks at a time");
  set_stack_finder(&stack_of_rank);
  set_code_finder(&code_of_program);
}

World::~World() {
  set_code_finder(nullptr);
  set_stack_finder(nullptr);
  the_world = nullptr;
}

World& World::get() { return *the_world; }

void World::abort(int code, const std::string& text) const {
  abort_(code, text);
  std::abort();
}

void World::print_once(const std::string& name, const std::string& text) {
  if (printed_.is_first(name)) std::fprintf(stderr, "ampirun: %s\n", text.c_str());
}

void World::rank_has_ended(int code) {
  if (code_ == 0) code_ = code;
  if (++ended_ == options_.ranks && waiter_ != nullptr) std::exchange(waiter_, nullptr)->resume_soon();
}

Task<int> run_ranks(Runtime& runtime) {
  World& world = World::get();
  const Proxy<Rank> ranks = co_await runtime.create<Rank>(Shape(world.ranks()));
  ranks.broadcast<&Rank::start>();
  co_return co_await Awaitable<AllEnded>(world);
}

}  // namespace kaon::ampi
