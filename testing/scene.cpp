// SPDX-License-Identifier: Apache-2.0
#include "kaon/testing/scene.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "kaon/runtime/pe/wait_report.hpp"

namespace kaon::testing {

class Scene::Root final : Work, runtime::Root {
 public:
  Root(Pe& pe, MainTask main_task)
      : runtime::Root(pe), main_task_(std::move(main_task)), runtime_(pe), frame_(main_task_(runtime_).release()) {
    run = [](Work& self, Pe&) { static_cast<Root&>(self).has_ended_ = true; };
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;
  void start() {
    Pe& here = this_pe();
    runtime::Root* const before = here.switch_root(this);
    frame_.promise().start(frame_, *this, this);
    here.switch_root(before);
  }
  void say_name(ShortText& text) const override { text << "a main task of the test"; }
  void destroy() { runtime::destroy_frame(frame_); }  // as the thread of its PE
  bool has_ended() const { return has_ended_; }
  void rethrow() const { frame_.promise().rethrow(); }
  PeId pe() const { return runtime_.pe(); }

 private:
  MainTask main_task_;
  Runtime runtime_;
  std::coroutine_handle<Task<>::promise_type> frame_;
  bool has_ended_ = false;
};

Scene::Scene(const Network::Shape& shape, const Options& options, std::uint64_t seed)
    : network_(shape, options, seed) {}

Scene::~Scene() {
  for (auto& root : roots_) network_.on(root->pe(), [&](Pe&) { root->destroy(); });
}

void Scene::start(MainTask main_task, PeId pe) {
  network_.on(pe, [&](Pe& here) {
    roots_.push_back(std::make_unique<Root>(here, std::move(main_task)));
    roots_.back()->start();
  });
}

bool Scene::all_ended() const {
  return std::all_of(roots_.begin(), roots_.end(), [](const auto& root) { return root->has_ended(); });
}

void Scene::rethrow() const {
  for (const auto& root : roots_)
    if (root->has_ended()) root->rethrow();
}

std::string Scene::waits() {
  WaitReport report;
  for (PeId pe = 0; pe < network_.pes(); ++pe) network_.on(pe, [&](Pe& here) { report.add(waits_of(here)); });
  return to_text(report);
}

void Scene::run(MainTask main_task, PeId pe) {
  start(std::move(main_task), pe);
  const Root& root = *roots_.back();
  if (!network_.run_until([&] { return root.has_ended(); }, 1'000'000))
    throw std::runtime_error("the main task of the test did not end; these wait:" + waits());
  root.rethrow();
}

}  // namespace kaon::testing
