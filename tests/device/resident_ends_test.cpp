// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Resident schedulers that end, and what they refuse.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/device/device_scene.hpp"
#include "tests/device/resident_cells.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::resident_ends {

/// Who is told by entries of a device, and may be gone or elsewhere by then.
class Hearer : public Chare<Hearer> {
 public:
  void hear(std::uint32_t) { ++heard_; }
  int heard() const { return heard_; }
  void end() { destroy(); }
  void move(PeId to) { migrate_to(to); }
  template <class Archive>
  void pup(Archive& archive) {
    archive(heard_);
  }

 private:
  int heard_ = 0;
};

class Host : public Chare<Host> {
 public:
  /// Entries tell each of the elements five times.
  Task<> tell_elements(std::vector<Element<Hearer>> hearers) {
    cells_.emplace(options_of(2));
    for (const Element<Hearer>& hearer : hearers) {
      const auto told = cells_->on_host<std::uint32_t, std::uint64_t>(
          [hearer](std::uint32_t i, std::uint64_t) { hearer.send<&Hearer::hear>(i); });
      cells_->send(co_await cells_->make(Cell{0, {}, told, nullptr}), Report{5});
    }
  }
  /// Makes one that parks when it was idle for so long.
  Task<> begin(double idle_us) {
    gpu::ResidentOptions options = options_of(2);
    options.idle_us = idle_us;
    cells_.emplace(options);
    one_ = co_await cells_->make(Cell{});
  }
  /// Two calls, of which one is given up while both are answered, beside another task that calls: each gets its own.
  Task<bool> give_up(int times) {
    bool is_right = true;
    for (int i = 0; i < times; ++i) {
      (void)co_await any(cells_->call(one_, Add{0}), cells_->call(one_, Add{0}));
      is_right &= co_await cells_->call(one_, Add{1}) > 0;
    }
    co_return is_right;
  }
  /// What a scheduler has been given is done also when it is destroyed.
  Task<> destroy_with_tasks(std::uint32_t count) {
    total_ = gpu::Buffer<std::uint64_t>(1, stream_);
    stream_.fill(total_.span(), 0);
    co_await stream_.drained();
    Cells cells(options_of(2, 4));
    const Object cell = co_await cells.make(Cell{0, {}, {}, total_.data()});
    for (std::uint32_t i = 0; i < count; ++i) cells.send(cell, Add{1});
  }
  Task<std::uint64_t> total() {
    gpu::Pinned<std::uint64_t> seen(1, stream_);
    stream_.copy(seen, total_.span());
    co_await stream_.drained();
    co_return seen[0];
  }
  /// Calls of a scheduler that is destroyed.
  Task<std::string> destroy_with_call() {
    auto cells = std::make_unique<Cells>(options_of(1));
    const Object cell = co_await cells->make(Cell{});
    auto call = wait_for(*cells, cell);
    auto end = destroy(cells);
    co_return std::get<0>(co_await all(std::move(call), std::move(end)));
  }
  /// What is being made by a scheduler that is destroyed.
  Task<std::string> destroy_while_making() {
    auto cells = std::make_unique<Cells>(options_of(1)), other = std::make_unique<Cells>(options_of(1));
    auto object = told(cells->make(Cell{})), flag = told(other->make_flag());
    const auto texts = co_await all(std::move(object), std::move(flag), destroy(cells), destroy(other));
    co_return std::get<0>(texts) + "; " + std::get<1>(texts);
  }
  /// A target that destroys the scheduler which calls it.
  Task<> destroy_by_target() {
    cells_.emplace(options_of(1));
    const auto told = cells_->on_host<std::uint32_t, std::uint64_t>([this](std::uint32_t i, std::uint64_t) {
      ++heard_;
      if (i == 3) cells_.reset();
    });
    one_ = co_await cells_->make(Cell{0, {}, told, nullptr});
    cells_->send(one_, Report{200});
  }
  bool is_destroyed() { return !cells_; }
  int heard() const { return heard_; }
  /// The host reaches a worker that is never without tasks of the device.
  Task<std::uint64_t> stop_cycle() {
    Cells cells(options_of(1));
    const auto told = cells.on_host<std::uint32_t, std::uint64_t>(
        [&](std::uint32_t, std::uint64_t value) { self().template send<&Host::sum>(value); });
    const Object cell = co_await cells.make(Cell{0, {}, told, nullptr});
    const Object other = co_await cells.make(Cell{});
    cells.send(cell, Cycle{});
    co_await cells.call(other, Add{1});  // the cycle goes on by now
    cells.send(cell, Add{5});
    co_return co_await sum.next();
  }
  /// What objects and targets of others, or of none, lead to.
  Task<std::string> send_foreign(int what) {
    cells_.emplace(options_of(2));
    other_cells_.emplace(options_of(3));
    one_ = co_await cells_->make(Cell{});
    other_ = co_await other_cells_->make_on(1, Cell{});
    co_return thrown<UsageError>([&] {
      if (what == 0) cells_->send(other_, Add{1});
      if (what == 1) cells_->send(Object{}, Add{1});
    });
  }
  void send_on(bool is_none) { cells_->send(one_, Pass{is_none ? Object{} : other_}); }
  void tell_nobody() { cells_->send(one_, Hop{0, 0}); }
  Inbox<std::uint64_t> sum;

 private:
  static Task<std::string> wait_for(Cells& cells, Object cell) {
    std::string text;
    try {
      for (;;) co_await cells.call(cell, Add{0});
    } catch (const UsageError& error) {
      text = error.what();
    }
    co_return text;
  }
  template <class Made>
  static Task<std::string> told(Task<Made> making) {
    std::string text;
    try {
      (void)co_await std::move(making);
    } catch (const UsageError& error) {
      text = error.what();
    }
    co_return text;
  }
  static Task<int> destroy(std::unique_ptr<Cells>& cells) {
    cells.reset();
    co_return 0;
  }
  gpu::Stream stream_;
  gpu::Buffer<std::uint64_t> total_;
  std::optional<Cells> cells_, other_cells_;
  Object one_, other_;
  int heard_ = 0;
};

}  // namespace kaon::testing::resident_ends

namespace kaon::testing {
namespace {

using resident_ends::Host;

bool is_none_now = false;

std::string fault_of(Scene::MainTask main_task, bool is_none) {
  is_none_now = is_none;
  DeviceSceneSettings settings;
  settings.shape = {1, 1};
  DeviceScene scene(settings);
  return thrown<std::runtime_error>([&] { scene.run(main_task); });
}

}  // namespace

TEST_CASE("a call that is given up when it is answered takes no other's place", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin>(0.0);
    const auto results = co_await all(hosts[0].call<&Host::give_up>(20), hosts[0].call<&Host::give_up>(20),
                                      hosts[0].call<&Host::give_up>(20));
    CHECK((std::get<0>(results) && std::get<1>(results) && std::get<2>(results)));
  });
}

TEST_CASE("what a resident scheduler was given is done when it is destroyed", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    hosts[0].send<&Host::destroy_with_tasks>(200U);
    co_await runtime.quiescence();
    CHECK_AWAITED(hosts[0].call<&Host::total>(), 200);
  });
}

TEST_CASE("a run ends at once though its kernel would stay for hours", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    co_await hosts[0].call<&Host::begin>(1e11);
    CHECK_AWAITED(hosts[0].call<&Host::give_up>(1), true);
  });
}

TEST_CASE("a resident scheduler may be destroyed by what it tells", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    hosts[0].send<&Host::destroy_by_target>();
    co_await runtime.quiescence();
    CHECK_AWAITED(hosts[0].call<&Host::is_destroyed>(), true);
    CHECK_AWAITED(hosts[0].call<&Host::heard>(), 4);  // of 200: what it was told then is dropped
  });
}

TEST_CASE("the host reaches a worker that is never without tasks of the device", "[device][resident]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_AWAITED(hosts[0].call<&Host::stop_cycle>(), std::uint64_t{5});
  });
}

TEST_CASE("what entries tell a deleted chare is dropped, and one that has moved hears it",
          "[device][resident][bad input]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hearers = co_await runtime.create<resident_ends::Hearer>(3);
    const auto hosts = co_await runtime.create<Host>(1);
    hearers[0].send<&resident_ends::Hearer::end>();
    hearers[1].send<&resident_ends::Hearer::move>(static_cast<PeId>(runtime.pes() - 1));
    co_await runtime.quiescence();
    std::vector<Element<resident_ends::Hearer>> all;
    for (int i = 0; i < 3; ++i) all.push_back(hearers[i]);
    co_await hosts[0].call<&Host::tell_elements>(all);
    co_await runtime.quiescence();
    CHECK_AWAITED(hearers[1].call<&resident_ends::Hearer::heard>(), 5);
    CHECK_AWAITED(hearers[2].call<&resident_ends::Hearer::heard>(), 5);
  });
}

TEST_CASE("calls of a resident scheduler that is destroyed fail", "[device][resident][bad input]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_THAT_AWAITED(hosts[0].call<&Host::destroy_with_call>(), contains_text("was destroyed while a task waited"));
  });
}

TEST_CASE("what is being made by a resident scheduler that is destroyed is refused", "[device][resident][bad input]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_THAT_AWAITED(
        hosts[0].call<&Host::destroy_while_making>(),
        contains_text("waited for an object that it makes; ") && contains_text("for a flag that it makes"));
  });
}

TEST_CASE("objects of other resident schedulers, and of none, are refused", "[device][resident][bad input]") {
  run_on_devices([](Runtime& runtime) -> Task<> {
    const auto hosts = co_await runtime.create<Host>(1);
    CHECK_THAT_AWAITED(hosts[0].call<&Host::send_foreign>(0), contains_text("belongs to another resident scheduler"));
    CHECK_THAT_AWAITED(hosts[0].call<&Host::send_foreign>(1), contains_text("make() gives one"));
  });
  for (const bool is_none : {false, true}) {
    const std::string text = fault_of(
        [](Runtime& runtime) -> Task<> {
          const auto hosts = co_await runtime.create<Host>(1);
          co_await hosts[0].call<&Host::send_foreign>(2);
          hosts[0].send<&Host::send_on>(is_none_now);
          co_await runtime.quiescence();
        },
        is_none);
    CHECK(has(text, "sent kaon::testing::Add to an object that neither its scheduler has made nor a peer of it"));
  }
  const std::string text = fault_of(
      [](Runtime& runtime) -> Task<> {
        const auto hosts = co_await runtime.create<Host>(1);
        co_await hosts[0].call<&Host::send_foreign>(2);
        hosts[0].send<&Host::tell_nobody>();
        co_await runtime.quiescence();
      },
      false);
  CHECK(has(text, "told a HostTarget that on_host() of its scheduler has not made"));
}

}  // namespace kaon::testing
