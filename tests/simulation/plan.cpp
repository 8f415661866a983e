// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/plan.hpp"

#include <array>
#include <exception>
#include <functional>

#include "tests/simulation/activities.hpp"
#include "tests/simulation/actor.hpp"

namespace kaon::testing::simulation {
namespace {

constexpr int kMostSteps = 3'000'000;

Network::Shape any_shape(Random& random) {
  Network::Shape shape(random.between(1, 4), random.between(1, 3));
  if (shape.processes > 1 && random.chance(30))
    for (int i = 0; i < shape.processes; ++i) shape.hosts.push_back(i < 2 ? i : random.below(2));
  return shape;
}

Options options_of(const Plan& plan) {
  Options options = default_options();
  options.credits = plan.credits;
  options.serialize_always |= plan.serializes_always;
  return options;
}

Task<> lose_a_letter(Runtime&, std::uint64_t) {
  stage().ledger.expect("a letter that is not sent");
  co_return;
}

const Activity& activity(const Act& act) {
  static constexpr Activity kFaulty{"a lost letter", lose_a_letter};
  return act.activity == kFaultyActivity ? kFaulty : activities()[act.activity];
}

/// Links between PEs that are slow now; others are, later.
class Weather {
 public:
  Weather(Scene& scene, const Plan& plan) : random_(plan.order_seed), slow_(plan.slow_links) {
    if (slow_ == 0) return;
    scene.network().wire().hold([this](const LoopbackNetwork::Parcel& parcel) {
      return Random(season_ ^ (parcel.from * 4099 + parcel.to * 8 + static_cast<std::uint64_t>(parcel.kind)))
                 .below(100) < slow_;
    });
  }
  /// Once a step of the network.
  void pass() {
    if (left_-- == 0) {
      left_ = random_.between(5, 400);
      season_ = random_.next();
    }
  }

 private:
  Random random_;
  int slow_;
  int left_ = 0;
  std::uint64_t season_ = 0;
};

class Play {
 public:
  explicit Play(const Plan& plan)
      : plan_(plan), scene_(plan.shape, options_of(plan), plan.order_seed), weather_(scene_, plan) {
    scene_.network().set_order(plan.is_any_order ? LoopbackNetwork::Order::any
                                                 : LoopbackNetwork::Order::lanes_in_order);
    scene_.network().wire().copy_at_once(plan.copies_at_once);
  }

  void run() {
    run_one([this](Runtime& runtime) { return set_up(runtime, plan_.stage_seed); });
    for (const auto& round : plan_.rounds) {
      for (const Act& act : round) start(act);
      run_until_ended();
      run_one([](Runtime& runtime) -> Task<> {
        co_await runtime.quiescence();
        require_calm();
      });
    }
    run_one([](Runtime& runtime) { return tear_down(runtime); });
  }
  std::size_t messages() const { return stage_.ledger.size(); }

 private:
  void start(const Act& act) {
    scene_.start([act](Runtime& runtime) { return activity(act).run(runtime, act.seed); },
                 act.pe % scene_.network().pes());
  }
  void run_one(Scene::MainTask task) {
    scene_.start(std::move(task));
    run_until_ended();
  }
  void run_until_ended() {
    unsigned steps = 0;
    const auto is_over = [this, &steps] {
      weather_.pass();
      if (++steps % 64 == 0) scene_.rethrow();
      return scene_.all_ended();
    };
    if (!scene_.network().run_until(is_over, kMostSteps)) throw Fault("it does not end; these wait:" + scene_.waits());
    scene_.rethrow();
  }

  const Plan& plan_;
  Stage stage_;  // outlives the chares, which count themselves there
  OnStage on_stage_{stage_};
  Scene scene_;
  Weather weather_;
};

}  // namespace

Plan Plan::from_seed(std::uint64_t seed) {
  Random random(seed);
  Plan plan;
  plan.stage_seed = random.next();
  plan.order_seed = random.next();
  plan.shape = any_shape(random);
  plan.is_any_order = random.chance(60);
  plan.copies_at_once = random.chance(50);
  plan.serializes_always = random.chance(30);
  plan.credits = random.chance(50) ? 64 : random.between(4, 12);
  plan.slow_links = random.chance(50) ? random.between(10, 60) : 0;
  plan.rounds.resize(random.between<std::size_t>(1, 3));
  for (auto& round : plan.rounds)
    for (int i = random.between(1, 8); i > 0; --i)
      round.push_back({random.below(activities().size()), random.next(), random.below<PeId>(12)});
  return plan;
}

std::string Plan::text() const {
  std::string text = std::to_string(shape.processes) + " processes of " + std::to_string(shape.pes_per_process) +
                     " PEs" + (shape.hosts.empty() ? "" : " on several hosts") + ", " + std::to_string(credits) +
                     " credits" + (is_any_order ? ", any order" : "") + (copies_at_once ? ", copied at once" : "") +
                     (serializes_always ? ", serialized always" : "") + (slow_links > 0 ? ", slow links" : "");
  for (const auto& round : rounds) {
    text += "\n  round:";
    for (const Act& act : round)
      text += " [" + std::string(activity(act).name) + " on PE " +
              std::to_string(act.pe % static_cast<PeId>(shape.processes * shape.pes_per_process)) + "]";
  }
  return text;
}

std::optional<std::string> fault_of(const Plan& plan, Outcome* outcome) {
  try {
    Play play(plan);
    play.run();
    if (outcome != nullptr) outcome->messages = play.messages();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

namespace {

/// Plans that are a step simpler.
std::vector<Plan> simpler(const Plan& plan) {
  std::vector<Plan> all;
  const auto with = [&](const auto& change) { change(all.emplace_back(plan)); };
  for (std::size_t r = 0; r < plan.rounds.size(); ++r) {
    with([r](Plan& p) { p.rounds.erase(p.rounds.begin() + static_cast<std::ptrdiff_t>(r)); });
    for (std::size_t a = 0; a < plan.rounds[r].size(); ++a)
      with([r, a](Plan& p) { p.rounds[r].erase(p.rounds[r].begin() + static_cast<std::ptrdiff_t>(a)); });
  }
  if (plan.shape.processes > 1) with([](Plan& p) { p.shape = {p.shape.processes - 1, p.shape.pes_per_process}; });
  if (plan.shape.pes_per_process > 1) with([](Plan& p) { p.shape = {p.shape.processes, p.shape.pes_per_process - 1}; });
  if (!plan.shape.hosts.empty()) with([](Plan& p) { p.shape.hosts.clear(); });
  if (plan.is_any_order) with([](Plan& p) { p.is_any_order = false; });
  if (plan.copies_at_once) with([](Plan& p) { p.copies_at_once = false; });
  if (plan.serializes_always) with([](Plan& p) { p.serializes_always = false; });
  if (plan.slow_links > 0) with([](Plan& p) { p.slow_links = 0; });
  if (plan.credits < 64) with([](Plan& p) { p.credits = 64; });
  return all;
}

/// What is simpler runs otherwise: some orders are tried.
bool has_fault_in_some_order(Plan& plan, int orders) {
  for (int i = 0; i < orders; ++i, ++plan.order_seed)
    if (fault_of(plan)) return true;
  return false;
}

}  // namespace

Plan smaller(const Plan& plan, int most_runs) {
  constexpr int kOrders = 20;
  Plan smallest = plan;
  for (bool any = true; any;) {
    any = false;
    for (Plan& next : simpler(smallest)) {
      if ((most_runs -= kOrders) < 0) return smallest;
      if (!has_fault_in_some_order(next, kOrders)) continue;
      smallest = next;
      any = true;
      break;
    }
  }
  return smallest;
}

}  // namespace kaon::testing::simulation
